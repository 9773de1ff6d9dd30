/**
 * What each endpoint of the management API does.
 */
import { randomUUID } from "node:crypto"
import * as Agui from "@agentwire/protocol/agui"
import type * as Claude from "@agentwire/protocol/claude"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { renderMetrics } from "../../observe/Metrics.ts"
import type { WaitingRequest } from "../../session/Requests.ts"
import type { Session } from "../../session/Session.ts"
import { Sessions } from "../../session/Sessions.ts"
import type { Settings } from "../../session/Settings.ts"
import { runIdOf } from "../agui/AguiThread.ts"
import { stopRun } from "../agui/StopRun.ts"
import { checkAllowed } from "../http/AllowedOptions.ts"
import { eventEpoch, lineEpoch, startOf } from "../http/Cursor.ts"
import { checkThread, sessionOf } from "../http/Finding.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import type { Asked } from "../http/Route.ts"
import {
  logFailed,
  nativeFailed,
  notRunning,
  sessionRefused,
  settingFailed,
  startFailed
} from "../http/SessionRefusal.ts"
import type { BodyOf, OutputOf } from "./Api.ts"
import { branchHandlers } from "./BranchHandlers.ts"
import { eventFrames, wireFrames } from "./Frames.ts"
import type { Handlers, ManagementOptions } from "./Handler.ts"
import { libraryHandlers } from "./LibraryHandlers.ts"
import { askAgent, promptUuid, withoutServerSecrets } from "./NativeClaude.ts"
import { openApi } from "./OpenApi.ts"
import { answerRefused, messageRefused, nothingPending, steerRefused } from "./Refusals.ts"
import { view } from "./SessionViews.ts"
import { tapeOf } from "./WireTape.ts"

/** Asks the agent of a session. One that is about to be ready is waited for. */
const control = <S extends Claude.ControlSubtype>(
  call: { readonly params: { readonly threadId: string } },
  subtype: S,
  body: Readonly<Record<string, unknown>> = {}
): Effect.Effect<Claude.ResponseOf<S>, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const session = yield* sessionOf(call)
    if ((yield* session.status) === "starting") yield* session.start.pipe(Effect.mapError(startFailed))
    return yield* askAgent(session, subtype, body).pipe(Effect.mapError(nativeFailed))
  })

const done = { ok: true } as const

/** Sets something of the agent of a session. */
const set = (call: { readonly params: { readonly threadId: string } }, settings: Settings) =>
  Effect.gen(function* () {
    const session = yield* sessionOf(call)
    yield* Effect.mapError(session.set(settings), settingFailed)
    return done
  })

const statusOf = (session: Session) => Effect.map(session.status, (status) => ({ status }))

const countOf = (statuses: ReadonlyArray<string>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const versionOf = ({ options }: Asked<ManagementOptions>): string => options.agent?.version ?? "0.0.0"

/** The payload that answers a question. */
const payloadFor = ({ kind }: Model.Question, answer: BodyOf<"approvals.answer">): unknown => {
  if (kind !== "form") return answer
  return answer.behavior === "allow" ? { action: "accept", content: answer.content ?? {} } : { action: "decline" }
}

/** The blocks of an MCP result as content. */
const contentOf = (content: BodyOf<"tools.answer">["content"]): Model.Content =>
  typeof content === "string"
    ? content
    : content.map((block) =>
        block.type === "text"
          ? { type: "text", text: block.text }
          : { type: "image", source: { type: "data", value: block.data, mimeType: block.mimeType } }
      )

/** A request as the list of what waits has it. */
const waitingView = ({ expiresAt, request }: WaitingRequest): OutputOf<"approvals.list">["approvals"][number] => ({
  requestId: request.id,
  kind: request.kind,
  message: request.message,
  ...(request.kind !== "form" && { toolCallId: request.call, toolName: request.tool }),
  request,
  expiresAt
})

/** What each endpoint does. */
export const handlers: Handlers = {
  "server.health": ({ asked }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { gatewayHealth, runtimeHealth } = asked.options
      const runtime = runtimeHealth && (yield* runtimeHealth)
      const isReachable = runtime?.reachable !== false
      return {
        status: isReachable ? "ok" : "degraded",
        version: versionOf(asked),
        // Who asks how things are is not to wait for what cannot be reached.
        sessions: isReachable ? countOf(yield* sessions.statuses) : {},
        ...(gatewayHealth !== undefined && (yield* gatewayHealth)),
        ...(runtime !== undefined && { runtime })
      }
    }),
  "server.metrics": () => Effect.map(renderMetrics, (text) => ({ text })),
  "server.agents": () => Effect.map(Sessions, ({ agents }) => ({ agents })),
  "server.openapi": () => Effect.sync(openApi),
  ...libraryHandlers,
  ...branchHandlers,
  "sessions.create": ({ asked, body: { cwd, mode, threadId = randomUUID(), ...agent } }) =>
    Effect.gen(function* () {
      yield* checkAllowed(asked.options, agent)
      const sessions = yield* Sessions
      const session = yield* sessions
        .create(threadId, { ...(cwd !== undefined && { cwd }), ...(mode !== undefined && { mode }), agent })
        .pipe(Effect.mapError(sessionRefused))
      return yield* view(session)
    }),
  "sessions.get": (call) => Effect.flatMap(sessionOf(call), view),
  "sessions.remove": ({ params: { threadId } }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      yield* checkThread(threadId)
      if (yield* Effect.mapError(sessions.remove(threadId), sessionRefused)) return { removed: true }
      return yield* refuse("SESSION_NOT_FOUND", "This thread has no session.")
    }),
  "sessions.start": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      yield* session.start.pipe(Effect.mapError(startFailed))
      return yield* statusOf(session)
    }),
  "sessions.disconnect": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      yield* session.disconnect
      return yield* statusOf(session)
    }),
  "sessions.send": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const [runId, messageId] = [randomUUID(), randomUUID()]
      const { at, begins } = yield* session
        .submit(() =>
          Result.succeed({
            ticket: runId,
            answers: [],
            results: [],
            tools: [],
            prompt: { type: "prompt", said: [{ id: messageId, content: call.body.content }] }
          })
        )
        .pipe(Effect.mapError(messageRefused))
      return { runId, messageId, from: at, ...(begins === "with_words" && { steered: true as const }) }
    }),
  "sessions.steer": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const [runId, messageId] = [randomUUID(), randomUUID()]
      const { content, runId: meant } = call.body
      const situation = session.log.situation()
      const openRunId = runIdOf(session.threadId, situation)
      if (openRunId === undefined || (meant !== undefined && meant !== openRunId))
        return yield* refuse("NOTHING_TO_STEER", "This run is not open. Send it with POST …/messages.")
      const { at } = yield* session
        .steer({ ticket: runId, said: [{ id: messageId, content }], turn: situation.turns })
        .pipe(Effect.mapError(steerRefused))
      return { openRunId, runId, messageId, from: at }
    }),
  "sessions.interrupt": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      return { stopped: yield* stopRun(session, call.body.runId) }
    }),
  "sessions.set": (call) => set(call, call.body),
  "sessions.setModel": (call) => set(call, { model: call.body.model }),
  "sessions.setPermissionMode": (call) => set(call, { permissionMode: call.body.mode }),
  "sessions.setThinkingTokens": (call) =>
    Effect.as(control(call, "set_max_thinking_tokens", { max_thinking_tokens: call.body.maxThinkingTokens }), done),
  "sessions.setEnvironment": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      yield* checkAllowed(call.asked.options, { env: call.body.variables })
      const message: Claude.UpdateEnvironmentVariables = {
        type: "update_environment_variables",
        variables: call.body.variables
      }
      yield* session.native.send(message).pipe(Effect.mapError(notRunning))
      return done
    }),
  "sessions.contextUsage": (call) =>
    control(call, "get_context_usage", call.query.detail === undefined ? {} : { detail: call.query.detail }),
  "sessions.rewindFiles": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const prompt = yield* Effect.mapError(promptUuid(session, call.body.messageId), logFailed)
      if (prompt === undefined)
        return yield* refuse("MESSAGE_NOT_FOUND", "No prompt with this id was said to the agent in this conversation.")
      return yield* control(call, "rewind_files", {
        user_message_id: prompt,
        ...(call.body.dryRun !== undefined && { dry_run: call.body.dryRun })
      })
    }),
  "sessions.events": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const { from, lines } = call.query
      return eventFrames(session, yield* startOf(eventEpoch(session), call.asked.headers, from), lines)
    }),
  "sessions.wire": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      return wireFrames(session, yield* startOf(lineEpoch(session), call.asked.headers, call.query.from))
    }),
  "sessions.tape": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const text = yield* tapeOf(session, { version: versionOf(call.asked), redact: call.query.redact ?? true })
      const name = session.threadId.replaceAll(/[^\w.-]/g, "_")
      return { text, headers: { "content-disposition": `attachment; filename="${name}.tape"` } }
    }),
  "approvals.list": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      return { approvals: (yield* session.waiting).map(waitingView) }
    }),
  "approvals.answer": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const { requestId } = call.params
      const waiting = (yield* session.waiting).find(({ request }) => request.id === requestId)?.request
      if (waiting === undefined || waiting.kind === "page_tool")
        return yield* nothingPending("No question with this id waits for an answer.")
      // An answer that is not understood would refuse the tool, and the person could not answer again.
      const { answer, misunderstood } = Agui.readAnswer(waiting, {
        status: "resolved",
        payload: payloadFor(waiting, call.body)
      })
      if (misunderstood !== undefined)
        return yield* refuse("BAD_INPUT", `The body is not an answer to this question: ${misunderstood}.`)
      yield* session.answer(requestId, answer).pipe(Effect.mapError(answerRefused))
      return done
    }),
  "tools.answer": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const { content, isError = false } = call.body
      const waiting = (yield* session.waiting).find(
        ({ request }) => request.kind === "page_tool" && request.call === call.params.toolCallId
      )
      if (waiting === undefined) return yield* nothingPending("No call with this id waits for a result.")
      const answer = { type: "result" as const, content: contentOf(content), failed: isError }
      yield* session.answer(waiting.request.id, answer).pipe(Effect.mapError(answerRefused))
      return done
    }),
  "mcp.status": (call) => Effect.map(control(call, "mcp_status"), withoutServerSecrets),
  "mcp.setServers": (call) =>
    Effect.gen(function* () {
      yield* sessionOf(call)
      yield* checkAllowed(call.asked.options, { mcpServers: call.body.servers })
      return yield* control(call, "mcp_set_servers", { servers: call.body.servers })
    }),
  "mcp.toggle": (call) =>
    Effect.as(control(call, "mcp_toggle", { serverName: call.params.serverName, enabled: call.body.enabled }), done),
  "mcp.reconnect": (call) => Effect.as(control(call, "mcp_reconnect", { serverName: call.params.serverName }), done),
  "mcp.message": (call) =>
    control(call, "mcp_message", { server_name: call.params.serverName, message: call.body.message })
}
