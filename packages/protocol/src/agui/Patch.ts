/**
 * Applies a JSON Patch (RFC 6902) to a document.
 *
 * `effect/JsonPatch` does `add`, `remove` and `replace`; `test`, `move` and `copy` are those three with a look
 * at the document first. The document is never changed in place: what a patch does not touch is shared.
 */
import * as Equal from "effect/Equal"
import { apply } from "effect/JsonPatch"
import { unescapeToken } from "effect/JsonPointer"
import * as Result from "effect/Result"
import type { Json } from "effect/Schema"
import { decodePayload } from "../wire/Codec.ts"
import { isRecord } from "../wire/Json.ts"
import { JsonPatchOperation } from "./JsonPatch.ts"

/**
 * The document after the patch, or why the patch does not apply. All of a patch applies, or nothing.
 *
 * Clients apply patches with `fast-json-patch`, which also takes some that the RFC forbids: a `move` or `copy`
 * beyond the end of an array, or array positions such as `01`. Those do not apply here. What it refuses for
 * safety, paths through `__proto__` and `constructor/prototype`, does not apply here either.
 */
export const applyPatch = (document: unknown, patch: ReadonlyArray<unknown>): Result.Result<unknown, string> =>
  Result.try({
    try: () => patch.reduce(applyOperation, document),
    catch: (error) => (error instanceof Error ? error.message : String(error))
  })

const applyOperation = (document: unknown, value: unknown): unknown => {
  const decoded = decodePayload(JsonPatchOperation, value)
  // Clients of 0.0 take any operation and find out when they apply it.
  if (decoded._tag === "Invalid") throw new Error(`there is no such operation (${decoded.error.message})`)
  const operation = decoded.value
  const path = tokensOf(operation.path)
  switch (operation.op) {
    case "add":
    case "replace":
      return change(document, operation.op, operation.path, operation.value)
    case "remove":
      return path.length === 0 ? null : change(document, "remove", operation.path)
    case "copy":
      return change(document, "add", operation.path, valueAt(document, tokensOf(operation.from)))
    case "move": {
      const from = tokensOf(operation.from)
      const value = valueAt(document, from)
      if (path.length > from.length && from.every((token, index) => token === path[index]))
        throw new Error(`"${operation.from}" cannot move into itself, to "${operation.path}"`)
      const without = from.length === 0 ? null : change(document, "remove", operation.from)
      return change(without, "add", operation.path, value)
    }
    case "test":
      if (!Equal.equals(valueAt(document, path), operation.value))
        throw new Error(`the value at "${operation.path}" is not the one the patch expects`)
      return document
  }
}

const change = (document: unknown, op: "add" | "remove" | "replace", path: string, value?: unknown): unknown =>
  // A document is what JSON.parse gave; Effect only wants to hear it.
  apply([op === "remove" ? { op, path } : { op, path, value: value as Json }], document as Json)

const tokensOf = (pointer: string): ReadonlyArray<string> => {
  const tokens = pointer.split("/").slice(1).map(unescapeToken)
  const reaches = (token: string, index: number) =>
    token === "__proto__" || (token === "prototype" && tokens[index - 1] === "constructor")
  if (tokens.some(reaches)) throw new Error(`"${pointer}" leads out of the document`)
  return tokens
}

const valueAt = (document: unknown, tokens: ReadonlyArray<string>): unknown =>
  tokens.reduce((value, token) => {
    if (Array.isArray(value) && /^(0|[1-9]\d*)$/.test(token) && Number(token) < value.length)
      return value[Number(token)]
    if (isRecord(value) && Object.hasOwn(value, token)) return value[token]
    throw new Error(`there is no "${token}" on the path /${tokens.join("/")}`)
  }, document)
