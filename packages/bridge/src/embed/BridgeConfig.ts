/**
 * The options of a `Bridge` as plain values, and the layers made from them.
 */
import { randomBytes } from "node:crypto"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { type ExtensionFileInvalid, loadExtensionFile } from "../extension/ExtensionFile.ts"
import {
  type ExtensionChoice,
  type ExtensionOptions,
  type Extensions,
  layerExtensions
} from "../extension/ExtensionHost.ts"
import { extensionFolder, folderDocuments } from "../extension/FolderDocuments.ts"
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
import { layerClaudeRuntimeWith } from "../runtime/claude/ClaudeRuntime.ts"
import { type CliLauncherOptions, cliLauncher } from "../runtime/claude/CliLauncher.ts"
import type { HookFailed } from "../runtime/claude/HookCallbacks.ts"
import { claudeToolInputs } from "../runtime/claude/ToolInputs.ts"
import { replayLauncher } from "../runtime/replay/ReplayAgent.ts"
import type { ReplayOptions } from "../runtime/replay/TapePlayer.ts"
import { HttpServerFailed, type HttpServerOptions } from "../server/HttpServer.ts"
import { type AgentOptions, BadOption } from "../session/AgentOptions.ts"
import type { SessionOptionName } from "../session/OptionRules.ts"
import type { BusyMode } from "../session/SessionOptions.ts"
import type { Sessions } from "../session/Sessions.ts"
import type { Durability } from "../store/sqlite/OpenDatabase.ts"
import { layerSqliteStore } from "../store/sqlite/SqliteStore.ts"
import { type BridgeHooks, hooksOf } from "./BridgeHooks.ts"
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
  /** Options of every session, such as `model` and `mcpServers`. A session may have its own. */
  readonly flags?: AgentOptions
  /**
   * Hooks of this program, by the event of the agent that they are for: for all threads, or those of each. A hook for
   * `PreToolUse` that fails or takes too long is a no.
   */
  readonly hooks?: BridgeHooks | ((threadId: string) => BridgeHooks | undefined)
  /**
   * What callers over HTTP may choose about the sessions that they begin, by name, such as `model`: all of it in a
   * run's `forwardedProps.sessionOptions`; in the management API, which takes what is harmless anyway, `env`, `hooks`,
   * `mcpConfig`, `mcpCommands` and `extraArgs`. Default none.
   */
  readonly sessionOptions?: ReadonlyArray<SessionOptionName>
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
  /**
   * Extensions: the path of a file that names them, or each of them, as a module that gets a thread of its own or as an
   * object of this program. What they keep is in `data`.
   */
  readonly extensions?: string | ReadonlyArray<ExtensionChoice>
}

/** Every option there is, so that any other can be refused. */
const known: Readonly<Record<keyof BridgeConfig, true>> = {
  agent: true,
  flags: true,
  hooks: true,
  sessionOptions: true,
  cwd: true,
  roots: true,
  host: true,
  port: true,
  token: true,
  allowedOrigins: true,
  allowedHosts: true,
  basePath: true,
  agentId: true,
  limits: true,
  approvals: true,
  approvalTimeout: true,
  busy: true,
  policy: true,
  mode: true,
  maxSessions: true,
  idleTimeout: true,
  data: true,
  durability: true,
  log: true,
  extensions: true
}

/** What became of options of before. */
const gone: Readonly<Record<string, string>> = {
  indexPath:
    "Name a folder with `data` instead: threads are kept in a database there, with all that was said. `agentwire serve --data FOLDER --import FILE` takes over those of a file of before."
}

/** Refuses options that do not exist: a program without types would otherwise believe that they take effect. */
export const checkConfig = (config: BridgeConfig): Effect.Effect<void, BadOption> => {
  const stray = Object.entries(config).find(([name, value]) => value !== undefined && !Object.hasOwn(known, name))
  if (stray === undefined) return Effect.void
  const [name] = stray
  const advice = Object.hasOwn(gone, name) ? gone[name] : `Those that there are: ${Object.keys(known).join(", ")}.`
  return Effect.fail(
    new BadOption({
      code: "BAD_OPTION",
      path: name,
      message: `A bridge has no option ${JSON.stringify(name)}. ${advice}`
    })
  )
}

/** A token that cannot be guessed. */
export const randomToken = (): string => randomBytes(24).toString("base64url")

/** How the HTTP face is served. Fails when that would be unsafe. */
export const httpOptions = (
  config: BridgeConfig,
  token: string | undefined
): Effect.Effect<HttpServerOptions, HttpServerFailed> => {
  const { agentId, allowedHosts = [], allowedOrigins = [], approvals = "deny", basePath, host, limits, port } = config
  const { sessionOptions } = config
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
        ...(sessionOptions !== undefined && { sessionOptions }),
        ...(basePath !== undefined && { basePath })
      })
    : Effect.fail(new HttpServerFailed({ code: "UNSAFE", message }))
}

/** The sessions of a bridge, with an observer. */
export const layerOfConfig = (
  config: BridgeConfig,
  observer: SessionObserver,
  onHookFailed: HookFailed,
  onStatus: NonNullable<SharedSessionOptions["onStatus"]>
): Layer.Layer<Sessions | Extensions, { readonly code: string; readonly message: string }> => {
  const { data, durability, log, roots } = config
  const cwd = resolve(config.cwd ?? ".")
  return Layer.unwrap(
    Effect.map(Effect.all([policyOf(config), extensionsOf(config)]), ([policy, extensions]) =>
      layerExtensions(extensions).pipe(
        Layer.provide(layerObservedSessions([observer])),
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
        Layer.provide(layerClaudeRuntimeWith({ hooks: hooksOf(config.hooks), onHookFailed })),
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

const extensionsOf = ({ data, extensions = [] }: BridgeConfig): Effect.Effect<ExtensionOptions, ExtensionFileInvalid> =>
  Effect.map(typeof extensions === "string" ? loadExtensionFile(extensions) : Effect.succeed(extensions), (chosen) => ({
    extensions: chosen,
    ...(data !== undefined && { documents: folderDocuments(extensionFolder(resolve(data))) })
  }))

const policyOf = ({ mode, policy }: BridgeConfig) => {
  if (policy === undefined) return Effect.succeed(undefined)
  if (typeof policy === "string") return Effect.map(loadPolicy(policy, claudeToolInputs, mode), makePolicy)
  return Effect.succeed(promised(policy))
}

const promised =
  (decide: Decide): Policy =>
  (use) =>
    Effect.promise(async () => decide(use))
