/** A session that goes back: the agent is taken there first, and only then does the conversation branch. */
import * as Model from "@agentwire/protocol/model"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { layerClaudeRuntime } from "../../src/runtime/claude/ClaudeRuntime.ts"
import { branchPoint } from "../../src/session/BranchPoint.ts"
import { openThread } from "../../src/session/OpenThread.ts"
import type { Session, Submission } from "../../src/session/Session.ts"
import { makeSession } from "../../src/session/SessionActor.ts"
import { layerMemoryStore } from "../../src/store/memory/MemoryStore.ts"
import { Store } from "../../src/store/Store.ts"
import { aborted, agreed, echo, init, isInterrupt, isPrompt, result, text } from "../AgentLines.ts"
import { type Behaviour, type FakeAgents, fakeAgents } from "../FakeAgent.ts"
import { testThread } from "../TestLog.ts"
import { eventsUntil, eventually, happened, until, withSession } from "../WithSession.ts"

/** The point after the entry of an id, or before everything. */
const pointAfter = ({ log }: Session, id: string | null) =>
  log.look((view) =>
    Effect.map(view.page(), ({ entries }) => {
      const found = branchPoint(entries.slice(0, entries.findIndex(({ entry }) => entry.id === id) + 1), true)
      if (typeof found === "string") throw new Error(found)
      return found
    })
  )

/** Says something, after going back first if a point is given. */
const say = (session: Session, ticket: string, branch?: Submission["branch"]) =>
  session.submit(() =>
    Result.succeed<Submission>({
      ticket,
      answers: [],
      results: [],
      tools: [],
      prompt: { type: "prompt", said: [{ id: ticket, content: ticket }] },
      ...(branch !== undefined && { branch })
    })
  )

const ask = (session: Session, ticket: string, branch?: Submission["branch"]) =>
  Effect.gen(function* () {
    const { at } = yield* say(session, ticket, branch)
    const isOurs = (event: Model.Event) => event.type === "turn_started" && event.ticket === ticket
    const begun = yield* eventsUntil(session, isOurs, at)
    const rest = yield* eventsUntil(session, ({ type }) => type === "turn_ended", at + begun.length)
    return [...begun, ...rest]
  })

const conversationOf = ({ log }: Session) =>
  Effect.map(log.moment(), ({ transcript }) =>
    transcript.entries.map((entry) => (entry.kind === "prompt" ? entry.id : entry.kind === "text" ? entry.text : "?"))
  )

const textAfter = (session: Session, words: string) =>
  Effect.map(
    session.log.moment(),
    ({ transcript }) => transcript.entries.find((entry) => entry.kind === "text" && entry.text === words)?.id ?? ""
  )

describe("a prompt that goes back first", () => {
  it.effect("continues there: what followed stays on its branch", () =>
    withSession(echo, {}, ({ agents, session }) =>
      Effect.gen(function* () {
        yield* ask(session, "one")
        yield* ask(session, "two")
        const point = yield* pointAfter(session, yield* textAfter(session, "You said: one"))
        const events = yield* ask(session, "three", point)
        expect(events.find(({ type }) => type === "branched")).toMatchObject({
          branch: 1,
          from: { branch: 0, position: 1 },
          ticket: "three"
        })
        expect(agents.launched.map(({ at, fork, resume }) => [resume, at === undefined, fork])).toEqual([
          [undefined, true, undefined],
          ["provider-1", false, true]
        ])
        expect(yield* conversationOf(session)).toEqual(["one", "You said: one", "three", "You said: three"])
        const left = yield* session.log.look((view) => view.page({ path: [{ branch: 0 }] }))
        expect(left.entries.map(({ entry }) => entry.id)).toContain("two")
      })
    )
  )

  it.effect("to before everything begins anew, and may say the same again", () =>
    withSession(echo, {}, ({ agents, session }) =>
      Effect.gen(function* () {
        yield* ask(session, "one")
        yield* ask(session, "one", yield* pointAfter(session, null))
        expect(agents.launched.map(({ resume }) => resume)).toEqual([undefined, undefined])
        expect(yield* conversationOf(session)).toEqual(["one", "You said: one"])
        expect(session.log.situation()).toMatchObject({
          branch: 1,
          newest: yield* textAfter(session, "You said: one")
        })
      })
    )
  )

  it.effect("ends the turn that is open", () =>
    withSession(
      (line, say) => {
        if (isPrompt(line))
          return say(init(), text("Hm"), ...(JSON.stringify(line).includes("quick") ? [result()] : []))
        return isInterrupt(line) ? say(agreed(line), aborted()) : Effect.void
      },
      {},
      ({ session }) =>
        Effect.gen(function* () {
          yield* ask(session, "quick")
          const point = yield* pointAfter(session, "quick")
          const { at } = yield* say(session, "slow")
          yield* until(session, "item_ended", at)
          const events = yield* ask(session, "quick again", point)
          const types = events.map((event) => (event.type === "turn_ended" ? event.outcome.type : event.type))
          expect(types.indexOf("cancelled")).toBeLessThan(types.indexOf("branched"))
          expect(types.filter((type) => type === "cancelled" || type === "completed")).toEqual([
            "cancelled",
            "completed"
          ])
        })
    )
  )

  const failing = (
    words: string
  ): { readonly behave: Behaviour; readonly initially: (a: FakeAgents) => Effect.Effect<void> } => {
    let starts = 0
    return {
      behave: echo,
      initially: (agents) =>
        ++starts === 2
          ? Effect.andThen(
              agents.say({ ...result(), subtype: "error_during_execution", is_error: true, errors: [words] }),
              agents.exit({ code: 1 })
            )
          : Effect.void
    }
  }

  it.effect("fails when the agent cannot, and nothing has changed", () => {
    const { behave, initially } = failing("No message found")
    return withSession(behave, { initially }, ({ agents, session }) =>
      Effect.gen(function* () {
        yield* ask(session, "one")
        const events = yield* ask(session, "two", yield* pointAfter(session, "one"))
        expect(events.at(-1)).toMatchObject({ outcome: { type: "failed", code: "BRANCH_UNAVAILABLE" } })
        expect(events.map(({ type }) => type)).toEqual(["turn_started", "turn_ended"])
        expect(yield* conversationOf(session)).toEqual(["one", "You said: one"])
        yield* ask(session, "three")
        expect(agents.launched.at(-1)).toMatchObject({ resume: "provider-1" })
        expect(agents.launched.at(-1)?.at).toBeUndefined()
        expect(yield* conversationOf(session)).toEqual(["one", "You said: one", "three", "You said: three"])
      })
    )
  })

  it.effect("lets others wait, or refuses them, until the agent is there", () =>
    Effect.forEach(
      ["reject", "queue"] as const,
      (busy) =>
        withSession(echo, { busy }, ({ session }) =>
          Effect.gen(function* () {
            yield* ask(session, "one")
            const point = yield* pointAfter(session, null)
            yield* say(session, "two", point)
            const other = yield* Effect.result(say(session, "three"))
            if (busy === "reject") {
              expect(Result.isFailure(other) && other.failure._tag).toBe("ThreadBusy")
              return
            }
            yield* eventually(() => session.log.situation().turns === 3 && session.log.situation().turn === undefined)
            expect(yield* conversationOf(session)).toEqual(["two", "You said: two", "three", "You said: three"])
          })
        ),
      { discard: true }
    )
  )

  it.effect("and is stopped on the way begins no turn", () =>
    withSession(echo, {}, ({ agents, session }) =>
      Effect.gen(function* () {
        yield* ask(session, "one")
        const prompts = () => agents.sent.filter(isPrompt).length
        const before = prompts()
        const { at } = yield* say(session, "two", yield* pointAfter(session, null))
        yield* session.stop("two")
        const events = yield* eventsUntil(session, ({ type }) => type === "turn_ended", at)
        expect(events.at(-1)).toMatchObject({ outcome: { type: "cancelled" } })
        expect(prompts()).toBe(before)
      })
    )
  )
})

describe("going back without a prompt", () => {
  it.effect("is done when the agent is there", () =>
    withSession(echo, {}, ({ session }) =>
      Effect.gen(function* () {
        yield* ask(session, "one")
        yield* ask(session, "two")
        const went = yield* session.goBack({ after: [yield* textAfter(session, "You said: one")] })
        expect(went).toMatchObject({ branch: 1, point: { from: { branch: 0, position: 1 } } })
        expect(yield* conversationOf(session)).toEqual(["one", "You said: one"])
        expect((yield* happened(session)).at(-1)?.type).toBe("branched")
      })
    )
  )

  it.effect("ends the turn that is open, unless nobody can go there", () =>
    withSession(
      (line, say) => {
        if (isPrompt(line))
          return say(init(), text("Hm"), ...(JSON.stringify(line).includes("quick") ? [result()] : []))
        return isInterrupt(line) ? say(agreed(line), aborted()) : Effect.void
      },
      {},
      ({ session }) =>
        Effect.gen(function* () {
          yield* ask(session, "quick")
          const { at } = yield* say(session, "slow")
          yield* until(session, "item_ended", at)
          expect(yield* Effect.flip(session.goBack({ after: ["nothing"] }))).toMatchObject({
            code: "MESSAGE_NOT_FOUND"
          })
          expect(session.log.situation().turn?.ticket).toBe("slow")
          yield* session.goBack({ before: ["slow"] })
          const ends = (yield* happened(session)).flatMap((each) =>
            each.type === "turn_ended" ? [each.outcome.type] : []
          )
          expect(ends).toEqual(["completed", "cancelled"])
          expect(yield* conversationOf(session)).toEqual(["quick", "Hm"])
        })
    )
  )

  it.effect("is refused while the agent goes back for somebody else", () =>
    withSession(echo, {}, ({ session }) =>
      Effect.gen(function* () {
        yield* ask(session, "one")
        const both = yield* Effect.all(
          [session.goBack({ before: ["one"] }), session.goBack({ after: ["one"] })].map(Effect.result),
          { concurrency: "unbounded" }
        )
        expect(both.map((each) => (Result.isFailure(each) ? each.failure._tag : each.success.branch))).toEqual([
          1,
          "ThreadBusy"
        ])
      })
    )
  )

  it.effect("to a sibling is going on with it", () =>
    withSession(echo, {}, ({ agents, session }) =>
      Effect.gen(function* () {
        yield* ask(session, "one")
        yield* ask(session, "two", yield* pointAfter(session, null))
        expect(yield* session.goBack({ branch: 1 })).toMatchObject({ branch: 1 })
        expect(agents.launched.length, "it is there already").toBe(2)
        yield* session.goBack({ branch: 0 })
        yield* ask(session, "three")
        expect(yield* conversationOf(session)).toEqual(["one", "You said: one", "three", "You said: three"])
        expect(Model.pathIn(session.log.situation())).toEqual([{ branch: 0, through: 1 }, { branch: 2 }])
        expect(yield* Effect.flip(session.goBack({ branch: 3 }))).toMatchObject({ code: "BRANCH_NOT_FOUND" })
      })
    )
  )

  it.effect("is told to whoever waits when the session ends on the way", () =>
    Effect.gen(function* () {
      let starts = 0
      const waiting = yield* withSession(
        echo,
        { initially: () => (++starts === 2 ? Effect.never : Effect.void) },
        ({ agents, session }) =>
          Effect.gen(function* () {
            yield* ask(session, "one")
            const going = yield* Effect.forkDetach(Effect.flip(session.goBack({ before: ["one"] })))
            yield* eventually(() => agents.launched.length === 2)
            return going
          })
      )
      expect(yield* Fiber.join(waiting)).toMatchObject({ code: "GONE" })
    })
  )

  it.effect("outlives a restart before anything is said", () => {
    const first = fakeAgents(echo)
    const open = Effect.gen(function* () {
      const store = yield* Store
      return yield* makeSession({
        claim: yield* openThread(store, testThread("t")),
        sessionKey: "t",
        cwd: "/"
      })
    })
    return Effect.gen(function* () {
      const before = yield* Scope.make()
      const session = yield* Scope.provide(open, before)
      yield* ask(session, "one")
      yield* ask(session, "two")
      yield* session.goBack({ after: [yield* textAfter(session, "You said: one")] })
      yield* Scope.close(before, Effect.runSync(Effect.exit(Effect.void)))
      const again = yield* open
      expect(yield* conversationOf(again)).toEqual(["one", "You said: one"])
      yield* ask(again, "three")
      const started = first.agents.launched.at(-1)
      expect([started?.resume, started?.at !== undefined, started?.fork]).toEqual(["provider-1", true, true])
      const { goesOnAt } = again.log.situation()
      expect(goesOnAt).toBeUndefined()
    }).pipe(
      Effect.scoped,
      Effect.provide(layerClaudeRuntime),
      Effect.provide(first.layer),
      Effect.provide(layerMemoryStore())
    )
  })
})
