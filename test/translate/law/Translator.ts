/**
 * A translator as the laws see it: anything with the functions of `Translate`. So the same laws judge the real one and
 * those that are broken on purpose.
 */
import { type Agui, Translate } from "@agentwire/protocol"
import { type Decoded, decodeLine, type Known } from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"

/** A state, and the events that led to it. */
export type Stepped<S> = readonly [state: S, events: ReadonlyArray<Agui.AguiEvent>]

/** What a law needs of a translator. */
export interface Translator<S> {
  readonly initial: (options: Translate.TranslateOptions) => S
  readonly step: (state: S, message: Decoded) => Stepped<S>
  readonly finish: (state: S, reason?: Translate.FinishReason) => ReadonlyArray<Agui.AguiEvent>
  readonly begin: (state: S, request: Parameters<typeof Translate.beginRun>[1]) => Stepped<S>
  readonly suspend: (state: S, suspension: Translate.Suspension) => Stepped<S>
}

/** The translator of this project. */
export const real: Translator<Translate.State> = {
  initial: Translate.initialState,
  step: Translate.step,
  finish: Translate.finish,
  begin: Translate.beginRun,
  suspend: Translate.suspendRun
}

/** The CLI's side of a session. */
export interface Session {
  readonly lines: ReadonlyArray<string>
  readonly messages: ReadonlyArray<Decoded>
  /** The application's own tools in it. */
  readonly frontendTools: ReadonlyArray<string>
}

/** A session from its lines. */
export const sessionOf = (lines: ReadonlyArray<string>, frontendTools: ReadonlyArray<string> = []): Session => ({
  lines,
  messages: lines.map((line) => decodeLine(line)),
  frontendTools
})

/** A session without some of its messages, or with others. */
export const withMessages = ({ frontendTools }: Session, messages: ReadonlyArray<Decoded>): Session => ({
  lines: messages.map((message) => JSON.stringify(message._tag === "Known" ? message.message : message.raw)),
  messages,
  frontendTools
})

/** Why a law does not hold; undefined when it does. */
export type Violation = string | undefined

/** A law: any translator, any session. `seed` picks the places a law has to choose. */
export type Law = <S>(translator: Translator<S>, session: Session, seed: number) => Violation | Promise<Violation>

/** What came of a session: the events of each message, and of the end. */
export interface Trace {
  readonly steps: ReadonlyArray<ReadonlyArray<Agui.AguiEvent>>
  readonly last: ReadonlyArray<Agui.AguiEvent>
  readonly events: ReadonlyArray<Agui.AguiEvent>
}

/** The thread of all translations here. */
const threadId = "thread"

/** The options a session is translated with unless a law is about another. */
export const optionsFor = ({ frontendTools }: Session): Translate.TranslateOptions => ({ threadId, frontendTools })

/** What came of a session with the options that most laws take: they all look at the same one. */
const traces = new WeakMap<Session, WeakMap<object, Trace>>()

/** Translates a session. */
export const translate = <S>(
  translator: Translator<S>,
  session: Session,
  options?: Translate.TranslateOptions,
  reason?: Translate.FinishReason
): Trace => {
  if (options !== undefined || reason !== undefined)
    return translateAnew(translator, session, options ?? optionsFor(session), reason)
  const known = traces.get(session) ?? new WeakMap<object, Trace>()
  traces.set(session, known)
  const trace = known.get(translator) ?? translateAnew(translator, session, optionsFor(session), undefined)
  known.set(translator, trace)
  return trace
}

const translateAnew = <S>(
  translator: Translator<S>,
  session: Session,
  options: Translate.TranslateOptions,
  reason: Translate.FinishReason | undefined
): Trace => {
  let state = translator.initial(options)
  const steps = session.messages.map((message) => {
    const [next, events] = translator.step(state, message)
    state = next
    return events
  })
  const last = translator.finish(state, reason)
  return { steps, last, events: [...steps.flat(), ...last] }
}

/** Whether a message is a stream event. */
export const isStreamEvent = (message: Decoded): boolean =>
  message._tag === "Known" && message.name.startsWith("stream_event/")

/** The `uuid` of a message. */
export const uuidOf = (decoded: Decoded): string | undefined => {
  const message: unknown =
    decoded._tag === "Known" ? decoded.message : decoded._tag === "Unknown" ? decoded.raw : undefined
  const uuid = typeof message === "object" && message !== null && "uuid" in message ? message.uuid : undefined
  return typeof uuid === "string" ? uuid : undefined
}

/** The messages of a session that have a schema, without those that come again. */
export const fresh = ({ messages }: Session): ReadonlyArray<readonly [index: number, known: Known]> => {
  const seen = new Set<string>()
  return messages.flatMap((decoded, index) => {
    const uuid = uuidOf(decoded)
    const again = uuid !== undefined && seen.has(uuid)
    if (uuid !== undefined) seen.add(uuid)
    return decoded._tag === "Known" && !again ? [[index, decoded] as const] : []
  })
}

/** The lane of a message: the sub-agent's call, or null. */
export const laneOf = (message: object): string | null =>
  "parent_tool_use_id" in message && typeof message.parent_tool_use_id === "string" ? message.parent_tool_use_id : null

/** The first difference of two values, as text; undefined when they are equal. */
export const difference = (what: string, expected: unknown, found: unknown): Violation => {
  const one = stable(expected)
  const two = stable(found)
  if (one === two) return undefined
  let at = 0
  while (at < one.length && one[at] === two[at]) at++
  const from = Math.max(0, at - 60)
  return `${what}: expected …${one.slice(from, at + 140)}… and found …${two.slice(from, at + 140)}…`
}

/** JSON with keys in order. */
export const stable = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner
  ) ?? "undefined"

/** The first violation of several. */
export const firstOf = (...checks: ReadonlyArray<() => Violation>): Violation => {
  for (const check of checks) {
    const violation = check()
    if (violation !== undefined) return violation
  }
  return undefined
}

/** A small generator of numbers from a seed, so that a failing case is its seed. */
export const numbersFrom = (seed: number): ((below: number) => number) => {
  let state = (seed ^ 0x9e3779b9) >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
