/** Claude Code's lines: control requests and responses with ids that are strings, results, stream events. */
import { controlError } from "../../claude/command/ControlResponse.ts"
import { isRecord } from "../../wire/Json.ts"
import { noAnswer, type RuntimeLines } from "./RuntimeLines.ts"

const member = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const askedBy = (value: unknown): string | undefined =>
  member(value, "type") === "control_request" ? text(member(value, "request_id")) : undefined

const streamedFields = ["text", "thinking", "partial_json"]

const isDelta = (path: ReadonlyArray<string>, field: string): boolean =>
  path.length === 3 && path[0] === "event" && (path[1] === "delta" || path[1] === "content_block") && path[2] === field

/** How Claude Code's lines are read. */
export const claudeLines: RuntimeLines = {
  named: (value) => value,
  renumbered: (line) => line,
  kindOf: (value) => {
    const request = member(value, "request")
    const event = member(value, "event")
    return [
      member(value, "type"),
      member(value, "subtype"),
      member(request, "subtype"),
      member(request, "tool_name"),
      member(request, "callback_id"),
      member(member(request, "message"), "method"),
      member(event, "type"),
      member(member(event, "delta"), "type")
    ]
      .filter((part) => typeof part === "string")
      .join("/")
  },
  nameOf: (value) => {
    if (typeof value["type"] !== "string") return ""
    const inner = [value["event"], value["request"], value["response"]].find(isRecord)
    const subtype = value["subtype"] ?? inner?.["type"] ?? inner?.["subtype"]
    return `${value["type"]}${typeof subtype === "string" ? `/${subtype}` : ""}`
  },
  apart: () => undefined,
  isByChance: () => false,
  askedBy,
  answeredBy: (value) =>
    member(value, "type") === "control_response" ? text(member(member(value, "response"), "request_id")) : undefined,
  inventedBy: (value) => {
    const ids = [askedBy(value), text(member(value, "uuid"))]
    return ids.filter((id): id is string => id !== undefined && id !== "")
  },
  endsTurn: (value) => member(value, "type") === "result",
  // A new release may ask something that no tape has: it gets an answer, so that the session continues.
  refusal: (asked) => controlError(askedBy(asked) ?? "", noAnswer),
  deltaOf: ({ event, parent_tool_use_id: parent, session_id: session }) => {
    if (!isRecord(event) || event["type"] !== "content_block_delta" || !isRecord(event["delta"])) return undefined
    for (const field of streamedFields) {
      const said = event["delta"][field]
      if (typeof said === "string")
        return {
          key: JSON.stringify([session, parent, event["index"], field]),
          path: ["event", "delta", field],
          text: said
        }
    }
    return undefined
  },
  isEdge: ({ event }) => isRecord(event) && /^(message|content_block)_(start|stop)$/.test(String(event["type"])),
  streamOf: ({ event, parent_tool_use_id: parent, session_id: session, type }) => {
    if (type === "result") return { ends: [""] }
    if (type !== "stream_event") return undefined
    // Sessions and sub-agents stream side by side.
    const source = JSON.stringify([session ?? null, parent ?? null])
    const kind = isRecord(event) ? event["type"] : undefined
    const key = `${source} ${isRecord(event) ? String(event["index"]) : ""}`
    const ends = kind === "message_start" || kind === "message_stop" ? [`${source} `] : []
    const isEdge = kind === "content_block_start" || kind === "content_block_stop"
    return {
      ends: isEdge ? [...ends, key] : ends,
      piece: {
        key,
        isAt: (path) => streamedFields.some((field) => isDelta(path, field)),
        place: (field) => `event.delta.${field}`,
        isJson: (field) => field === "partial_json"
      }
    }
  }
}
