/**
 * Which parts of a request were ignored, and why: nothing that a person did is lost silently.
 */

/** Why something in a request was ignored. The codes are stable. */
export type IgnoredCode =
  /** The message was in an earlier request. */
  | "known"
  /** The message stands before something the agent said, or is the agent's own. */
  | "history"
  /** The message says nothing. */
  | "empty"
  /** The instruction has been told in the same words. */
  | "told"
  /** The instruction waits for a prompt to accompany. */
  | "waiting"
  /** The tool message repeats the answer to an interrupt, as CopilotKit adds it (docs/wire/ag-ui.md §0 item 8). */
  | "interrupt-answer"
  /** No call waits for this result. */
  | "unmatched-result"
  /** The call has a result in the same request. */
  | "repeated-result"
  /** No interrupt of this id waits for an answer. */
  | "unknown-interrupt"
  /** The interrupt has been answered. */
  | "repeated-answer"
  /** An answer in the old form that does not say which of several interrupts it is for. */
  | "ambiguous-answer"

type Subject = { readonly messageId: string } | { readonly interruptId: string }

/** Something in a request that was ignored, and why. */
export type Ignored = { readonly code: IgnoredCode; readonly message: string } & Subject

const reasons: Readonly<Record<IgnoredCode, string>> = {
  known: "the message was in an earlier request",
  history: "the message stands before something the agent said, or is the agent's own",
  empty: "the message says nothing",
  told: "the agent has been told this in the same words",
  waiting: "there is no prompt it could go with; it goes with the next one",
  "interrupt-answer": "the tool message repeats the answer to an interrupt",
  "unmatched-result": "no call waits for this result",
  "repeated-result": "the call has a result already",
  "unknown-interrupt": "no interrupt of this id waits for an answer",
  "repeated-answer": "the interrupt has been answered",
  "ambiguous-answer": "several interrupts wait, and the answer does not say which it is for"
}

/** What was ignored, with the reason in words. */
export const ignoredOf = (code: IgnoredCode, subject: Subject): Ignored =>
  "messageId" in subject
    ? { code, message: reasons[code], messageId: subject.messageId }
    : { code, message: reasons[code], interruptId: subject.interruptId }
