/**
 * The session: what faces may rely on, with an agent that says what the test wants.
 */
import type { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { beforeTool, echo, init, isPrompt, result, text } from "../AgentLines.ts"
import { aguiClient, contents, deltas, outcome, types } from "../AguiClient.ts"
import type { Behaviour } from "../FakeAgent.ts"
import { eventsUntil, eventually, happened, until, withSession } from "../WithSession.ts"

const answers: Behaviour = (line, say) => (isPrompt(line) ? say(init(), text("Hello."), result()) : Effect.void)

describe("a run", () => {
  it.effect("starts the agent when it is first needed, and gives the answer", () =>
    withSession(answers, {}, ({ agents, client, session }) =>
      Effect.gen(function* () {
        expect(agents.launched).toEqual([])
        const list = yield* client.run("r1", { prompt: "Hi" })
        expect(types(list)).toEqual([
          "RUN_STARTED",
          "TEXT_MESSAGE_START",
          "TEXT_MESSAGE_CONTENT",
          "TEXT_MESSAGE_END",
          "RUN_FINISHED"
        ])
        expect(list[0]).toMatchObject({ threadId: "t", runId: "r1", protocolVersion: "1.0" })
        expect(agents.launched).toHaveLength(1)
        expect(agents.sent.filter(isPrompt)).toMatchObject([{ message: { content: [{ type: "text", text: "Hi" }] } }])
        expect(yield* session.providerSessionId).toBe("provider-1")
        yield* client.run("r2", { prompt: "Again" })
        expect(agents.launched).toHaveLength(1)
        // What the client has from before is not told again.
        expect(agents.sent.filter(isPrompt)[1]).toMatchObject({ message: { content: [{ text: "Again" }] } })
      })
    )
  )

  it.effect("on a busy thread is rejected, and the run that goes on is not disturbed", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init()) : Effect.void),
      {},
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          const first = yield* client.submit("r1", { prompt: "Hi" })
          const other = aguiClient(session)
          const refused = yield* Effect.flip(other.submit("r2", { prompt: "Me too" }))
          expect(refused._tag).toBe("ThreadBusy")
          yield* until(session, "session_changed")
          yield* agents.say(text("Hello."), result())
          expect(outcome(yield* first)).toMatchObject({ type: "success" })
          expect(agents.sent.filter(isPrompt)).toHaveLength(1)
          // What was refused was not told, and may come again.
          yield* other.submit("r3")
          expect(agents.sent.filter(isPrompt)[1]).toMatchObject({ message: { content: [{ text: "Me too" }] } })
        })
    )
  )

  it.effect("on a busy thread waits its turn, where the thread queues", () =>
    withSession(answers, { busy: "queue" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        const first = yield* client.submit("r1", { prompt: "One" })
        const second = yield* aguiClient(session).run("r2", { prompt: "Two" })
        expect((yield* first).at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r1" })
        expect(second.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r2" })
        expect(agents.sent.filter(isPrompt)).toHaveLength(2)
      })
    )
  )

  it.effect("with nothing new ends at once", () =>
    withSession(answers, {}, ({ agents, client }) =>
      Effect.gen(function* () {
        expect(types(yield* client.run("r1"))).toEqual(["RUN_STARTED", "RUN_FINISHED"])
        expect(agents.launched).toEqual([])
      })
    )
  )

  it.effect("brings the next client what the agent did by itself", () =>
    withSession(answers, {}, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        const seq = session.log.next()
        yield* agents.say(init(), text("The task is done."), result())
        yield* until(session, "turn_ended", seq)
        const list = yield* client.run("r2", { prompt: "And?" })
        expect(list.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(2)
        expect(deltas(list)).toEqual(["The task is done.", "Hello."])
      })
    )
  )
})

describe("two clients on one thread", () => {
  it.effect("each get every turn once", () =>
    withSession(echo, {}, ({ client, session }) =>
      Effect.gen(function* () {
        const other = aguiClient(session)
        const runs = (list: ReadonlyArray<Agui.AguiEvent>) =>
          list.flatMap((event) => (event.type === "RUN_STARTED" ? [event.runId] : []))
        yield* client.run("a1", { prompt: "one" })
        // It was not here before: the conversation so far is its page's business, by `connect`.
        const second = yield* other.run("b1", { prompt: "two" })
        expect(deltas(second)).toEqual(["You said: two"])
        const third = yield* client.run("a2", { prompt: "three" })
        expect(runs(third)).toEqual(["b1", "a2"])
        expect(deltas(third)).toEqual(["two", "You said: two", "You said: three"])
        const fourth = yield* other.run("b2", { prompt: "four" })
        expect(runs(fourth).at(-1)).toBe("b2")
        expect(fourth.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "b2" })
        yield* client.run("a3", { prompt: "five" })
        const said = (words: ReadonlyArray<string>) => words.flatMap((each) => [each, `You said: ${each}`])
        // A client has its own prompt before it hears what it missed.
        expect([...contents(client)].sort()).toEqual(said(["one", "two", "three", "four", "five"]).sort())
        for (const words of said(["two", "three", "four"]))
          expect(contents(other).filter((content) => content === words)).toHaveLength(1)
      })
    )
  )
})

describe("an agent that is gone", () => {
  const speaks: Behaviour = (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void)

  it.effect("ends the run with its reason, and the next run goes on with the conversation", () =>
    withSession(speaks, {}, ({ agents, client, session }) =>
      Effect.gen(function* () {
        const run = yield* client.submit("r1", { prompt: "Hi" })
        yield* until(session, "item_ended")
        yield* agents.exit({ code: null, signal: "SIGKILL", stderr: "out of memory" })
        expect((yield* run).at(-1)).toMatchObject({
          type: "RUN_ERROR",
          code: "process_exited",
          message: expect.stringContaining("out of memory")
        })
        yield* client.submit("r2", { prompt: "Still there?" })
        yield* eventually(() => agents.launched.length === 2)
        expect(agents.launched[1]).toMatchObject({ resume: "provider-1" })
      })
    )
  )

  it.effect("is followed by one that starts for the prompt that waits, and the session says so", () => {
    const told: Array<string> = []
    return withSession(
      speaks,
      { busy: "queue", onStatus: (_, status) => Effect.sync(() => void told.push(status)) },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "Hi" })
          yield* until(session, "item_ended")
          yield* client.submit("r2", { prompt: "And?" })
          const seq = session.log.next()
          yield* agents.exit({ code: 1 })
          expect((yield* run).at(-1)).toMatchObject({ type: "RUN_ERROR" })
          yield* until(session, "item_ended", seq)
          expect(told).toEqual(["starting", "connected", "active", "disconnected", "starting", "connected", "active"])
        })
    )
  })
})

describe("the lines of the wire", () => {
  it.effect("are all there, in the order of cause and effect, with the events they became", () =>
    withSession(
      (line, say) =>
        isPrompt(line) ? say(init(), beforeTool("h1", "of somebody", "Bash"), text("Hello."), result()) : Effect.void,
      {},
      ({ client, session }) =>
        Effect.gen(function* () {
          yield* client.run("r1", { prompt: "Hi" })
          const lines = yield* Stream.runCollect(session.wire.read(0).pipe(Stream.take(8)))
          expect(
            lines.map(({ from, line }) => `${from} ${(JSON.parse(line) as { readonly type: string }).type}`)
          ).toEqual([
            "host control_request",
            "agent control_response",
            "host user",
            "agent system",
            "agent control_request",
            "host control_response",
            "agent assistant",
            "agent result"
          ])
          const said = lines.find(({ line }) => line.includes("Hello."))
          const all = yield* Stream.runCollect(session.log.read(0).pipe(Stream.take(session.log.next())))
          const ofLine = all.filter(({ line }) => line === said?.seq)
          expect(ofLine[0]?.seq).toBe(said?.events)
          expect(ofLine.map(({ event }) => event.type).filter((type) => type.startsWith("item_"))).toEqual([
            "item_started",
            "item_grew",
            "item_ended"
          ])
        })
    )
  )
})

describe("what a session does", () => {
  it.effect("is told whenever it changes, once", () => {
    const told: Array<string> = []
    return withSession(
      echo,
      { onStatus: (threadId, status) => Effect.sync(() => void told.push(`${threadId} ${status}`)) },
      ({ agents, client }) =>
        Effect.gen(function* () {
          yield* client.run("r1", { prompt: "Hi" })
          yield* agents.exit({ code: 1 })
          yield* eventually(() => told.at(-1) === "t disconnected")
          expect(told).toEqual(["t starting", "t connected", "t active", "t idle", "t disconnected"])
        })
    )
  })
})

describe("an agent that is started by hand", () => {
  it.effect("is ready then, and says what it can", () =>
    withSession(echo, {}, ({ agents, client, session }) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(session.native.send({ type: "keep_alive" }))).toMatchObject({ code: "GONE" })
        yield* session.start
        yield* session.start
        expect(agents.launched).toHaveLength(1)
        expect(yield* session.status).toBe("connected")
        yield* session.native.send({ type: "keep_alive" })
        expect(agents.sent.at(-1)).toEqual({ type: "keep_alive" })
        yield* client.run("r1", { prompt: "Hi" })
        expect((yield* session.native.facts)["init"]).toMatchObject({ model: "m" })
      })
    )
  )
})

describe("a session that is closed", () => {
  it.effect("ends the turn as cancelled, and its readers", () =>
    Effect.gen(function* () {
      const reading = yield* withSession(
        (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void),
        {},
        ({ client, session }) =>
          Effect.gen(function* () {
            yield* client.submit("r1", { prompt: "Hi" })
            yield* until(session, "item_ended")
            return session
          })
      )
      expect(yield* reading.status).toBe("terminated")
      const all = yield* happened(reading)
      expect(all.at(-1)).toMatchObject({ type: "turn_ended", outcome: { type: "cancelled" } })
      // The log ends: no event comes any more.
      expect(yield* eventsUntil(reading, () => false)).toEqual(all)
    })
  )
})
