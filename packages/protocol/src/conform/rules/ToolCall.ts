/**
 * Tool calls: opened, extended and closed, each by its id; what a run leaves for the application to answer.
 */
import { isRecord } from "../../wire/Json.ts"
import { parseJson } from "../../wire/ReadJson.ts"
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Call, Checks, Stream } from "../Stream.ts"
import { checkReemitted } from "./Interrupt.ts"
import { checkLost } from "./Messages.ts"
import { agreesWithOwner, checkCallOwner } from "./Subagent.ts"

const pattern = "1.0 basic/patterns/streaming#open-content-close; client 1.0.0 verifyEvents; client 0.0.59 verifyEvents"

/** The rules of tool calls. */
export const toolCallRules = rulesOf("tool-call", {
  "AGUI-TOOL-CALL-001": {
    level: "error",
    requirement: "TOOL_CALL_START does not name a call that is open.",
    spec: pattern
  },
  "AGUI-TOOL-CALL-002": {
    level: "error",
    requirement: "TOOL_CALL_ARGS names an open call.",
    spec: pattern
  },
  "AGUI-TOOL-CALL-003": {
    level: "error",
    requirement: "TOOL_CALL_END names an open call.",
    spec: pattern
  },
  "AGUI-TOOL-CALL-004": {
    level: "error",
    requirement: "RUN_FINISHED does not come while a tool call is open.",
    spec: pattern
  },
  "AGUI-TOOL-CALL-005": {
    level: "error",
    requirement: "A TOOL_CALL_START that reopens a call says the same toolCallName and parentMessageId.",
    spec: "1.0 events/tool-calls#tool_call_end"
  },
  "AGUI-TOOL-CALL-006": {
    level: "warning",
    requirement:
      "Arguments are not appended to a call whose arguments were whole: the two together are not one document.",
    spec: "1.0 events/tool-calls#tool_call_end"
  },
  "AGUI-TOOL-CALL-007": {
    level: "warning",
    requirement: "parentMessageId names an assistant message: clients put the call elsewhere if it names another.",
    spec: "1.0 events/tool-calls#tool_call_start; client 1.0.0 defaultApplyEvents (falling back to toolCallId)"
  },
  "AGUI-TOOL-CALL-008": {
    level: "info",
    requirement:
      "parentMessageId names an existing message: for any other, clients make an assistant message without text.",
    spec: "1.0 events/tool-calls#tool_call_start"
  },
  "AGUI-TOOL-CALL-009": {
    level: "info",
    requirement: "The arguments of a call are a JSON object by convention; any other text is legal.",
    spec: "1.0 events/tool-calls#tool_call_args"
  },
  "AGUI-TOOL-CALL-010": {
    level: "error",
    requirement: "pendingToolCallIds has exactly the calls this run started and did not answer, in their order.",
    spec: "1.0 events/tool-calls#frontend-tools",
    dialects: ["1.0"]
  },
  "AGUI-TOOL-CALL-011": {
    level: "info",
    requirement: "A call without a result names a tool the request offered: nobody answers any other.",
    spec: "1.0 events/tool-calls#frontend-tools"
  }
})

const opened = (name: string, parentMessageId: string | undefined, assumed: boolean, run: number): Call => ({
  assumed,
  name,
  parentMessageId,
  run,
  lost: false,
  args: "",
  whole: false,
  ended: false,
  answered: false
})

const checkReopening = (id: string, call: Call, stream: Stream): void => {
  const before = stream.closedCalls.get(id)
  const remembered = before === undefined ? stream.rememberedCalls.get(id)?.name : undefined
  if (remembered !== undefined && remembered !== call.name)
    stream.report(
      toolCallRules["AGUI-TOOL-CALL-005"],
      `Call ${quote(id)} of the conversation is reopened as ${quote(call.name)}; it was ${quote(remembered)}.`
    )
  if (before === undefined || before.assumed) return
  if (before.name !== call.name || before.parentMessageId !== call.parentMessageId)
    stream.report(
      toolCallRules["AGUI-TOOL-CALL-005"],
      `Call ${quote(id)} is reopened as ${describe(call)}; it was ${describe(before)}.`
    )
}

const describe = ({ name, parentMessageId }: Call): string =>
  parentMessageId === undefined ? quote(name) : `${quote(name)} of message ${quote(parentMessageId)}`

const checkParent = (id: string, parentMessageId: string, stream: Stream): void => {
  const kind = stream.kinds.get(parentMessageId)
  if (kind === undefined) {
    if (stream.historyKnown)
      stream.report(
        toolCallRules["AGUI-TOOL-CALL-008"],
        `Call ${quote(id)} names message ${quote(parentMessageId)}, which is not there.`
      )
    stream.kinds.set(parentMessageId, "assistant")
  } else if (kind !== "assistant")
    stream.report(
      toolCallRules["AGUI-TOOL-CALL-007"],
      `Call ${quote(id)} names message ${quote(parentMessageId)}, which is not an assistant message.`
    )
}

/** Looks at tool calls. */
export const toolCallChecks: Checks = {
  on: {
    TOOL_CALL_START: (event, stream) => {
      const { subagentRunId, toolCallId: id, toolCallName } = event
      // 0.0 takes null for absent.
      const parentMessageId = event.parentMessageId ?? undefined
      if (stream.calls.get(id)?.assumed === false) {
        stream.report(toolCallRules["AGUI-TOOL-CALL-001"], `Call ${quote(id)} is open already.`)
        return
      }
      checkCallOwner({ toolCallId: id, parentMessageId, subagentRunId }, stream)
      const call = opened(toolCallName, parentMessageId, false, stream.run)
      checkReopening(id, call, stream)
      checkReemitted(id, stream)
      if (parentMessageId !== undefined) checkParent(id, parentMessageId, stream)
      stream.calls.set(id, call)
      if (!stream.pending.has(id) && stream.closedCalls.get(id)?.answered !== true) stream.pending.set(id, call)
    },
    TOOL_CALL_ARGS: ({ delta, subagentRunId, toolCallId: id }, stream) => {
      const call = stream.calls.get(id)
      if (call === undefined) {
        stream.report(toolCallRules["AGUI-TOOL-CALL-002"], `Call ${quote(id)} is not open.`)
        stream.calls.set(id, opened("", undefined, true, stream.run))
        return
      }
      agreesWithOwner("TOOL_CALL_ARGS", subagentRunId, "toolCall", id, stream)
      if (call.lost) checkLost(call, `arguments of call ${quote(id)}`, delta, stream)
      if (
        call.args === "" &&
        delta !== "" &&
        (stream.closedCalls.get(id) ?? stream.rememberedCalls.get(id))?.whole === true
      )
        stream.report(
          toolCallRules["AGUI-TOOL-CALL-006"],
          `Arguments are appended to those of call ${quote(id)}, which were whole.`
        )
      call.args += delta
    },
    TOOL_CALL_END: ({ subagentRunId, toolCallId: id }, stream) => {
      const call = stream.calls.get(id)
      if (call === undefined) {
        stream.report(toolCallRules["AGUI-TOOL-CALL-003"], `Call ${quote(id)} is not open.`)
        return
      }
      agreesWithOwner("TOOL_CALL_END", subagentRunId, "toolCall", id, stream)
      call.whole = call.args !== "" && isRecord(parseJson(call.args))
      if (call.args !== "" && !call.whole && !call.assumed)
        stream.report(
          toolCallRules["AGUI-TOOL-CALL-009"],
          `The arguments of call ${quote(id)} are not a JSON object: ${quote(call.args)}.`
        )
      call.args = ""
      call.ended = true
      stream.calls.delete(id)
      stream.closedCalls.set(id, call)
    },
    RUN_FINISHED: (event, stream) => {
      const open = [...stream.calls].filter(([, call]) => !call.assumed).map(([id]) => quote(id))
      if (open.length > 0)
        stream.report(
          toolCallRules["AGUI-TOOL-CALL-004"],
          `RUN_FINISHED while tool calls are open: ${open.slice(0, 5).join(", ")}.`
        )
      const { outcome } = event
      if (outcome === undefined || outcome === null || outcome.type === "success") checkPending(outcome, stream)
    }
  }
}

const checkPending = (outcome: object | null | undefined, stream: Stream): void => {
  const told: unknown = outcome !== null && outcome !== undefined && Reflect.get(outcome, "pendingToolCallIds")
  const pending = [...stream.pending.keys()]
  if (Array.isArray(told) && (told.length !== pending.length || told.some((id, i) => id !== pending[i])))
    stream.report(
      toolCallRules["AGUI-TOOL-CALL-010"],
      `pendingToolCallIds is [${told.slice(0, 5).map(quote).join(", ")}], the calls without a result are [${pending.slice(0, 5).map(quote).join(", ")}].`
    )
  if (stream.input === undefined) return
  for (const [id, call] of stream.pending) {
    if (stream.frontendTools.has(call.name)) continue
    stream.report(
      toolCallRules["AGUI-TOOL-CALL-011"],
      `Call ${quote(id)} has no result, and its tool ${quote(call.name)} is none of the application's.`
    )
    return
  }
}
