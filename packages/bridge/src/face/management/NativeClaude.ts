/**
 * What the management API asks of a Claude Code that a session runs, by the names of its control protocol.
 */
import * as Claude from "@agentwire/protocol/claude"
import type * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { LogFailed } from "../../log/BoundedLog.ts"
import { withoutServerValues } from "../../session/OptionRules.ts"
import type { NativeFailed } from "../../session/Runtime.ts"
import type { Session } from "../../session/Session.ts"

/** Asks the agent something of its control protocol. Its runtime has checked the answer. */
export const askAgent = <S extends Claude.ControlSubtype>(
  session: Session,
  subtype: S,
  body: Readonly<Record<string, unknown>> = {}
): Effect.Effect<Claude.ResponseOf<S>, NativeFailed> =>
  session.native.request(subtype, body) as Effect.Effect<Claude.ResponseOf<S>, NativeFailed>

/** What the agent said of itself: when it began its last turn, and when it was started. */
export const claudeFacts = (
  session: Session
): Effect.Effect<{ readonly init?: Claude.SystemInit; readonly greeting?: Claude.ResponseOf<"initialize"> }> =>
  session.native.facts

/**
 * The uuid of the line that a prompt was sent in; undefined when the conversation has no such prompt. What was said last is
 * looked at first: all of it may be a lot.
 */
export const promptUuid = ({ log }: Session, messageId: string): Effect.Effect<string | undefined, LogFailed> =>
  Effect.gen(function* () {
    const { transcript } = yield* log.moment()
    const found = uuidIn(transcript, messageId)
    if (found !== undefined || transcript.omitted === 0) return found
    return uuidIn((yield* log.moment({ maxBytes: Number.MAX_SAFE_INTEGER })).transcript, messageId)
  })

/** Several messages may have been sent in one line: it is known by the last of them. */
const uuidIn = ({ entries }: Model.Transcript, messageId: string): string | undefined => {
  const first = entries.findLastIndex(({ id, kind }) => kind === "prompt" && id === messageId)
  if (first < 0) return undefined
  const rest = entries.slice(first)
  const end = rest.findIndex(({ kind }) => kind !== "prompt")
  const sent = (end < 0 ? rest : rest.slice(0, end)).find(({ anchor }) => anchor !== undefined)
  return sent?.anchor === undefined ? undefined : Claude.readAnchor(sent.anchor)?.uuid
}

/** The status of MCP servers without what they are told to keep to themselves. */
export const withoutServerSecrets = (status: Claude.ResponseOf<"mcp_status">): Claude.ResponseOf<"mcp_status"> => ({
  ...status,
  mcpServers: status.mcpServers.map((server) =>
    isRecord(server.config) ? { ...server, config: withoutServerValues(server.config) } : server
  )
})
