/**
 * A turn may span several runs. At a question to the person and at a call of the application's own tool the run ends,
 * and another begins when the answer is there. Whenever that is: the stream is legal, nothing is lost of what the same
 * session says in one run, and each end names what it waits for, no more and no less.
 */
import type { Agui, Claude, Translate } from "@agentwire/protocol"
import type { Decoded } from "@agentwire/protocol/claude"
import { judge } from "./Legal.ts"
import { frontendCalls, sameContent } from "./Lossless.ts"
import { shown } from "./Shown.ts"
import { told } from "./Told.ts"
import {
  difference,
  type Law,
  numbersFrom,
  optionsFor,
  type Session,
  type Translator,
  type Violation
} from "./Translator.ts"

/** The law of several runs. */
export const suspending: Law = async (translator, session, seed) => {
  for (const dialect of ["1.0", "0.0"] as const) {
    const options = { ...optionsFor(session), dialect, approvals: "interrupt" as const }
    const { events, wrong } = perform(translator, session, options, seed)
    const violation =
      wrong ??
      (await judge(events, dialect)) ??
      sameContent(told(session), shown(events), session) ??
      sameResults(session, events)
    if (violation !== undefined) return `in dialect ${dialect}: ${violation}`
  }
  return undefined
}

interface Performance {
  readonly events: ReadonlyArray<Agui.AguiEvent>
  readonly wrong: Violation
}

/** What a host does: it lets the run end where it must, and opens the next one when it pleases. */
const perform = <S>(
  translator: Translator<S>,
  session: Session,
  options: Translate.TranslateOptions,
  seed: number
): Performance => {
  const pick = numbersFrom(seed)
  const watch = new Watch(options.dialect ?? "1.0")
  let state = translator.initial(options)
  let wait = 0
  const take = ([next, events]: readonly [S, ReadonlyArray<Agui.AguiEvent>]): void => {
    state = next
    watch.see(events)
    if (watch.suspended) wait = pick(4)
  }
  for (const message of session.messages) {
    // Somebody may also ask for a run when none is missing.
    if (watch.suspended ? wait-- <= 0 : pick(60) === 0)
      take(translator.begin(state, { runId: `asked-${watch.count++}` }))
    // A host allows its own tools without asking anybody (§7), or leaves that to the person.
    if (isFrontendRequest(message, session) && pick(2) === 0) continue
    watch.hear(message)
    take(translator.step(state, message))
    const call = frontendCall(message)
    if (call !== undefined) take(translator.suspend(state, { calls: [call] }))
  }
  if (watch.suspended) take(translator.begin(state, { runId: "asked-last" }))
  watch.see(translator.finish(state))
  return { events: watch.events, wrong: watch.wrong }
}

const isFrontendRequest = (decoded: Decoded, { frontendTools }: Session): boolean =>
  decoded._tag === "Known" &&
  decoded.name === "control_request/can_use_tool" &&
  frontendTools.some((tool) => decoded.message.request.tool_name === `mcp__frontend__${tool}`)

/** The call a frontend tool is asked for (docs/wire/claude-code.md §7). */
const frontendCall = (decoded: Decoded): string | undefined => {
  if (decoded._tag !== "Known" || decoded.name !== "control_request/mcp_message") return undefined
  const { message } = decoded.message.request as { readonly message: JsonRpc }
  return message.method === "tools/call" ? message.params?._meta?.["claudecode/toolUseId"] : undefined
}

interface JsonRpc {
  readonly method?: string
  readonly params?: { readonly _meta?: { readonly "claudecode/toolUseId"?: string } }
}

/** Keeps what the ends of runs must name: the questions, and the calls without a result. */
class Watch {
  readonly events: Array<Agui.AguiEvent> = []
  wrong: Violation
  suspended = false
  count = 0
  readonly #asked = new Set<string>()
  readonly #told = new Set<string>()
  #called = new Set<string>()
  readonly #dialect: Agui.Dialect

  constructor(dialect: Agui.Dialect) {
    this.#dialect = dialect
  }

  hear(decoded: Decoded): void {
    if (decoded._tag !== "Known") return
    if (decoded.name === "control_request/can_use_tool" || decoded.name === "control_request/elicitation")
      this.#asked.add(decoded.message.request_id)
    // The application's own tools have a result on the wire and none in the events.
    if (decoded.name === "user") for (const id of resultIds(decoded.message)) this.#called.delete(id)
    if (decoded.name === "control_cancel_request") this.#asked.delete(decoded.message.request_id)
  }

  see(events: ReadonlyArray<Agui.AguiEvent>): void {
    for (const event of events) this.wrong ??= this.#seeOne(event)
    this.events.push(...events)
  }

  #seeOne(event: Agui.AguiEvent): Violation {
    switch (event.type) {
      case "RUN_STARTED":
        this.suspended = false
        this.#called = new Set()
        return undefined
      case "TOOL_CALL_START":
        this.#called.add(event.toolCallId)
        return undefined
      case "TOOL_CALL_RESULT":
        this.#called.delete(event.toolCallId)
        return undefined
      case "RUN_FINISHED":
        return this.#ended(event)
      default:
        return undefined
    }
  }

  #ended({ outcome }: Agui.AguiEventOf<"RUN_FINISHED">): Violation {
    if (outcome?.type === "interrupt") {
      this.suspended = true
      const ids = outcome.interrupts.map(({ id }) => id)
      const strange = ids.find((id) => this.#told.has(id) || !this.#asked.has(id))
      for (const id of ids) this.#told.add(id)
      return strange === undefined ? undefined : `the run ends for ${strange}, which nobody asks or was asked before`
    }
    if (outcome?.type !== "success" || outcome.pendingToolCallIds === undefined) return undefined
    this.suspended = true
    if (this.#dialect !== "1.0") return undefined
    // A call that goes on in this run begins again in it, and keeps its place.
    return difference("pendingToolCallIds", [...this.#called].sort(), [...outcome.pendingToolCallIds].sort())
  }
}

const resultIds = ({ message: { content } }: Claude.MessageOf<"user">): ReadonlyArray<string> =>
  typeof content === "string" ? [] : content.flatMap((part) => (part.type === "tool_result" ? [part.tool_use_id] : []))

const sameResults = (session: Session, events: ReadonlyArray<Agui.AguiEvent>): Violation => {
  const frontend = frontendCalls(session)
  const brought = session.messages
    .flatMap((decoded) => (decoded._tag === "Known" && decoded.name === "user" ? resultIds(decoded.message) : []))
    .filter((id) => !frontend.has(id))
  const found = shown(events).results.map(({ toolCallId }) => toolCallId)
  return difference("results", [...new Set(brought)].sort(), found.filter((id) => brought.includes(id)).sort())
}
