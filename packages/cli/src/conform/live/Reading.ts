/**
 * What a list of AG-UI events says: its text, tool calls, end, interrupts. Reads anything: what has not the right shape
 * is passed over, because the rules report it.
 */

import * as Agui from "@agentwire/protocol/agui"
import { isRecord, parseJson } from "@agentwire/protocol/wire"

/** An event, or anything else that is an object. */
export type Item = Readonly<Record<string, unknown>>

/** A member that is a string. */
export const stringAt = (value: unknown, key: string): string | undefined => {
  const found = isRecord(value) ? value[key] : undefined
  return typeof found === "string" ? found : undefined
}

const itemsAt = (value: unknown, key: string): ReadonlyArray<Item> => {
  const found = isRecord(value) ? value[key] : undefined
  return Array.isArray(found) ? found.filter(isRecord) : []
}

/** The deltas of the text, in order. */
export const deltasOf = (events: ReadonlyArray<Item>): ReadonlyArray<string> =>
  events
    .filter(({ type }) => type === "TEXT_MESSAGE_CONTENT" || type === "TEXT_MESSAGE_CHUNK")
    .flatMap((event) => stringAt(event, "delta") ?? [])

/** The messages that snapshots hold. */
const snapshotOf = (events: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  events.filter(({ type }) => type === "MESSAGES_SNAPSHOT").flatMap((event) => itemsAt(event, "messages"))

/** The text of the answer: streamed, or of the assistant's messages in a snapshot where nothing was. */
export const textOf = (events: ReadonlyArray<Item>): string => {
  const deltas = deltasOf(events)
  if (deltas.length > 0) return deltas.join("")
  return snapshotOf(events)
    .filter(({ role }) => role === "assistant")
    .map((message) => stringAt(message, "content") ?? "")
    .join("\n")
}

/** The ids of the messages that were streamed as text. */
export const messageIdsOf = (events: ReadonlyArray<Item>): ReadonlySet<string> =>
  new Set(
    events
      .filter(({ type }) => type === "TEXT_MESSAGE_START" || type === "TEXT_MESSAGE_CHUNK")
      .flatMap((event) => stringAt(event, "messageId") ?? [])
  )

/** A tool call as it was streamed. */
export interface ToolCallRead {
  readonly id: string
  readonly name: string
  readonly args: string
  readonly results: number
}

/** The tool calls that were announced, in order. */
export const toolCallsOf = (events: ReadonlyArray<Item>): ReadonlyArray<ToolCallRead> => {
  const calls = new Map<string, ToolCallRead>()
  let last: string | undefined
  for (const event of events) {
    const id = stringAt(event, "toolCallId") ?? (event["type"] === "TOOL_CALL_CHUNK" ? last : undefined)
    if (id === undefined) continue
    const call = calls.get(id)
    const name = stringAt(event, "toolCallName")
    const delta = stringAt(event, "delta") ?? ""
    if (event["type"] === "TOOL_CALL_RESULT") {
      if (call !== undefined) calls.set(id, { ...call, results: call.results + 1 })
    } else if (call !== undefined) {
      calls.set(id, { ...call, args: call.args + delta })
    } else if (name !== undefined) {
      calls.set(id, { id, name, args: delta, results: 0 })
    }
    if (event["type"] === "TOOL_CALL_CHUNK") last = id
  }
  return [...calls.values()]
}

/** The arguments of a call as an object; undefined when they are none. */
export const argumentsOf = ({ args }: ToolCallRead): Item | undefined => {
  const value = parseJson(args)
  return isRecord(value) ? value : undefined
}

/** A value as JSON. What is nested so deep that it cannot be written is named instead. */
export const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch (error) {
    if (error instanceof RangeError) return "(nested too deep)"
    throw error
  }
}

/** How the last run of a stream ended. */
export type RunEnd =
  | { readonly _tag: "Success" }
  | { readonly _tag: "Interrupt"; readonly interrupts: ReadonlyArray<Item> }
  | { readonly _tag: "Cancelled" }
  | { readonly _tag: "Error"; readonly message: string }
  | { readonly _tag: "None" }

/** How the last run of a stream ended. An outcome nobody knows reads as success, as clients read it. */
export const endOf = (events: ReadonlyArray<Item>): RunEnd => {
  const last = events.findLast(Agui.endsRun)
  if (last === undefined) return { _tag: "None" }
  if (last["type"] === "RUN_ERROR") return { _tag: "Error", message: stringAt(last, "message") ?? "" }
  switch (stringAt(last["outcome"], "type")) {
    case "interrupt":
      return { _tag: "Interrupt", interrupts: itemsAt(last["outcome"], "interrupts") }
    case "cancelled":
      return { _tag: "Cancelled" }
    default:
      return { _tag: "Success" }
  }
}

/** Is this an event that shows something of the answer? */
export const isContent = ({ type }: Item): boolean => typeof type === "string" && /_(CONTENT|CHUNK|ARGS)$/.test(type)
