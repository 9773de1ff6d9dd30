/**
 * Applies a JSON Patch (RFC 6902) to a document without changing it: what was shared with an event stays as it came.
 */
import { isObject } from "../internal/Shape.ts"
import { quote } from "./Finding.ts"
import { sameJson } from "./JsonValue.ts"

/** What became of a patch. It applies as a whole or not at all. */
export type Patched =
  | { readonly _tag: "Applied"; readonly value: unknown }
  | { readonly _tag: "Failed"; readonly reason: string }

/** Applies a patch. */
export const applyPatch = (document: unknown, patch: ReadonlyArray<unknown>): Patched => {
  let value = document
  for (const operation of patch) {
    const result = isObject(operation) ? applyOperation(value, operation) : fail("an operation is not an object")
    if (result._tag === "Failed") return result
    value = result.value
  }
  return { _tag: "Applied", value }
}

const applied = (value: unknown): Patched => ({ _tag: "Applied", value })
const fail = (reason: string): Patched => ({ _tag: "Failed", reason })

const applyOperation = (document: unknown, operation: Readonly<Record<string, unknown>>): Patched => {
  const { from, op, value } = operation
  const path = tokensOf(operation["path"])
  if (path === undefined) return fail(`${quote(operation["path"])} is not a JSON Pointer`)
  switch (op) {
    case "add":
      return write(document, path, 0, (inside, key) => insert(inside, key, value))
    case "remove":
      return write(document, path, 0, remove)
    case "replace":
      return write(document, path, 0, (inside, key) => replace(inside, key, value))
    case "test": {
      const found = read(document, path)
      if (found._tag === "Failed") return found
      return sameJson(found.value, value) ? applied(document) : fail(`the test of ${quote(operation["path"])} fails`)
    }
    case "copy":
    case "move": {
      const source = tokensOf(from)
      if (source === undefined) return fail(`${quote(from)} is not a JSON Pointer`)
      const found = read(document, source)
      if (found._tag === "Failed") return found
      const without = op === "move" ? write(document, source, 0, remove) : applied(document)
      if (without._tag === "Failed") return without
      return write(without.value, path, 0, (inside, key) => insert(inside, key, found.value))
    }
    default:
      return fail(`${quote(op)} is no operation`)
  }
}

const tokensOf = (pointer: unknown): ReadonlyArray<string> | undefined => {
  if (typeof pointer !== "string") return undefined
  if (pointer === "") return []
  if (!pointer.startsWith("/")) return undefined
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
}

const missing = (key: string): Patched => fail(`there is no ${quote(key)}`)

const indexOf = (key: string): number => (/^(0|[1-9]\d*)$/.test(key) ? Number(key) : -1)

const child = (inside: unknown, key: string): Patched => {
  if (Array.isArray(inside)) {
    const index = indexOf(key)
    return index >= 0 && index < inside.length ? applied(inside[index]) : missing(key)
  }
  return isObject(inside) && Object.hasOwn(inside, key) ? applied(inside[key]) : missing(key)
}

const read = (document: unknown, path: ReadonlyArray<string>): Patched => {
  let value = document
  for (const key of path) {
    const found = child(value, key)
    if (found._tag === "Failed") return found
    value = found.value
  }
  return applied(value)
}

/** The document with a change at the end of a path; `key` is undefined for the document itself. */
type Change = (inside: unknown, key: string | undefined) => Patched

const write = (inside: unknown, path: ReadonlyArray<string>, at: number, change: Change): Patched => {
  const key = path[at]
  if (key === undefined || at === path.length - 1) return change(inside, key)
  const found = child(inside, key)
  if (found._tag === "Failed") return found
  const changed = write(found.value, path, at + 1, change)
  return changed._tag === "Failed" ? changed : replace(inside, key, changed.value)
}

const withKey = (inside: Readonly<Record<string, unknown>>, key: string, value: unknown): Patched => {
  const copy = { ...inside }
  // Plain assignment would set the prototype.
  if (key === "__proto__")
    Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true })
  else copy[key] = value
  return applied(copy)
}

const insert: (inside: unknown, key: string | undefined, value: unknown) => Patched = (inside, key, value) => {
  if (key === undefined) return applied(value)
  if (Array.isArray(inside)) {
    const index = key === "-" ? inside.length : indexOf(key)
    return index >= 0 && index <= inside.length ? applied(inside.toSpliced(index, 0, value)) : missing(key)
  }
  return isObject(inside) ? withKey(inside, key, value) : missing(key)
}

const replace = (inside: unknown, key: string | undefined, value: unknown): Patched => {
  if (key === undefined) return applied(value)
  const found = child(inside, key)
  if (found._tag === "Failed") return found
  if (Array.isArray(inside)) return applied(inside.with(indexOf(key), value))
  return isObject(inside) ? withKey(inside, key, value) : missing(key)
}

const remove: Change = (inside, key) => {
  if (key === undefined) return applied(null)
  const found = child(inside, key)
  if (found._tag === "Failed") return found
  if (Array.isArray(inside)) return applied(inside.toSpliced(indexOf(key), 1))
  return applied(Object.fromEntries(Object.entries(inside as object).filter(([name]) => name !== key)))
}
