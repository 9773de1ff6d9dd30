/**
 * What each route of normalised events does. Sessions are those of the management API: whoever made one, every face can
 * read it.
 */
import { randomUUID } from "node:crypto"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { AgentKind } from "../../session/Capabilities.ts"
import type { StartFailed } from "../../session/Runtime.ts"
import type { Session, ThreadBusy } from "../../session/Session.ts"
import { Sessions } from "../../session/Sessions.ts"
import { type AllowedOptions, checkAllowed } from "../http/AllowedOptions.ts"
import type { Answer } from "../http/Answer.ts"
import { eventEpoch, startOf } from "../http/Cursor.ts"
import { checkThread, sessionOf } from "../http/Finding.ts"
import { HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { readBody, readQuery } from "../http/Reading.ts"
import type { Asked, Route } from "../http/Route.ts"
import { logFailed, sessionRefused } from "../http/SessionRefusal.ts"
import {
  type Chat,
  type ChatEventsChoice,
  type ChatMessage,
  type ChatResume,
  type NewChat,
  type NormalisedEndpoint,
  type NormalisedName,
  normalisedApi
} from "./Api.ts"
import { normalisedFrames } from "./NormalisedFrames.ts"

/** A request that fits its route. */
interface Call {
  readonly params: { readonly threadId: string }
  readonly query: unknown
  readonly body: unknown
  readonly asked: Asked<AllowedOptions>
}

type Handler = (call: Call) => Effect.Effect<unknown, HttpRefusal, Sessions>

const startFailed = ({ code, message }: StartFailed): HttpRefusal =>
  new HttpRefusal({ code: "START_FAILED", message, why: code })

const messageRefused = (refused: ThreadBusy | LogFailed): HttpRefusal =>
  refused._tag === "LogFailed"
    ? logFailed(refused)
    : refuse("THREAD_BUSY", `${refused.message} Wait for its \`done\`, or stop it with POST …/stop.`)

/** How people may mean a kind of agent, the surest first: its kind, what it is called, the first word of that. */
const waysToName: ReadonlyArray<(agent: Pick<AgentKind, "kind" | "name">) => string | undefined> = [
  ({ kind }) => kind,
  ({ name }) => name,
  ({ name }) => name.split(" ")[0]
]

/** The kind of agent that people mean by a name. */
const kindCalled = (name: string): Effect.Effect<string, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const { agents } = yield* Sessions
    const wanted = name.toLowerCase()
    for (const wayToName of waysToName) {
      const found = agents.find((agent) => wayToName(agent)?.toLowerCase() === wanted)
      if (found !== undefined) return found.kind
    }
    const known = agents.map(({ kind }) => kind).join(", ")
    return yield* refuse("AGENT_NOT_FOUND", `This bridge has no such agent. It has: ${known}.`)
  })

const viewOf = (session: Session, more: Partial<typeof Chat.Type> = {}): Effect.Effect<typeof Chat.Type> =>
  Effect.gen(function* () {
    const { name } = yield* session.agent
    const provider = yield* session.providerSessionId
    return {
      id: session.threadId,
      session_id: session.threadId,
      runtime: name,
      ...(provider !== undefined && { provider_session_id: provider }),
      ...more
    }
  })

const asideOf = (context: unknown): string | undefined =>
  context === undefined || typeof context === "string" ? context : JSON.stringify(context)

/** The session to resume: the one that is there, else one of a conversation that the agent has kept. */
const resumed = (
  threadId: string,
  { provider_session_id: wanted }: typeof ChatResume.Type
): Effect.Effect<Session, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    yield* checkThread(threadId)
    const found = yield* Effect.mapError(sessions.find(threadId), sessionRefused)
    if (found === undefined) {
      if (wanted === undefined)
        return yield* refuse("SESSION_NOT_FOUND", "There is no session of this name. Make one with POST /sessions.")
      return yield* Effect.mapError(sessions.adopt({ providerSessionId: wanted, threadId }), sessionRefused)
    }
    const provider = yield* found.providerSessionId
    if (wanted !== undefined && wanted !== provider)
      return yield* refuse("THREAD_EXISTS", "This session continues another conversation of the agent.")
    return found
  })

const handlers: Readonly<Record<NormalisedName, Handler>> = {
  create: ({ asked, body }) =>
    Effect.gen(function* () {
      const { params = {}, runtime, session_id: threadId = randomUUID() } = body as typeof NewChat.Type
      const { mode, workingDir, ...options } = params
      const sessions = yield* Sessions
      const agent = runtime === undefined ? options : { ...options, runtime: yield* kindCalled(runtime) }
      yield* checkAllowed(asked.options, agent)
      const choices = {
        ...(workingDir !== undefined && { cwd: workingDir }),
        ...(mode !== undefined && { mode }),
        agent
      }
      return yield* viewOf(yield* Effect.mapError(sessions.create(threadId, choices), sessionRefused))
    }),
  message: (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const { message, node_context: context, steer = false } = call.body as typeof ChatMessage.Type
      const [ticket, id] = [randomUUID(), randomUUID()]
      const aside = asideOf(context)
      const prompt: Model.Prompt = {
        type: "prompt",
        said: [{ id, content: message }],
        ...(aside !== undefined && { aside })
      }
      const submit = Effect.map(
        session.submit(() => Result.succeed({ ticket, answers: [], results: [], tools: [], prompt })),
        ({ at, begins }) => ({ at, isSteered: begins === "with_words" })
      )
      const { at, isSteered } = yield* (
        steer
          ? session.steer({ ...prompt, ticket }).pipe(
              Effect.map(({ at }) => ({ at, isSteered: true })),
              Effect.catchTag("SteerRefused", () => submit)
            )
          : submit
      ).pipe(Effect.mapError(messageRefused))
      return {
        session_id: session.threadId,
        run_id: ticket,
        message_id: id,
        from: at,
        ...(isSteered && { steered: true as const })
      }
    }),
  stop: (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      return { stopped: yield* session.stop() }
    }),
  resume: ({ body, params: { threadId } }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const session = yield* resumed(threadId, body as typeof ChatResume.Type)
      yield* Effect.mapError(sessions.change(threadId, { archived: false }), sessionRefused)
      yield* Effect.mapError(session.start, startFailed)
      return yield* viewOf(session, { resumed: true })
    }),
  archive: (call) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const session = yield* sessionOf(call)
      yield* session.stop()
      yield* session.disconnect
      yield* Effect.mapError(sessions.change(session.threadId, { archived: true }), sessionRefused)
      return { archived: true }
    }),
  events: (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const { name } = yield* session.agent
      const { from } = call.query as typeof ChatEventsChoice.Type
      const start = yield* startOf(eventEpoch(session), call.asked.headers, from)
      return normalisedFrames(session, name, start)
    })
}

const answer = (name: NormalisedName, asked: Asked<AllowedOptions>): Effect.Effect<Answer, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const endpoint: NormalisedEndpoint = normalisedApi[name]
    const given = yield* handlers[name]({
      params: { threadId: asked.params["threadId"] ?? "" },
      query: yield* readQuery(asked.query, endpoint.query),
      body: yield* readBody(asked, endpoint.body),
      asked
    })
    return endpoint.answer === "events"
      ? { _tag: "Frames", frames: given as ReturnType<typeof normalisedFrames> }
      : { _tag: "Json", status: endpoint.answer[0], body: given }
  })

/** The routes of normalised events. */
export const normalisedRoutes: ReadonlyArray<Route<AllowedOptions>> = (
  Object.keys(normalisedApi) as ReadonlyArray<NormalisedName>
).map((name) => ({
  method: normalisedApi[name].method,
  path: normalisedApi[name].path,
  answer: (asked) => answer(name, asked)
}))
