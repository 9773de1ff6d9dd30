/**
 * What an agent asks of people: how the session asks it, and how every question ends.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { Policy, PolicyDecision } from "../../src/policy/Policy.ts"
import { agreed, ask, beforeTool, init, isPrompt, result, text, toolResult, toolUse, withdraw } from "../AgentLines.ts"
import { outcome, types } from "../AguiClient.ts"
import type { Behaviour, FakeAgents, Line } from "../FakeAgent.ts"
import { answerTo, eventsUntil, eventually, happened, until, withSession } from "../WithSession.ts"

const asks: Behaviour = (line, say) => {
  if (isPrompt(line))
    return say(init(), toolUse("c1", "Bash", { command: "ls" }), ask("q1", "Bash", "c1", { command: "ls" }))
  return line["type"] === "control_response" ? say(toolResult("c1", "a.txt"), text("One file."), result()) : Effect.void
}

/** Asks, and says nothing more by itself. */
const asksAndWaits: Behaviour = (line, say) => {
  if (isPrompt(line)) return say(init(), toolUse("c1", "Bash"), ask("q1", "Bash", "c1"))
  return line["type"] === "control_request" ? say(agreed(line)) : Effect.void
}

describe("a question", () => {
  it.effect("is refused where nobody can be asked, which is the default", () =>
    withSession(asks, {}, ({ agents, client }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "List" })
        expect(agents.sent.at(-1)).toMatchObject({ response: { request_id: "q1", response: { behavior: "deny" } } })
      })
    )
  )

  it.effect("ends the run with an interrupt, and `resume` answers it", () =>
    withSession(asks, { approvals: "interrupt" }, ({ agents, client }) =>
      Effect.gen(function* () {
        const first = yield* client.run("r1", { prompt: "List" })
        expect(outcome(first)).toMatchObject({ type: "interrupt", interrupts: [{ id: "q1", toolCallId: "c1" }] })
        const payload = { approved: true, editedArgs: { command: "ls -a" } }
        const second = yield* client.run("r2", { resume: [{ interruptId: "q1", status: "resolved", payload }] })
        expect(agents.sent.at(-1)).toMatchObject({
          response: { request_id: "q1", response: { behavior: "allow", updatedInput: { command: "ls -a" } } }
        })
        expect(types(second)).toEqual([
          "RUN_STARTED",
          "TOOL_CALL_RESULT",
          "TEXT_MESSAGE_START",
          "TEXT_MESSAGE_CONTENT",
          "TEXT_MESSAGE_END",
          "RUN_FINISHED"
        ])
      })
    )
  )

  it.effect("that comes while another is shown is asked in the next run, and once", () =>
    withSession(asksAndWaits, { approvals: "interrupt" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        const resume = (interruptId: string) => ({
          resume: [{ interruptId, status: "resolved" as const, payload: { approved: true } }]
        })
        yield* client.run("r1", { prompt: "List" })
        yield* agents.say(toolUse("c2", "Bash"), ask("q2", "Bash", "c2"))
        yield* eventually(() => session.log.situation().requests.size === 2)
        expect(outcome(yield* client.run("r2", resume("q1")))).toMatchObject({ interrupts: [{ id: "q2" }] })
        const last = yield* client.submit("r3", resume("q2"))
        yield* agents.say(toolResult("c1", "one"), toolResult("c2", "two"), text("Both."), result())
        expect(outcome(yield* last)).toMatchObject({ type: "success" })
      })
    )
  )

  it.effect("is told by an event, and answered through the session", () =>
    withSession(asks, { approvals: "event" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.submit("r1", { prompt: "List" })
        yield* until(session, "request_opened")
        expect((yield* session.waiting).map(({ request }) => request.id)).toEqual(["q1"])
        yield* session.answer("q1", { type: "allow" })
        expect(agents.sent.at(-1)).toMatchObject({
          response: { response: { behavior: "allow", updatedInput: { command: "ls" } } }
        })
        expect((yield* Effect.flip(session.answer("q1", { type: "allow" })))._tag).toBe("NothingPending")
        expect(answerTo(agents, "q1")).toHaveLength(1)
      })
    )
  )

  it.effect("that was allowed for the session is not asked again, also by another process", () =>
    withSession(asks, { approvals: "event" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.submit("r1", { prompt: "List" })
        yield* until(session, "request_opened")
        const [asked] = yield* session.waiting
        const remember = asked?.request.kind === "permission" ? asked.request.remember.map(({ id }) => id) : []
        expect(remember).toHaveLength(1)
        yield* session.answer("q1", { type: "allow", remember })
        yield* until(session, "turn_ended")
        yield* session.disconnect
        yield* client.run("r2", { prompt: "And again" })
        expect(answerTo(agents, "q1").map(({ response }) => response)).toMatchObject([
          { behavior: "allow" },
          { behavior: "allow" }
        ])
        expect(yield* session.waiting).toEqual([])
      })
    )
  )

  it.effect("is refused when nobody answers in time", () =>
    withSession(asks, { approvals: "event", approvalTimeout: "1 minute" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.submit("r1", { prompt: "List" })
        yield* until(session, "request_opened")
        yield* TestClock.adjust("61 seconds")
        expect(answerTo(agents, "q1")).toMatchObject([
          { response: { behavior: "deny", message: expect.stringContaining("1m") } }
        ])
        expect(yield* session.waiting).toEqual([])
      })
    )
  )

  it.effect("that nobody answered in a suspended run lets the agent end its turn in a run of its own", () =>
    withSession(asks, { approvals: "interrupt", approvalTimeout: "1 minute" }, ({ client, session }) =>
      Effect.gen(function* () {
        const first = yield* client.run("r1", { prompt: "List" })
        expect(outcome(first)).toMatchObject({ type: "interrupt" })
        yield* TestClock.adjust("61 seconds")
        yield* until(session, "turn_ended")
        yield* eventually(() => session.log.situation().turn === undefined)
        expect(yield* session.status).toBe("idle")
        const next = yield* client.run("r2")
        expect(types(next).slice(0, 2)).toEqual(["RUN_STARTED", "TOOL_CALL_RESULT"])
        expect(next.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(2)
        expect(next[0]).not.toMatchObject({ runId: "r2" })
      })
    )
  )

  it.effect("is decided by the policy before anyone is asked", () =>
    withSession(
      asks,
      { approvals: "interrupt", policy: () => Effect.succeed({ _tag: "Allow" }) },
      ({ agents, client }) =>
        Effect.gen(function* () {
          const list = yield* client.run("r1", { prompt: "List" })
          expect(outcome(list)).toEqual({ type: "success" })
          expect(agents.sent.at(-1)).toMatchObject({
            response: { response: { behavior: "allow", updatedInput: { command: "ls" } } }
          })
        })
    )
  )
})

describe("an answer to a question that is not there any more", () => {
  const resume = [{ interruptId: "q1", status: "resolved" as const, payload: { approved: true } }]

  it.effect("is refused, and the agent is told nothing", () =>
    withSession(asks, { approvals: "interrupt" }, ({ agents, client }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "List" })
        yield* client.run("r2", { resume })
        const sent = agents.sent.length
        expect(yield* Effect.flip(client.run("r3", { resume }))).toMatchObject({
          _tag: "RunRefused",
          code: "INTERRUPT_UNKNOWN"
        })
        expect(agents.sent).toHaveLength(sent)
      })
    )
  )

  it.effect("with a prompt is left alone, and the prompt is answered", () =>
    withSession(asksAndWaits, { approvals: "interrupt" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "List" })
        yield* agents.say(withdraw("q1"), result())
        yield* until(session, "turn_ended")
        const run = yield* client.submit("r2", { prompt: "Never mind", resume })
        yield* eventually(() => agents.sent.filter(isPrompt).length === 2)
        expect(answerTo(agents, "q1")).toEqual([])
        yield* agents.say(withdraw("q1"), result())
        expect((yield* run).at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r2" })
      })
    )
  )
})

describe("a question that the agent takes back", () => {
  it.effect("while the policy decides is never asked, and the thread is free afterwards", () =>
    Effect.gen(function* () {
      const decision = yield* Deferred.make<PolicyDecision>()
      const judging = yield* Deferred.make<void>()
      const policy: Policy = () => Effect.andThen(Deferred.succeed(judging, undefined), Deferred.await(decision))
      yield* withSession(asksAndWaits, { approvals: "interrupt", policy }, ({ agents, client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "List" })
          yield* Deferred.await(judging)
          yield* agents.say(withdraw("q1"), text("Never mind."))
          yield* eventsUntil(session, (event) => event.type === "item_grew" && event.delta === "Never mind.")
          yield* Deferred.succeed(decision, { _tag: "Ask" })
          yield* agents.say(result())
          expect(outcome(yield* run)).toEqual({ type: "success" })
          expect(yield* session.waiting).toEqual([])
          expect((yield* happened(session)).map(({ type }) => type)).not.toContain("request_opened")
          expect(answerTo(agents, "q1")).toEqual([])
          yield* client.submit("r2", { prompt: "Again" })
          yield* eventually(() => agents.sent.filter(isPrompt).length === 2)
        })
      )
    })
  )

  it.effect("while its turn ends is never asked", () =>
    Effect.gen(function* () {
      const decision = yield* Deferred.make<PolicyDecision>()
      const judging = yield* Deferred.make<void>()
      const policy: Policy = () => Effect.andThen(Deferred.succeed(judging, undefined), Deferred.await(decision))
      yield* withSession(asksAndWaits, { approvals: "interrupt", policy }, ({ agents, client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "List" })
          yield* Deferred.await(judging)
          yield* agents.say(result())
          yield* run
          yield* Deferred.succeed(decision, { _tag: "Ask" })
          const seq = session.log.next()
          yield* agents.say(init(), text("By myself."), result())
          yield* until(session, "turn_ended", seq)
          expect((yield* happened(session)).map(({ type }) => type)).not.toContain("request_opened")
          expect(yield* session.waiting).toEqual([])
        })
      )
    })
  )

  it.effect("after it was shown is closed as withdrawn, and is not answered", () =>
    withSession(asksAndWaits, { approvals: "event" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.submit("r1", { prompt: "List" })
        yield* until(session, "request_opened")
        yield* agents.say(withdraw("q1"))
        const all = yield* eventsUntil(session, (event) => event.type === "request_closed")
        expect(all.at(-1)).toEqual({ type: "request_closed", lane: null, id: "q1", by: "withdrawn" })
        expect(answerTo(agents, "q1")).toEqual([])
      })
    )
  )
})

describe("questions of an agent that is gone", () => {
  it.effect("are all closed", () =>
    withSession(
      (line, say) =>
        isPrompt(line)
          ? say(init(), toolUse("c1", "Bash"), toolUse("c2", "Bash"), ask("q1", "Bash", "c1"), ask("q2", "Bash", "c2"))
          : Effect.void,
      { approvals: "event" },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "List" })
          yield* eventsUntil(session, (event) => event.type === "request_opened" && event.request.id === "q2")
          yield* agents.exit({ code: 1 })
          expect((yield* run).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "process_exited" })
          expect(yield* session.waiting).toEqual([])
          const closed = (yield* happened(session)).filter(({ type }) => type === "request_closed")
          expect(closed).toMatchObject([
            { id: "q1", by: "ended" },
            { id: "q2", by: "ended" }
          ])
          expect((yield* Effect.flip(session.answer("q1", { type: "allow" })))._tag).toBe("NothingPending")
        })
    )
  )
})

describe("a policy", () => {
  const policy: Policy = ({ cwd, mode, toolName }) =>
    Effect.succeed(
      toolName === "Read"
        ? { _tag: "Allow" }
        : toolName === "Bash"
          ? { _tag: "Deny", message: `Not in ${cwd} as ${mode}.` }
          : { _tag: "Ask", reason: "Who knows." }
    )
  const decisions = (agents: FakeAgents) =>
    agents.sent.flatMap((line) => {
      const { response } = (line["response"] ?? {}) as { readonly response?: Line }
      return response?.["hookSpecificOutput"] === undefined ? [] : [response["hookSpecificOutput"]]
    })

  it.effect("sees every call by a hook, and says what it thinks of it", () =>
    withSession(
      (line, say) =>
        isPrompt(line)
          ? say(
              init(),
              beforeTool("h1", "agentwire-policy", "Read"),
              beforeTool("h2", "agentwire-policy", "Bash"),
              beforeTool("h3", "agentwire-policy", "Write"),
              result()
            )
          : Effect.void,
      { policy, mode: "planner" },
      ({ agents, client }) =>
        Effect.gen(function* () {
          yield* client.run("r1", { prompt: "Hi" })
          yield* eventually(() => decisions(agents).length === 3)
          expect(agents.sent[0]).toMatchObject({
            request: { hooks: { PreToolUse: [{ hookCallbackIds: ["agentwire-policy"] }] } }
          })
          expect(decisions(agents)).toEqual([
            { hookEventName: "PreToolUse", permissionDecision: "allow" },
            {
              hookEventName: "PreToolUse",
              permissionDecision: "deny",
              permissionDecisionReason: "Not in / as planner."
            },
            { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "Who knows." }
          ])
        })
    )
  )

  it.effect("does not answer what only a person can", () => {
    const input = { questions: [{ question: "Tea?", header: "Tea", options: [{ label: "Yes" }, { label: "No" }] }] }
    return withSession(
      (line, say) =>
        isPrompt(line)
          ? say(init(), toolUse("toolu_1", "AskUserQuestion", input), ask("q1", "AskUserQuestion", "toolu_1", input))
          : Effect.void,
      { policy: () => Effect.succeed({ _tag: "Allow" }), approvals: "interrupt" },
      ({ client }) =>
        Effect.gen(function* () {
          const list = yield* client.run("r1", { prompt: "Hi" })
          expect(outcome(list)).toMatchObject({ type: "interrupt", interrupts: [{ id: "q1" }] })
        })
    )
  })
})
