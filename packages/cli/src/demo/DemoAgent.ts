/**
 * The demo agent: recorded turns of the real CLI, chosen by what is typed. It needs no account and no CLI.
 *
 * It behaves as one process of the CLI does: it answers control requests, asks for the page's tools, plays one turn
 * after the other, waits for answers to what it asks, and can be stopped at any moment. What it says is what the CLI
 * said, with other names (`Names.ts`) and, where the host did not answer as the recorded one, other texts
 * (`Swap.ts`).
 */
import { randomUUID } from "node:crypto"
import { type Agent, type AgentExit, AgentGone, AgentLauncher, LaunchFailed } from "@agentwire/bridge/claude"
import { demoPromptUuid, demoTapes, loadTape } from "@agentwire/fixtures"
import * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { parseLine, textAt, valueAt } from "./Line.ts"
import type { Conversation } from "./Names.ts"
import { OpenTurn } from "./OpenTurn.ts"
import { Play, type Way } from "./Play.ts"
import { stopLines } from "./Stop.ts"
import { type Say, type Take, takeOf } from "./Take.ts"
import { chooseTurn, demoTakes, stopTakes, welcome } from "./Turns.ts"

/** How the demo agent plays. */
export interface DemoOptions {
  /** How fast: the waits of the recording divided by this; `instant` leaves them out. Default 1. */
  readonly speed?: number | "instant"
}

/** The longest wait of a recording that is waited, in milliseconds. */
export const longestWait = 400

/** The launcher of demo agents. */
export const demoLauncher = ({ speed = 1 }: DemoOptions = {}): Layer.Layer<AgentLauncher> =>
  Layer.effect(
    AgentLauncher,
    Effect.gen(function* () {
      const takes = yield* Effect.cached(readTakes)
      return {
        launch: ({ frontendServer, resume }) =>
          Effect.flatMap(takes, (all) =>
            startDemoAgent(all, speed, { sessionId: resume ?? randomUUID(), server: frontendServer })
          )
      }
    })
  )

type Takes = (name: string) => Take

const readTakes: Effect.Effect<Takes, LaunchFailed> = Effect.try({
  try: () => {
    const all = new Map(demoTapes.map((entry) => [entry.scenario, takeOf(loadTape(entry))]))
    const find: Takes = (name) => {
      const take = all.get(`demo_${name}`)
      if (take === undefined) throw new Error(`There is no tape of the demo turn ${name}.`)
      return take
    }
    // Now, so that none is missed in the middle of a conversation.
    for (const name of demoTakes) find(name)
    return find
  },
  catch: (cause) =>
    new LaunchFailed({ code: "NO_TAPE", message: cause instanceof Error ? cause.message : String(cause) })
})

/** What a host says to the agent, as far as it matters here. */
type HostLine = Readonly<Record<string, unknown>>

const startDemoAgent = (
  takes: Takes,
  speed: number | "instant",
  conversation: Conversation
): Effect.Effect<Agent, never, Scope.Scope> =>
  Effect.gen(function* () {
    // Unbounded: a turn is short, and the next one needs a host that has read its result.
    const messages = yield* Queue.unbounded<Claude.Decoded, Cause.Done>()
    const jobs = yield* Queue.unbounded<Effect.Effect<void>>()
    const exit = yield* Deferred.make<AgentExit>()
    const asked = new Map<string, Deferred.Deferred<unknown>>()
    const allowed = new Set<string>()
    let tools: ReadonlySet<string> = new Set()
    let turn: PlayedTurn | undefined
    let gone: AgentExit | undefined

    const say = (line: string): void => {
      const message = parseLine(line)
      if (message["type"] === "control_request") asked.set(textAt(message, "request_id"), Deferred.makeUnsafe())
      turn?.open.said(message)
      Queue.offerUnsafe(messages, Claude.decodeLine(line))
    }

    const perform = (play: Play, heard: (response: unknown) => void = () => {}): Effect.Effect<void> =>
      Effect.gen(function* () {
        for (let next = play.next(); next !== undefined; next = play.next()) {
          if (next._tag === "Say") {
            if (speed !== "instant" && next.wait > 0) yield* Effect.sleep(Math.min(next.wait, longestWait) / speed)
            // Somebody else has the last words.
            if (turn?.stop.isStopped === true) return yield* Effect.never
            say(next.line)
          } else {
            const answer = asked.get(next.requestId)
            const response = answer === undefined ? {} : yield* Deferred.await(answer)
            asked.delete(next.requestId)
            heard(response)
            play.answer(response)
          }
        }
      })

    // --- turns -----------------------------------------------------------------------------

    const playTurn = (line: HostLine): Effect.Effect<void> =>
      Effect.gen(function* () {
        const uuid = typeof line["uuid"] === "string" ? line["uuid"] : randomUUID()
        const { swaps, takes: names, turn: chosen } = chooseTurn(promptOf(line), { tools, allowed })
        const prompt = [demoPromptUuid, uuid] as const
        const wayOf = (name: string): Way => {
          const { sessionId, turn: cues } = takes(name)
          return { cues, known: [[sessionId, conversation.sessionId], prompt] }
        }
        const [first, ...others] = names
        const play = new Play(conversation, [wayOf(first), ...others.map(wayOf)], swaps)
        const open = new OpenTurn()
        const stop = makeStopping()
        turn = { open, stop }
        const heard = (response: unknown) => {
          if (valueAt(response, "response", "interrupt") === true) stop.stop(undefined)
          const rules = valueAt(response, "response", "updatedPermissions")
          if (chosen !== undefined && Array.isArray(rules) && rules.length > 0) allowed.add(chosen.prompt)
        }
        const stopped = yield* Effect.raceFirst(Effect.as(perform(play, heard), undefined), stop.stopped)
        if (stopped !== undefined) {
          const patterns = { text: takes(stopTakes.text), tools: takes(stopTakes.tools) }
          for (const last of stopLines(patterns, open, { conversation, prompt, ...stopped })) say(last)
        }
        turn = undefined
      })

    // --- what the host says ----------------------------------------------------------------

    const [begin] = welcome.takes
    const { start, version } = takes(begin)

    /** What the CLI does on `initialize`: answers, and asks for the page's tools where the host has any. */
    const initialize = (requestId: string, request: unknown): Effect.Effect<void> => {
      const servers = valueAt(request, "sdkMcpServers")
      const hasTools = Array.isArray(servers) && servers.includes(conversation.server)
      // The recorded host was quick: the CLI answers without waiting for it, and a host may wait for that answer.
      const answer = start.flatMap((cue) => (cue._tag === "Say" ? answeringNow(cue, requestId) : []))
      const questions = start.filter((cue) => cue._tag === "Await" || answeringNow(cue, requestId).length === 0)
      return perform(new Play(conversation, [{ cues: hasTools ? [...answer, ...questions] : answer, known: [] }]))
    }

    /** The same question for the tools that the CLI asks at the start. */
    const askForTools = Effect.suspend(() => perform(new Play(conversation, [{ cues: start.slice(-2), known: [] }])))

    const requested = (requestId: string, request: unknown): void => {
      const subtype = textAt(request, "subtype")
      if (subtype === "initialize") {
        Queue.offerUnsafe(jobs, initialize(requestId, request))
        return
      }
      if (subtype === "interrupt" && turn?.open.over === false && !turn.stop.isStopped) {
        turn.stop.stop(requestId)
        return
      }
      say(JSON.stringify(answerTo(requestId, subtype)))
      if (textAt(request, "message", "method") === "notifications/tools/list_changed")
        Queue.offerUnsafe(jobs, askForTools)
    }

    const responded = (response: unknown): void => {
      const requestId = textAt(response, "request_id")
      const list = valueAt(response, "response", "mcp_response", "result", "tools")
      if (Array.isArray(list)) tools = new Set(list.map((tool) => textAt(tool, "name")))
      turn?.open.answered(requestId)
      const waiting = asked.get(requestId)
      if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.succeed(response))
    }

    const heard: Readonly<Record<string, (line: HostLine) => void>> = {
      user: (line) => void Queue.offerUnsafe(jobs, playTurn(line)),
      control_request: (line) => requested(textAt(line, "request_id"), line["request"]),
      control_response: (line) => responded(line["response"])
    }

    // --- its life --------------------------------------------------------------------------

    yield* Effect.forkScoped(Effect.forever(Effect.flatten(Queue.take(jobs))))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        gone = { code: 0, signal: null, stderr: "" }
        Queue.endUnsafe(messages)
        Deferred.doneUnsafe(exit, Effect.succeed(gone))
      })
    )

    return {
      version,
      transport: "replay",
      messages,
      send: (message) =>
        Effect.suspend(() => {
          if (gone !== undefined) return Effect.fail(new AgentGone({ message: "The demo agent has ended." }))
          const line = parseLine(JSON.stringify(message))
          heard[textAt(line, "type")]?.(line)
          return Effect.void
        }),
      exit: Deferred.await(exit)
    }
  })

interface PlayedTurn {
  readonly open: OpenTurn
  readonly stop: Stopping
}

/** The wish that a turn ends. */
interface Stopping {
  readonly isStopped: boolean
  /** Waits for the wish: the `request_id` of the interrupt, where it was one. */
  readonly stopped: Effect.Effect<{ readonly requestId: string | undefined }>
  readonly stop: (requestId: string | undefined) => void
}

const makeStopping = (): Stopping => {
  const wish = Deferred.makeUnsafe<{ readonly requestId: string | undefined }>()
  let isStopped = false
  return {
    get isStopped() {
      return isStopped
    },
    stopped: Deferred.await(wish),
    stop: (requestId) => {
      isStopped = true
      Deferred.doneUnsafe(wish, Effect.succeed({ requestId }))
    }
  }
}

/** What was typed. */
const promptOf = (line: HostLine): string => {
  const content = valueAt(line, "message", "content")
  return Array.isArray(content) ? content.map((block) => textAt(block, "text")).join(" ") : String(content ?? "")
}

/** The recorded answer to `initialize` as the answer to this request; nothing where the line is another. */
const answeringNow = ({ line, wait }: Say, requestId: string): ReadonlyArray<Say> => {
  const message = parseLine(line)
  const response = message["response"]
  return message["type"] === "control_response" && isRecord(response)
    ? [{ _tag: "Say", wait, line: JSON.stringify({ ...message, response: { ...response, request_id: requestId } }) }]
    : []
}

/** The answer to a request that no recording has: what the CLI says when there is nothing to say, else a refusal. */
const answerTo = (requestId: string, subtype: string): Claude.ControlResponse => {
  const empty = subtype === "interrupt" ? { still_queued: [] } : {}
  const decoded = Claude.isControlSubtype(subtype) ? Claude.decodeResponse(subtype, empty) : undefined
  return decoded?._tag === "Known" && decoded.odd === undefined
    ? Claude.controlSuccess(requestId, empty)
    : Claude.controlError(requestId, `The demo agent plays recordings: it has no answer to ${subtype}.`)
}
