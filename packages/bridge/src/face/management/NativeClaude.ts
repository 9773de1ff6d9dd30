/**
 * What the management API asks of a Claude Code that a session runs, by the names of its control protocol.
 */
import * as Claude from "@agentwire/protocol/claude"
import * as Model from "@agentwire/protocol/model"
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
 * The uuid of the line that a prompt was sent in; undefined when the conversation has no such prompt. Several may have been
 * sent in one line: it is known by the last of them.
 */
export const promptUuid = (
  { log }: { readonly log: Pick<Session["log"], "look"> },
  messageId: string
): Effect.Effect<string | undefined, LogFailed> =>
  log.look((view) =>
    Effect.gen(function* () {
      const known = yield* view.find([messageId])
      let placed = known.findLast((each) => isPrompt(each) && Model.isOnPath(view.path, each))
      while (placed !== undefined && isPrompt(placed) && placed.entry.anchor === undefined) {
        const { position } = placed
        const { entries } = yield* view.page({ before: position + 2, maxEntries: 1 })
        placed = entries.find((each) => each.position > position)
      }
      if (placed === undefined || !isPrompt(placed) || placed.entry.anchor === undefined) return undefined
      return Claude.readAnchor(placed.entry.anchor)?.uuid
    })
  )

const isPrompt = ({ entry }: { readonly entry: Model.TranscriptEntry }): boolean => entry.kind === "prompt"

/** The status of MCP servers without what they are told to keep to themselves. */
export const withoutServerSecrets = (status: Claude.ResponseOf<"mcp_status">): Claude.ResponseOf<"mcp_status"> => ({
  ...status,
  mcpServers: status.mcpServers.map((server) =>
    isRecord(server.config) ? { ...server, config: withoutServerValues(server.config) } : server
  )
})
