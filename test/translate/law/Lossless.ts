/**
 * Law 2: nothing lost, nothing twice. What the lines tell is what the events show: each text, thought and call once,
 * in order, complete; each result at the line that brings it, with all of its content and its error flag.
 */
import type { Agui } from "@agentwire/protocol"
import type { Known } from "@agentwire/protocol/claude"
import { parsedJson, piecesOf, type Shown, type ShownCall, shown } from "./Shown.ts"
import { type Told, type ToldCall, told } from "./Told.ts"
import {
  difference,
  firstOf,
  fresh,
  type Law,
  type Session,
  stable,
  type Trace,
  translate,
  type Violation
} from "./Translator.ts"

/** Law 2. */
export const lossless: Law = (translator, session) => {
  const trace = translate(translator, session)
  return firstOf(
    () => sameContent(told(session), shown(trace.events), session),
    () => resultsInTime(session, trace),
    () => answersOfTurns(session, trace)
  )
}

/** The half of law 2 that holds whatever happened to the lines: results. */
export const resultsAtOnce: Law = (translator, session) => resultsInTime(session, translate(translator, session))

/** Why what is shown is not what is told. */
export const sameContent = (expected: Told, found: Shown, session: Session): Violation => {
  // Output of commands and texts of results stand under the uuid of their line: another check's business.
  const uuids = new Set(fresh(session).map(([, { message }]) => ("uuid" in message ? message.uuid : undefined)))
  const heard = [...found.messages.values()].filter(({ id }) => !uuids.has(id))
  const lanes = new Set([...expected.messages, ...heard].map(({ lane }) => lane))
  // The seal of a thought is told with its `assistant` line: before that it may be in pieces.
  const said = (
    messages: ReadonlyArray<{ readonly content: string; readonly sealed: string }>,
    of: ReadonlyArray<{ readonly whole: boolean }>
  ) => messages.map(({ content, sealed }, at) => (of[at]?.whole === true ? [content, sealed] : content))
  for (const lane of lanes)
    for (const kind of ["text", "thinking"] as const) {
      const of = <A extends { readonly lane: string | null; readonly kind: string }>(messages: ReadonlyArray<A>) =>
        messages.filter((message) => message.lane === lane && message.kind === kind)
      const violation = difference(
        `${kind} of ${lane ?? "the main thread"}`,
        said(of(expected.messages), of(expected.messages)),
        said(of(heard), of(expected.messages))
      )
      if (violation !== undefined) return violation
      // The two lists have the same length now.
      const wrong = of(heard).find(({ abandoned }, at) => abandoned && of(expected.messages)[at]?.whole === true)
      if (wrong !== undefined) return `${wrong.id} is complete and marked as abandoned`
    }
  return sameCalls(expected, found, session)
}

const sameCalls = (expected: Told, found: Shown, { frontendTools }: Session): Violation => {
  const names = new Map(frontendTools.map((tool) => [`mcp__frontend__${tool}`, tool]))
  const calls = [...expected.calls.values()]
  return firstOf(
    () =>
      difference(
        "calls",
        calls.map(({ id }) => id),
        [...found.calls.keys()]
      ),
    () =>
      difference(
        "names of calls",
        calls.map(({ name }) => names.get(name) ?? name),
        [...found.calls.values()].map(({ name }) => name)
      ),
    () => calls.map((call) => sameArguments(call, found.calls.get(call.id))).find((wrong) => wrong !== undefined)
  )
}

const sameArguments = ({ id, input, streamed, whole }: ToldCall, call: ShownCall | undefined): Violation => {
  const args = call?.args ?? ""
  if (whole && call?.abandoned === true) return `${id} is complete and marked as abandoned`
  if (streamed === "") {
    if (!whole) return difference(`arguments of ${id}`, "", args)
    // On 2.1.37 the input of a server's tool is JSON text already (§8).
    return difference(
      `arguments of ${id}`,
      typeof input === "string" ? parsedJson(input)?.value : (input ?? {}),
      parsedJson(args)?.value
    )
  }
  // What was streamed stays; where it is only the beginning of the whole, the rest follows.
  const rest = whole && parsedJson(streamed) === undefined ? JSON.stringify(input) : streamed
  return difference(`arguments of ${id}`, rest.startsWith(streamed) ? rest : streamed, args)
}

interface ToolResult {
  readonly id: string
  readonly pieces: ReadonlyArray<string>
  readonly failed: boolean
}

const resultsInTime = (session: Session, { last, steps }: Trace): Violation => {
  const brought = new Map(fresh(session).map(([index, known]) => [index, resultsOf(known, session)]))
  const found = steps.map((events) => events.filter((event) => event.type === "TOOL_CALL_RESULT"))
  for (const [index, events] of found.entries()) {
    const violation = difference(`results at line ${index + 1}`, brought.get(index) ?? [], events.map(toolResult))
    if (violation !== undefined) return violation
  }
  return difference("results at the end", 0, last.filter(({ type }) => type === "TOOL_CALL_RESULT").length)
}

const toolResult = ({ content, metadata, toolCallId }: Agui.AguiEventOf<"TOOL_CALL_RESULT">): ToolResult => ({
  id: toolCallId,
  pieces: piecesOf(content),
  failed: metadata?.["isError"] === true
})

/** The results a line brings, but for those of the application's own tools: it has them already. */
const resultsOf = ({ message, name }: Known, session: Session): ReadonlyArray<ToolResult> => {
  const content = name === "user" || name === "assistant" ? message.message.content : []
  if (typeof content === "string") return []
  const frontend = frontendCalls(session)
  return content.flatMap((part) => {
    const { content: given, is_error: failed, tool_use_id: id, type } = part as unknown as Record<string, unknown>
    const isResult = name === "user" ? type === "tool_result" : typeof id === "string"
    if (!isResult || typeof id !== "string" || frontend.has(id)) return []
    const pieces = name === "user" || type === "mcp_tool_result" ? wirePieces(given) : [JSON.stringify(given)]
    return [{ id, pieces, failed: failed === true || isErrorBlock(given) }]
  })
}

const isErrorBlock = (given: unknown): boolean =>
  typeof given === "object" && given !== null && "type" in given && String(given.type).endsWith("_error")

const wirePieces = (given: unknown): ReadonlyArray<string> => {
  if (!Array.isArray(given)) return [typeof given === "string" ? given : ""]
  if (given.length === 0) return [""]
  return given.map((block: Record<string, unknown>) => {
    if (block["type"] === "text") return String(block["text"])
    const { data, file_id, url } = (block["source"] ?? {}) as Record<string, unknown>
    const media = data ?? url ?? file_id
    return typeof media === "string" ? media : JSON.stringify(block)
  })
}

const frontendCache = new WeakMap<Session, ReadonlySet<string>>()

/** The calls of the application's own tools. */
export const frontendCalls = (session: Session): ReadonlySet<string> => {
  const known = frontendCache.get(session)
  if (known !== undefined) return known
  const names = new Set(session.frontendTools.map((tool) => `mcp__frontend__${tool}`))
  const ids = new Set(
    session.frontendTools.length === 0
      ? []
      : [...told(session).calls.values()].filter(({ name }) => names.has(name)).map(({ id }) => id)
  )
  frontendCache.set(session, ids)
  return ids
}

/** A turn that succeeds with an answer shows one: what the model said, or else the text of its `result`. */
const answersOfTurns = (session: Session, { steps }: Trace): Violation => {
  const results = new Map(fresh(session).map(([index, known]) => [index, known]))
  let spoken = false
  for (const [index, events] of steps.entries()) {
    const known = results.get(index)
    const says = events.some((event) => event.type === "TEXT_MESSAGE_START" && event.subagentRunId === undefined)
    if (known?.name !== "result/success") {
      spoken = known?.name.startsWith("result/") === true ? false : spoken || says
      continue
    }
    const { is_error, result, structured_output } = known.message
    const owed = !spoken && !is_error && result !== "" && structured_output === undefined
    if (says !== owed) return `the result at line ${index + 1} ${owed ? "hides" : "repeats"} its text ${stable(result)}`
    spoken = false
  }
  return undefined
}
