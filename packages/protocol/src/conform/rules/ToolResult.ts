/**
 * Results of tool calls: one for each call the agent executes, none for those the application does.
 */
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks, Stream } from "../Stream.ts"

/** The rules of results. */
export const toolResultRules = rulesOf("tool-result", {
  "AGUI-TOOL-RESULT-001": {
    level: "warning",
    requirement: "TOOL_CALL_RESULT answers a call of this stream or of the conversation before it.",
    spec: "1.0 events/tool-calls#tool_call_result"
  },
  "AGUI-TOOL-RESULT-002": {
    level: "warning",
    requirement: "TOOL_CALL_RESULT comes after the TOOL_CALL_END of its call.",
    spec: "1.0 events/tool-calls#tool_call_args"
  },
  "AGUI-TOOL-RESULT-003": {
    level: "warning",
    requirement: "A call has one result.",
    spec: "1.0 events/tool-calls#tool_call_result"
  },
  "AGUI-TOOL-RESULT-004": {
    level: "warning",
    requirement: "TOOL_CALL_RESULT has a messageId of its own: it is a message in its own right.",
    spec: "1.0 events/tool-calls#tool_call_result"
  },
  "AGUI-TOOL-RESULT-005": {
    level: "error",
    requirement: "The producer does not answer a call of a tool the application offered.",
    spec: "1.0 events/tool-calls#frontend-tools"
  },
  "AGUI-TOOL-RESULT-006": {
    level: "info",
    requirement:
      "TOOL_CALL_RESULT answers a call of this stream, unless it answers one of an earlier run; which it is cannot be told without the request.",
    spec: "1.0 events/tool-calls#tool_call_result"
  }
})

const checkCall = (id: string, stream: Stream): void => {
  const open = stream.calls.get(id)
  const call = open ?? stream.closedCalls.get(id)
  if (call === undefined) {
    const remembered = stream.rememberedCalls.get(id)
    // On a resume CopilotKit adds a tool message with the person's answer, which is not the result (§0 item 8).
    if (remembered?.answered === true && stream.input?.resumes !== true)
      stream.report(toolResultRules["AGUI-TOOL-RESULT-003"], `Call ${quote(id)} has a result already.`)
    else if (remembered === undefined)
      stream.report(
        toolResultRules[stream.historyKnown ? "AGUI-TOOL-RESULT-001" : "AGUI-TOOL-RESULT-006"],
        `Call ${quote(id)}, which this answers, was not announced.`
      )
    stream.rememberAnswer(id)
    return
  }
  if (open !== undefined && !open.assumed)
    stream.report(toolResultRules["AGUI-TOOL-RESULT-002"], `Call ${quote(id)} is answered before its TOOL_CALL_END.`)
  if (call.answered) stream.report(toolResultRules["AGUI-TOOL-RESULT-003"], `Call ${quote(id)} has a result already.`)
  if (stream.frontendTools.has(call.name))
    stream.report(
      toolResultRules["AGUI-TOOL-RESULT-005"],
      `Call ${quote(id)} of the application's tool ${quote(call.name)} is answered by the producer.`
    )
  call.answered = true
}

/** Looks at results. */
export const toolResultChecks: Checks = {
  on: {
    TOOL_CALL_RESULT: ({ messageId, subagentRunId, toolCallId }, stream) => {
      if (stream.kinds.has(messageId))
        stream.report(toolResultRules["AGUI-TOOL-RESULT-004"], `Message ${quote(messageId)} is there already.`)
      stream.kinds.set(messageId, "tool")
      // Clients take the newest: a result makes a message, whoever had the id before.
      stream.owners.message.set(messageId, subagentRunId)
      checkCall(toolCallId, stream)
      stream.pending.delete(toolCallId)
    }
  }
}
