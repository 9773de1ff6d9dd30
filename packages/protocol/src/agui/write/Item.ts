/**
 * Items as messages, reasoning and tool calls.
 *
 * An item may end with its run and continue in the next one under the same id: whatever writes more of it begins it
 * again when necessary.
 */
import type { EventOf, ItemStart, Lane } from "../../model/Event.ts"
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import type { AguiEvent } from "../Event.ts"
import { forgetTask } from "./Activity.ts"
import { customNames } from "./CustomNames.ts"
import { enterLane, tagOf } from "./Subagent.ts"
import { type Out, type ShownItem, tagged, type Writer } from "./Writer.ts"

/** An item that grows piece by piece. */
export type GrowingItem = Extract<ItemStart, { readonly kind: ShownItem["kind"] }>

/** Whether an item grows piece by piece. */
export const isGrowing = (item: ItemStart): item is GrowingItem => item.kind !== "prompt" && item.kind !== "task"

/** The events that begin an item at the client. */
export const startEvents = (
  id: string,
  item: GrowingItem,
  tag: string | undefined,
  metadata: { readonly metadata?: { readonly abandoned: boolean } } = {}
): ReadonlyArray<AguiEvent> => {
  switch (item.kind) {
    case "text":
      return [tagged({ type: "TEXT_MESSAGE_START", messageId: id, role: "assistant", ...metadata }, tag)]
    case "thought":
      return [
        tagged({ type: "REASONING_START", messageId: id }, tag),
        tagged({ type: "REASONING_MESSAGE_START", messageId: id, role: "reasoning", ...metadata }, tag)
      ]
    case "call":
      return [
        tagged(
          {
            type: "TOOL_CALL_START",
            toolCallId: id,
            toolCallName: item.tool,
            parentMessageId: item.parent,
            ...metadata
          },
          tag
        )
      ]
  }
}

/** The event of the next piece of an item. */
export const growthEvent = ({ kind, tag }: ShownItem, id: string, delta: string): AguiEvent => {
  switch (kind) {
    case "call":
      return tagged({ type: "TOOL_CALL_ARGS", toolCallId: id, delta }, tag)
    case "thought":
      return tagged({ type: "REASONING_MESSAGE_CONTENT", messageId: id, delta }, tag)
    case "text":
      return tagged({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta }, tag)
  }
}

/** How an item ends at the client. */
export interface ItemEnding {
  readonly signature?: string | undefined
  readonly abandoned?: boolean | undefined
}

/** The events that end an item at the client. What was cut off is marked, for clients that keep metadata. */
export const endEvents = (
  { kind, tag }: Pick<ShownItem, "kind" | "tag">,
  id: string,
  { abandoned, signature }: ItemEnding = {}
): ReadonlyArray<AguiEvent> => {
  const metadata = abandoned === true ? { metadata: { abandoned } } : {}
  switch (kind) {
    case "text":
      return [tagged({ type: "TEXT_MESSAGE_END", messageId: id, ...metadata }, tag)]
    case "thought":
      return [
        tagged({ type: "REASONING_MESSAGE_END", messageId: id, ...metadata }, tag),
        ...(signature === undefined ? [] : [sealEvent(id, signature, tag)]),
        tagged({ type: "REASONING_END", messageId: id }, tag)
      ]
    case "call":
      return [tagged({ type: "TOOL_CALL_END", toolCallId: id, ...metadata }, tag)]
  }
}

const sealEvent = (id: string, signature: string, tag: string | undefined): AguiEvent =>
  tagged({ type: "REASONING_ENCRYPTED_VALUE", subtype: "message", entityId: id, encryptedValue: signature }, tag)

/** Begins an item in the open run, unless it is open there. */
export const startItem = (writer: Writer, lane: Lane, id: string, item: GrowingItem, out: Out): Writer => {
  if (writer.items.has(id)) return writer
  const entered = enterLane(writer, lane, out)
  const tag = tagOf(entered, lane)
  const recovers = writer.situation.items.get(id)?.phase === "abandoned"
  out.push(...startEvents(id, item, tag, recovers ? { metadata: { abandoned: false } } : {}))
  return {
    ...entered,
    items: withEntry(entered.items, id, { kind: item.kind, lane, tag }),
    calls: item.kind === "call" ? withEntry(entered.calls, id, tag) : entered.calls
  }
}

/** Writes the next piece of an item. */
export const growItem = (writer: Writer, { delta, id, lane }: EventOf<"item_grew">, out: Out): Writer => {
  const item = writer.situation.items.get(id)?.item
  const started = item !== undefined && isGrowing(item) ? startItem(writer, lane, id, item, out) : writer
  const shown = started.items.get(id)
  if (shown !== undefined) out.push(growthEvent(shown, id, delta))
  return started
}

/** Ends an item, and reports one that was cut off. */
export const endItem = (writer: Writer, event: EventOf<"item_ended">, out: Out): Writer => {
  const { abandoned, id, lane, signature } = event
  const known = writer.situation.items.get(id)
  if (known?.item.kind === "task") return forgetTask(writer, id)
  const isRecovered = known?.phase === "abandoned" && abandoned !== true && isGrowing(known.item)
  const told = isRecovered && isGrowing(known.item) ? startItem(writer, lane, id, known.item, out) : writer
  const shown = told.items.get(id)
  if (shown !== undefined) out.push(...endEvents(shown, id, event))
  const late = shown === undefined && signature !== undefined
  const entered = late || abandoned === true ? enterLane(told, lane, out) : told
  const tag = tagOf(entered, lane)
  if (late) out.push(sealEvent(id, signature, tag))
  const kind = shown?.kind ?? known?.item.kind
  if (abandoned === true && kind !== undefined)
    out.push(tagged({ type: "CUSTOM", name: customNames.itemAbandoned, value: { id, kind: kindNames[kind] } }, tag))
  return shown === undefined ? entered : { ...entered, items: withoutEntry(entered.items, id) }
}

const kindNames = { text: "text", thought: "thinking", call: "tool", prompt: "text", task: "task" } as const

/** Ends all items that are open in the run, those of the main thread first. They may continue in the next one. */
export const endItems = (writer: Writer, out: Out): Writer => {
  const lanes = new Set<Lane>([null, ...[...writer.items.values()].map(({ lane }) => lane)])
  for (const lane of lanes)
    for (const [id, item] of writer.items) if (item.lane === lane) out.push(...endEvents(item, id))
  return { ...writer, items: new Map() }
}

/** A call has its result. The application knows those of its own tools. */
export const answerCall = (writer: Writer, event: EventOf<"call_answered">, out: Out): Writer => {
  const { id, lane } = event
  const entered = enterLane(writer, lane, out)
  const known = writer.situation.items.get(id)?.item
  const isPageTool = event.page === true || (known?.kind === "call" && known.action === "page_tool")
  if (!isPageTool)
    out.push(resultEvent(id, event, entered.calls.has(id) ? entered.calls.get(id) : tagOf(entered, lane)))
  const { calls, waiting } = entered
  const settled = [...waiting].filter(([, each]) => each.type === "call" && each.call === id)
  if (settled.length === 0 && !calls.has(id)) return entered
  return {
    ...entered,
    calls: withoutEntry(calls, id),
    waiting: settled.reduce((rest, [request]) => withoutEntry(rest, request), waiting)
  }
}

/** The id of the message that holds a call's result. */
export const resultId = (call: string): string => `${call}:result`

/** The event that has a call's result, in a message of its own. */
export const resultEvent = (
  call: string,
  { content, failed }: Pick<EventOf<"call_answered">, "content" | "failed">,
  tag: string | undefined
): AguiEvent =>
  tagged(
    {
      type: "TOOL_CALL_RESULT",
      messageId: resultId(call),
      toolCallId: call,
      role: "tool",
      content,
      ...(failed && { metadata: { isError: true } })
    },
    tag
  )
