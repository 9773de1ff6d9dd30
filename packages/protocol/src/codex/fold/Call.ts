/**
 * Calls: announced with their items or with the request that asks about them, answered once.
 */
import type { EventOf } from "../../model/Event.ts"
import { withoutEntry } from "../../model/Situation.ts"
import { textIn } from "../../wire/Fields.ts"
import type { JsonObject } from "../../wire/Open.ts"
import { type CallKind, callKinds, type WireItem } from "./CallTable.ts"
import { settleRequests } from "./Closing.ts"
import { type Call, type FoldState, laneOf, type Out, remembered, withCall, withoutCall } from "./State.ts"

/** What kind of call an item is; undefined when it is none. */
export const callKindOf = (type: string): CallKind | undefined =>
  Object.hasOwn(callKinds, type) ? callKinds[type] : undefined

/** A call that is made by something else than an item. */
export interface Announced {
  readonly id: string
  readonly thread: string
  readonly type: string
  readonly tool: string
  readonly action: Call["action"]
  readonly input: JsonObject | undefined
  readonly isRequestOnly?: boolean
}

/** Announces a call, unless it is known. */
export const announceCall = (state: FoldState, announced: Announced, out: Out): FoldState => {
  const { action, id, input, isRequestOnly = false, thread, tool, type } = announced
  if (state.calls.has(id) || state.complete.includes(id)) return state
  // The first call after a text hangs on it; results may stand between that and the next call.
  const parent = state.parents.get(thread) ?? `${id}:calls`
  out.push({
    type: "item_started",
    lane: laneOf(state, thread),
    id,
    item: { kind: "call", tool, action, parent }
  })
  const call: Call = { id, thread, type, tool, action, input: undefined, output: "", isRequestOnly }
  const begun = withCall({ ...state, parents: withoutEntry(state.parents, thread) }, call)
  return input === undefined ? begun : giveInput(begun, call, input, out)
}

const giveInput = (state: FoldState, call: Call, input: JsonObject, out: Out): FoldState => {
  const lane = laneOf(state, call.thread)
  out.push(
    { type: "item_grew", lane, id: call.id, delta: JSON.stringify(input) },
    { type: "item_ended", lane, id: call.id }
  )
  return withCall(state, { ...call, input })
}

/** The item of a call begins. */
export const callStarted = (state: FoldState, thread: string, item: WireItem, kind: CallKind, out: Out): FoldState => {
  const id = textIn(item["id"]) ?? ""
  const tool = kind.tool(item)
  return announceCall(
    state,
    {
      id,
      thread,
      type: textIn(item["type"]) ?? "",
      tool,
      action: isPageTool(state, item, tool) ? "page_tool" : kind.action(item),
      input: kind.isLate === true ? undefined : kind.input(item)
    },
    out
  )
}

const isPageTool = ({ pageTools }: FoldState, { type }: WireItem, tool: string): boolean =>
  type === "dynamicToolCall" && pageTools.has(tool)

/** The item of a call is complete: its arguments are, and it has its result. */
export const callCompleted = (
  state: FoldState,
  thread: string,
  item: WireItem,
  kind: CallKind,
  out: Out
): FoldState => {
  const announced = callStarted(state, thread, item, kind, out)
  const call = announced.calls.get(textIn(item["id"]) ?? "")
  if (call === undefined) return announced
  const whole = call.input === undefined ? giveInput(announced, call, kind.input(item), out) : announced
  const result = kind.result(item, call.output)
  const page = call.action === "page_tool" ? { page: true } : {}
  return answerCall(whole, call, { ...result, ...page }, out)
}

/** A call has its result: what was asked about it is answered. */
export const answerCall = (
  state: FoldState,
  { id, thread }: Call,
  result: Pick<EventOf<"call_answered">, "content" | "failed" | "exitCode" | "page">,
  out: Out
): FoldState => {
  const settled = settleRequests(state, id, out)
  out.push({ type: "call_answered", lane: laneOf(state, thread), id, ...result })
  return { ...withoutCall(settled, id), complete: remembered(settled.complete, id) }
}

/** How much of a command's output is kept, for the case that its item does not repeat it. */
const maxOutput = 1_000_000

/** A piece of a command's output. */
export const callOutput = (state: FoldState, thread: string, id: string, delta: string, out: Out): FoldState => {
  out.push({
    type: "noticed",
    lane: laneOf(state, thread),
    name: "command_output",
    value: { toolCallId: id, delta }
  })
  const call = state.calls.get(id)
  return call === undefined ? state : withCall(state, { ...call, output: (call.output + delta).slice(-maxOutput) })
}
