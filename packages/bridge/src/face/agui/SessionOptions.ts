/**
 * What a run chooses about the session that it begins: `forwardedProps.sessionOptions`, as far as the owner of the
 * bridge lets it. A session that exists stays as it is, so a page may send the same with every run.
 */
import type * as Agui from "@agentwire/protocol/agui"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { decodeAgentOptions } from "../../session/AgentOptions.ts"
import { refusedOption, type SessionOptionName } from "../../session/OptionRules.ts"
import type { SessionChoices } from "../../session/Sessions.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"

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
