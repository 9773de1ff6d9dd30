import { Agui, CopilotKit, type Model } from "@agentwire/protocol"
import { decodePayload } from "@agentwire/protocol/codec"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import type { EventAnswer } from "../../../src/face/agui/EventAnswer.ts"
import {
  type AgentInfo,
  answerConnect,
  answerEnvelope,
  answerInfo,
  answerStop,
  isEnvelope
} from "../../../src/face/copilotkit/CopilotKitHttp.ts"
import type { JsonAnswer } from "../../../src/face/http/Answer.ts"
import { bridgeEnded } from "../../../src/log/CutTurns.ts"
import { type FakeSessions, fakeSessions, openText, permission, wholeText } from "../../FakeSessions.ts"

const input = (runId: string, threadId = "t"): Agui.RunAgentInput => ({
  threadId,
  runId,
  messages: [],
  tools: [],
  context: []
})

const sent = (answer: EventAnswer | JsonAnswer) =>
  answer._tag === "Events"
    ? Effect.map(Stream.runCollect(answer.events), (all) => all.flatMap((outgoing) => outgoing.events))
    : Effect.die("no events")

const connect = (fakes: FakeSessions, threadId = "t") =>
  answerConnect({ input: input("connect", threadId), dialect: "0.0" }, "interrupt").pipe(Effect.provide(fakes.layer))

const session: Model.SessionInfo = {
  sessionId: "s",
  version: "1",
  model: "m",
  cwd: "/",
  mode: "default",
  tools: [],
  mcpServers: [],
  slashCommands: [],
  agents: [],
  skills: [],
  outputStyle: "default"
}

const types = (events: ReadonlyArray<Agui.AguiEvent>) => events.map(({ type }) => type)

const start = (fakes: FakeSessions) => {
  const fake = fakes.get("t")
  fake.say(
    { type: "turn_started", cause: "prompt", ticket: "r" },
    { type: "item_started", lane: null, id: "u", item: { kind: "prompt", content: "Hello" } }
  )
  return fake
}

describe("info", () => {
  const info = (agent: AgentInfo) => Effect.provide(answerInfo(agent), fakeSessions().layer)

  it.effect("is what pages read, with the name of the agent that is there", () =>
    Effect.gen(function* () {
      const { body } = yield* info({})
      expect(decodePayload(CopilotKit.RuntimeInfo, body)._tag).toBe("Known")
      expect(body).toMatchObject({ agents: { default: { name: "Fake Agent" } }, mode: "sse", suggestions: false })
      expect((yield* info({ agentId: "coder", name: "Coder" })).body).toMatchObject({
        agents: { coder: { name: "Coder" } }
      })
    })
  )
})

describe("connect", () => {
  it.effect("to a thread nobody knows is empty", () =>
    Effect.gen(function* () {
      const answer = yield* connect(fakeSessions(), "nobody")
      expect(yield* sent(answer)).toEqual([])
      expect(answer.endsRun).toBe(false)
    })
  )
  it.effect("brings the conversation in a run of its own", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      const fake = start(fakes)
      fake.say(...wholeText("m", "Hi"), { type: "session_changed", info: session })
      fake.finish()
      const events = yield* sent(yield* connect(fakes))
      expect(types(events)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"])
      expect(events[0]).toMatchObject({ runId: "connect", threadId: "t" })
      expect(Agui.foldEvents(events)).toMatchObject({
        messages: [{ content: "Hello" }, { content: "Hi" }],
        state: Agui.stateOf(session)
      })
    })
  )
  it.effect("does not repeat how an earlier run failed", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      start(fakes).finish({ type: "failed", code: "c", message: "m" })
      expect(types(yield* sent(yield* connect(fakes)))).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_FINISHED"])
    })
  )
  it.effect("tells that a bridge has ended in the middle of the last turn: nobody could be told then", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      start(fakes).finish(bridgeEnded)
      const events = yield* sent(yield* connect(fakes))
      expect(types(events)).toEqual(["RUN_STARTED", "MESSAGES_SNAPSHOT", "RUN_ERROR"])
      expect(events.at(-1)).toMatchObject({ code: "BRIDGE_ENDED", message: bridgeEnded.message })
    })
  )
  it.effect("to an open run joins it, to its end", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      const fake = start(fakes)
      fake.say(...openText("m", "one "))
      yield* fake.log.settled
      const reading = yield* Effect.forkChild(sent(yield* connect(fakes)), { startImmediately: true })
      fake.say({ type: "item_grew", lane: null, id: "m", delta: "two" }, { type: "item_ended", lane: null, id: "m" })
      fake.finish()
      fake.say({ type: "turn_started", cause: "agent" })
      const events = yield* Fiber.join(reading)
      expect(types(events)).toEqual([
        "RUN_STARTED",
        "MESSAGES_SNAPSHOT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED"
      ])
      expect(events[0]).toMatchObject({ runId: "r" })
      expect(Agui.foldEvents(events).messages).toMatchObject([{ content: "Hello" }, { content: "one two" }])
    })
  )
  it.effect("asks again what waits for an answer, and nothing that does not", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      const fake = start(fakes)
      fake.ask(permission("answered"))
      fake.ask(permission("i"))
      fake.say({ type: "request_closed", lane: null, id: "answered", by: "answered", verdict: "allow" })
      const events = yield* sent(yield* connect(fakes))
      expect(events[0]).toMatchObject({ runId: "r" })
      expect(events.at(-1)).toMatchObject({ runId: "r", outcome: { type: "interrupt", interrupts: [{ id: "i" }] } })
      fake.say({ type: "request_closed", lane: null, id: "i", by: "answered", verdict: "allow" })
      fake.finish()
      expect((yield* sent(yield* connect(fakes))).at(-1)).toEqual({
        type: "RUN_FINISHED",
        threadId: "t",
        runId: "connect"
      })
    })
  )
})

describe("stop", () => {
  it.effect("says whether there was something to stop", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      const stop = (threadId: string, body?: unknown) =>
        Effect.map(answerStop(threadId, body), ({ body }) => body).pipe(Effect.provide(fakes.layer))
      expect(yield* stop("nobody")).toMatchObject({ stopped: false })
      const fake = start(fakes)
      expect(yield* stop("t", { runId: "other" })).toMatchObject({ stopped: false })
      expect(yield* stop("t", { runId: "r" })).toMatchObject({ stopped: true, interrupt: { code: "STOPPED" } })
      expect(yield* stop("t")).toMatchObject({ stopped: false })
      // The session is asked to stop the turn that is open, whatever name the page knows it by.
      expect(fake.stops).toEqual(["other", undefined, undefined])
      expect((yield* Effect.flip(stop("t", { runId: 1 }))).message).toContain("$.runId")
    })
  )
})

describe("the envelope", () => {
  const answer = (fakes: FakeSessions, envelope: { readonly method: unknown; readonly [key: string]: unknown }) =>
    answerEnvelope({}, envelope, "interrupt").pipe(Effect.provide(fakes.layer))
  const params = { agentId: "default" }

  it("is told from a run by its shape", () => {
    expect(isEnvelope({ method: "info" })).toBe(true)
    expect(isEnvelope({ method: 1 })).toBe(true)
    expect(isEnvelope({ ...input("r") })).toBe(false)
    expect(isEnvelope({ ...input("r"), method: "x" })).toBe(false)
    for (const body of [null, [], "info", 1]) expect(isEnvelope(body)).toBe(false)
  })
  it.effect("answers as the routes do", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions((fake) => fake.say(...openText("m")))
      const messages = [{ id: "u", role: "user", content: "Hi" }]
      expect(yield* answer(fakes, { method: "info" })).toEqual(yield* Effect.provide(answerInfo({}), fakes.layer))
      const run = yield* answer(fakes, { method: "agent/run", params, body: { ...input("r"), messages } })
      expect(run).toMatchObject({ _tag: "Events", dialect: "0.0" })
      yield* fakes.get("t").log.settled
      const reading = yield* Effect.forkChild(
        Effect.flatMap(answer(fakes, { method: "agent/connect", params, body: input("c") }), sent),
        { startImmediately: true }
      )
      const stop = yield* answer(fakes, {
        method: "agent/stop",
        params: { ...params, threadId: "t" },
        body: { runId: "r" }
      })
      expect(stop).toMatchObject({ body: { stopped: true } })
      expect((yield* Fiber.join(reading)).at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r" })
    })
  )
  it.effect("is refused when it is not whole", () =>
    Effect.gen(function* () {
      const fakes = fakeSessions()
      const codeOf = (envelope: { readonly method: unknown; readonly [key: string]: unknown }) =>
        Effect.map(Effect.flip(answer(fakes, envelope)), ({ code, message }) => `${code} ${message}`)
      expect(yield* codeOf({ method: "agent/run", body: input("r") })).toMatch(/^BAD_INPUT .*\$\.params\.agentId/)
      expect(yield* codeOf({ method: "agent/run", params, body: {} })).toMatch(/^BAD_INPUT .*\$\.body\.threadId/)
      expect(yield* codeOf({ method: "agent/stop", params })).toMatch(/^BAD_INPUT .*\$\.params\.threadId/)
      expect(yield* codeOf({ method: "agent/run", params: { agentId: "x" }, body: input("r") })).toMatch(
        /^AGENT_NOT_FOUND/
      )
      expect(yield* codeOf({ method: "transcribe" })).toMatch(/^NOT_SERVED/)
      expect(yield* codeOf({ method: "toString" })).toMatch(/^BAD_INPUT/)
      expect(yield* codeOf({ method: 3 })).toMatch(/^BAD_INPUT/)
    })
  )
})
