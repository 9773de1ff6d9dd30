/** The spans: what belongs to what, and that each has an end. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import { sessionKeyOf } from "../../src/session/SessionKey.ts"
import { ask, init, isPrompt, result, text, toolResult, toolUse } from "../AgentLines.ts"
import { type Behaviour, fakeAgents } from "../FakeAgent.ts"
import { isEnd, isQuestion, observing, prompt, run, submit, until } from "./Observed.ts"

const named = (spans: ReadonlyArray<Tracer.NativeSpan>, name: string) => spans.filter((span) => span.name === name)
const parentOf = (span: Tracer.NativeSpan | undefined) =>
  span === undefined ? undefined : Option.getOrUndefined(span.parent)
const failed = ({ status }: Tracer.NativeSpan) => status._tag === "Ended" && Exit.isFailure(status.exit)

/** Calls a tool, which it asks about. */
const works: Behaviour = (line, say) => {
  if (isPrompt(line)) return say(init(), toolUse("toolu_1", "Bash"), ask("q1", "Bash", "toolu_1"))
  return line["type"] === "control_response" ? say(toolResult("toolu_1", "fine"), text("Done."), result()) : Effect.void
}

describe("the spans of a session", () => {
  it.effect("are one for a turn, with the start of the agent, the calls and the waits below it", () =>
    Effect.gen(function* () {
      const { agents, layer } = fakeAgents(works)
      const { spans } = yield* observing(
        layer,
        (sessions) =>
          Effect.gen(function* () {
            const session = yield* sessions.open("t")
            yield* submit(session, prompt("r1", "Hi"))
            yield* until(session, 0, isQuestion)
            yield* Effect.orDie(session.answer("q1", { type: "allow" }))
            const next = yield* until(session, 0, isEnd)
            yield* agents.say(init(), text("By the way."), result())
            yield* until(session, next, isEnd)
          }),
        { session: { approvals: "event" } }
      )
      const [first, second] = named(spans, "agentwire.run")
      expect(named(spans, "agentwire.run")).toHaveLength(2)
      expect(Object.fromEntries(first?.attributes ?? [])).toEqual({
        "agentwire.session": sessionKeyOf("t"),
        "agentwire.run.id": "r1",
        "agentwire.run.outcome": "success",
        "agentwire.run.events": expect.any(Number),
        "agentwire.agent.version": "2.1.325",
        "agentwire.agent.transport": "stdio"
      })
      for (const name of ["agentwire.agent.start", "agentwire.tool", "agentwire.approval"]) {
        expect(named(spans, name)).toHaveLength(1)
        expect(parentOf(named(spans, name)[0])).toBe(first)
      }
      expect(parentOf(second)).toBeUndefined()
      expect(named(spans, "agentwire.tool")[0]?.attributes.get("agentwire.tool.name")).toBe("Bash")
      expect(named(spans, "agentwire.approval")[0]?.attributes.get("agentwire.approval.decision")).toBe("allow")
      for (const { status } of spans) expect(status._tag).toBe("Ended")
      expect(spans.filter(failed)).toEqual([])
    })
  )

  it.effect("have a wait that ends with its answer, and go on after a no", () =>
    Effect.gen(function* () {
      const { layer } = fakeAgents(works)
      const { spans } = yield* observing(
        layer,
        (sessions) =>
          Effect.gen(function* () {
            const session = yield* sessions.open("t")
            yield* submit(session, prompt("r1", "Hi"))
            yield* until(session, 0, isQuestion)
            yield* Effect.orDie(session.answer("q1", { type: "deny", reason: "No." }))
            yield* until(session, 0, isEnd)
          }),
        { session: { approvals: "interrupt" } }
      )
      const [first] = named(spans, "agentwire.run")
      expect(first?.attributes.get("agentwire.run.outcome")).toBe("success")
      const [wait, ...others] = named(spans, "agentwire.approval")
      expect(others).toEqual([])
      expect(parentOf(wait)).toBe(first)
      expect(wait?.attributes.get("agentwire.approval.decision")).toBe("deny")
      expect(failed(named(spans, "agentwire.tool")[0] ?? expect.unreachable())).toBe(false)
      for (const { status } of spans) expect(status._tag).toBe("Ended")
    })
  )

  it.effect("of a run that reached a limit say so with its code", () =>
    Effect.gen(function* () {
      const limit = { subtype: "error_max_turns", errors: [], is_error: true }
      const { layer } = fakeAgents((line, say) => (isPrompt(line) ? say(init(), result(limit)) : Effect.void))
      const { spans } = yield* observing(layer, (sessions) =>
        Effect.flatMap(sessions.open("t"), (session) => run(session, "r", "Hi"))
      )
      const [first] = named(spans, "agentwire.run")
      const told = ["outcome", "code"].map((key) => first?.attributes.get(`agentwire.run.${key}`))
      expect(told).toEqual(["limited", "error_max_turns"])
      expect(spans.filter(failed).map(({ name }) => name)).toEqual(["agentwire.run"])
    })
  )

  it.effect("end when the session does, and a run that failed says so with its code alone", () =>
    Effect.gen(function* () {
      const secret = "what the CLI said last"
      const { agents, layer } = fakeAgents((line, say) =>
        isPrompt(line)
          ? Effect.andThen(say(init(), toolUse("toolu_1", "Read")), agents.exit({ code: 1, stderr: secret }))
          : Effect.void
      )
      const { spans } = yield* observing(layer, (sessions) =>
        Effect.flatMap(sessions.open("t"), (session) => run(session, "r", "Hi"))
      )
      const [first] = named(spans, "agentwire.run")
      expect(first?.attributes.get("agentwire.run.outcome")).toBe("error")
      expect(spans.filter(failed).map(({ name }) => name)).toEqual(["agentwire.run", "agentwire.tool"])
      for (const { status } of spans) expect(status._tag).toBe("Ended")
      const told = spans.map(({ attributes, status }) => [
        ...attributes.values(),
        status._tag === "Ended" ? String(status.exit) : ""
      ])
      expect(JSON.stringify(told)).not.toContain(secret)
    })
  )
})
