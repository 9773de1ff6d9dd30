/**
 * One runtime, seen from its own process and from a gateway: whatever the port tells is the same, after each thing that is done
 * over the link.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { layerBridgeSessions } from "../../src/embed/BridgeLayer.ts"
import { makeRemoteSessions } from "../../src/link/RemoteSessions.ts"
import type { AgentLauncher } from "../../src/runtime/claude/Agent.ts"
import { layerClaudeRuntime } from "../../src/runtime/claude/ClaudeRuntime.ts"
import type { Session, Submission } from "../../src/session/Session.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { aborted, agreed, ask, init, isInterrupt, isPrompt, result, text, toolResult, toolUse } from "../AgentLines.ts"
import type { Behaviour, Line } from "../FakeAgent.ts"
import { fakeAgents } from "../FakeAgent.ts"
import { rememberingAgents } from "../RememberingAgents.ts"
import { attached, linkFolder, serving, sessionsOf } from "./Linked.ts"

/** A folder that agents may work in, as long as a test takes. */
const inFolder = async (use: (cwd: string) => Promise<void>): Promise<void> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-both-")))
  await use(folder).finally(() => rmSync(folder, { recursive: true, force: true }))
}

/** The same sessions, from both ends. */
interface Both {
  readonly here: Sessions["Service"]
  readonly there: Sessions["Service"]
}

const withBoth = <A, E>(
  agents: Layer.Layer<AgentLauncher>,
  cwd: string,
  use: (both: Both) => Effect.Effect<A, E, Scope.Scope>
): Promise<A> =>
  Effect.gen(function* () {
    const layer = layerBridgeSessions({ session: { cwd, approvals: "interrupt", busy: "queue" }, roots: [cwd] })
    const here = yield* sessionsOf(layer.pipe(Layer.provide(layerClaudeRuntime), Layer.provide(agents)))
    const address = yield* linkFolder
    yield* Effect.provideService(serving(address), Sessions, here)
    const there = yield* makeRemoteSessions(yield* attached(address))
    return yield* use({ here, there })
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])), Effect.runPromise)

const prompt = (ticket: string, content = "Hi"): Submission => ({
  ticket,
  answers: [],
  results: [],
  tools: [],
  prompt: { type: "prompt", said: [{ id: `m-${ticket}`, content }] }
})

const say = (session: Session, submission: Submission) => session.submit(() => Result.succeed(submission))

/** Waits for the end of the turn of a ticket. */
const ended = (session: Session, from: number) =>
  Stream.runDrain(Stream.takeUntil(session.log.read(from), ({ event }) => event.type === "turn_ended"))

const opened = (sessions: Sessions["Service"], threadId: string) =>
  Effect.map(sessions.find(threadId), (session) => {
    if (session === undefined) throw new Error(`There is no ${threadId}.`)
    return session
  })

/** All that a session tells. */
const toldBy = (session: Session) =>
  Effect.gen(function* () {
    const { createdAt, cwd, log, mode, openedAt, threadId, wire } = session
    yield* log.settled
    const count = log.next()
    const entries = yield* Stream.runCollect(Stream.take(log.read(0), count))
    const before = yield* log.turnBefore(count)
    return {
      fixed: { threadId, cwd, createdAt, openedAt, mode, cutAt: log.cutAt },
      status: yield* session.status,
      agent: yield* session.agent,
      options: yield* session.options,
      title: yield* session.title,
      provider: yield* session.providerSessionId,
      facts: JSON.parse(JSON.stringify(yield* session.native.facts)),
      waiting: yield* session.waiting,
      prompts: yield* session.prompts,
      tools: yield* session.tools,
      next: count,
      situation: log.situation(),
      before,
      entries,
      moment: yield* log.moment(),
      small: yield* log.moment({ maxBytes: 200 }),
      looked: yield* log.look((view, seq) =>
        Effect.gen(function* () {
          const page = yield* view.page({ maxEntries: 2 })
          const ids = page.entries.map(({ entry }) => entry.id)
          return [
            seq,
            page,
            yield* view.count(),
            yield* view.countMessages,
            yield* view.find(ids),
            yield* view.messageParts(ids),
            yield* view.along([{ branch: 0 }]).page()
          ]
        })
      ),
      lines: yield* Stream.runCollect(Stream.take(wire.read(yield* wire.oldest), yield* wire.next))
    }
  })

/** All that the list of sessions tells. */
const toldOf = (sessions: Sessions["Service"], threadId: string) =>
  Effect.all({
    name: Effect.sync(() => [sessions.agentName, sessions.agents]),
    list: sessions.list,
    page: sessions.page({ limit: 1 }),
    summary: sessions.summary(threadId),
    nobody: Effect.all([sessions.summary("nobody"), sessions.find("nobody"), sessions.history("nobody", {})]),
    history: sessions.history(threadId, { limit: 2 }),
    branches: sessions.branches(threadId, {}),
    statuses: sessions.statuses,
    workspaces: sessions.workspaces.list,
    refused: Effect.flip(sessions.page({ before: "nonsense" })),
    bad: Effect.flip(sessions.open(""))
  })

/** What is told is the same at both ends. */
const same = ({ here, there }: Both, threadId: string) =>
  Effect.gen(function* () {
    expect(yield* toldBy(yield* opened(there, threadId))).toEqual(yield* toldBy(yield* opened(here, threadId)))
    expect(yield* toldOf(there, threadId)).toEqual(yield* toldOf(here, threadId))
  })

/** Asks before it runs a command, and says what came of that. */
const asking: Behaviour = (line, speak) => {
  if (isPrompt(line))
    return speak(init(), toolUse("c1", "Bash", { command: "ls" }), ask("q1", "Bash", "c1", { command: "ls" }))
  if (isInterrupt(line)) return speak(agreed(line), aborted())
  if (line["type"] === "control_request")
    return speak({
      type: "control_response",
      response: {
        subtype: "success",
        request_id: line["request_id"],
        response: { request: (line["request"] as Line)["subtype"] }
      }
    })
  const { response } = line as { readonly response?: { readonly response?: { readonly behavior?: string } } }
  return response?.response?.behavior === undefined
    ? Effect.void
    : speak(toolResult("c1", response.response.behavior), text("Done."), result())
}

describe("a session from both ends", () => {
  it("tells the same while it is asked, answered, named, told and ended", () =>
    inFolder((cwd) =>
      withBoth(fakeAgents(asking).layer, cwd, (both) =>
        Effect.gen(function* () {
          const { here, there } = both
          const titles: Array<string> = []
          yield* there.onTitled(({ threadId, title }) => void titles.push(`${threadId}: ${title}`))
          const session = yield* there.create("t", { agent: { model: "m" } })
          expect(yield* Effect.flip(there.create("t", {}))).toMatchObject({ code: "THREAD_EXISTS" })
          yield* same(both, "t")
          const tools = [{ name: "paint", description: "Paints.", parameters: { type: "object" } }]
          yield* say(session, { ...prompt("r1"), tools, state: { state: { n: 1 } } })
          yield* Stream.runDrain(Stream.takeUntil(session.log.read(0), ({ event }) => event.type === "request_opened"))
          yield* say(session, prompt("r2", "And then?"))
          expect((yield* session.prompts).map(({ ticket }) => ticket)).toEqual(["r2"])
          yield* same(both, "t")
          const [waiting] = yield* session.waiting
          yield* session.answer(waiting?.request.id ?? "", { type: "allow" })
          expect(yield* Effect.flip(session.answer("q9", { type: "allow" }))).toMatchObject({ _tag: "NothingPending" })
          yield* ended(session, 0)
          yield* same(both, "t")
          expect(yield* session.stop("r2")).toBe(true)
          yield* ended(session, session.log.next() - 1)
          yield* session.rename("Ours")
          expect(yield* session.title).toBe("Ours")
          yield* session.start
          yield* session.set({ permissionMode: "plan" })
          expect(yield* session.native.request("mcp_status", {})).toMatchObject({ request: "mcp_status" })
          expect(yield* Effect.flip(session.callTool("none", {}))).toMatchObject({ code: "NO_SUCH_TOOL" })
          const calling = yield* Effect.forkChild(session.callTool("paint", { colour: "red" }))
          yield* Stream.runDrain(
            Stream.takeUntil(
              session.log.read(0),
              ({ event }) => event.type === "request_opened" && event.request.kind === "page_tool"
            )
          )
          const [call] = (yield* session.waiting).filter(({ request }) => request.kind === "page_tool")
          yield* session.answer(call?.request.id ?? "", { type: "result", content: "red", failed: false })
          expect(yield* Fiber.join(calling)).toEqual({ type: "result", content: "red", failed: false })
          yield* same(both, "t")
          yield* there.change("t", { summary: "About it.", archived: true })
          yield* session.disconnect
          yield* same(both, "t")
          expect(titles).toContain("t: Ours")
          expect(yield* there.remove("t")).toBe(true)
          expect(yield* here.summary("t")).toBeUndefined()
          expect(yield* session.status).toBe("terminated")
        })
      )
    ))

  it("tells the same of branches and forks, and goes back over the link", () =>
    inFolder((cwd) =>
      withBoth(rememberingAgents().layer, cwd, (both) =>
        Effect.gen(function* () {
          const { there } = both
          const session = yield* there.open("t")
          for (const n of [1, 2, 3]) {
            const { at } = yield* say(session, prompt(`r${n}`, `tool ${n}`))
            yield* ended(session, at)
          }
          yield* same(both, "t")
          const { branch } = yield* session.goBack({ before: ["m-r3"] })
          expect(branch).toBe(1)
          expect(yield* Effect.flip(session.goBack({ after: ["nobody"] }))).toMatchObject({ code: "MESSAGE_NOT_FOUND" })
          const { at } = yield* say(session, prompt("r4", "Else"))
          yield* ended(session, at)
          yield* same(both, "t")
          const fork = yield* there.fork("t", { threadId: "f", target: { after: ["m-r1"] } })
          expect(fork?.threadId).toBe("f")
          yield* same(both, "f")
          const workspace = yield* there.workspaces.ofFolder(cwd, "Work")
          expect(yield* there.workspaces.change(workspace.id, { name: "Other" })).toMatchObject({ name: "Other" })
          yield* same(both, "t")
          expect(yield* there.workspaces.remove(workspace.id)).toBe(true)
        })
      )
    ))
})
