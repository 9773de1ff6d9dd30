/**
 * Law 1: always legal. Whatever the lines, in whatever order, cut anywhere: the real clients of both dialects take the
 * stream, and every event is one of our own schemas, without a key of its own invention.
 */
import { Agui } from "@agentwire/protocol"
import { refusal } from "../Clients.ts"
import { type Law, optionsFor, type Session, type Translator, translate, type Violation } from "./Translator.ts"

/** Law 1. */
export const legal: Law = async (translator, session) => {
  for (const dialect of ["1.0", "0.0"] as const) {
    const violation = await legalIn(translator, session, dialect)
    if (violation !== undefined) return `in dialect ${dialect}: ${violation}`
  }
  return undefined
}

const legalIn = async <S>(translator: Translator<S>, session: Session, dialect: Agui.Dialect): Promise<Violation> =>
  judge(translate(translator, session, { ...optionsFor(session), dialect }).events, dialect)

/** Why a stream of events is not legal in a dialect. */
export const judge = async (events: ReadonlyArray<Agui.AguiEvent>, dialect: Agui.Dialect): Promise<Violation> =>
  ended(events) ??
  events.map((event) => wrongWith(event, dialect)).find((wrong) => wrong !== undefined) ??
  refusal(events, dialect)

/** `verifyEvents` takes a stream whose run never ends. */
const ended = (events: ReadonlyArray<Agui.AguiEvent>): Violation => {
  const count = (...types: ReadonlyArray<Agui.AguiEvent["type"]>): number =>
    events.filter(({ type }) => types.includes(type)).length
  const started = count("RUN_STARTED")
  const finished = count("RUN_FINISHED", "RUN_ERROR")
  return started === finished ? undefined : `${started} runs start and ${finished} end`
}

const wrongWith = (event: Agui.AguiEvent, dialect: Agui.Dialect): Violation => {
  // Through JSON: that is how it travels, and a key that is `undefined` is none.
  const { [dialect]: codec } = Agui.codecs
  const decoded = codec.decodeLine(JSON.stringify(event))
  if (decoded._tag !== "Known") return `${event.type} is ${decoded._tag}: ${JSON.stringify(event).slice(0, 200)}`
  const [unknown] = codec.drift(decoded.message)
  return unknown === undefined ? undefined : `${event.type} has what no schema names: ${JSON.stringify(unknown)}`
}
