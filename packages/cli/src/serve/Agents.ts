/**
 * The agents that `agentwire serve` starts: of a CLI, of tapes or of the demo.
 */
import {
  type AgentLauncher,
  type AgentTap,
  cliLauncher,
  findCli,
  LaunchFailed,
  layerClaudeRuntime,
  type TappedProcess
} from "@agentwire/bridge/claude"
import { codexLauncher, findCodex, layerCodexRuntime } from "@agentwire/bridge/codex"
import { layerObservedAgents } from "@agentwire/bridge/observe"
import { type NamedTape, readTapes, replayCodexLauncher, replayLauncher, tapeRuntime } from "@agentwire/bridge/replay"
import { layerRuntimes, type Runtime } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { demoLauncher } from "../demo/DemoAgent.ts"
import { demoCodexLauncher } from "../demo/DemoServer.ts"
import { type AgentSource, type RuntimeName, tokenVariable } from "./ServeOptions.ts"

/** Agents, and what they are in a word for people. */
export interface FoundAgents {
  readonly what: string
  /** The kinds that can be started now; the first is for sessions that name none. */
  readonly kinds: Effect.Effect<ReadonlyArray<RuntimeName>>
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
      return { what, ...(yield* agentsOfTapes(tapes, source)) }
    }
    if (source._tag === "Demo") {
      const { runtime, speed } = source
      const claudeCode = claude(demoLauncher({ speed }))
      const codex = Layer.provide(layerCodexRuntime, demoCodexLauncher({ speed }))
      const layer = runtime === "codex" ? layerRuntimes(codex, claudeCode) : layerRuntimes(claudeCode, codex)
      const kinds = Effect.succeed(runtime === "codex" ? [...bothKinds].reverse() : bothKinds)
      return { what: "the demo agent (recorded sessions)", kinds, layer }
    }
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
    const codex = Layer.provide(
      layerCodexRuntime,
      codexLauncher({ ...(codexPath !== undefined && { codexPath }), inherit })
    )
    if (runtime === "codex") {
      const { version } = yield* findCodex({ ...(path !== undefined && { codexPath: path }), env: inherit })
      const kinds = withOther("codex", "claude", findCli({ env: inherit }))
      return { what: `Codex ${version}`, kinds, layer: layerRuntimes(codex, claudeCode) }
    }
    const { version } = yield* findCli({ ...(path !== undefined && { cliPath: path }), env: inherit })
    const kinds = withOther("claude", "codex", findCodex({ env: inherit }))
    return { what: `Claude Code ${version}`, kinds, layer: layerRuntimes(claudeCode, codex) }
  })

const bothKinds: ReadonlyArray<RuntimeName> = ["claude", "codex"]

/** The other kind is there where its program is. */
const withOther = (
  first: RuntimeName,
  other: RuntimeName,
  found: Effect.Effect<unknown, LaunchFailed>
): FoundAgents["kinds"] => Effect.match(found, { onFailure: () => [first], onSuccess: () => [first, other] })

/** The agents of tapes, of one kind or of both; what cannot be served is said now. */
const agentsOfTapes = (
  tapes: ReadonlyArray<NamedTape>,
  { runtime, speed }: Extract<AgentSource, { readonly _tag: "Tapes" }>
): Effect.Effect<Pick<FoundAgents, "kinds" | "layer">, LaunchFailed> => {
  const refused = (message: string) => Effect.fail(new LaunchFailed({ code: "NO_TAPE", message }))
  const exec = tapes.find(({ tape }) => tapeRuntime(tape) === "codex" && tape.header.argv.includes("exec"))
  if (exec !== undefined)
    return refused(`${exec.name} is a tape of \`codex exec\`, which no host speaks to: only app-server is served.`)
  const layers = {
    claude: claude(replayLauncher({ tapes, speed })),
    codex: Layer.provide(layerCodexRuntime, replayCodexLauncher({ tapes, speed }))
  }
  const kinds = new Set<RuntimeName>(tapes.map(({ tape }) => (tapeRuntime(tape) === "codex" ? "codex" : "claude")))
  if (runtime !== undefined && !kinds.has(runtime)) return refused(`There is no tape of ${runtime} to replay.`)
  const [first, ...others] = [...kinds].sort((a, b) => Number(b === runtime) - Number(a === runtime))
  if (first === undefined) return refused("There is no tape to replay.")
  return Effect.succeed({
    kinds: Effect.succeed([first, ...others]),
    layer: layerRuntimes(layers[first], ...others.map((kind) => layers[kind]))
  })
}

const claude = (launcher: Layer.Layer<AgentLauncher>): Layer.Layer<Runtime> =>
  layerClaudeRuntime.pipe(Layer.provide(layerObservedAgents), Layer.provide(launcher))
