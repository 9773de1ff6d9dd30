/**
 * What a session is configured as: each kind of agent is told in its own words, and keeps it.
 */
import { type Effort, type SessionConfig, thinkingTokens } from "@agentwire/protocol/gateway"
import * as Effect from "effect/Effect"
import type { NativeFailed, StartFailed } from "../../session/Runtime.ts"
import type { Session } from "../../session/Session.ts"
import { HttpRefusal, refuse } from "../http/HttpRefusal.ts"

/** What is to be otherwise. */
export interface Wish {
  readonly model?: string | undefined
  readonly effort?: Effort | undefined
  readonly permissionMode?: string | undefined
}

type Native = readonly [method: string, body: Readonly<Record<string, unknown>>]

/** How each kind of agent is told. Codex has modes of its own, which are for whoever makes a session to choose. */
const natives: Readonly<Record<string, (wish: Wish) => ReadonlyArray<Native>>> = {
  claude: ({ effort, model, permissionMode }) => [
    ...(model === undefined ? [] : [["set_model", { model }] as const]),
    ...(effort === undefined
      ? []
      : [["set_max_thinking_tokens", { max_thinking_tokens: thinkingTokens[effort] }] as const]),
    ...(permissionMode === undefined ? [] : [["set_permission_mode", { mode: permissionMode }] as const])
  ],
  codex: ({ effort, model }) =>
    effort === undefined && model === undefined
      ? []
      : [
          [
            "thread/settings/update",
            {
              ...(model !== undefined && { model }),
              // The most that Codex knows is called otherwise.
              ...(effort !== undefined && { effort: effort === "max" ? "xhigh" : effort })
            }
          ]
        ]
}

const startFailed = ({ code, message }: StartFailed): HttpRefusal =>
  new HttpRefusal({ code: "START_FAILED", message, why: code })

const nativeFailed = ({ code, message }: NativeFailed): HttpRefusal =>
  code === "REFUSED"
    ? refuse("AGENT_REFUSED", message)
    : code === "TIMEOUT"
      ? refuse("AGENT_TIMEOUT", message)
      : new HttpRefusal({ code: "AGENT_UNSUPPORTED", message, why: code })

/** Tells the agent, which is started where it does not run. */
export const configure = (session: Session, wish: Wish): Effect.Effect<void, HttpRefusal> =>
  Effect.gen(function* () {
    const { kind, name } = yield* session.agent
    const tellings = natives[kind]?.(wish) ?? []
    const isAll = wish.permissionMode === undefined || kind === "claude"
    if (!isAll || (tellings.length === 0 && (wish.model ?? wish.effort) !== undefined))
      return yield* refuse(
        "AGENT_UNSUPPORTED",
        `${name} cannot be told that while a session lasts. Make a session that begins with it: \`session.create\`.`
      )
    if (tellings.length === 0) return
    yield* Effect.mapError(session.start, startFailed)
    for (const [method, body] of tellings) yield* Effect.mapError(session.native.request(method, body), nativeFailed)
  })

/** What a session is configured as. What the agent says of itself comes before what it was started with. */
export const configOf = (session: Session): Effect.Effect<typeof SessionConfig.Type> =>
  Effect.gen(function* () {
    const { effort, model, permissionMode } = yield* session.options
    const info = session.log.situation().session
    return {
      model: model ?? info?.model ?? null,
      effort: effort ?? null,
      permissionMode: permissionMode ?? info?.mode ?? null
    }
  })
