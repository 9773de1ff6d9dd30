/**
 * The agents that `agentwire serve` starts: of a CLI, of tapes or of the demo.
 */
import {
  type AgentLauncher,
  type AgentTap,
  cliLauncher,
  findCli,
  type LaunchFailed,
  layerClaudeRuntime,
  type TappedProcess
} from "@agentwire/bridge/claude"
import {
  codexLauncher,
  execLauncher,
  findCodex,
  layerCodexExecRuntime,
  layerCodexRuntime
} from "@agentwire/bridge/codex"
import { layerObservedAgents } from "@agentwire/bridge/observe"
import { readTapes, replayLauncher } from "@agentwire/bridge/replay"
import { layerRuntimes, type Runtime } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { demoLauncher } from "../demo/DemoAgent.ts"
import { type AgentSource, tokenVariable } from "./ServeOptions.ts"

/** Agents, and what they are in a word for people. */
export interface FoundAgents {
  readonly what: string
  readonly layer: Layer.Layer<Runtime>
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
      return { what, layer: claude(replayLauncher({ tapes, speed: source.speed })) }
    }
    if (source._tag === "Demo")
      return { what: "the demo agent (recorded sessions)", layer: claude(demoLauncher({ speed: source.speed })) }
    const { path, runtime, transport } = source
    // The agent runs what strangers wrote; it must not know how to get into the bridge.
    const { [tokenVariable]: _, ...inherit } = process.env
    const [claudePath, codexPath] = runtime === "claude" ? [path, undefined] : [undefined, path]
    const claudeCode = claude(
      cliLauncher({
        ...(claudePath !== undefined && { cliPath: claudePath }),
        inherit,
        transport,
        ...(tap !== undefined && { tap })
      })
    )
    const codexOptions = { ...(codexPath !== undefined && { codexPath }), inherit }
    const codex = Layer.provide(layerCodexRuntime, codexLauncher(codexOptions))
    const codexExec = Layer.provide(layerCodexExecRuntime, execLauncher(codexOptions))
    if (runtime !== "claude") {
      const { version } = yield* findCodex({ ...(path !== undefined && { codexPath: path }), env: inherit })
      return runtime === "codex"
        ? { what: `Codex ${version}`, layer: layerRuntimes(codex, claudeCode, codexExec) }
        : { what: `Codex ${version} (codex exec)`, layer: layerRuntimes(codexExec, claudeCode, codex) }
    }
    const { version } = yield* findCli({ ...(path !== undefined && { cliPath: path }), env: inherit })
    return { what: `Claude Code ${version}`, layer: layerRuntimes(claudeCode, codex, codexExec) }
  })

const claude = (launcher: Layer.Layer<AgentLauncher>): Layer.Layer<Runtime> =>
  layerClaudeRuntime.pipe(Layer.provide(layerObservedAgents), Layer.provide(launcher))
