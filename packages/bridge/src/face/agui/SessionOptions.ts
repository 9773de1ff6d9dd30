/**
 * What a run chooses, as far as the owner of the bridge lets it: about the session that it begins
 * (`forwardedProps.sessionOptions`; a session that exists stays as it is, so a page may send the same with every run), and
 * what the agent is to be from this run on (`forwardedProps.settings`).
 */
import type * as Agui from "@agentwire/protocol/agui"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { decodeAgentOptions } from "../../session/AgentOptions.ts"
import { refusedOption, type SessionOptionName } from "../../session/OptionRules.ts"
import type { Session } from "../../session/Session.ts"
import type { SessionChoices } from "../../session/Sessions.ts"
import { isSetting, newSettings, type Settings, settingNames, settingsIn } from "../../session/Settings.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { settingFailed } from "../http/SessionRefusal.ts"

const place = "$.forwardedProps.sessionOptions"

/** The choices of a run; undefined when it makes none. */
export const sessionChoices = (
  { forwardedProps }: Pick<Agui.RunAgentInput, "forwardedProps">,
  allowed: ReadonlyArray<SessionOptionName>
): Effect.Effect<SessionChoices | undefined, HttpRefusal> =>
  Effect.suspend(() => {
    const chosen = isRecord(forwardedProps) ? forwardedProps["sessionOptions"] : undefined
    if (chosen === undefined || chosen === null) return Effect.undefined
    if (!isRecord(chosen)) return Effect.fail(refuse("BAD_INPUT", `At ${place}: it must be an object.`))
    const refused = refusedOption(chosen, allowed, "none")
    if (refused !== undefined) return Effect.fail(refuse("OPTION_REFUSED", refused.message))
    const { cwd, mode, ...rest } = chosen
    for (const [name, value] of Object.entries({ cwd, mode }))
      if (value !== undefined && (typeof value !== "string" || value === ""))
        return Effect.fail(refuse("BAD_INPUT", `At ${place}.${name}: it must be a text.`))
    const agent = decodeAgentOptions(rest)
    if (Result.isFailure(agent)) return Effect.fail(refuse("BAD_INPUT", `At ${place}: ${agent.failure.message}`))
    return Effect.succeed({
      ...(typeof cwd === "string" && { cwd }),
      ...(typeof mode === "string" && { mode }),
      agent: agent.success
    })
  })

const settingsPlace = "$.forwardedProps.settings"

/** What a run sets of its agent; undefined when it sets nothing. */
export const runSettings = (
  { forwardedProps }: Pick<Agui.RunAgentInput, "forwardedProps">,
  allowed: ReadonlyArray<SessionOptionName>
): Effect.Effect<Settings | undefined, HttpRefusal> =>
  Effect.suspend(() => {
    const chosen = isRecord(forwardedProps) ? forwardedProps["settings"] : undefined
    if (chosen === undefined || chosen === null) return Effect.undefined
    if (!isRecord(chosen)) return Effect.fail(refuse("BAD_INPUT", `At ${settingsPlace}: it must be an object.`))
    const unknown = Object.keys(chosen).find((name) => !isSetting(name))
    if (unknown !== undefined)
      return Effect.fail(
        refuse("BAD_INPUT", `At ${settingsPlace}.${unknown}: it is no setting. There are: ${settingNames.join(", ")}.`)
      )
    const refused = refusedOption(chosen, allowed, "none")
    if (refused !== undefined) return Effect.fail(refuse("OPTION_REFUSED", refused.message))
    const { model, ...rest } = chosen
    const decoded = decodeAgentOptions(model === null ? rest : chosen)
    if (Result.isFailure(decoded))
      return Effect.fail(refuse("BAD_INPUT", `At ${settingsPlace}: ${decoded.failure.message}`))
    return Effect.succeed(model === null ? { ...decoded.success, model } : decoded.success)
  })

/** Sets what a run wants otherwise than it was chosen: a page may send the same with every run. */
export const applySettings = (session: Session, settings: Settings | undefined): Effect.Effect<void, HttpRefusal> =>
  Effect.gen(function* () {
    if (settings === undefined) return
    const news = newSettings(settings, yield* session.options)
    if (settingsIn(news).length === 0) return
    yield* Effect.mapError(Effect.andThen(session.start, session.set(news)), settingFailed)
  })
