/**
 * CopilotKit's requests besides runs: what the runtime is, joining a thread, stopping a run; and the single endpoint,
 * which takes all of them as envelopes (docs/wire/ag-ui.md §4).
 */

import * as Agui from "@agentwire/protocol/agui"
import { decodePayload } from "@agentwire/protocol/codec"
import * as CopilotKit from "@agentwire/protocol/copilotkit"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { othersFirst } from "../../eventloop/Turns.ts"
import type { LogFailed } from "../../log/BoundedLog.ts"
import { bridgeEnded } from "../../log/CutTurns.ts"
import { type SessionRefused, Sessions } from "../../session/Sessions.ts"
import { answerRun, eventsOf, noEvents, type RunRules, refusalOf, refusedRun } from "../agui/AguiHttp.ts"
import { type ApprovalMode, aguiThread, runIdOf } from "../agui/AguiThread.ts"
import type { EventAnswer } from "../agui/EventAnswer.ts"
import { joinOpenTurn, snapshots, withoutLeft } from "../agui/Join.ts"
import { missedEnd } from "../agui/MissedEnd.ts"
import { followLog, untilRunEnds } from "../agui/RunEvents.ts"
import { type RunRequest, readRunRequest } from "../agui/RunRequest.ts"
import { stopRun } from "../agui/StopRun.ts"
import type { JsonAnswer } from "../http/Answer.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { sessionRefused } from "../http/SessionRefusal.ts"

/** What `/info` tells about the agent. */
export interface AgentInfo {
  /** The id pages ask for. Default `default`, which is what they ask for unless they are told otherwise. */
  readonly agentId?: string
  /** Default: what people call the agent of the sessions, such as `Claude Code`. */
  readonly name?: string
  readonly description?: string
  /** The version of this server. Default `0.0.0`. */
  readonly version?: string
  /** Default: what the bridge does with every agent. */
  readonly capabilities?: Agui.AgentCapabilities
}

/** What the bridge does with every agent. */
const defaultCapabilities: Agui.AgentCapabilities = {
  transport: { streaming: true, resumable: true },
  tools: { supported: true, parallelCalls: true, clientProvided: true },
  multiAgent: { supported: true, delegation: true },
  reasoning: { supported: true, streaming: true }
}

/** The agent's id. */
const agentIdOf = ({ agentId = "default" }: AgentInfo): string => agentId

/** The answer to `/info`. Suggestions and threads are not served, so they are not announced. */
export const answerInfo = (info: AgentInfo): Effect.Effect<JsonAnswer, never, Sessions> =>
  Effect.map(Sessions, ({ agentName }): JsonAnswer => {
    const { capabilities = defaultCapabilities, description = "", name = agentName, version = "0.0.0" } = info
    const body: CopilotKit.RuntimeInfo = {
      version,
      agents: { [agentIdOf(info)]: { name, description, className: "Agentwire", capabilities } },
      audioFileTranscriptionEnabled: false,
      mode: "sse",
      threadEndpoints: { list: false, inspect: false, mutations: false, realtimeMetadata: false },
      suggestions: false,
      a2uiEnabled: false,
      openGenerativeUIEnabled: false,
      telemetryDisabled: true
    }
    return { _tag: "Json", body }
  })

/** Refuses an agent id that does not exist. */
export const checkAgent = (info: AgentInfo, agentId: string): Effect.Effect<void, HttpRefusal> =>
  agentId === agentIdOf(info)
    ? Effect.void
    : Effect.fail(refuse("AGENT_NOT_FOUND", `There is no agent with that id. The agent here is "${agentIdOf(info)}".`))

/** Joins a thread: what was said, and the open turn until it ends. An unknown thread has neither. */
export const answerConnect = (
  request: RunRequest,
  approvals: ApprovalMode
): Effect.Effect<EventAnswer, never, Sessions> =>
  Effect.catch(connect(request, approvals), (failure) =>
    Effect.succeed(refusedRun(request.dialect, refusalOf(failure)))
  )

/** How many entries take more than a moment. */
const manyEntries = 1000

const connect = (
  { dialect, input }: RunRequest,
  approvals: ApprovalMode
): Effect.Effect<EventAnswer, SessionRefused | LogFailed, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const session = yield* sessions.find(input.threadId)
    if (session === undefined) return noEvents(dialect)
    const thread = yield* aguiThread(session, approvals)
    const moment = yield* session.log.moment()
    const had = yield* withoutLeft(session.log, moment, input)
    const { messages, runId, threadId } = input
    // A long conversation is gone through here, and again for the snapshot.
    const inTurns = moment.transcript.entries.length > manyEntries ? othersFirst : Effect.void
    yield* inTurns
    const told = Agui.messagesOf(moment.transcript)
    const last = told.at(-1)?.id
    yield* inTurns
    const open = runIdOf(threadId, moment.situation)
    if (open !== undefined) {
      const [writer, events] = yield* joinOpenTurn(thread.options, moment, open, had)
      const place = { writer, seq: moment.seq, last }
      const joined = Stream.concat(Stream.make({ events, place }), followLog(session.log, place))
      return eventsOf(thread.placeKeeperFor(messages, last), dialect, untilRunEnds(joined), () => {})
    }
    const missed = yield* missedEnd(session.log, messages)
    const { failure = missed } = moment.situation
    const said = yield* snapshots(moment, had)
    if (said.length === 0) return noEvents(dialect)
    const events: ReadonlyArray<Agui.AguiEvent> = [
      { type: "RUN_STARTED", threadId, runId, protocolVersion: Agui.PROTOCOL_VERSION },
      ...said,
      // How a run failed is not repeated, but of this nobody could be told.
      failure?.code === bridgeEnded.code ? { type: "RUN_ERROR", ...failure } : { type: "RUN_FINISHED", threadId, runId }
    ]
    const place = { writer: Agui.initialWriter(thread.options, moment.situation), seq: moment.seq, last }
    return eventsOf(thread.placeKeeperFor(messages, last), dialect, Stream.make({ events, place }), () =>
      thread.answers.joined(told)
    )
  })

/** Stops the run of a thread. The run's own stream tells its readers. */
export const answerStop = (threadId: string, body: unknown): Effect.Effect<JsonAnswer, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const decoded = decodePayload(CopilotKit.StopRequest, body ?? {})
    if (decoded._tag === "Invalid")
      return yield* refuse(
        "BAD_INPUT",
        `The body is not a stop request: at ${decoded.error.path}: ${decoded.error.message}`
      )
    const sessions = yield* Sessions
    const session = yield* sessions.find(threadId).pipe(Effect.mapError(sessionRefused))
    const stopped = session !== undefined && (yield* stopRun(session, decoded.value.runId))
    const answer: CopilotKit.StopResponse = stopped
      ? { stopped, interrupt: { type: "RUN_ERROR", message: "Run stopped by user", code: "STOPPED" } }
      : { stopped: false, message: "No run is open on this thread." }
    return { _tag: "Json", body: answer }
  })

/** Whether a body posted to the single endpoint is an envelope; a `RunAgentInput` has no `method`. */
export const isEnvelope = (body: unknown): body is { readonly method: unknown } =>
  isRecord(body) && Object.hasOwn(body, "method") && !Object.hasOwn(body, "messages")

/** Answers an envelope as the REST route of its method does. */
export const answerEnvelope = (
  info: AgentInfo,
  envelope: { readonly method: unknown },
  approvals: ApprovalMode,
  rules: RunRules = {}
): Effect.Effect<EventAnswer | JsonAnswer, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const fields: Readonly<Record<string, unknown>> = { ...envelope }
    const param = (name: string): Effect.Effect<string, HttpRefusal> => {
      const params = fields["params"]
      const value = isRecord(params) ? params[name] : undefined
      return typeof value === "string" && value.trim() !== ""
        ? Effect.succeed(value)
        : Effect.fail(refuse("BAD_INPUT", `The envelope is incomplete: at $.params.${name}: it must be a name.`))
    }
    switch (envelope.method) {
      case "info":
        return yield* answerInfo(info)
      case "agent/run":
        yield* checkAgent(info, yield* param("agentId"))
        return yield* answerRun(yield* readRunRequest(fields["body"], "$.body"), "copilotkit", approvals, rules)
      case "agent/connect":
        yield* checkAgent(info, yield* param("agentId"))
        return yield* answerConnect(yield* readRunRequest(fields["body"], "$.body"), approvals)
      case "agent/stop":
        yield* checkAgent(info, yield* param("agentId"))
        return yield* answerStop(yield* param("threadId"), fields["body"])
      default:
        return yield* typeof envelope.method === "string" && Object.hasOwn(CopilotKit.envelopes, envelope.method)
          ? refuse("NOT_SERVED", "This server does not serve that method; /info does not announce it.")
          : refuse("BAD_INPUT", "The envelope is of no known method: at $.method.")
    }
  })
