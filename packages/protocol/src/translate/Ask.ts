/**
 * What the CLI asks the host, as far as a person may have to answer: permissions, hooks, forms.
 *
 * These events only tell. Who answers, and how, is the host's business; when it lets the run end and wait for the
 * answer instead, it does not step the request but calls `suspend`.
 */
import type { MessageOf } from "../claude/Message.ts"
import { begin, complete, makeBlock, type Out, tagged } from "./Block.ts"
import { bareMessage } from "./Notice.ts"
import type { State } from "./State.ts"
import { enter, tagOf } from "./Subagent.ts"
import { isAnnounced, withCall } from "./ToolCall.ts"

/** A tool wants to run. */
export const canUseTool = (state: State, message: MessageOf<"control_request/can_use_tool">, out: Out): State => {
  const announced = announce(state, message, out)
  const { request, request_id } = message
  const { input, subtype: _, tool_name, tool_use_id, ...rest } = request
  out.push(
    tagged(
      {
        type: "CUSTOM",
        name: "tool_approval_request",
        value: {
          requestId: request_id,
          toolName: announced.frontendTools.get(tool_name) ?? tool_name,
          toolInput: input,
          toolCallId: tool_use_id,
          ...rest
        }
      },
      announced.calls.get(tool_use_id)?.tag
    )
  )
  return announced
}

/**
 * Announces the call a permission is asked for, if no message has: on 2.1.197 a sub-agent's request comes first
 * (docs/wire/claude-code.md §5.5), and nobody can approve what is not there.
 */
export const announce = (state: State, { request }: MessageOf<"control_request/can_use_tool">, out: Out): State => {
  const { agent_id, input, tool_name: name, tool_use_id: id } = request
  if (isAnnounced(state, id)) return state
  const lane = laneOfAgent(state, agent_id)
  if (lane !== null && state.settings.subagents === "hide") return state
  const entered = enter(state, lane, {}, out)
  const tag = tagOf(entered, lane)
  const block = makeBlock("tool", id, `${id}:calls`, entered.frontendTools.get(name) ?? name)
  complete(begin(block, tag, out), JSON.stringify(input), "", tag, out)
  return withCall(entered, lane, { id, name, input })
}

/** The lane of an agent: the call of its task. Requests name the agent, not the call (§5.36). */
const laneOfAgent = (state: State, agent: string | undefined): string | null => {
  const call = agent === undefined ? undefined : state.tasks.get(agent)?.content["toolCallId"]
  return typeof call === "string" ? call : null
}

/** A hook the host registered is called. */
export const hookCallback = (message: MessageOf<"control_request/hook_callback">, out: Out): void => {
  const { callback_id, input, tool_use_id } = message.request
  out.push({
    type: "CUSTOM",
    name: "hook_callback",
    value: {
      requestId: message.request_id,
      callbackId: callback_id,
      ...(tool_use_id === undefined ? {} : { toolCallId: tool_use_id }),
      input
    }
  })
}

/** Anything else a person may have to answer. */
export const question = (
  name: string,
  message: { readonly request_id: string; readonly request: object },
  out: Out
): void => {
  out.push({ type: "CUSTOM", name, value: { requestId: message.request_id, ...bareMessage(message.request) } })
}

/** A request is taken back: nobody needs to answer it any more. */
export const cancelled = (state: State, { request_id }: MessageOf<"control_cancel_request">, out: Out): State => {
  out.push({ type: "CUSTOM", name: "control_request_cancelled", value: { requestId: request_id } })
  const { waiting } = state
  if (waiting === undefined) return state
  const interrupts = waiting.interrupts.filter(({ id }) => id !== request_id)
  return {
    ...state,
    waiting: interrupts.length + waiting.calls.length === 0 ? undefined : { ...waiting, interrupts }
  }
}
