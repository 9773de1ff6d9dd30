/**
 * A whole bridge for the time of a test: real clients on one side, a real CLI on the other, a scripted model behind
 * it that keeps what it was asked.
 */

import * as client10 from "@ag-ui/client"
import { type JsonObject, type ModelScript, startModel } from "@agentwire/fixtures"
import { isRecord } from "@agentwire/protocol/wire"
import * as client059 from "agui-client-059"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import {
  type BridgeOptions,
  layerBridge,
  type SharedSessionOptions
} from "../../packages/bridge/src/embed/BridgeLayer.ts"
import type { Policy } from "../../packages/bridge/src/policy/Policy.ts"
import type { AgentLauncher } from "../../packages/bridge/src/runtime/claude/Agent.ts"
import { layerClaudeRuntime } from "../../packages/bridge/src/runtime/claude/ClaudeRuntime.ts"
import { type CliLauncherOptions, cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { HttpServer, type HttpServerOptions } from "../../packages/bridge/src/server/HttpServer.ts"
import type { Runtime } from "../../packages/bridge/src/session/Runtime.ts"
import type { Session } from "../../packages/bridge/src/session/Session.ts"
import { type SessionChoices, Sessions } from "../../packages/bridge/src/session/Sessions.ts"
import { firstOf, sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { setUp } from "./AgentSetup.ts"

/** The CLIs every promise of the bridge is kept on, and how their bytes travel. */
export const wires = [
  ["2.1.325", "stdio"],
  ["2.1.197", "stdio"],
  ["2.1.37", "ws"],
  ["2.1.37", "hybrid"],
  ["2.1.120", "hybrid"]
] as const

/** How the bytes of a CLI travel. */
export type Transport = (typeof wires)[number][1]

/**
 * All of them in a sweep; every day the newest. What WebSocket and hybrid are, `agents`, `cuts` and `serve` try every day.
 */
export const chosenWires = firstOf(1, [wires[0], wires[2], wires[1], wires[3], wires[4]])

/** A real client's agent; that of 0.0 has all that these tests use. */
export type Client = typeof client10.HttpAgent

/** A client's agent, at work. */
export type ClientAgent = InstanceType<Client>

/** The real clients of both dialects. */
export const clients: ReadonlyArray<Client> = [client10.HttpAgent, client059.HttpAgent as unknown as Client]

/** The first of them. */
export const newest: Client = client10.HttpAgent

/** Whether a client speaks 1.0. */
export const isNewest = (client: Client): boolean => client === newest

/** Does the same with each client, side by side. */
export const withEachClient = <E, R>(
  test: (client: Client) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, E, R> => Effect.forEach(clients, test, { concurrency: "unbounded", discard: true })

/** The older versions, in the order in which the clients take turns with them. */
const olderVersions = ["2.1.197", "2.1.37", "2.0.45", "2.1.14", "2.1.120"]

/**
 * Does the same with the clients that a wire is tried with: all of them on the newest, and one of them on each of the
 * older ones, but for a sweep. What a client makes of events does not depend on who said them.
 */
export const withClientsOn = <E, R>(
  [version]: readonly [version: string, ...rest: ReadonlyArray<unknown>],
  test: (client: Client) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, E, R> => {
  const place = olderVersions.indexOf(version)
  const one = clients[place % clients.length]
  return one === undefined || sweeping ? withEachClient(test) : Effect.asVoid(test(one))
}

/**
 * Does the same with each client in a sweep, and every day with one of them: tests of one subject give themselves turns,
 * so that both clients are there every day.
 */
export const withClientOfTurn = <E, R>(
  turn: number,
  test: (client: Client) => Effect.Effect<unknown, E, R>
): Effect.Effect<void, E, R> =>
  Effect.forEach(
    clients.filter((_, nth) => sweeping || nth === turn % clients.length),
    test,
    { concurrency: "unbounded", discard: true }
  )

const token = "a-token-of-at-least-sixteen-characters"

/** The headers of a request that gets in. */
export const headers = { Authorization: `Bearer ${token}` }

/** A policy that lets every tool run. */
export const allowAlways: Policy = () => Effect.succeed({ _tag: "Allow" })

/** A bridge that listens. */
export interface Place {
  /** Where plain runs are posted. */
  readonly url: string
  /** Where CopilotKit's agent is: `/run`, `/connect`, `/stop/:threadId`. */
  readonly kit: string
  readonly project: string
  /** What the model was asked, as the API saw it. */
  readonly asked: ReadonlyArray<JsonObject>
  /** The session of a thread. */
  readonly session: (threadId?: string) => Promise<Session>
  /** A new session with choices of its own. */
  readonly create: (threadId: string, choices: SessionChoices) => Promise<Session>
}

/** What is special about a bridge. */
export interface Setting {
  readonly session?: Partial<SharedSessionOptions>
  readonly launcher?: CliLauncherOptions
  readonly http?: Partial<HttpServerOptions>
  /** Told of each piece of a stream of the model. The next one is written when this resolves. */
  readonly afterWrite?: (written: string) => Promise<void>
}

/** Uses a bridge in front of a real CLI. */
export const onBridge = <A>(
  [version, transport]: readonly [version: string, transport: Transport],
  script: ModelScript,
  { afterWrite, http, launcher, session }: Setting,
  use: (place: Place) => Promise<A>
): Effect.Effect<A> =>
  Effect.gen(function* () {
    const asked: Array<JsonObject> = []
    const model = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startModel({
          script,
          onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body)),
          ...(afterWrite !== undefined && { afterWrite })
        })
      ),
      ({ close }) => Effect.promise(close)
    )
    const { options, project } = yield* setUp(version, { replies: [] }, { transport, ...launcher })
    const agents = cliLauncher({ ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } })
    return yield* listening(
      agents,
      { session: { cwd: project, ...session }, ...(http === undefined ? {} : { http }) },
      (place) => use({ ...place, project, asked })
    )
  }).pipe(Effect.scoped)

/** Uses a bridge in front of any agents. */
export const listening = <A>(
  agents: Layer.Layer<AgentLauncher>,
  options: Omit<BridgeOptions, "http"> & Pick<Setting, "http">,
  use: (place: Pick<Place, "create" | "kit" | "session" | "url">) => Promise<A>
): Effect.Effect<A, never, Scope> => servedBy(Layer.provide(layerClaudeRuntime, agents), options, use)

/** Uses a bridge in front of any runtime. */
export const servedBy = <A>(
  runtime: Layer.Layer<Runtime>,
  { http, ...options }: Omit<BridgeOptions, "http"> & Pick<Setting, "http">,
  use: (place: Pick<Place, "create" | "kit" | "session" | "url">) => Promise<A>
): Effect.Effect<A, never, Scope> =>
  Effect.gen(function* () {
    const { url } = yield* HttpServer
    const sessions = yield* Sessions
    const session = (threadId = "thread-1") => Effect.runPromise(sessions.open(threadId))
    const create: Place["create"] = (threadId, choices) => Effect.runPromise(sessions.create(threadId, choices))
    return yield* Effect.promise(() => use({ url, kit: `${url}/kit/agent/default`, session, create }))
  }).pipe(
    Effect.provide(
      layerBridge({
        ...options,
        http: { port: 0, access: { token: Redacted.make(token) }, basePath: "/kit", ...http }
      }).pipe(Layer.provide(runtime))
    ),
    Effect.orDie
  )

/** An agent of a client. */
export const agentAt = (url: string, client: Client = newest, threadId = "thread-1"): ClientAgent =>
  new client({ url, headers, threadId })

/** Adds what the person says. */
export const say = (agent: ClientAgent, content: string): ClientAgent => {
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content })
  return agent
}

/** A run from its first event to its last. */
export interface Ran {
  readonly events: ReadonlyArray<client10.BaseEvent>
  /** The outcome of a run that finished. */
  readonly outcome: unknown
  /** The code and the message of a run that failed. */
  readonly error: { readonly code?: string | undefined; readonly message: string } | undefined
}

/** Runs an agent and keeps the run. An agent of 1.0 throws what RUN_ERROR says, which is kept too. */
export const run = async (
  agent: ClientAgent,
  parameters: Parameters<ClientAgent["runAgent"]>[0] = {},
  onEvent: (event: client10.BaseEvent) => void = () => {}
): Promise<Ran> => {
  const events: Array<client10.BaseEvent> = []
  let outcome: unknown
  let error: Ran["error"]
  await agent
    .runAgent(parameters, {
      onEvent: ({ event }) => {
        events.push(event)
        onEvent(event)
      },
      onRunFinishedEvent: ({ event }) => {
        outcome = event.outcome
      },
      onRunErrorEvent: ({ event }) => {
        error = { code: event.code, message: event.message }
      }
    })
    .catch((cause: unknown) => {
      if (error === undefined) throw cause
    })
  return { events, outcome, error }
}

/** Says yes to every question a run ended with, all in one run. */
export const approve = (agent: ClientAgent): Promise<Ran> =>
  run(agent, {
    resume: agent.pendingInterrupts.map(({ id }) => ({
      interruptId: id,
      status: "resolved" as const,
      payload: { approved: true }
    }))
  })

/** Says yes until nothing is asked any more. How often something was. */
export const approveAll = async (agent: ClientAgent): Promise<number> => {
  let questions = 0
  while (agent.pendingInterrupts.length > 0) {
    questions += agent.pendingInterrupts.length
    await approve(agent)
  }
  return questions
}

/** Who said what. */
export const conversationOf = (agent: ClientAgent): ReadonlyArray<readonly [role: string, content: unknown]> =>
  agent.messages.map(({ content, role }) => [role, content] as const)

/** The calls of all tools, in order. */
export const toolCallsOf = (agent: ClientAgent) =>
  agent.messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))

/** The conversation as the model's API was sent it in one request: what was said, and what tools returned. */
export const requestText = (body: JsonObject | undefined): string => {
  const messages = body?.["messages"]
  return (Array.isArray(messages) ? messages : [])
    .filter((message) => isRecord(message) && message["role"] !== "system")
    .flatMap((message) => {
      const content = isRecord(message) ? message["content"] : undefined
      return Array.isArray(content) ? content : [content]
    })
    .map((block) => (isRecord(block) ? (block["text"] ?? block["content"]) : block))
    .map((said) => (typeof said === "string" ? said : JSON.stringify(said ?? "")))
    .filter((said) => !said.startsWith("<system-reminder>"))
    .join("\n")
}
