/**
 * The options of a `Bridge` as plain values, and the layers made from them.
 */
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import type { ApprovalMode } from "../face/agui/AguiThread.ts"
import { unsafeAccess } from "../face/http/Access.ts"
import type { HttpLimits } from "../face/http/HttpLimits.ts"
import { layerObservedAgents } from "../observe/AgentObserver.ts"
import { type LogOptions, layerLog } from "../observe/Log.ts"
import { layerObservability } from "../observe/Observability.ts"
import { layerObservedSessions, type SessionObserver } from "../observe/SessionObserver.ts"
import { loadPolicy, makePolicy } from "../policy/FilePolicy.ts"
import type { Policy, PolicyDecision, ToolUse } from "../policy/Policy.ts"
import type { AgentLauncher } from "../runtime/claude/Agent.ts"
import { layerClaudeRuntime } from "../runtime/claude/ClaudeRuntime.ts"
import { type CliLauncherOptions, cliLauncher } from "../runtime/claude/CliLauncher.ts"
import { claudeToolInputs } from "../runtime/claude/ToolInputs.ts"
import { type ReplayOptions, replayLauncher } from "../runtime/replay/ReplayAgent.ts"
import { HttpServerFailed, type HttpServerOptions } from "../server/HttpServer.ts"
import type { AgentOptions } from "../session/Runtime.ts"
import type { BusyMode } from "../session/SessionActor.ts"
import type { Sessions } from "../session/Sessions.ts"
import type { Durability } from "../store/sqlite/OpenDatabase.ts"
import { layerSqliteStore } from "../store/sqlite/SqliteStore.ts"
import { layerBridgeSessions, type SharedSessionOptions } from "./BridgeLayer.ts"

/** Decides about a tool call. Where it fails, the tool does not run. */
export type Decide = (use: ToolUse) => PolicyDecision | Promise<PolicyDecision>

/** What may be chosen about a `Bridge`. Times are in milliseconds. */
export interface BridgeConfig {
  /**
   * The agents: how the Claude Code CLI is started (`cliPath`, `env`, `transport`), or `{ tapes }` to play recorded
   * ones, or a layer. Default: the `claude` of `CLAUDE_PATH` or the `PATH`.
   */
  readonly agent?: CliLauncherOptions | ReplayOptions | Layer.Layer<AgentLauncher>
  /** Flags of the CLI for every session, such as `model` and `permissionMode`. */
  readonly flags?: AgentOptions
  /** Where agents work. Default: the folder of this process. */
  readonly cwd?: string
  /** Agents work below these folders only. Default: `cwd`. */
  readonly roots?: ReadonlyArray<string>
  /** The address `start` listens on. Default `127.0.0.1`. */
  readonly host?: string
  /** The port `start` listens on. Default 3210; 0 for any free port. */
  readonly port?: number
  /**
   * What callers must send as `Authorization: Bearer`. Default: random, in `bridge.token`. `none` lets in everyone
   * who reaches the loopback interface.
   */
  readonly token?: string
  /** Origins of web pages that may ask, such as `http://localhost:3000`. Default none. */
  readonly allowedOrigins?: ReadonlyArray<string>
  /** Names besides the loopback's under which the server is addressed. Default none. */
  readonly allowedHosts?: ReadonlyArray<string>
  /** Where CopilotKit's routes are, such as `/copilotkit`. Default: at the root, beside the plain AG-UI endpoint. */
  readonly basePath?: string
  /** The id pages ask for. Default `default`. */
  readonly agentId?: string
  readonly limits?: HttpLimits
  /**
   * How questions of agents reach a person. `event`: the run continues and waits, `approve` and `deny` answer.
   * `interrupt`: the run ends with the question, as AG-UI clients expect. Default `deny`: nobody is asked.
   */
  readonly approvals?: ApprovalMode
  /** How long a question is asked before it is refused. Default 5 minutes. */
  readonly approvalTimeout?: number
  /** What happens to a run on a thread that is busy. Default `reject`. */
  readonly busy?: BusyMode
  /** Decides about tool calls before anybody is asked: the path of a policy file, or a function. */
  readonly policy?: string | Decide
  /** What sessions are for, to the policy, unless they say otherwise. */
  readonly mode?: string
  /** How many sessions there may be at a time. Default 100. */
  readonly maxSessions?: number
  /** How long a session may be unused before its process ends. Default 15 minutes. */
  readonly idleTimeout?: number
  /** The folder that threads are kept in, with all that was said; without one, they end with the bridge. */
  readonly data?: string
  /**
   * How safe what is kept is. `normal`: from the end of this process, however it ends. `full`: from a loss of power,
   * too; every write waits for the disk. Default `normal`.
   */
  readonly durability?: Durability
  /** Where the log goes. Default nowhere. */
  readonly log?: LogOptions
}

/** A token that cannot be guessed. */
export const randomToken = (): string => randomBytes(24).toString("base64url")

/** How the HTTP face is served. Fails when that would be unsafe. */
export const httpOptions = (
  config: BridgeConfig,
  token: string | undefined
): Effect.Effect<HttpServerOptions, HttpServerFailed> => {
  const { agentId, allowedHosts = [], allowedOrigins = [], approvals = "deny", basePath, host, limits, port } = config
  const access = { token: token === undefined ? ("none" as const) : Redacted.make(token), allowedHosts, allowedOrigins }
  const message = unsafeAccess(access, "127.0.0.1")
  return message === undefined
    ? Effect.succeed({
        access,
        approvals,
        agent: agentId === undefined ? {} : { agentId },
        ...(host !== undefined && { host }),
        ...(port !== undefined && { port }),
        ...(limits !== undefined && { limits }),
        ...(basePath !== undefined && { basePath })
      })
    : Effect.fail(new HttpServerFailed({ code: "UNSAFE", message }))
}

/** The sessions of a bridge, with an observer. */
export const layerOfConfig = (
  config: BridgeConfig,
  observer: SessionObserver,
  onStatus: NonNullable<SharedSessionOptions["onStatus"]>
): Layer.Layer<Sessions, { readonly code: string; readonly message: string }> => {
  const { data, durability, log, roots } = config
  const cwd = resolve(config.cwd ?? ".")
  return Layer.unwrap(
    Effect.map(policyOf(config), (policy) =>
      layerObservedSessions([observer]).pipe(
        Layer.provide(layerObservability),
        Layer.provide(
          layerBridgeSessions({
            session: { cwd, onStatus, ...sessionOptions(config), ...(policy !== undefined && { policy }) },
            sessions: registryOptions(config),
            ...(roots !== undefined && { roots: roots.map((root) => resolve(root)) }),
            ...(data !== undefined && {
              store: layerSqliteStore({ folder: resolve(data), ...(durability !== undefined && { durability }) })
            })
          })
        ),
        Layer.provide(layerClaudeRuntime),
        Layer.provide(layerObservedAgents),
        Layer.provide(agentsOf(config.agent ?? {}))
      )
    )
  ).pipe(Layer.provideMerge(log === undefined ? Logger.layer([]) : layerLog(log)))
}

const agentsOf = (agent: NonNullable<BridgeConfig["agent"]>): Layer.Layer<AgentLauncher> => {
  if (Layer.isLayer(agent)) return agent as Layer.Layer<AgentLauncher>
  return "tapes" in agent ? replayLauncher(agent) : cliLauncher(agent as CliLauncherOptions)
}

const sessionOptions = ({
  approvals,
  approvalTimeout,
  busy,
  flags,
  mode
}: BridgeConfig): Omit<SharedSessionOptions, "cwd"> => ({
  ...(flags !== undefined && { agent: flags }),
  ...(approvals !== undefined && { approvals }),
  ...(approvalTimeout !== undefined && { approvalTimeout }),
  ...(busy !== undefined && { busy }),
  ...(mode !== undefined && { mode })
})

const registryOptions = ({ idleTimeout, maxSessions }: BridgeConfig) => ({
  ...(maxSessions !== undefined && { maxSessions }),
  ...(idleTimeout !== undefined && { idle: idleTimeout })
})

const policyOf = ({ mode, policy }: BridgeConfig) => {
  if (policy === undefined) return Effect.succeed(undefined)
  if (typeof policy === "string") return Effect.map(loadPolicy(policy, claudeToolInputs, mode), makePolicy)
  return Effect.succeed(promised(policy))
}

const promised =
  (decide: Decide): Policy =>
  (use) =>
    Effect.promise(async () => decide(use))
