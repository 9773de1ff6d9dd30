/**
 * The other forms of the translator give what folding `step` gives: the live one from bytes to frames, checked and
 * unchecked, however the bytes are cut; `steps`, the iterator, and the Effect stream.
 */
import { Agui, Translate } from "@agentwire/protocol"
import { decoder } from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { cutBytes } from "./Chunking.ts"
import {
  difference,
  firstOf,
  numbersFrom,
  optionsFor,
  real,
  type Session,
  translate,
  type Violation
} from "./Translator.ts"

/** All forms agree. This law is about the real translator alone. */
export const formsAgree = (session: Session, seed: number): Violation => {
  const pick = numbersFrom(seed)
  const dialect = pick(2) === 0 ? ("1.0" as const) : ("0.0" as const)
  const options = { ...optionsFor(session), dialect }
  const chunks = cutBytes(session.lines, seed)
  const { end, push } = decoder()
  const messages = [...chunks.flatMap((chunk) => push(chunk)), ...end()]
  const { events } = translate(real, { ...session, messages }, options)
  const frames = events.map((event) => Agui.encodeSse(event)).join("")
  const live = (validate: boolean): Violation => {
    const translator = new Translate.SseTranslator({ ...options, validate })
    const given = chunks.map((chunk) => translator.push(chunk)).join("") + translator.end()
    // Unchecked text keeps the escapes it had on the wire.
    return given === frames
      ? undefined
      : difference(`frames with validate:${validate}`, parsedFrames(frames), parsedFrames(given))
  }
  return firstOf(
    () => live(true),
    () => live(false),
    () => difference("the iterator", events, [...Translate.translateMessages(messages, options)]),
    () => {
      const [state, given] = Translate.stepAll(Translate.initialState(options), messages)
      return difference("steps", events, [...given, ...Translate.finish(state)])
    },
    () => {
      const stream = Stream.rechunk(Stream.fromIterable(messages), 1 + pick(50)).pipe(
        Translate.translateStream(options)
      )
      return difference("the stream", events, Effect.runSync(Stream.runCollect(stream)))
    }
  )
}

const parsedFrames = (frames: string): ReadonlyArray<unknown> =>
  frames
    .split("\n\n")
    .slice(0, -1)
    .map((frame): unknown => JSON.parse(frame.replace(/^data: /, "")))
