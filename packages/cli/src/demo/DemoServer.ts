/**
 * The demo's Codex: recorded turns of the real app-server, chosen by what is typed. It needs no account and no Codex.
 *
 * It behaves as one process of `codex app-server` does: it begins and resumes threads, learns of the page's tools when a
 * thread begins, plays one turn after the other, waits for answers to what it asks, and can be stopped at any moment.
 */
import { randomUUID } from "node:crypto"
import { type AgentExit, LaunchFailed } from "@agentwire/bridge/claude"
import { CodexLauncher, type CodexServer } from "@agentwire/bridge/codex"
import { codexDemoTapes, type JsonObject, loadCodexTape } from "@agentwire/fixtures"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type CodexTake, codexTakeOf } from "./CodexTake.ts"
import { type DemoOptions, longestWait } from "./DemoAgent.ts"
import { parseLine, textAt, valueAt } from "./Line.ts"
import { Names } from "./Names.ts"
import { codexAnswers, Play, type Way } from "./Play.ts"
import { chooseTurn, codexStopTake, codexTakes, codexTurns, welcome } from "./Turns.ts"

type Takes = (name: string) => CodexTake

/** The launcher of demo app-servers. */
export const demoCodexLauncher = ({ speed = 1 }: DemoOptions = {}): Layer.Layer<CodexLauncher> =>
  Layer.effect(
    CodexLauncher,
    Effect.map(Effect.cached(readTakes), (takes) => ({
      launch: () => Effect.flatMap(takes, (all) => startDemoServer(all, speed))
    }))
  )

const readTakes: Effect.Effect<Takes, LaunchFailed> = Effect.try({
  try: () => {
    const all = new Map(codexDemoTapes.map((entry) => [entry.scenario, codexTakeOf(loadCodexTape(entry))]))
    const find: Takes = (name) => {
      const take = all.get(`demo_${name}`)
      if (take === undefined) throw new Error(`There is no tape of the demo turn ${name} of Codex.`)
      return take
    }
    // Now, so that none is missed in the middle of a conversation.
    for (const name of codexTakes) find(name)
    return find
  },
  catch: (cause) =>
    new LaunchFailed({ code: "NO_TAPE", message: cause instanceof Error ? cause.message : String(cause) })
})

/** A turn that is being played. */
interface PlayedTurn {
  /** Its name, once it was said. */
  id: string
  readonly fiber: Fiber.Fiber<void>
  /** What was asked in it, by the ids of now. */
  readonly asked: Map<string, Deferred.Deferred<JsonObject>>
}

const startDemoServer = (takes: Takes, speed: number | "instant"): Effect.Effect<CodexServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string, Cause.Done>()
    const exit = yield* Deferred.make<AgentExit>()
    const scope = yield* Effect.scope
    const allowed = new Set<string>()
    let tools: ReadonlySet<string> = new Set()
    let thread = ""
    let turn: PlayedTurn | undefined
    let asked = 0
    const [begin] = welcome.takes
    const { results, start, threadId: recordedThread, version } = takes(begin)

    const say = (message: object): void => void Queue.offerUnsafe(lines, JSON.stringify(message))
    const answer = (id: unknown, result: unknown): void => say({ id, result })
    const conversation = () => ({ sessionId: thread, server: "frontend" })

    /** A recorded line of how the thread began, in the names of now. */
    const ofThread = (recorded: unknown): JsonObject =>
      parseLine(new Names(conversation(), [[recordedThread, thread]]).rename(JSON.stringify(recorded)))

    const beginThread = (id: unknown, name: string, params: unknown): void => {
      thread = name
      const list = valueAt(params, "dynamicTools")
      if (Array.isArray(list)) tools = new Set(list.map((tool) => textAt(tool, "name")))
      answer(id, ofThread(results.get("thread/start")))
      for (const line of start) say(ofThread(parseLine(line)))
    }

    // --- turns -----------------------------------------------------------------------------

    const perform = (play: Play, promptIds: ReadonlySet<unknown>, id: unknown, prompt: string): Effect.Effect<void> =>
      Effect.gen(function* () {
        const own = turn
        if (own === undefined) return
        /** The ids of the recording, which begin anew in every turn, and those of now. */
        const ids = new Map<string, number>()
        for (let next = play.next(); next !== undefined; next = play.next()) {
          if (next._tag === "Await") {
            const requestId = String(ids.get(next.requestId))
            const waiting = own.asked.get(requestId)
            const given = waiting === undefined ? {} : yield* Deferred.await(waiting)
            own.asked.delete(requestId)
            if (textAt(given, "result", "decision") === "acceptForSession") allowed.add(prompt)
            play.answer(given)
            continue
          }
          if (speed !== "instant" && next.wait > 0) yield* Effect.sleep(Math.min(next.wait, longestWait) / speed)
          const line = parseLine(next.line)
          if (line["method"] === undefined) {
            if (promptIds.has(line["id"])) say({ ...line, id })
            continue
          }
          if (line["method"] === "turn/started") own.id = textAt(line, "params", "turn", "id")
          if (line["id"] !== undefined) {
            ids.set(JSON.stringify(line["id"]), asked)
            own.asked.set(String(asked), Deferred.makeUnsafe())
            say({ ...line, id: asked++ })
          } else if (line["method"] === "serverRequest/resolved") {
            const requestId = ids.get(JSON.stringify(valueAt(line, "params", "requestId")))
            say({ ...line, params: { threadId: thread, requestId: requestId ?? null } })
          } else say(line)
        }
        turn = undefined
      })

    const playTurn = (id: unknown, params: unknown): Effect.Effect<void> =>
      Effect.gen(function* () {
        const { swaps, takes: names, turn: chosen } = chooseTurn(promptOf(params), { tools, allowed }, codexTurns)
        const wayOf = (name: string): Way => ({ cues: takes(name).turn, known: [[takes(name).threadId, thread]] })
        const [first, ...others] = names
        const play = new Play(conversation(), [wayOf(first), ...others.map(wayOf)], swaps, codexAnswers)
        const promptIds = new Set(names.map((name) => takes(name).promptId))
        const waiting = Effect.suspend(() => perform(play, promptIds, id, chosen?.prompt ?? ""))
        const begun = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkIn(Effect.andThen(Deferred.await(begun), waiting), scope)
        turn = { id: "", fiber, asked: new Map() }
        yield* Deferred.succeed(begun, undefined)
      })

    /** What Codex says when a turn is stopped: that it was, and that nobody has to answer any more. */
    const stop = (id: unknown): Effect.Effect<void> =>
      Effect.gen(function* () {
        const stopped = turn
        if (stopped === undefined || stopped.id === "")
          return say({ id, error: { code: -32600, message: "no active turn to interrupt" } })
        turn = undefined
        yield* Fiber.interrupt(stopped.fiber)
        answer(id, {})
        const { stopped: recorded, threadId } = takes(codexStopTake)
        for (const line of recorded) {
          const message = parseLine(line)
          const turnId = textAt(message, "params", "turn", "id")
          const known: ReadonlyArray<readonly [string, string]> = [[threadId, thread]]
          const names = new Names(conversation(), turnId === "" ? known : [...known, [turnId, stopped.id]])
          if (message["method"] === "turn/completed" || message["method"] === "thread/status/changed")
            say(parseLine(names.rename(line)))
        }
        for (const requestId of stopped.asked.keys())
          say({ method: "serverRequest/resolved", params: { threadId: thread, requestId: Number(requestId) } })
      })

    // --- what the host says ----------------------------------------------------------------

    const requests: Readonly<Record<string, (id: unknown, params: unknown) => Effect.Effect<void>>> = {
      initialize: (id) => Effect.sync(() => answer(id, results.get("initialize"))),
      "thread/start": (id, params) => Effect.sync(() => beginThread(id, randomUUID(), params)),
      "thread/resume": (id, params) => Effect.sync(() => beginThread(id, textAt(params, "threadId"), params)),
      "thread/fork": (id, params) => Effect.sync(() => beginThread(id, randomUUID(), params)),
      "turn/start": playTurn,
      "turn/interrupt": stop,
      "thread/backgroundTerminals/clean": (id) => Effect.sync(() => answer(id, {}))
    }

    const hear = (text: string): Effect.Effect<void> => {
      const line = parseLine(text)
      const { id, method, params } = line
      if (typeof method !== "string") {
        const waiting = turn?.asked.get(String(id))
        return waiting === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(waiting, line))
      }
      if (id === undefined) return Effect.void
      const message = `The demo agent plays recordings: it has no answer to ${method}.`
      return requests[method]?.(id, params) ?? Effect.sync(() => say({ id, error: { code: -32601, message } }))
    }

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        Queue.endUnsafe(lines)
        Deferred.doneUnsafe(exit, Effect.succeed({ code: 0, signal: null, stderr: "" }))
      })
    )
    return { version, channel: { incoming: Stream.fromQueue(lines), send: hear }, exit: Deferred.await(exit) }
  })

/** What was typed. */
const promptOf = (params: unknown): string => {
  const input = valueAt(params, "input")
  return Array.isArray(input) ? input.map((part) => textAt(part, "text")).join(" ") : ""
}
