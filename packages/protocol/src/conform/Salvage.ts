/**
 * What can still be made of a malformed event: the ids by which it opens, continues or closes something. A client ends
 * the run there; a checker continues, and without this every later event of the same message would be a breach too.
 */
import type { Typed } from "./rules/Schema.ts"

/** The ids without which an event of a type means nothing. Types that are not here are not gone on with. */
const needed: Readonly<Record<string, ReadonlyArray<string>>> = {
  RUN_STARTED: [],
  RUN_FINISHED: [],
  RUN_ERROR: [],
  TEXT_MESSAGE_START: ["messageId"],
  TEXT_MESSAGE_CONTENT: ["messageId"],
  TEXT_MESSAGE_END: ["messageId"],
  TOOL_CALL_START: ["toolCallId"],
  TOOL_CALL_ARGS: ["toolCallId"],
  TOOL_CALL_END: ["toolCallId"],
  TOOL_CALL_RESULT: ["messageId", "toolCallId"],
  STEP_STARTED: ["stepName"],
  STEP_FINISHED: ["stepName"],
  REASONING_START: ["messageId"],
  REASONING_MESSAGE_START: ["messageId"],
  REASONING_MESSAGE_CONTENT: ["messageId"],
  REASONING_MESSAGE_END: ["messageId"],
  REASONING_END: ["messageId"],
  SUBAGENT_STARTED: ["subagentRunId"],
  SUBAGENT_FINISHED: ["subagentRunId"],
  SUBAGENT_ERROR: ["subagentRunId"]
}

const kept = ["runId", "threadId", "subagentRunId", "parentMessageId", "toolCallName"]

/** The event with nothing but its ids, or undefined when one that matters is missing. */
export const salvageEvent = (event: Typed): Typed | undefined => {
  const ids = needed[event.type]
  if (ids === undefined || ids.some((id) => typeof event[id] !== "string")) return undefined
  const rest = kept.filter((key) => typeof event[key] === "string" && !ids.includes(key))
  return {
    type: event.type,
    delta: "",
    toolCallName: "",
    ...Object.fromEntries([...ids, ...rest].map((key) => [key, event[key]]))
  }
}
