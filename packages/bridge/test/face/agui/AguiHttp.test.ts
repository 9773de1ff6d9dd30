import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { answerRun, type ClientKind } from "../../../src/face/agui/AguiHttp.ts"
import type { EventAnswer } from "../../../src/face/agui/EventAnswer.ts"
import { answerConnect } from "../../../src/face/copilotkit/CopilotKitHttp.ts"
import { eventually } from "../../FakeCli.ts"
import { type FakeSessions, fakeSessions, openText, permission, wholeText } from "../../FakeSessions.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

type Messages = ReadonlyArray<Agui.Message>

const prompt = (runId: string): Agui.Message => ({ id: `user-${runId}`, role: "user", content: runId })

/** A run of a client that has some messages. */
const run = (
  fakes: FakeSessions,
  runId: string,
  client: ClientKind = "plain",
  { had = [], threadId = "t" }: { readonly had?: Messages; readonly threadId?: string } = {}
) =>
  answerRun(
    { input: { threadId, runId, messages: [...had, prompt(runId)] }, dialect: "1.0" },
    client,
    "interrupt"
  ).pipe(Effect.provide(fakes.layer))

const sent = ({ events }: EventAnswer) =>
  Effect.map(Stream.runCollect(events), (all) => all.flatMap((outgoing) => outgoing.events))

const types = (events: ReadonlyArray<Agui.AguiEvent>) => events.map(({ type }) => type)

const texts = (events: ReadonlyArray<Agui.AguiEvent>) => Agui.foldEvents(events).messages.map(({ content }) => content)

describe("a run", () => {
  it.effect("is read to its end and no further", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => {
        fake.say(...wholeText("m", "a", "b"))
        fake.finish()
        fake.say({ type: "turn_started", cause: "agent" })
      })
      const events = yield* sent(yield* run(fakes, "r"))
      expect(texts(events)).toEqual(["r", "ab"])
      expect(types(events).at(-1)).toBe("RUN_FINISHED")
      expect(types(events).filter((type) => type === "RUN_STARTED")).toHaveLength(1)
    })
  )
  it.live("does not hold the conversation that came with it", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      // A function of its own: nothing of it is left on the stack.
      const begin = (runId: string) => {
        const had: Messages = [{ id: `old-${runId}`, role: "assistant", content: "x".repeat(1000) }]
        return Effect.map(run(fakes, runId, "copilotkit", { had }), (answer) => ({
          answer,
          history: new WeakRef(had[0] as object)
        }))
      }
      const { answer, history } = yield* begin("r")
      const events: Array<Agui.AguiEvent> = []
      const reading = yield* Effect.forkChild(
        Stream.runForEach(answer.events, (sent) => Effect.sync(() => void events.push(...sent.events))),
        { startImmediately: true }
      )
      yield* eventually(() => events.length > 0)
      yield* eventually(() => {
        collectGarbage()
        return history.deref() === undefined
      })
      expect(types(events)).toContain("RUN_STARTED")
      fakes.get("t").finish()
      yield* Fiber.join(reading)
      expect(types(events).at(-1)).toBe("RUN_FINISHED")
    })
  )
  it.effect("that fails ends there", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => fake.finish({ type: "failed", code: "c", message: "m" }))
      const events = yield* sent(yield* run(fakes, "r"))
      expect(types(events)).toEqual(["RUN_STARTED", "RUN_ERROR"])
      expect(events[1]).toMatchObject({ code: "c", message: "m" })
    })
  )
  it.effect("brings the runs before it that nobody has had", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => fake.finish())
      const fake = fakes.get("t")
      fake.say({ type: "turn_started", cause: "agent" }, ...wholeText("m", "by myself"))
      fake.finish()
      const events = yield* sent(yield* run(fakes, "r"))
      expect(types(events).filter((type) => type === "RUN_FINISHED")).toHaveLength(2)
      expect(texts(events)).toEqual(["by myself", "r"])
    })
  )
  it.effect("of one who was here brings what others asked meanwhile, once", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { ticket }) => {
        fake.say(...wholeText(`m-${ticket}`, `answer to ${ticket}`))
        fake.finish()
      })
      const first = yield* sent(yield* heard(run(fakes, "a")))
      yield* sent(yield* heard(run(fakes, "b")))
      const had = Agui.foldEvents(first)
      const more = yield* sent(yield* heard(run(fakes, "c", "plain", { had: had.messages })))
      const { messages } = Agui.foldEvents(more, had)
      expect(messages.map(({ content }) => content)).toEqual([
        "a",
        "answer to a",
        "b",
        "answer to b",
        "c",
        "answer to c"
      ])
      const again = yield* sent(yield* run(fakes, "d", "plain", { had: messages }))
      expect(types(again).filter((type) => type === "RUN_STARTED")).toHaveLength(1)
    })
  )
  it.effect("of one who may be another brings no prompt that it shows already", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { ticket }) => {
        if (ticket === "stopped") fake.finish({ type: "cancelled" })
      })
      const fake = fakes.get("t")
      fake.queues = true
      const first = yield* Effect.forkChild(Effect.flatMap(heard(run(fakes, "first")), sent), {
        startImmediately: true
      })
      yield* Effect.promise(() => fake.until(() => fake.submissions.length > 0))
      const waiting = yield* Effect.forkChild(Effect.flatMap(heard(run(fakes, "stopped")), sent), {
        startImmediately: true
      })
      yield* Effect.promise(() => fake.until(() => fake.submissions.length > 1))
      fake.say(...wholeText("m", "answer"))
      // Both have the answer as their last message, and one of them the turn behind it, in which nothing was said to it.
      fake.finish()
      yield* Fiber.join(first)
      const { messages: had } = Agui.foldEvents(yield* Fiber.join(waiting), {
        messages: [prompt("stopped")],
        state: {}
      })
      const next = yield* Effect.forkChild(Effect.flatMap(heard(run(fakes, "next", "plain", { had })), sent), {
        startImmediately: true
      })
      yield* Effect.promise(() => fake.until(() => fake.submissions.length > 2))
      fake.finish()
      const { messages } = Agui.foldEvents(yield* Fiber.join(next), { messages: had, state: {} })
      expect(messages.map(({ content }) => content)).toEqual(["stopped", "first", "answer", "next"])
    })
  )
  it.effect("with the id of an earlier one that nobody has had is read to its own end", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { ticket }) => {
        fake.say(...wholeText(`m-${fake.submissions.length}`, `${ticket} ${fake.submissions.length}`))
        fake.finish()
      })
      const same = (words: string) =>
        answerRun(
          { input: { threadId: "t", runId: "same", messages: [prompt(words)] }, dialect: "1.0" },
          "copilotkit",
          "interrupt"
        ).pipe(Effect.provide(fakes.layer))
      yield* same("once")
      const events = yield* sent(yield* same("twice"))
      expect(texts(events)).toEqual(["once", "same 1", "twice", "same 2"])
    })
  )
})

/** Reads an answer as a client does that gets all of it. */
const heard = <E>(answer: Effect.Effect<EventAnswer, E>) =>
  Effect.map(answer, (found) => ({ ...found, events: Stream.tap(found.events, found.onDelivered) }))

describe("a run after one whose reader left in the middle", () => {
  /** What the reader has that left. */
  const left: Messages = [prompt("first"), { id: "m", role: "assistant", content: "half " }]

  const leave = (fakes: FakeSessions) =>
    Effect.gen(function* () {
      const { onDelivered, events } = yield* run(fakes, "first", "copilotkit")
      const fake = fakes.get("t")
      fake.say(...openText("m", "half "))
      yield* Stream.runForEach(Stream.take(events, 4), onDelivered)
      fake.say({ type: "item_grew", lane: null, id: "m", delta: "whole" }, { type: "item_ended", lane: null, id: "m" })
      fake.finish()
      return fake
    })

  it.effect("begins with the conversation, as a joining reader's", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { ticket }) => {
        if (ticket !== "second") return
        fake.say(...wholeText("n", "next"))
        fake.finish()
        fake.say({ type: "turn_started", cause: "agent" })
      })
      yield* leave(fakes)
      const events = yield* sent(yield* run(fakes, "second", "copilotkit", { had: left }))
      expect(types(events)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"])
      expect(events.at(-1)).toMatchObject({ runId: "second" })
      expect(texts(events.slice(1))).toEqual(["first", "half whole", "second", "next"])
    })
  )
  it.effect("goes on with its own events", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      const fake = yield* leave(fakes)
      const answer = yield* run(fakes, "second", "copilotkit", { had: left })
      fake.say(...openText("n", "ne"))
      yield* fake.log.settled
      const reading = yield* Effect.forkChild(sent(answer), { startImmediately: true })
      fake.say({ type: "item_grew", lane: null, id: "n", delta: "xt" }, { type: "item_ended", lane: null, id: "n" })
      fake.finish()
      const events = yield* Fiber.join(reading)
      expect(texts(events)).toEqual(["first", "half whole", "second", "next"])
      expect(events[0]).toMatchObject({ type: "RUN_STARTED", runId: "second" })
    })
  )
  it.effect("does so, too, when the log has forgotten where the reader was", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions(
        (fake, { ticket }) => {
          if (ticket === "first") for (let i = 0; i < 50; i++) fake.say(...wholeText(`m-${i}`, "x"))
          fake.finish()
        },
        { maxEvents: 10 }
      )
      yield* run(fakes, "first", "copilotkit")
      const events = yield* sent(yield* run(fakes, "second", "copilotkit", { had: [prompt("first")] }))
      expect(texts(events.slice(1))).toEqual(["first", ...Array.from({ length: 50 }, () => "x"), "second"])
    })
  )
  it.effect("does so when nothing of it reached the reader", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { ticket }) => {
        fake.say(...wholeText(`m-${ticket}`, `answer to ${ticket}`))
        fake.finish()
      })
      yield* sent(yield* heard(run(fakes, "zeroth")))
      const had: Messages = [prompt("zeroth"), { id: "m-zeroth", role: "assistant", content: "answer to zeroth" }]
      yield* run(fakes, "first", "copilotkit", { had })
      const events = yield* sent(yield* run(fakes, "second", "copilotkit", { had: [...had, prompt("first")] }))
      expect(texts(events.slice(1))).toEqual(
        ["zeroth", "first", "second"].flatMap((each) => [each, `answer to ${each}`])
      )
    })
  )
  it.effect("brings both that read the same what each lacks", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { ticket }) => {
        if (ticket !== "first") fake.finish()
      })
      const fake = yield* leave(fakes)
      const whole: Messages = [prompt("first"), { id: "m", role: "assistant", content: "half whole" }]
      yield* sent(yield* heard(connect(fakes)))
      for (const [index, had] of [whole, left].entries()) {
        const events = yield* sent(yield* heard(run(fakes, `next ${index}`, "copilotkit", { had })))
        const { messages } = Agui.foldEvents(events, { messages: had, state: {} })
        expect(messages.find(({ id }) => id === "m")?.content).toBe("half whole")
      }
      expect(fake.submissions).toHaveLength(3)
    })
  )
})

/** A page that is loaded. */
const connect = (fakes: FakeSessions) =>
  answerConnect({ input: { threadId: "t", runId: "connect", messages: [] }, dialect: "1.0" }, "interrupt").pipe(
    Effect.provide(fakes.layer)
  )

describe("a run that waits for its turn", () => {
  it.effect("is read with the rest of the run before it, to its own end", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { ticket }) => {
        if (ticket !== "second") return
        fake.say(...wholeText("n", "next"))
        fake.finish()
      })
      const fake = fakes.get("t")
      fake.queues = true
      fake.say({ type: "turn_started", cause: "agent" }, ...openText("m", "one "))
      yield* fake.log.settled
      const reading = yield* Effect.forkChild(Effect.flatMap(run(fakes, "second"), sent), { startImmediately: true })
      yield* Effect.promise(() => fake.until(() => fake.submissions.length > 0))
      fake.say({ type: "item_grew", lane: null, id: "m", delta: "two" }, { type: "item_ended", lane: null, id: "m" })
      fake.finish()
      fake.say({ type: "turn_started", cause: "agent" })
      const events = yield* Fiber.join(reading)
      expect(types(events).filter((type) => type === "RUN_FINISHED")).toHaveLength(2)
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "second" })
      expect(texts(events)).toEqual(["one two", "second", "next"])
    })
  )
})

describe("a run whose start is forgotten before it is read", () => {
  it.effect("is read to its end", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => fake.say(...openText("m", ..."x".repeat(50))), {
        maxEvents: 10
      })
      const reading = yield* Effect.flatMap(run(fakes, "r"), (answer) =>
        Effect.forkChild(sent(answer), { startImmediately: true })
      )
      fakes.get("t").say({ type: "item_ended", lane: null, id: "m" })
      fakes.get("t").finish()
      fakes.get("t").say({ type: "turn_started", cause: "agent" })
      const events = yield* Fiber.join(reading)
      expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r" })
      expect(texts(events)).toEqual(["r", "x".repeat(50)])
    })
  )
})

describe("a question whose run was stopped a moment ago", () => {
  it.effect("refuses no prompt: the end of that run is heard after it", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake, { ticket }) => {
        if (ticket === "next") fake.finish()
      })
      const fake = fakes.get("t")
      const first = yield* run(fakes, "first")
      fake.ask(permission("q"))
      const next = yield* Effect.forkChild(run(fakes, "next"), { startImmediately: true })
      yield* TestClock.adjust("100 millis")
      expect(fake.submissions).toHaveLength(1)
      fake.waiting = []
      yield* first.onReaderGone
      yield* TestClock.adjust("100 millis")
      expect(types(yield* sent(yield* Fiber.join(next))).at(-1)).toBe("RUN_FINISHED")
    })
  )
  it.effect("is waited for no longer than a moment", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      yield* run(fakes, "first")
      fakes.get("t").ask(permission("q"))
      const next = yield* Effect.forkChild(run(fakes, "next"), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      expect(yield* sent(yield* Fiber.join(next))).toMatchObject([
        { type: "RUN_STARTED" },
        { type: "RUN_ERROR", code: "INTERRUPT_OPEN" }
      ])
    })
  )
})

describe("a busy thread", () => {
  it.effect("is 409 to a plain client, and RUN_ERROR to CopilotKit", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      yield* run(fakes, "open")
      const asking = yield* Effect.forkChild(Effect.flip(run(fakes, "next")), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      const refusal = yield* Fiber.join(asking)
      expect([refusal.status, refusal.code]).toEqual([409, "THREAD_BUSY"])
      const events = yield* sent(yield* run(fakes, "next", "copilotkit"))
      expect(events).toMatchObject([{ type: "RUN_ERROR", code: "THREAD_BUSY" }])
      expect(fakes.get("t").submissions).toHaveLength(1)
    })
  )
  it.effect("is a plain client's whose stop is heard a moment after its next request", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      const { onReaderGone } = yield* run(fakes, "stopped")
      const asking = yield* Effect.forkChild(run(fakes, "next"), { startImmediately: true })
      yield* onReaderGone
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(asking)
      expect(fakes.get("t").submissions).toMatchObject([
        { prompt: { said: [{ content: "stopped" }] } },
        { prompt: { said: [{ content: "next" }] } }
      ])
    })
  )
})

describe("a reader that leaves", () => {
  it.effect("stops the run of a plain client, and of no other", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      yield* (yield* run(fakes, "a", "plain")).onReaderGone
      expect(fakes.get("t").stops).toEqual(["a"])
      yield* (yield* run(fakes, "b", "copilotkit")).onReaderGone
      expect(fakes.get("t").stops).toEqual(["a"])
    })
  )
})

describe("a thread that cannot be opened", () => {
  it.effect("is refused with the session's reason", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(run(fakeSessions(), "r", "plain", { threadId: "full" }))
      expect([refusal.status, refusal.code]).toEqual([503, "SESSION_LIMIT"])
    })
  )
})
