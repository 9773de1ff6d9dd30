/**
 * The names of the `CUSTOM` events that this face writes by itself, besides what a runtime noticed.
 *
 * AG-UI leaves names to whoever writes them: these are the face's own vocabulary, the same for every runtime. Some are
 * words of Claude Code, which came first, and clients look for them: they stay as they are.
 */
export const customNames = {
  /** May a tool run, is the plan good, or which option. */
  callAsked: "tool_approval_request",
  /** A form to fill in, or a page to visit. */
  formAsked: "elicitation_request",
  /** The agent took back what it had asked. */
  requestWithdrawn: "control_request_cancelled",
  /** A text, thought or call was cut off and will not go on. */
  itemAbandoned: "message_abandoned",
  /** The conversation went back, and continues from there: the messages after that one are not part of it any more. */
  branched: "conversation_branched",
  /** What the session says about itself, where the shared state cannot take a key. */
  sessionChanged: "system_init"
} as const
