/** Branches, as programs see them: what is shown of a thread is what its agent knows, whoever went back wherever. */
import type * as Agui from "@agentwire/protocol/agui"
import { describe, expect, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { makeClient } from "../../../src/client/Client.ts"
import { layerBridgeSessions } from "../../../src/embed/BridgeLayer.ts"
import { type CommandInput, type CommandName, runCommand } from "../../../src/embed/Command.ts"
import type { BodyOf, OutputOf } from "../../../src/face/management/Api.ts"
import { layerClaudeRuntime } from "../../../src/runtime/claude/ClaudeRuntime.ts"
import { serveHttp } from "../../../src/server/HttpServer.ts"
import { Sessions } from "../../../src/session/Sessions.ts"
import { makeMemory } from "../../../src/store/memory/Memory.ts"
import { layerMemoryStore } from "../../../src/store/memory/MemoryStore.ts"
import { rememberingAgents, wordsTold } from "../../RememberingAgents.ts"
import { token } from "../../Serving.ts"
import { eventsUntil } from "../../WithSession.ts"

/** What a program does with a bridge that may be opened again. */
const makePlace = () => {
  const agents = rememberingAgents()
  const memory = makeMemory()
  let opened: { readonly context: Context.Context<Sessions>; readonly scope: Scope.Closeable } | undefined

  const open = Effect.gen(function* () {
    const scope = yield* Scope.make()
    const layer = layerBridgeSessions({
      session: { cwd: "/" },
      store: layerMemoryStore({ memory })
    }).pipe(Layer.provide(layerClaudeRuntime), Layer.provide(agents.layer))
    opened = { scope, context: yield* Effect.orDie(Layer.buildWithScope(layer, scope)) }
  })
  const close = Effect.suspend(() => (opened === undefined ? Effect.void : Scope.close(opened.scope, Exit.void)))

  const here = <A, E>(effect: Effect.Effect<A, E, Sessions>): Effect.Effect<A, E> =>
    Effect.suspend(() => (opened === undefined ? Effect.die("no bridge") : Effect.provide(effect, opened.context)))

  const run = <N extends CommandName>(name: N, input: CommandInput<N>) => here(runCommand(name, input))

  /** Says something, and waits for the end of its turn. */
  const say = (threadId: string, content: string) =>
    Effect.gen(function* () {
      const { from } = yield* run("sessions.send", { params: { threadId }, body: { content } })
      const session = yield* here(Effect.flatMap(Sessions, ({ open }) => open(threadId)))
      const events = yield* eventsUntil(session, ({ type }) => type === "turn_ended", from)
      return events.at(-1)
    })

  /** All messages, read in small pages. */
  const messages = (threadId: string, branch?: number) =>
    Effect.gen(function* () {
      const all: Array<Agui.Message> = []
      for (let before: string | undefined; ; ) {
        const query = { limit: 3, ...(before !== undefined && { before }), ...(branch !== undefined && { branch }) }
        const page = yield* run("sessions.messages", { params: { threadId }, query })
        all.unshift(...page.messages)
        before = page.before
        if (before === undefined) return all
      }
    })

  const branches = (threadId: string) =>
    Effect.gen(function* () {
      const all: Array<OutputOf<"sessions.branches">["branches"][number]> = []
      for (let before: string | undefined; ; ) {
        const query = { limit: 2, ...(before !== undefined && { before }) }
        const page = yield* run("sessions.branches", { params: { threadId }, query })
        all.unshift(...page.branches.toReversed())
        before = page.before
        if (before === undefined) return all
      }
    })

  return { agents, open, close, here, run, say, messages, branches, restart: Effect.andThen(close, open) }
}

type Place = ReturnType<typeof makePlace>

const withPlace = <A, E>(use: (place: Place) => Effect.Effect<A, E>): Effect.Effect<A, E> => {
  const place = makePlace()
  return Effect.andThen(place.open, use(place)).pipe(Effect.ensuring(place.close), Effect.provide(Logger.layer([])))
}

/** What messages say, as the agent is told it. */
const wordsOf = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<unknown> =>
  messages.flatMap((message) => [
    ...(message.content === undefined || message.content === "" ? [] : [message.content]),
    ...(message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => `call ${id}`) : [])
  ])

const codeOf = <A>(effect: Effect.Effect<A, { readonly code: string }>): Effect.Effect<string> =>
  Effect.match(effect, { onFailure: ({ code }) => code, onSuccess: () => "done" })

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("say" as const), tools: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("revert" as const, "fork" as const),
      way: fc.constantFrom("after" as const, "before" as const, "branch" as const),
      branch: fc.nat(),
      message: fc.nat()
    })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fork all" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) }
)

describe("whatever is said, reverted and forked", () => {
  it("what is shown of a thread is what its agent is told, and what was said elsewhere stays as it was", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat()), { minLength: 1, maxLength: 12 }), (steps) =>
        Effect.runPromise(
          withPlace((place) =>
            Effect.gen(function* () {
              const threads = ["t0"]
              let said = 0
              yield* place.run("sessions.create", { params: {}, body: { threadId: "t0" } })
              /** Everything that was said, by thread and branch. */
              const all = Effect.gen(function* () {
                const seen = new Map<string, ReadonlyArray<Agui.Message>>()
                for (const threadId of threads)
                  for (const { branch, current, messages } of yield* place.branches(threadId)) {
                    const read = yield* place.messages(threadId, branch)
                    // Only where the conversation is may there be nothing.
                    if (messages > 0) seen.set(`${threadId} ${branch}`, read)
                    else expect(current).toBe(true)
                    expect(messages).toBeLessThanOrEqual(read.length)
                    if (current) expect(yield* place.messages(threadId)).toEqual(read)
                  }
                return seen
              })
              const speak = (threadId: string, content: string) =>
                Effect.gen(function* () {
                  const shown = wordsOf(yield* place.messages(threadId))
                  expect(yield* place.say(threadId, content)).toMatchObject({ outcome: { type: "completed" } })
                  expect(wordsTold(place.agents.told.at(-1))).toEqual([...shown, content])
                })
              for (const [each, which] of steps) {
                const threadId = threads[which % threads.length] ?? "t0"
                const before = yield* all
                const current = (yield* place.branches(threadId)).find((branch) => branch.current)?.branch
                if (each.do === "say") yield* speak(threadId, `${each.tools ? "tool" : "word"} ${++said}`)
                else if (each.do === "restart") yield* place.restart
                else if (each.do === "fork all") {
                  const forked = yield* place.run("sessions.fork", { params: { threadId }, body: {} })
                  expect(yield* place.messages(forked.threadId)).toEqual(yield* place.messages(threadId))
                  threads.push(forked.threadId)
                } else {
                  const listed = yield* place.branches(threadId)
                  const branch = listed[each.branch % listed.length]?.branch ?? 0
                  const path = yield* place.messages(threadId, branch)
                  const message = path[each.message % Math.max(1, path.length)]
                  if (each.way !== "branch" && message === undefined) continue
                  const body =
                    each.way === "branch"
                      ? { branch }
                      : each.way === "after"
                        ? { messageId: message?.id }
                        : { beforeMessageId: message?.id }
                  /** Up to the message, or without it; what belongs to one with calls stays together. */
                  const isWhole = (shown: ReadonlyArray<Agui.Message>) => {
                    expect(shown).toEqual(path.slice(0, shown.length))
                    const ids = shown.map(({ id }) => id)
                    if (each.way === "branch") expect(shown).toEqual(path)
                    else expect(ids.includes(message?.id ?? "")).toBe(each.way === "after")
                  }
                  if (each.do === "revert") {
                    const went = yield* place.run("sessions.revert", { params: { threadId }, body })
                    const shown = yield* place.messages(threadId)
                    isWhole(shown)
                    expect(went.messageId).toBe(shown.at(-1)?.id)
                  } else {
                    const forked = yield* place.run("sessions.fork", { params: { threadId }, body })
                    isWhole(yield* place.messages(forked.threadId))
                    threads.push(forked.threadId)
                  }
                }
                const after = yield* all
                for (const [name, messages] of before)
                  expect(after.get(name)?.slice(0, messages.length), name).toEqual(messages)
                for (const [name, messages] of before)
                  if (name !== `${threadId} ${current}`) expect(after.get(name), name).toEqual(messages)
              }
              const before = yield* all
              yield* place.restart
              expect(yield* all).toEqual(before)
              for (const threadId of threads) yield* speak(threadId, `tool ${++said}`)
            })
          )
        )
      ),
      { numRuns: 25, seed: 15 }
    ))
})

describe("the branches of a thread", () => {
  it.effect("say where they begin, how, and which of them the conversation is on", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run("sessions.create", { params: {}, body: { threadId: "t" } })
        yield* place.say("t", "one")
        yield* place.say("t", "two")
        const [one, answer, two] = yield* place.messages("t")
        yield* place.run("sessions.revert", { params: { threadId: "t" }, body: { beforeMessageId: two?.id } })
        yield* place.say("t", "two, but better")
        yield* place.run("sessions.revert", { params: { threadId: "t" }, body: { beforeMessageId: one?.id } })
        const branches = yield* place.branches("t")
        expect(branches.map(({ createdAt: _, ...branch }) => branch)).toEqual([
          { branch: 0, current: false, firstWords: "one", messages: 4 },
          {
            branch: 1,
            current: false,
            after: { branch: 0, messageId: answer?.id },
            firstWords: "two, but better",
            messages: 2
          },
          { branch: 2, current: true, messages: 0 }
        ])
        expect(wordsOf(yield* place.messages("t", 1))).toEqual([
          "one",
          "Re one",
          "two, but better",
          "Re two, but better"
        ])
        expect(yield* place.messages("t")).toEqual([])
      })
    )
  )

  it.effect("are not those that nothing was said on, however often somebody went back", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const params = { threadId: "t" }
        yield* place.run("sessions.create", { params: {}, body: params })
        yield* place.say("t", "one")
        yield* place.say("t", "two")
        const [one, answer] = yield* place.messages("t")
        const revert = (body: BodyOf<"sessions.revert">) => place.run("sessions.revert", { params, body })
        const listed = Effect.map(place.branches("t"), (branches) =>
          branches.map(({ branch, current }) => [branch, current])
        )
        for (const _ of [1, 2, 3]) yield* revert({ messageId: answer?.id ?? "" })
        expect(yield* listed).toEqual([
          [0, false],
          [3, true]
        ])
        yield* place.say("t", "three")
        for (const _ of [1, 2, 3]) yield* revert({ beforeMessageId: one?.id ?? "" })
        expect(yield* listed).toEqual([
          [0, false],
          [3, false],
          [6, true]
        ])
        // What was said stays within reach, and so does the way there.
        yield* revert({ branch: 3 })
        expect(wordsOf(yield* place.messages("t"))).toEqual(["one", "Re one", "three", "Re three"])
      })
    )
  )

  it.effect("are not those of a cursor of something else, or of a thread that is not there", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run("sessions.create", { params: {}, body: { threadId: "t" } })
        const params = { threadId: "t" }
        for (const before of ["1", "0.0-0", "x", "9-0"])
          expect(yield* codeOf(place.run("sessions.branches", { params, query: { before } }))).toBe("BAD_CURSOR")
        expect(yield* codeOf(place.run("sessions.branches", { params: { threadId: "none" } }))).toBe(
          "SESSION_NOT_FOUND"
        )
        expect(yield* codeOf(place.run("sessions.messages", { params, query: { branch: 1 } }))).toBe("BRANCH_NOT_FOUND")
      })
    )
  )

  it.effect("do not change the pages of who reads while the conversation goes back", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const params = { threadId: "t" }
        yield* place.run("sessions.create", { params: {}, body: params })
        for (const word of ["one", "two", "three"]) yield* place.say("t", word)
        const newest = yield* place.run("sessions.messages", { params, query: { limit: 2 } })
        const [one] = yield* place.messages("t")
        yield* place.run("sessions.revert", { params, body: { messageId: one?.id } })
        yield* place.say("t", "four")
        const rest = yield* place.run("sessions.messages", { params, query: { before: newest.before } })
        expect(wordsOf([...rest.messages, ...newest.messages])).toEqual(
          ["one", "two", "three"].flatMap((word) => [word, `Re ${word}`])
        )
        const wrong = { before: newest.before, branch: 1 }
        expect(yield* codeOf(place.run("sessions.messages", { params, query: wrong }))).toBe("BAD_CURSOR")
      })
    )
  )
})

describe("going back", () => {
  it.effect("keeps a message with all its calls and their results, whichever of them is named", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const params = { threadId: "t" }
        yield* place.run("sessions.create", { params: {}, body: params })
        yield* place.say("t", "tool")
        const whole = yield* place.messages("t")
        const results = whole.filter(({ role }) => role === "tool")
        expect(results.length).toBe(2)
        for (const { id } of results) {
          yield* place.run("sessions.revert", { params, body: { messageId: id } })
          const kept = yield* place.messages("t")
          expect(kept.at(-1)?.role).toBe("tool")
          yield* place.run("sessions.revert", { params, body: { branch: 0 } })
        }
      })
    )
  )

  it.effect("refuses what is not there, and two ways at once, and changes nothing", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const params = { threadId: "t" }
        yield* place.run("sessions.create", { params: {}, body: params })
        yield* place.say("t", "one")
        const before = yield* place.branches("t")
        const launched = place.agents.launched.length
        const revert = (body: CommandInput<"sessions.revert">["body"]) =>
          codeOf(place.run("sessions.revert", body === undefined ? { params } : { params, body }))
        expect(yield* revert({ messageId: "none" })).toBe("MESSAGE_NOT_FOUND")
        expect(yield* revert({ branch: 1 })).toBe("BRANCH_NOT_FOUND")
        expect(yield* revert({})).toBe("BAD_INPUT")
        expect(yield* revert({ branch: 0, messageId: "x" })).toBe("BAD_INPUT")
        expect(yield* place.branches("t")).toEqual(before)
        expect(place.agents.launched.length).toBe(launched)
        expect(yield* codeOf(place.run("sessions.revert", { params: { threadId: "none" }, body: { branch: 0 } }))).toBe(
          "SESSION_NOT_FOUND"
        )
      })
    )
  )

  it.effect("where the agent's transcript is gone is refused, and the conversation stays where it was", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const params = { threadId: "t" }
        yield* place.run("sessions.create", { params: {}, body: params })
        yield* place.say("t", "one")
        yield* place.say("t", "two")
        const whole = yield* place.messages("t")
        const kept = new Map(place.agents.sessions)
        place.agents.sessions.clear()
        const body = { messageId: whole[1]?.id }
        expect(yield* codeOf(place.run("sessions.revert", { params, body }))).toBe("BRANCH_UNAVAILABLE")
        expect(yield* place.messages("t")).toEqual(whole)
        for (const [id, lines] of kept) place.agents.sessions.set(id, lines)
        yield* place.say("t", "three")
        expect(wordsTold(place.agents.told.at(-1))).toEqual([...wordsOf(whole), "three"])
      })
    )
  )
})

describe("a fork", () => {
  it.effect("is a thread of its own, with what was chosen for the old one", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const params = { threadId: "t" }
        const chosen = {
          mode: "planner",
          model: "m",
          effort: "low",
          mcpServers: { files: { type: "http", url: "http://127.0.0.1:1/" } }
        } as const
        yield* place.run("sessions.create", { params: {}, body: { threadId: "t", ...chosen } })
        yield* place.say("t", "one")
        yield* place.run("sessions.change", { params, body: { title: "Shed" } })
        const forked = yield* place.run("sessions.fork", { params, body: { threadId: "f" } })
        const old = yield* place.run("sessions.get", { params })
        expect(forked).toMatchObject({
          threadId: "f",
          forkOf: "t",
          title: "Shed (fork)",
          cwd: old.cwd,
          mode: "planner",
          options: old.options,
          workspaceId: old.workspaceId,
          archived: false
        })
        expect(place.agents.launched.length, "no agent is started for it").toBe(1)
        expect(yield* place.branches("f")).toMatchObject([{ branch: 0, current: true, messages: 2 }])
        yield* place.say("f", "two")
        expect(wordsTold(place.agents.told.at(-1))).toEqual(["one", "Re one", "two"])
        expect((yield* place.run("sessions.get", { params: { threadId: "f" } })).providerSessionId).not.toBe(
          old.providerSessionId
        )
        const again = yield* place.run("sessions.fork", { params: { threadId: "f" }, body: {} })
        expect(again.title).toBe("Shed (fork 2)")
        const named = yield* place.run("sessions.fork", { params, body: { title: "Other" } })
        expect(named.title).toBe("Other")
        expect(wordsOf(yield* place.messages("t"))).toEqual(["one", "Re one"])
      })
    )
  )

  it.effect("goes on when the old thread is gone, and is refused where there is nothing to make it of", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const params = { threadId: "t" }
        yield* place.run("sessions.create", { params: {}, body: params })
        yield* place.say("t", "one")
        const fork = (body: CommandInput<"sessions.fork">["body"]) =>
          codeOf(place.run("sessions.fork", { params, ...(body !== undefined && { body }) }))
        expect(yield* fork({ threadId: "t" })).toBe("THREAD_EXISTS")
        expect(yield* fork({ threadId: "\u0000" })).toBe("BAD_THREAD_ID")
        expect(yield* fork({ messageId: "none" })).toBe("MESSAGE_NOT_FOUND")
        expect(yield* fork({ threadId: "f" })).toBe("done")
        yield* place.run("sessions.remove", { params })
        expect(yield* fork({})).toBe("SESSION_NOT_FOUND")
        yield* place.say("f", "two")
        expect(wordsTold(place.agents.told.at(-1))).toEqual(["one", "Re one", "two"])
      })
    )
  )

  it.effect("whose conversation the agent does not find says so, and keeps what was said", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run("sessions.create", { params: {}, body: { threadId: "t" } })
        yield* place.say("t", "one")
        yield* place.run("sessions.fork", { params: { threadId: "t" }, body: { threadId: "f" } })
        place.agents.sessions.clear()
        const ended = yield* place.say("f", "two")
        expect(ended).toMatchObject({ outcome: { type: "failed", code: "BRANCH_UNAVAILABLE" } })
        expect(wordsOf(yield* place.messages("f"))).toEqual(["one", "Re one", "two"])
      })
    )
  )
})

describe("the events of a session over HTTP", () => {
  it.effect("have what is left of a conversation that goes back at once, also for who reads from there", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run("sessions.create", { params: {}, body: { threadId: "t" } })
        for (const words of ["One", "Two", "Three"]) yield* place.say("t", words)
        const all = yield* place.messages("t")
        const messageId = all.find(({ content }) => content === "Two")?.id ?? ""
        yield* place.here(
          Effect.gen(function* () {
            const { url } = yield* serveHttp({ port: 0, access: { token: Redacted.make(token) } })
            const client = makeClient({ url, token })
            const goneBack = async (from: number): Promise<ReadonlyArray<Agui.AguiEvent>> => {
              const run: Array<Agui.AguiEvent> = []
              for await (const { data, event } of client.sessions.events("t", { from })) {
                if (event !== "message") continue
                if (data.type === "RUN_STARTED") run.length = 0
                run.push(data)
                if (data.type === "RUN_FINISHED" && run.some(({ type }) => type === "MESSAGES_SNAPSHOT")) return run
              }
              return []
            }
            const there = goneBack(0)
            const from = (yield* Effect.flatMap(Sessions, ({ open }) => open("t"))).log.next()
            yield* Effect.promise(() => client.sessions.revert("t", { beforeMessageId: messageId }))
            const left = yield* place.messages("t")
            expect(wordsOf(left)).toEqual(
              wordsOf(
                all.slice(
                  0,
                  all.findIndex(({ id }) => id === messageId)
                )
              )
            )
            for (const run of [yield* Effect.promise(() => there), yield* Effect.promise(() => goneBack(from))]) {
              expect(run.map(({ type }) => type)).toEqual([
                "RUN_STARTED",
                "CUSTOM",
                "MESSAGES_SNAPSHOT",
                "RUN_FINISHED"
              ])
              expect(run[2]).toEqual({ type: "MESSAGES_SNAPSHOT", messages: left })
            }
          }).pipe(Effect.scoped)
        )
      })
    )
  )
})
