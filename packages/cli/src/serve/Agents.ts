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
import {
  codexLauncher,
  execLauncher,
  findCodex,
  layerCodexExecRuntime,
  layerCodexRuntime
} from "@agentwire/bridge/codex"
import { layerObservedAgents } from "@agentwire/bridge/observe"
import { type NamedTape, readTapes, replayCodexLauncher, replayLauncher, tapeRuntime } from "@agentwire/bridge/replay"
import { layerRuntimes, type Runtime } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { demoLauncher } from "../demo/DemoAgent.ts"
import { demoCodexLauncher } from "../demo/DemoServer.ts"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import { agentKinds } from "./AgentKinds.ts"
import { optionWords, type RuntimeName, tokenVariable } from "./OptionWords.ts"
import type { AgentSource } from "./ServeOptions.ts"

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
  tapOf: ((runtime: RuntimeKind) => (process: TappedProcess) => AgentTap) | undefined
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
        ...(tapOf !== undefined && { tap: tapOf("claude") })
      })
    )
    const codexOptions = {
      ...(codexPath !== undefined && { codexPath }),
      inherit,
      ...(tapOf !== undefined && { tap: tapOf("codex") })
    }
    const layers: Readonly<Record<RuntimeName, Layer.Layer<Runtime>>> = {
      claude: claudeCode,
      codex: Layer.provide(layerCodexRuntime, codexLauncher(codexOptions)),
      "codex-exec": Layer.provide(layerCodexExecRuntime, execLauncher(codexOptions))
    }
    const { program, title } = agentKinds[runtime]
    const { version } = yield* findProgram[program](path, inherit)
    const others = allKinds.filter((kind) => kind !== runtime)
    return {
      what: `${title} ${version}`,
      kinds: Effect.map(
        Effect.filter(others, (kind) => isThere(findProgram[agentKinds[kind].program](undefined, inherit))),
        (found) => [runtime, ...found]
      ),
      layer: layerRuntimes(layers[runtime], ...others.map((kind) => layers[kind]))
    }
  })

const allKinds = optionWords.runtime

type Find = (
  path: string | undefined,
  env: NodeJS.ProcessEnv
) => Effect.Effect<{ readonly version: string }, LaunchFailed>

/** Where the programs are looked for. */
const findProgram: Readonly<Record<RuntimeKind, Find>> = {
  claude: (cliPath, env) => findCli({ ...(cliPath !== undefined && { cliPath }), env }),
  codex: (codexPath, env) => findCodex({ ...(codexPath !== undefined && { codexPath }), env })
}

const isThere = (found: Effect.Effect<unknown, LaunchFailed>): Effect.Effect<boolean> =>
  Effect.match(found, { onFailure: () => false, onSuccess: () => true })

/** The demo has recorded turns of both. */
const bothKinds: ReadonlyArray<RuntimeKind> = ["claude", "codex"]

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
  const kinds = new Set<RuntimeKind>(tapes.map(({ tape }) => (tapeRuntime(tape) === "codex" ? "codex" : "claude")))
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
