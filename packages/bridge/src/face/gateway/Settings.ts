/**
 * What a session is configured as. Its agent is told by the session, which keeps it; an effort is, for Claude Code, how
 * much it may think in tokens, too, and that alone for a version that knows no efforts.
 */
import { type Effort, type SessionConfig, thinkingTokens } from "@agentwire/protocol/gateway"
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import { type Settings, settingsIn } from "../../session/Settings.ts"
import type { HttpRefusal } from "../http/HttpRefusal.ts"
import { nativeFailed, settingFailed, startFailed } from "../http/SessionRefusal.ts"

/** What is to be otherwise. */
export interface Wish {
  readonly model?: string | undefined
  readonly effort?: Effort | undefined
  readonly permissionMode?: string | undefined
}

/** What the session sets, by its own words: the most that Codex knows is called otherwise. */
const settingsOf = ({ effort, model, permissionMode }: Wish, kind: string): Settings => ({
  ...(model !== undefined && { model }),
  ...(permissionMode !== undefined && { permissionMode }),
  ...(effort !== undefined && { effort: effort === "max" && kind !== "claude" ? "xhigh" : effort })
})

/** Tells the agent, which is started where it does not run. */
export const configure = (session: Session, wish: Wish): Effect.Effect<void, HttpRefusal> =>
  Effect.gen(function* () {
    const { kind } = yield* session.agent
    const settings = settingsOf(wish, kind)
    const tokens = kind === "claude" && wish.effort !== undefined ? thinkingTokens[wish.effort] : undefined
    if (settingsIn(settings).length === 0 && tokens === undefined) return
    yield* Effect.mapError(session.start, startFailed)
    if (tokens !== undefined)
      yield* Effect.mapError(
        session.native.request("set_max_thinking_tokens", { max_thinking_tokens: tokens }),
        nativeFailed
      )
    yield* session.set(settings).pipe(
      Effect.catchIf(
        (failed) => failed._tag === "SettingFailed" && failed.setting === "effort" && tokens !== undefined,
        () => Effect.void
      ),
      Effect.mapError(settingFailed)
    )
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
