import { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { answerRun, type Face } from "../../../src/face/agui/AguiHttp.ts"
import type { EventAnswer } from "../../../src/face/agui/EventAnswer.ts"
import { type FakeSessions, fakeSessions, textMessage } from "../../FakeSessions.ts"

const input = (runId: string, threadId = "t"): Agui.RunAgentInput => ({
  threadId,
  runId,
  messages: [{ id: `user-${runId}`, role: "user", content: runId }]
})

const run = (fakes: FakeSessions, runId: string, face: Face = "plain", threadId = "t") =>
  answerRun({ input: input(runId, threadId), dialect: "1.0" }, face).pipe(Effect.provide(fakes.layer))

const sent = ({ events }: EventAnswer) =>
  Effect.map(Stream.runCollect(events), (all) => all.flatMap((outgoing) => outgoing.events))

const types = (events: ReadonlyArray<Agui.AguiEvent>) => events.map(({ type }) => type)

const texts = (events: ReadonlyArray<Agui.AguiEvent>) => Agui.foldEvents(events).messages.map(({ content }) => content)

describe("a run", () => {
  it.effect("is read to its end and no further", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => {
        fake.say(...textMessage("m", "a", "b"))
        fake.finish()
        fake.say({ type: "RUN_STARTED", threadId: "t", runId: "later" })
      })
      const events = yield* sent(yield* run(fakes, "r"))
      expect(texts(events)).toEqual(["r", "ab"])
      expect(types(events).at(-1)).toBe("RUN_FINISHED")
      expect(types(events).filter((type) => type === "RUN_STARTED")).toHaveLength(1)
    })
  )
  it.effect("that fails ends there", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => fake.say({ type: "RUN_ERROR", message: "m" }))
      expect(types(yield* sent(yield* run(fakes, "r")))).toEqual(["RUN_STARTED", "RUN_ERROR"])
    })
  )
  it.effect("brings the runs before it that nobody has had", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => fake.finish())
      const fake = fakes.get("t")
      fake.say({ type: "RUN_STARTED", threadId: "t", runId: "own" }, ...textMessage("m", "by myself"))
      fake.finish()
      const events = yield* sent(yield* run(fakes, "r"))
      expect(types(events).filter((type) => type === "RUN_FINISHED")).toHaveLength(2)
      expect(texts(events)).toEqual(["by myself", "r"])
    })
  )
  it.effect("with the id of an earlier one that nobody has had is read to its own end", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { runId }) => {
        fake.say(...textMessage(`m-${fake.runs.length}`, `${runId} ${fake.runs.length}`))
        fake.finish()
      })
      yield* run(fakes, "same", "copilotkit")
      const events = yield* sent(yield* run(fakes, "same", "copilotkit"))
      expect(texts(events)).toEqual(["same", "same 1", "same 2"])
    })
  )
})

describe("a run after one whose reader left in the middle", () => {
  const leave = (fakes: FakeSessions) =>
    Effect.gen(function* () {
      yield* run(fakes, "first", "copilotkit")
      const fake = fakes.get("t")
      const [start, a, b, end] = textMessage("m", "half ", "whole")
      if (start === undefined || a === undefined || b === undefined || end === undefined) throw new Error("no message")
      fake.say(start, a)
      fake.deliveredTo = 3
      fake.say(b, end)
      fake.finish()
      return fake
    })

  it.effect("begins with the conversation, as a joining reader's", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { runId }) => {
        if (runId !== "second") return
        fake.say(...textMessage("n", "next"))
        fake.finish()
        fake.say({ type: "RUN_STARTED", threadId: "t", runId: "third" })
      })
      yield* leave(fakes)
      const events = yield* sent(yield* run(fakes, "second", "copilotkit"))
      expect(types(events)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"])
      expect(events.at(-1)).toMatchObject({ runId: "second" })
      expect(texts(events)).toEqual(["first", "half whole", "second", "next"])
    })
  )
  it.effect("goes on with its own events", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      const fake = yield* leave(fakes)
      const answer = yield* run(fakes, "second", "copilotkit")
      fake.say(...textMessage("n", "ne").slice(0, 2))
      const reading = yield* Effect.forkChild(sent(answer), { startImmediately: true })
      fake.say(
        { type: "TEXT_MESSAGE_CONTENT", messageId: "n", delta: "xt" },
        { type: "TEXT_MESSAGE_END", messageId: "n" }
      )
      fake.finish()
      const events = yield* Fiber.join(reading)
      expect(texts(events)).toEqual(["first", "half whole", "second", "next"])
      expect(events[0]).toMatchObject({ type: "RUN_STARTED", runId: "second" })
    })
  )
  it.effect("does so, too, when the log has forgotten where the reader was", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions(
        (fake, { runId }) => {
          if (runId === "first") for (let i = 0; i < 50; i++) fake.say(...textMessage(`m-${i}`, "x"))
          fake.finish()
        },
        { maxEvents: 10 }
      )
      yield* run(fakes, "first", "copilotkit")
      const events = yield* sent(yield* run(fakes, "second", "copilotkit"))
      expect(texts(events)).toEqual(["first", ...Array.from({ length: 50 }, () => "x"), "second"])
    })
  )
})

describe("a run that waits for its turn", () => {
  it.effect("is read with the rest of the run before it, to its own end", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { runId }) => {
        if (runId !== "second") return
        fake.say(...textMessage("n", "next"))
        fake.finish()
      })
      const fake = fakes.get("t")
      fake.queues = true
      yield* run(fakes, "first", "copilotkit")
      fake.say(...textMessage("m", "one ").slice(0, 2))
      fake.deliveredTo = 3
      const reading = yield* Effect.forkChild(Effect.flatMap(run(fakes, "second"), sent), { startImmediately: true })
      fake.say(
        { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "two" },
        { type: "TEXT_MESSAGE_END", messageId: "m" }
      )
      fake.finish()
      fake.say({ type: "RUN_STARTED", threadId: "t", runId: "third" })
      const events = yield* Fiber.join(reading)
      expect(types(events).filter((type) => type === "RUN_FINISHED")).toHaveLength(2)
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "second" })
      expect(texts(events)).toEqual(["first", "one two", "second", "next"])
    })
  )
})

describe("a run whose start is forgotten before it is read", () => {
  it.effect("is read to its end", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => fake.say(...textMessage("m", ..."x".repeat(50)).slice(0, -1)), {
        maxEvents: 10
      })
      const reading = yield* Effect.flatMap(run(fakes, "r"), (answer) =>
        Effect.forkChild(sent(answer), { startImmediately: true })
      )
      fakes.get("t").say({ type: "TEXT_MESSAGE_END", messageId: "m" })
      fakes.get("t").finish()
      fakes.get("t").say({ type: "RUN_STARTED", threadId: "t", runId: "later" })
      const events = yield* Fiber.join(reading)
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r" })
      expect(texts(events)).toEqual(["r", "x".repeat(50)])
    })
  )
})

describe("a busy thread", () => {
  it.effect("is 409 to a plain client, and RUN_ERROR to CopilotKit", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      yield* run(fakes, "open")
      const refusal = yield* Effect.flip(run(fakes, "next"))
      expect([refusal.status, refusal.code]).toEqual([409, "THREAD_BUSY"])
      const events = yield* sent(yield* run(fakes, "next", "copilotkit"))
      expect(events).toMatchObject([{ type: "RUN_ERROR", code: "THREAD_BUSY" }])
      expect(fakes.get("t").runs).toHaveLength(1)
    })
  )
})

describe("a reader that leaves", () => {
  it.effect("stops the run of a plain client, and of no other", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      yield* (yield* run(fakes, "a", "plain")).whenGone
      expect(fakes.get("t").stops).toEqual(["a"])
      yield* (yield* run(fakes, "b", "copilotkit")).whenGone
      expect(fakes.get("t").stops).toEqual(["a"])
    })
  )
})

describe("a thread that cannot be opened", () => {
  it.effect("is refused with the session's reason", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(run(fakeSessions(), "r", "plain", "full"))
      expect([refusal.status, refusal.code]).toEqual([503, "SESSION_LIMIT"])
    })
  )
})
