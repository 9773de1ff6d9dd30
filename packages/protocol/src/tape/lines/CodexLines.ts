/**
 * Codex's lines: JSON-RPC of `codex app-server`, and the events of `codex exec --json`.
 *
 * Both sides count their requests in the same numbers, from 0 (docs/wire/codex.md §3.4), so an id means nothing without
 * its side: `‹host 1›` is the first request of the client, and the answer to it has the same name.
 */
import { isRecord } from "../../wire/Json.ts"
import { parseJson } from "../../wire/ReadJson.ts"
import type { Speaker } from "../Tape.ts"
import { noAnswer, type RuntimeLines } from "./RuntimeLines.ts"

const others: Readonly<Record<Speaker, Speaker>> = { host: "agent", agent: "host" }

/** Codex drops what has another one, without an answer (§3.2). */
const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isSafeInteger(id)

const nameOfId = (asker: Speaker, id: string | number): string => `‹${asker} ${JSON.stringify(id)}›`

/** The id in a name, as JSON has it. */
const idOfName = (name: string): string | undefined => /^‹(?:host|agent) (.+)›$/su.exec(name)?.[1]

const named = (value: unknown, from: Speaker): unknown => {
  if (!isRecord(value)) return value
  const { id, method, params } = value
  if (typeof method !== "string") return isId(id) ? { ...value, id: nameOfId(others[from], id) } : value
  if (isId(id)) return { ...value, id: nameOfId(from, id) }
  // What the server asked is over: the one notification that names a request.
  if (method !== "serverRequest/resolved" || !isRecord(params) || !isId(params["requestId"])) return value
  return { ...value, params: { ...params, requestId: nameOfId("agent", params["requestId"]) } }
}

const idValue = /\s*:\s*(-?\d+(?![\d.eE])|"(?:[^"\\]|\\.)*")/y
const stringValue = /"(?:[^"\\]|\\.)*"/y

/** Where the id of a message is written. */
const idSpan = (line: string): readonly [start: number, end: number] | undefined => {
  let depth = 0
  for (let at = 0; at < line.length; at++) {
    const character = line[at]
    if (character === "{" || character === "[") depth++
    else if (character === "}" || character === "]") depth--
    else if (character === '"') {
      stringValue.lastIndex = at
      const end = stringValue.test(line) ? stringValue.lastIndex : line.length
      idValue.lastIndex = end
      const found = depth === 1 && line.slice(at, end) === '"id"' ? idValue.exec(line)?.[1] : undefined
      if (found !== undefined) return [idValue.lastIndex - found.length, idValue.lastIndex]
      at = end - 1
    }
  }
  return undefined
}

const member = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)

const methodOf = (value: unknown): string | undefined => {
  const method = member(value, "method")
  return typeof method === "string" ? method : undefined
}

const idOf = (value: unknown): string | undefined => {
  const id = member(value, "id")
  return typeof id === "string" && idOfName(id) !== undefined ? id : undefined
}

const askedBy = (value: unknown): string | undefined => (methodOf(value) === undefined ? undefined : idOf(value))

const answeredBy = (value: unknown): string | undefined => (methodOf(value) === undefined ? idOf(value) : undefined)

/** Events of `codex exec` have a type where messages of the app-server have a method. */
const wordOf = (value: unknown): string =>
  methodOf(value) ?? (typeof member(value, "type") === "string" ? String(member(value, "type")) : "")

/** Every notification of a piece ends in this, and has the piece as `delta`. */
const isDelta = (value: unknown): boolean =>
  /delta$/i.test(methodOf(value) ?? "") && typeof member(member(value, "params"), "delta") === "string"

/** The text that a piece is of: several of an item stream side by side. */
const keyOfDelta = (value: unknown): string => {
  const params = member(value, "params")
  const part = (name: string) => member(params, name) ?? null
  const [item, index] = [part("itemId") ?? part("processId"), part("contentIndex") ?? part("summaryIndex")]
  return `${JSON.stringify(part("threadId"))} ${JSON.stringify([item, methodOf(value), index])}`
}

const turnEnds: ReadonlyArray<string> = ["turn/completed", "turn.completed", "turn.failed"]

/** How Codex's lines are read. */
export const codexLines: RuntimeLines = {
  named,
  renumbered: (line, from, nowOf) => {
    const id = member(named(parseJson(line), from), "id")
    const now = typeof id === "string" ? nowOf(id) : undefined
    const written = now === undefined || now === id ? undefined : idOfName(now)
    const span = written === undefined ? undefined : idSpan(line)
    return span === undefined ? line : `${line.slice(0, span[0])}${written}${line.slice(span[1])}`
  },
  kindOf: (value) => {
    const answers = answeredBy(value)
    // Answers come in any order: which one it is says what it answers.
    if (answers !== undefined) return `response ${answers}`
    const item = member(value, "item") ?? member(member(value, "params"), "item")
    return [wordOf(value), member(item, "type")].filter((part) => typeof part === "string").join("/")
  },
  nameOf: (value) =>
    answeredBy(value) === undefined ? wordOf(value) : "error" in value ? "response/error" : "response",
  // A response and the notifications around it overtake each other (§3.5, §3.7).
  apart: (value) => (answeredBy(value) === undefined ? undefined : "answers"),
  // The first pieces of an output, or all of them, are lost in a race; `aggregatedOutput` has it whole (§3.16).
  isByChance: (value) => methodOf(value) === "item/commandExecution/outputDelta",
  askedBy,
  answeredBy,
  inventedBy: (value) => {
    const id = askedBy(value)
    return id === undefined ? [] : [id]
  },
  endsTurn: (value) => turnEnds.includes(wordOf(value)),
  refusal: (asked) => ({ id: member(asked, "id"), error: { code: -32601, message: noAnswer } }),
  deltaOf: (value) =>
    isDelta(value)
      ? { key: keyOfDelta(value), path: ["params", "delta"], text: String(member(value["params"], "delta")) }
      : undefined,
  isEdge: () => false,
  streamOf: (value) => {
    const method = methodOf(value)
    const params = value["params"]
    const thread = JSON.stringify(member(params, "threadId") ?? null)
    if (method === "turn/completed") return { ends: [`${thread} `] }
    if (method === "item/completed")
      return { ends: [`${thread} ${JSON.stringify([member(member(params, "item"), "id")]).slice(0, -1)},`] }
    if (!isDelta(value)) return undefined
    return {
      ends: [],
      piece: {
        key: keyOfDelta(value),
        isAt: (path) => path.length === 2 && path[0] === "params" && path[1] === "delta",
        place: () => "params.delta",
        isJson: () => false
      }
    }
  }
}
