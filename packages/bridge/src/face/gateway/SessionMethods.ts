/**
 * What the methods of sessions do.
 */
import { randomUUID } from "node:crypto"
import * as Gateway from "@agentwire/protocol/gateway"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { LogFailed } from "../../log/BoundedLog.ts"
import { decodeAgentOptions } from "../../session/AgentOptions.ts"
import type { NothingPending, Session, SessionStatus, ThreadBusy } from "../../session/Session.ts"
import { type SessionChoices, Sessions } from "../../session/Sessions.ts"
import { checkAllowed } from "../http/AllowedOptions.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { logFailed, sessionRefused } from "../http/SessionRefusal.ts"
import type { Call, Handlers } from "./Call.ts"
import { foundIn, recordById, recordOf, sessionIdOf, sessionOf, summaryOf, timeOf, workspaceById } from "./Finding.ts"
import { readHistory } from "./HistoryPage.ts"
import { configOf, configure } from "./Settings.ts"

const newId = (): string => `ses_${randomUUID()}`

const promptRefused = (refused: ThreadBusy | LogFailed): HttpRefusal =>
  refused._tag === "LogFailed"
    ? logFailed(refused)
    : refuse("THREAD_BUSY", `${refused.message} Wait for its \`turn_stop\`, or stop it with \`session.interrupt\`.`)

const answerRefused = (refused: NothingPending | LogFailed): HttpRefusal =>
  refused._tag === "LogFailed" ? logFailed(refused) : refuse("NOTHING_PENDING", refused.message)

const toolOf = ({
  description,
  input_schema: parameters,
  name
}: typeof Gateway.ApplicationTool.Type): Model.PageTool => ({
  name,
  description,
  ...(parameters !== undefined && { parameters })
})

/** What is chosen about a session that is made. */
const choicesOf = (
  { cwd, effort, mode, model, options = {}, permissionMode, runtime }: Gateway.ParamsOf<"session.create">,
  { shared }: Call
): Effect.Effect<SessionChoices, HttpRefusal> =>
  Effect.gen(function* () {
    const chosen = { model, effort, permissionMode, runtime }
    const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
    const agent = yield* Effect.mapError(
      Effect.fromResult(decodeAgentOptions({ ...options, ...given })),
      ({ message }) => refuse("BAD_INPUT", message)
    )
    yield* checkAllowed(shared.options, agent)
    return { ...(cwd !== undefined && { cwd }), ...(mode !== undefined && { mode }), agent }
  })

/** Makes a session, which is that of the connection from now on. */
const create = (
  params: Gateway.ParamsOf<"session.create">,
  call: Call
): Effect.Effect<Session, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const { sessionId = newId(), title, workspaceId } = params
    const folder = workspaceId === undefined ? undefined : (yield* workspaceById(workspaceId)).folder
    const choices = yield* choicesOf(folder === undefined ? params : { ...params, cwd: folder }, call)
    const session = yield* Effect.mapError(sessions.create(sessionId, choices), sessionRefused)
    if (title !== undefined) yield* Effect.mapError(sessions.change(sessionId, { title }), sessionRefused)
    call.client.current = sessionId
    return session
  })

/** The session to prompt: the one that is named, else that of the connection, else a new one. */
const toPrompt = (
  { sessionId }: { readonly sessionId?: string | undefined },
  call: Call
): Effect.Effect<Session, HttpRefusal, Sessions> =>
  Effect.suspend(() => {
    const id = sessionId ?? call.client.current
    return id === undefined ? create({}, call) : sessionOf(id)
  })

/** What the newest turn has spent; null where there was none. */
const usageOf = ({ log }: Session): Effect.Effect<Gateway.GatewayUsage | null, HttpRefusal> =>
  Effect.gen(function* () {
    const next = log.next()
    const { turn, turns } = log.situation()
    if (turn !== undefined) return Gateway.usageOf(turn.spent)
    if (turns === 0) return null
    const { seq } = yield* log.turnBefore(next)
    return yield* Stream.runFold(
      Stream.take(log.read(seq), Math.max(0, next - seq)),
      (): Gateway.GatewayUsage | null => null,
      (before, { event }) =>
        event.type === "turn_ended" && event.usage !== undefined ? Gateway.usageOf(event.usage) : before
    )
  }).pipe(
    Effect.catchTag("LogFailed", (failed) => Effect.fail(logFailed(failed))),
    // It was removed meanwhile.
    Effect.catchTag("LogGap", () => Effect.succeed(null))
  )

/** What the methods of sessions do. */
export const sessionHandlers: Pick<Handlers, Extract<keyof Handlers, `session.${string}`>> = {
  "session.prompt": (params, call) =>
    Effect.gen(function* () {
      const { content, context, source, steer = false, tools = [] } = params
      const session = yield* toPrompt(params, call)
      const { threadId } = session
      call.client.current = threadId
      const [ticket, messageId] = [randomUUID(), randomUUID()]
      const prompt: Model.Prompt = {
        type: "prompt",
        said: [{ id: messageId, content: Gateway.readContent(content) }],
        ...(context !== undefined && { aside: context })
      }
      // Whoever sends the answer back has to know before there is one.
      if (source !== undefined)
        yield* call.shared.extensions?.prompted?.({ sessionId: threadId, promptId: ticket, messageId, source }) ??
          Effect.void
      const submit = Effect.map(
        session.submit(() => Result.succeed({ ticket, answers: [], results: [], tools: tools.map(toolOf), prompt })),
        ({ at, begins }) => ({ at, isSteered: begins === "with_words" })
      )
      const { at, isSteered } = yield* (
        steer
          ? session.steer({ ...prompt, ticket }).pipe(
              Effect.map(({ at }) => ({ at, isSteered: true })),
              Effect.catchTag("SteerRefused", () => submit)
            )
          : submit
      ).pipe(Effect.mapError(promptRefused))
      return {
        status: "ok",
        sessionId: threadId,
        source: source ?? null,
        promptId: ticket,
        messageId,
        seq: at,
        ...(isSteered && { steered: true })
      }
    }),
  "session.history": (params, { client }) =>
    Effect.gen(function* () {
      const { status, threadId } = yield* summaryOf(yield* sessionIdOf(params, client))
      const page = yield* readHistory(threadId, params)
      const isFirst = page.offset === 0 && params.before === undefined
      // No session is opened to be read: it may be another bridge's.
      return { ...page, usage: isFirst && isOpen.has(status) ? yield* usageOf(yield* sessionOf(threadId)) : null }
    }),
  "session.create": (params, call) =>
    Effect.gen(function* () {
      const { threadId } = yield* create(params, call)
      return { session: yield* recordById(threadId) }
    }),
  "session.switch": ({ sessionId }, { client }) =>
    Effect.gen(function* () {
      const { workspaces } = yield* Sessions
      const record = yield* recordById(sessionId)
      if (record.workspaceId !== null)
        yield* Effect.mapError(workspaces.change(record.workspaceId, { activeThreadId: record.id }), sessionRefused)
      client.current = record.id
      return { session: record }
    }),
  "session.list": (query) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { before, sessions: listed } = yield* Effect.mapError(sessions.page(query), sessionRefused)
      // Those that were begun elsewhere come after all that are known.
      const isLast = query.workspaceId !== undefined && before === undefined && query.archived !== true
      const found = isLast ? yield* foundIn(yield* workspaceById(query.workspaceId)) : []
      return {
        sessions: [...listed.map(recordOf), ...found],
        hasMore: before !== undefined,
        ...(before !== undefined && { before })
      }
    }),
  "session.info": (params, { client }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const id = params.sessionId ?? client.current
      if (id === undefined)
        return {
          sessionId: null,
          isActive: false,
          isProcessRunning: false,
          agent: sessions.agentName,
          questions: 0,
          next: 0
        }
      const session = yield* sessionOf(id)
      const record = yield* recordById(session.threadId)
      const workspace =
        record.workspaceId === null
          ? undefined
          : yield* Effect.mapError(sessions.workspaces.get(record.workspaceId), sessionRefused)
      const { name } = yield* session.agent
      return {
        sessionId: session.threadId,
        isActive: session.log.situation().turn !== undefined,
        isProcessRunning: yield* hasProcess(session),
        session: record,
        sessionConfig: yield* configOf(session),
        ...(workspace !== undefined && { workspaceId: workspace.id, workspaceName: workspace.name }),
        agent: name,
        questions: (yield* session.waiting).length,
        next: session.log.next()
      }
    }),
  "session.interrupt": (params, { client }) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(yield* sessionIdOf(params, client))
      return { status: "interrupted", stopped: yield* session.stop() }
    }),
  "session.reset": (params, { client }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const before = yield* sessionOf(yield* sessionIdOf(params, client))
      yield* before.stop()
      const id = newId()
      const { cwd, mode } = before
      const choices = { cwd, ...(mode !== undefined && { mode }), agent: yield* before.options }
      yield* Effect.mapError(sessions.create(id, choices), sessionRefused)
      yield* before.disconnect
      client.current = id
      return { status: "reset", session: yield* recordById(id), previousSessionId: before.threadId }
    }),
  "session.get": (params, { client }) =>
    Effect.gen(function* () {
      return { session: yield* recordById(yield* sessionIdOf(params, client)) }
    }),
  "session.config": (params, { client }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const session = yield* sessionOf(yield* sessionIdOf(params, client))
      const { archived, summary, title } = params
      yield* configure(session, params)
      if (archived !== undefined || summary !== undefined || title !== undefined)
        yield* Effect.mapError(sessions.change(session.threadId, { archived, summary, title }), sessionRefused)
      return { status: "ok", sessionId: session.threadId, sessionConfig: yield* configOf(session) }
    }),
  "session.questions": (params, { client }) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(yield* sessionIdOf(params, client))
      const questions = (yield* session.waiting).map(({ expiresAt, lane, request }) => ({
        sessionId: session.threadId,
        parent_tool_use_id: lane,
        request,
        expiresAt: timeOf(expiresAt)
      }))
      return { questions }
    }),
  "session.answer": (params, { client }) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(yield* sessionIdOf(params, client))
      const { requestId } = params
      const open = (yield* session.waiting).find(({ request }) => request.id === requestId)
      if (open === undefined) return yield* refuse("NOTHING_PENDING", "No question with this id waits for an answer.")
      const answer = yield* Effect.mapError(
        Effect.fromResult(Gateway.readAnswer(open.request, params.answer)),
        ({ message }) => refuse("BAD_INPUT", message)
      )
      yield* Effect.mapError(session.answer(requestId, answer), answerRefused)
      return { status: "ok", requestId }
    })
}

/** The statuses of a session that has a place here. */
const isOpen: ReadonlySet<SessionStatus> = new Set<SessionStatus>(["starting", "connected", "active", "idle"])

/** The statuses of a session whose agent runs. One that is idle may not have needed it yet. */
const isRunning: ReadonlySet<SessionStatus> = new Set<SessionStatus>(["starting", "connected", "active"])

const hasProcess = (session: Session): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const status = yield* session.status
    return isRunning.has(status) || (status === "idle" && (yield* session.wire.next) > 0)
  })
