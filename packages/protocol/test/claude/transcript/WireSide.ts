/**
 * What was said in a session as its wire tells it: the fold of its tapes, with the prompts where the CLI took them up.
 * What the CLI kept in its own files is compared with that.
 */

import { type Decoded, decoder } from "../../../src/claude/Codec.ts"
import { hostPrompt } from "../../../src/claude/command/HostPrompt.ts"
import { endFold, type Folded, foldMessage, foldPrompt } from "../../../src/claude/fold/Fold.ts"
import { type FoldState, initialFold } from "../../../src/claude/fold/State.ts"
import { fact } from "../../../src/claude/Versions.ts"
import type { Said } from "../../../src/model/Command.ts"
import type { Event } from "../../../src/model/Event.ts"
import type { Tape } from "../../../src/tape/Tape.ts"
import { bytesOf } from "../../../src/tape/TapeCodec.ts"

/** What of a wire is heard. */
interface Hearing {
  /** Deltas, too: what was streamed and never became whole. */
  readonly streams: boolean
}

/** The events of a session that several processes took part in, one tape each. */
export const wireEvents = (tapes: ReadonlyArray<Tape>, hearing: Hearing = { streams: true }): ReadonlyArray<Event> => {
  const events: Array<Event> = []
  let state = initialFold()
  for (const tape of tapes) state = playTape(tape, state, events, hearing)
  return events
}

const playTape = (
  { frames, header }: Tape,
  before: FoldState,
  events: Array<Event>,
  { streams }: Hearing
): FoldState => {
  const decoders = { agent: decoder(), host: decoder() }
  const merges = fact("queuedPromptsMerged", header.runtime.version ?? "") !== false
  const waiting: Array<Said> = []
  const known = new Set<string>()
  let state = before
  let returned = 0
  let answer: string | undefined
  let reason: Parameters<typeof endFold>[1] = { type: "end" }
  const apply = ([next, said]: Folded): void => {
    state = next
    events.push(...said)
  }
  const take = (count: number): void => {
    if (count > 0 && waiting.length > 0) apply(foldPrompt(state, waiting.splice(0, count)))
    returned = Math.max(0, returned - count)
  }
  const heard = (message: Decoded): void => {
    if (!streams && message._tag === "Known" && message.name.startsWith("stream_event/")) return
    const id = answerOf(message)
    if (id !== undefined && id !== answer) {
      take(returned)
      answer = id
      returned = 0
    }
    const wasOpen = state.open
    const [next, said] = foldMessage(state, message)
    const [first, ...rest] = said
    // A prompt begins the turn that takes it up.
    if (!wasOpen && first?.type === "turn_started" && waiting.length > 0) {
      take(merges ? waiting.length : 1)
      state = { ...next, turn: next.turn ?? state.turn }
      events.push(...rest)
    } else apply([next, said])
    if (said.some((event) => event.type === "call_answered" && event.lane === null)) returned = waiting.length
  }
  const told = (from: "agent" | "host", messages: ReadonlyArray<Decoded>): void => {
    for (const message of messages) {
      if (from === "agent") heard(message)
      else if (message._tag === "Known" && message.name === "user") {
        const prompt = hostPrompt(message.message, `prompt:${header.startedAt}:${known.size}`)
        if (prompt !== undefined && !known.has(prompt.id)) {
          known.add(prompt.id)
          waiting.push(prompt)
        }
      }
    }
  }
  for (const frame of frames) {
    if (frame._tag === "Exit") reason = { type: "exit", code: frame.code, signal: frame.signal }
    if (frame._tag === "Data" && frame.channel !== "stderr")
      told(frame.from, decoders[frame.from].push(bytesOf(frame.data)))
  }
  for (const from of ["host", "agent"] as const) told(from, decoders[from].end())
  apply(endFold(state, reason))
  return state
}

const answerOf = (decoded: Decoded): string | undefined => {
  if (decoded._tag !== "Known") return undefined
  if (decoded.name === "assistant")
    return decoded.message.parent_tool_use_id === null ? decoded.message.message.id : undefined
  return decoded.name === "stream_event/message_start" && decoded.message.parent_tool_use_id === null
    ? decoded.message.event.message.id
    : undefined
}
