/**
 * Shapes from before 1.0 that client 1.0.0 still translates, with a warning each, before it validates: nulls where a key
 * is left out today, and binary parts (docs/wire/ag-ui.md §1.4; they expire in 2027).
 */
import { isRecord } from "../wire/Json.ts"

type Json = Readonly<Record<string, unknown>>

/** An event in today's shape, and what was changed for it. */
export interface Modernized<E extends Json> {
  readonly event: E
  readonly changed: ReadonlyArray<string>
}

/** The optional fields that were null, by type; those under `*` on every type. */
const nulls: Readonly<Record<string, ReadonlyArray<string>>> = {
  "*": ["rawEvent"],
  RUN_FINISHED: ["result", "outcome"],
  SUBAGENT_FINISHED: ["result"],
  TOOL_CALL_START: ["parentMessageId"],
  TOOL_CALL_CHUNK: ["parentMessageId"]
}

const media: ReadonlySet<unknown> = new Set(["image", "audio", "video", "document"])

/** An event in today's shape. */
export const modernizeEvent = <E extends Json>(event: E): Modernized<E> => {
  const changed: Array<string> = []
  let modern: Json = event
  const fields = [...(nulls["*"] ?? []), ...(nulls[String(event["type"])] ?? [])]
  for (const field of fields) modern = withoutNull(modern, field, changed)
  if (event["type"] === "MESSAGES_SNAPSHOT") modern = mapItems(modern, "messages", (item) => message(item, changed))
  if (event["type"] === "RUN_STARTED" && isRecord(modern["input"]))
    modern = { ...modern, input: input(modern["input"], changed) }
  return { event: modern as E, changed }
}

const withoutNull = (value: Json, field: string, changed: Array<string>): Json => {
  if (value[field] !== null) return value
  changed.push(`null as ${field}`)
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== field))
}

const mapItems = (value: Json, field: string, change: (item: Json) => Json): Json => {
  const items = value[field]
  return Array.isArray(items)
    ? { ...value, [field]: items.map((item) => (isRecord(item) ? change(item) : item)) }
    : value
}

const input = (value: Json, changed: Array<string>): Json => {
  let modern = withoutNull(value, "forwardedProps", changed)
  modern = mapItems(modern, "tools", (tool) => withoutNull(tool, "parameters", changed))
  modern = mapItems(modern, "resume", (entry) => withoutNull(entry, "payload", changed))
  return mapItems(modern, "messages", (item) => message(item, changed))
}

const message = (value: Json, changed: Array<string>): Json =>
  mapItems(value, "content", (part) => {
    if (media.has(part["type"])) return withoutNull(part, "metadata", changed)
    return part["type"] === "binary" ? binary(part, changed) : part
  })

const binary = (part: Json, changed: Array<string>): Json => {
  const { data, filename, mimeType, url } = part
  if (typeof mimeType !== "string") return part
  const value = data || url
  if (!value) return part
  changed.push("a part of type binary")
  const [kind = ""] = mimeType.split("/")
  return {
    type: kind !== "document" && media.has(kind) && mimeType.includes("/") ? kind : "document",
    source: { type: data ? "data" : "url", value, mimeType },
    ...(filename ? { metadata: { filename } } : {})
  }
}
