/** Tapes of Codex as app-servers: what was recorded is said to a session, whose host is not the recorded one. */
import { realpathSync } from "node:fs"
import { tmpdir } from "node:os"
import { loadCodexTape } from "@agentwire/fixtures"
import type { Model } from "@agentwire/protocol"
import { Dialogue, foldMessage, initialFold } from "@agentwire/protocol/codex"
import * as Tape from "@agentwire/protocol/tape"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { layerCodexRuntime } from "../../../src/runtime/codex/CodexRuntime.ts"
import { replayCodexLauncher } from "../../../src/runtime/replay/ReplayServer.ts"
import { openThread } from "../../../src/session/OpenThread.ts"
import { makeSession } from "../../../src/session/SessionActor.ts"
import { layerMemoryStore } from "../../../src/store/memory/MemoryStore.ts"
import { Store } from "../../../src/store/Store.ts"
import { testThread } from "../../TestLog.ts"
import { eventsUntil, happened } from "../../WithSession.ts"

const tapeOf = (scenario: string, run = 1) => loadCodexTape({ scenario, version: "0.166.0", run })

/** What was said and called, as the fold of a tape tells it. */
const toldBy = (tape: Tape.Tape): ReadonlyArray<string> => {
  const dialogue = new Dialogue()
  let state = initialFold()
  const events = Tape.tapeLines(tape.frames).flatMap(({ from, line }) => {
    const [next, told] = foldMessage(state, dialogue.hear(from === "host" ? "client" : "server", line.text))
    state = next
    return told
  })
  return wordsOf(events)
}

const wordsOf = (events: ReadonlyArray<Model.Event>): ReadonlyArray<string> =>
  events.flatMap((event) => {
    if (event.type === "item_grew") return [event.delta]
    if (event.type === "item_started" && event.item.kind === "call") return [`call ${event.item.tool}`]
    return event.type === "turn_ended" ? [`turn ${event.outcome.type}`] : []
  })

/** A session with the tape, which is given as many prompts as it has turns, and a yes to all it asks. */
const played = (tape: Tape.Tape, turns: number) =>
  Effect.gen(function* () {
    const claim = yield* openThread(yield* Store, testThread("t"))
    const session = yield* makeSession({ claim, sessionKey: "t", cwd: realpathSync(tmpdir()), canAsk: true })
    for (let turn = 0; turn < turns; turn++) {
      const from = session.log.next()
      yield* session.submit(() =>
        Result.succeed({
          ticket: `turn-${turn}`,
          answers: [],
          results: [],
          tools: [],
          prompt: { type: "prompt" as const, said: [{ id: `prompt-${turn}`, content: "anything" }] }
        })
      )
      const isMeant = ({ type }: Model.Event) => type === "turn_ended" || type === "request_opened"
      let [last] = (yield* eventsUntil(session, isMeant, from)).slice(-1)
      while (last?.type === "request_opened") {
        const before = session.log.next()
        yield* session.answer(last.request.id, { type: "allow" })
        last = (yield* eventsUntil(session, isMeant, before)).at(-1)
      }
    }
    return yield* happened(session)
  }).pipe(
    Effect.orDie,
    Effect.scoped,
    Effect.provide(
      Layer.merge(
        Layer.provide(layerCodexRuntime, replayCodexLauncher({ tapes: [{ name: "t", tape }] })),
        layerMemoryStore()
      )
    ),
    Effect.timeout("60 seconds")
  )

describe("an app-server that is a tape", () => {
  it.live.each([
    ["many_deltas", 1],
    ["reasoning", 1],
    ["command_accept", 1],
    ["patch_accept", 1],
    ["two_turns", 2],
    ["interrupt_text", 2],
    ["thread_name", 1],
    ["two_threads", 1]
  ] as const)("says all of %s", ([scenario, turns]) =>
    Effect.gen(function* () {
      const tape = tapeOf(scenario)
      expect(wordsOf(yield* played(tape, turns))).toEqual(toldBy(tape))
    })
  )

  it.live("says a prompt once that the recorded host had named", () =>
    Effect.gen(function* () {
      const { frames, ...tape } = tapeOf("two_turns")
      let prompts = 0
      // As the bridge records: every prompt has an id, and Codex repeats it under that.
      const withName = (line: string): string =>
        line
          .replace(
            '"method":"turn/start","params":{',
            (start) => `${start}"clientUserMessageId":"recorded-${++prompts}",`
          )
          .replace(/("type":"userMessage".*?"clientId":)null/g, `$1"recorded-${prompts}"`)
      const named = frames.map((frame) =>
        frame._tag === "Data" && typeof frame.data === "string" ? { ...frame, data: withName(frame.data) } : frame
      )
      expect(JSON.stringify(named).split('clientId\\":\\"recorded-').length).toBeGreaterThan(4)
      const events = yield* played({ ...tape, frames: named }, 2)
      const told = events.filter((event) => event.type === "item_started" && event.item.kind === "prompt")
      expect(told).toHaveLength(prompts)
    })
  )

  it.live("begins a thread with a tape that resumed one", () =>
    Effect.gen(function* () {
      const tape = tapeOf("thread_resume", 2)
      expect(wordsOf(yield* played(tape, 1))).toEqual(toldBy(tape))
    })
  )

  it.live("ends at a prompt that the tape does not have, and says so", () =>
    Effect.gen(function* () {
      const events = yield* played(tapeOf("many_deltas"), 2)
      expect(events.filter(({ type }) => type === "turn_ended").at(-1)).toMatchObject({
        outcome: { type: "failed", code: "process_exited", message: expect.stringContaining("no further prompt") }
      })
    })
  )

  it.live("that has no thread fails the turn in clear words", () =>
    Effect.gen(function* () {
      const events = yield* played(tapeOf("command_exec"), 1)
      expect(events.at(-1)).toMatchObject({ outcome: { message: expect.stringContaining("no thread to begin") } })
    })
  )
})
