/**
 * The lines of the wire beside the events they became, as rows: paired by the numbers the server gives, filtered by
 * what a person looks for. Pure.
 */
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import type { FeedEvent, FeedLine } from "./Feed.ts"
import { cut } from "./JsonText.ts"
import { keyOf } from "./Place.ts"

/** A line and its events; either may be missing. */
export interface WireRow {
  readonly key: string
  readonly line: FeedLine | undefined
  /** The type of the line's message, with its subtype. */
  readonly kind: string
  readonly events: ReadonlyArray<FeedEvent>
}

/** What a person looks for. */
export interface WireFilter {
  readonly from: "" | "agent" | "host"
  /** The type of a line or of an event; empty: all. */
  readonly type: string
  readonly text: string
  readonly findingsOnly: boolean
}

/** No filter. */
export const everything: WireFilter = { from: "", type: "", text: "", findingsOnly: false }

const at = (value: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)

const kinds = new Map<FeedLine, string>()

/** Codex's messages are JSON-RPC: a method, or an answer, which does not say what it answers. */
const methodOf = (message: unknown): string | undefined => {
  const method = at(message, "method")
  if (typeof method === "string") return method
  if (at(message, "id") === undefined) return undefined
  return at(message, "error") === undefined ? "response" : "response/error"
}

/** The type of a line's message, with its subtype, as the protocol names it; of Codex its method. */
export const kindOf = (line: FeedLine): string => {
  const known = kinds.get(line)
  if (known !== undefined) return known
  const message = parseJson(line.line)
  const type = at(message, "type")
  const subtype =
    at(message, "subtype") ??
    at(message, "event", "type") ??
    at(message, "request", "subtype") ??
    at(message, "response", "subtype")
  const kind =
    typeof type !== "string"
      ? (methodOf(message) ?? "not a message")
      : typeof subtype === "string"
        ? `${type}/${subtype}`
        : type
  if (kinds.size > 20_000) kinds.clear()
  kinds.set(line, kind)
  return kind
}

/**
 * Pairs lines with events. An event stands beside the line that it came from, however late it came: a question is
 * asked after the policy was. Events of no line stand alone, before the line that came after them.
 */
export const rowsOf = (lines: ReadonlyArray<FeedLine>, events: ReadonlyArray<FeedEvent>): ReadonlyArray<WireRow> => {
  const beside = new Map<number, Array<FeedEvent>>(lines.map(({ seq }) => [seq, []]))
  const alone: Array<FeedEvent> = []
  for (const event of events) {
    const own = event.line === undefined ? alone : (beside.get(event.line) ?? alone)
    own.push(event)
  }
  const rows: Array<WireRow> = []
  let next = 0
  const standAlone = (before: number): void => {
    for (let event = alone[next]; event !== undefined && event.seq < before; event = alone[++next])
      rows.push({ key: `e${keyOf(event)}`, line: undefined, kind: "", events: [event] })
  }
  for (const line of lines) {
    standAlone(line.events)
    rows.push({ key: `l${line.seq}`, line, kind: kindOf(line), events: beside.get(line.seq) ?? [] })
  }
  standAlone(Number.POSITIVE_INFINITY)
  return rows
}

/** Whether a row is what a person looks for. */
export const isWanted = (
  { events, kind, line }: WireRow,
  { findingsOnly, from, text, type }: WireFilter,
  hasFinding: (event: FeedEvent) => boolean
): boolean => {
  if (from !== "" && line?.from !== from) return false
  if (type !== "" && kind !== type && !events.some(({ event }) => event.type === type)) return false
  if (findingsOnly && !events.some(hasFinding)) return false
  const wanted = text.trim().toLowerCase()
  if (wanted === "") return true
  return (
    (line?.line.toLowerCase().includes(wanted) ?? false) ||
    events.some(({ event }) => JSON.stringify(event).toLowerCase().includes(wanted))
  )
}

/** The types there are in rows: of lines, then of events. */
export const typesOf = (rows: ReadonlyArray<WireRow>): ReadonlyArray<string> => {
  const lines = new Set(rows.flatMap(({ kind, line }) => (line === undefined ? [] : [kind])))
  const events = new Set(rows.flatMap(({ events }) => events.map(({ event }) => event.type)))
  return [...[...lines].sort(), ...[...events].sort()]
}

const telling = [
  "delta",
  "toolCallName",
  "name",
  "stepName",
  "activityType",
  "message",
  "content",
  "runId",
  "messageId"
]

/** What of an event says most, in a line. */
export const gistOf = ({ event }: FeedEvent): string => {
  const found = telling.map((key) => event[key]).find((value) => typeof value === "string" && value !== "")
  return typeof found === "string" ? cut(found.replace(/\s+/g, " "), 60) : ""
}

/** What of a line says most. */
export const lineGist = ({ line }: FeedLine): string => {
  const message = parseJson(line)
  const delta = at(message, "event", "delta")
  const item = at(message, "params", "item")
  const found = [
    at(delta, "text"),
    at(delta, "thinking"),
    at(delta, "partial_json"),
    at(message, "request", "tool_name"),
    at(message, "event", "content_block", "type"),
    contentGist(at(message, "message", "content")),
    at(message, "result"),
    at(message, "params", "delta"),
    at(item, "text"),
    at(item, "command"),
    at(item, "tool"),
    contentGist(at(item, "content")),
    at(item, "type"),
    contentGist(at(message, "params", "input")),
    at(message, "result", "decision"),
    at(message, "error", "message"),
    at(message, "params", "command"),
    at(message, "params", "turn", "status"),
    at(message, "params", "status", "type")
  ].find((value) => typeof value === "string" && value !== "")
  return typeof found === "string" ? cut(found.replace(/\s+/g, " "), 60) : ""
}

const contentGist = (content: unknown): unknown => {
  const block = Array.isArray(content) ? content[0] : undefined
  return typeof content === "string" ? content : (at(block, "text") ?? at(block, "name") ?? at(block, "type"))
}
