/**
 * Law 7: truthful ends. How each run ends follows from its `result` by the table of docs/wire/claude-code.md §6d,
 * where `subtype` and `is_error` both lie (§5.14, §5.15); from the end of the process where there is none. Tokens are
 * in one accounting: the input includes the cache, and the runs of a turn together have what its `result` has.
 */
import type { Agui, Claude, Translate } from "@agentwire/protocol"
import { laneOfEvent } from "./Shown.ts"
import {
  difference,
  firstOf,
  fresh,
  type Law,
  laneOf,
  optionsFor,
  type Session,
  type Trace,
  type Translator,
  translate,
  type Violation
} from "./Translator.ts"

/** Law 7. */
export const truthfulEnds: Law = (translator, session) => {
  const trace = translate(translator, session)
  return firstOf(
    () => endsOfTurns(session, trace),
    () => tokens(session, trace),
    () => withoutResult(translator, session)
  )
}

/** How a run ends, as far as people act on it. */
type End = "success" | "cancelled" | "error"

const isResult = (name: string): boolean => name.startsWith("result/")

const endsOfTurns = (session: Session, { steps }: Trace): Violation => {
  let interrupted = false
  for (const [index, { message, name }] of fresh(session)) {
    const terminal = steps[index]?.at(-1)
    if (name === "user") interrupted ||= isInterruption(message)
    if (!isResult(name)) {
      const early = steps[index]?.find(({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR")
      if (early !== undefined && !endsSubagents(steps.slice(0, index + 1).flat(), early))
        return `line ${index + 1}, a ${name}, ends the run: ${JSON.stringify(early)}`
      continue
    }
    const result = message as Claude.Result
    const violation = firstOf(
      () => difference(`the end at line ${index + 1}`, endOf(result, interrupted), endOfEvent(terminal)),
      () => reason(result, terminal)
    )
    if (violation !== undefined) return violation
    interrupted = false
  }
  return undefined
}

/** Sub-agents that go on after their turn have a run of their own (§5.22): it ends well once all of them are done. */
const endsSubagents = (events: ReadonlyArray<Agui.AguiEvent>, end: Agui.AguiEvent): boolean => {
  const before = events.slice(0, events.lastIndexOf(end))
  const run = before.slice(before.findLastIndex(({ type }) => type === "RUN_STARTED"))
  const ends = run.filter((event) => event.type === "SUBAGENT_FINISHED" || event.type === "SUBAGENT_ERROR")
  return (
    endOfEvent(end) === "success" &&
    ends.length > 0 &&
    ends.every((event) => event.type === "SUBAGENT_ERROR" || event.outcome?.type !== "suspended") &&
    run.every((event) => !saying.test(event.type) || laneOfEvent(event) !== null)
  )
}

/** The events that say something, and so belong to a speaker. */
const saying = /^(TEXT_MESSAGE|REASONING|TOOL_CALL)_/

/** The rows of §6d, read as: what happened to the turn. */
const endOf = (result: Claude.Result, interrupted: boolean): End => {
  if (result.subtype === "success") return result.is_error ? "error" : "success"
  if (result.subtype !== "error_during_execution") return "error"
  // 2.1.37 has no `terminal_reason`: there the line in the person's name tells (§5.10).
  const aborted = ["aborted_streaming", "aborted_tools"].includes(String(result.terminal_reason))
  return aborted || interrupted ? "cancelled" : "error"
}

const isInterruption = ({ message }: Claude.MessageOf<"user">): boolean => {
  const parts = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content
  return parts.some((part) => part.type === "text" && String(part["text"]).startsWith("[Request interrupted by user"))
}

const endOfEvent = (event: Agui.AguiEvent | undefined): End | undefined => {
  if (event?.type === "RUN_ERROR") return "error"
  if (event?.type !== "RUN_FINISHED") return undefined
  const type = event.outcome?.type ?? "success"
  return type === "interrupt" ? undefined : type
}

/** An error says what went wrong, in the CLI's words where it has some; a success has what is in no message. */
const reason = (result: Claude.Result, event: Agui.AguiEvent | undefined): Violation => {
  if (event?.type === "RUN_ERROR") {
    const words = result.subtype === "success" ? [result.result] : result.errors
    const told = words.filter((word) => word !== "" && !word.startsWith("[ede_diagnostic]"))
    if (event.message === "" || event.message.includes("[ede_diagnostic]"))
      return `an error without a reason: ${event.message}`
    if (result.subtype.startsWith("error_max") && event.code !== result.subtype)
      return `${result.subtype} has the code ${event.code}`
    return difference(
      "the reason",
      told.filter((word) => !event.message.includes(word)),
      []
    )
  }
  if (event?.type !== "RUN_FINISHED" || result.subtype !== "success") return undefined
  return difference("the answer", result.structured_output ?? undefined, event.result)
}

const tokens = (session: Session, { steps }: Trace): Violation => {
  let spent = [0, 0, 0, 0, 0]
  const known = new Map(fresh(session))
  for (const [index, events] of steps.entries()) {
    for (const event of events)
      if ("usage" in event && (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR"))
        for (const usage of event.usage ?? []) spent = spent.map((count, at) => count + (countsOf(usage)[at] ?? 0))
    const decoded = known.get(index)
    if (decoded === undefined || !isResult(decoded.name)) continue
    const { usage } = decoded.message as Claude.Result
    const [read, write] = [usage.cache_read_input_tokens ?? 0, usage.cache_creation_input_tokens ?? 0]
    const input = usage.input_tokens + read + write
    const violation = difference(
      `tokens at line ${index + 1}`,
      [input, usage.output_tokens, input + usage.output_tokens, read, write],
      spent
    )
    if (violation !== undefined) return violation
    spent = [0, 0, 0, 0, 0]
  }
  return undefined
}

const countsOf = (usage: Agui.TokenUsage): ReadonlyArray<number> =>
  [usage.inputTokens, usage.outputTokens, usage.totalTokens, usage.cachedInputTokens, usage.cacheWriteInputTokens].map(
    (count) => count ?? 0
  )

/** What each reason makes of a turn that goes on. */
const reasons: ReadonlyArray<readonly [Translate.FinishReason, End]> = [
  [{ type: "end" }, "error"],
  [{ type: "exit", code: 1, detail: "last words" }, "error"],
  [{ type: "exit", code: 0 }, "error"],
  [{ type: "exit", code: null, signal: "SIGKILL" }, "error"],
  [{ type: "error", code: "lost", message: "The connection was lost." }, "error"],
  [{ type: "cancelled" }, "cancelled"]
]

/** The session up to the middle of its last turn. */
const withoutResult = <S>(translator: Translator<S>, session: Session): Violation => {
  const turn =
    fresh(session).findLast(([, { message, name }]) => name === "assistant" && laneOf(message) === null)?.[0] ?? -1
  if (turn === -1) return undefined
  const cut = { ...session, messages: session.messages.slice(0, turn + 1) }
  for (const [reason, end] of reasons) {
    const { last } = translate(translator, cut, optionsFor(session), reason)
    const violation = difference(`a turn that ends by ${JSON.stringify(reason)}`, end, endOfEvent(last.at(-1)))
    if (violation !== undefined) return violation
  }
  return undefined
}
