/**
 * The agents that `agentwire serve` starts: of a CLI, of tapes or of the demo.
 */
import {
  type AgentLauncher,
  type AgentTap,
  cliLauncher,
  findCli,
  type LaunchFailed,
  type TappedProcess
} from "@agentwire/bridge/claude"
import { readTapes, replayLauncher } from "@agentwire/bridge/replay"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { demoLauncher } from "../demo/DemoAgent.ts"
import { type AgentSource, tokenVariable } from "./ServeOptions.ts"

/** Agents, and what they are in a word for people. */
export interface FoundAgents {
  readonly what: string
  readonly layer: Layer.Layer<AgentLauncher>
}

/** Finds the CLI or the tapes, so that what is missing is said now and not to the first client. */
export const findAgents = (
  source: AgentSource,
  tap: ((process: TappedProcess) => AgentTap) | undefined
): Effect.Effect<FoundAgents, LaunchFailed> =>
  Effect.gen(function* () {
    if (source._tag === "Tapes") {
      const tapes = yield* readTapes(source.path, source.limits)
      const what = tapes.length === 1 ? `the tape ${source.path}` : `${tapes.length} tapes of ${source.path}`
      return { what, layer: replayLauncher({ tapes, speed: source.speed }) }
    }
    if (source._tag === "Demo")
      return { what: "the demo agent (recorded sessions)", layer: demoLauncher({ speed: source.speed }) }
    const { path, transport } = source
    // The agent runs what strangers wrote; it must not know how to get into the bridge.
    const { [tokenVariable]: _, ...inherit } = process.env
    const options = { ...(path !== undefined && { cliPath: path }), inherit }
    const { version } = yield* findCli({ ...options, env: inherit })
    return {
      what: `Claude Code ${version}`,
      layer: cliLauncher({ ...options, transport, ...(tap !== undefined && { tap }) })
    }
  })
