/**
 * Law 5: chunking does not matter. However the bytes are cut, the events are the same; however the API cuts its deltas,
 * the messages are the same, and no event holds half a character that was whole.
 */
import { type Decoded, decoder, decodeValue } from "@agentwire/protocol/claude"
import { shown } from "./Shown.ts"
import {
  difference,
  firstOf,
  type Law,
  numbersFrom,
  type Session,
  translate,
  type Violation,
  withMessages
} from "./Translator.ts"

/** Law 5. */
export const chunkingDoesNotMatter: Law = (translator, session, seed) => {
  const { events } = translate(translator, session)
  return firstOf(
    () => difference("events of bytes in pieces", events, translate(translator, inPieces(session, seed)).events),
    () => {
      const recut = translate(translator, withMessages(session, recutDeltas(session.messages, seed))).events
      return firstOf(
        () => wellFormed(recut),
        () => difference("what is shown of deltas in pieces", contents(events), contents(recut))
      )
    }
  )
}

const contents = (events: Parameters<typeof shown>[0]) => {
  const { calls, messages, results } = shown(events)
  return [[...messages.values()], [...calls.values()], results]
}

/** The bytes of a session, cut anywhere. */
export const cutBytes = (lines: ReadonlyArray<string>, seed: number): ReadonlyArray<Uint8Array> => {
  const pick = numbersFrom(seed)
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""))
  const chunks: Array<Uint8Array> = []
  // Sometimes a few bytes, so that characters are cut, and sometimes several lines.
  const most = [3, 200, 5_000][pick(3)] ?? 200
  const least = Math.ceil(bytes.length / 2_000)
  for (let at = 0; at < bytes.length; ) {
    const end = at + least + pick(most)
    chunks.push(bytes.subarray(at, end))
    at = end
  }
  return chunks
}

const inPieces = (session: Session, seed: number): Session => {
  const { end, push } = decoder()
  return { ...session, messages: [...cutBytes(session.lines, seed).flatMap((chunk) => push(chunk)), ...end()] }
}

const pieceKeys = ["text", "thinking", "partial_json"] as const

/** Every delta as several, cut between any two UTF-16 units. */
const recutDeltas = (messages: ReadonlyArray<Decoded>, seed: number): ReadonlyArray<Decoded> => {
  const pick = numbersFrom(seed + 1)
  return messages.flatMap((decoded) => {
    if (decoded._tag !== "Known" || decoded.name !== "stream_event/content_block_delta") return [decoded]
    const { message } = decoded
    const delta = message.event.delta as unknown as Record<string, unknown>
    const key = pieceKeys.find((name) => typeof delta[name] === "string")
    const text = key === undefined ? "" : String(delta[key])
    if (key === undefined || text.length < 2) return [decoded]
    const at = 1 + pick(text.length - 1)
    return [text.slice(0, at), text.slice(at)].map((piece, index) =>
      decodeValue({
        ...message,
        uuid: `${message.uuid}${index === 0 ? "" : "-cut"}`,
        event: { ...message.event, delta: { ...delta, [key]: piece } }
      })
    )
  })
}

const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Half a character may stand where a text was cut off for good, at its end, and nowhere else. */
const wellFormed = (events: Parameters<typeof shown>[0]): Violation => {
  const said = new Map<string, string>()
  for (const event of events) {
    if (!("delta" in event) || typeof event.delta !== "string") continue
    const id = "toolCallId" in event ? event.toolCallId : "messageId" in event ? event.messageId : undefined
    const before = said.get(id ?? "") ?? ""
    if (loneSurrogate.test(before) && !loneSurrogate.test(before + event.delta))
      return `half a character: ${JSON.stringify(event)}`
    said.set(id ?? "", before + event.delta)
  }
  return undefined
}
