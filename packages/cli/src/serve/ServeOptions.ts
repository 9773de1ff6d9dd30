/**
 * What `agentwire serve` was told: its command line as options that are checked, with the defaults filled in.
 */
import { randomBytes } from "node:crypto"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { ApprovalMode } from "@agentwire/bridge/agui"
import type { CliLauncherOptions } from "@agentwire/bridge/claude"
import type { HttpLimits } from "@agentwire/bridge/http"
import type { LogLevel } from "@agentwire/bridge/observe"
import { type AgentOptions, type BusyMode, type SessionOptionName, sessionOptionNames } from "@agentwire/bridge/session"
import type { Durability } from "@agentwire/bridge/store"
import type { Input } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { type Limits, limitsOf } from "../Limits.ts"
import { oneOf, portNumber, wholeNumber } from "../OptionValue.ts"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import { httpLimitsOf } from "./HttpLimitOptions.ts"
import { optionWords, type RuntimeName, tokenVariable } from "./OptionWords.ts"

/** Where the agents come from. */
export type AgentSource =
  | {
      readonly _tag: "Cli"
      /** The agent of sessions that name none. */
      readonly runtime: RuntimeName
      readonly path: string | undefined
      readonly transport: NonNullable<CliLauncherOptions["transport"]>
      /** The folder for tapes. */
      readonly record: string | undefined
    }
  | {
      readonly _tag: "Tapes"
      readonly path: string
      /** The agent of sessions that name none; undefined: that of the first tape. */
      readonly runtime: RuntimeKind | undefined
      readonly speed: number | "instant"
      readonly limits: Limits
    }
  | { readonly _tag: "Demo"; readonly runtime: RuntimeKind; readonly speed: number | "instant" }

/** How callers show that they may connect. */
export interface TokenChoice {
  /** What they must send; undefined: nothing. */
  readonly token: string | undefined
  /** Made up here, so that nobody knows it until it is printed. */
  readonly isNew: boolean
}

/** Where threads are kept, and how. */
export interface DataChoice {
  readonly folder: string
  readonly durability: Durability
  /** The indexes of earlier versions whose threads are taken over, once, where they are there. */
  readonly imports: ReadonlyArray<string>
}

/** The options of the command. */
export interface ServeOptions extends TokenChoice {
  readonly host: string
  readonly port: number
  /** Whether somebody chose the port: else another one will do when it is taken. */
  readonly portIsChosen: boolean
  readonly cwd: string
  readonly roots: ReadonlyArray<string>
  readonly source: AgentSource
  /** The folder of what the folders of agents are to have. */
  readonly templates: string | undefined
  readonly agent: AgentOptions
  /** What callers may choose about the sessions that they begin. */
  readonly sessionOptions: ReadonlyArray<SessionOptionName>
  readonly approvals: ApprovalMode
  /** The policy file. */
  readonly policy: string | undefined
  /** The mode of the policy in which sessions are. */
  readonly mode: string | undefined
  readonly busy: BusyMode
  readonly origins: ReadonlyArray<string>
  readonly hosts: ReadonlyArray<string>
  /** Where threads are kept; undefined: they end with the bridge. */
  readonly data: DataChoice | undefined
  /** Begins with a slash and does not end with one. */
  readonly basePath: string | undefined
  readonly maxSessions: number | undefined
  /** How much a request may take, where that is said. */
  readonly limits: HttpLimits
  /** The file that names extensions. */
  readonly extensions: string | undefined
  /** Whether the server has a page of its own. */
  readonly page: boolean
  /** Whether what it prints when it listens is for a program. */
  readonly json: boolean
  readonly jsonLogs: boolean
  readonly logLevel: LogLevel
  /** The collector that spans go to. */
  readonly otlp: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** Addresses that stand for all of a machine's, and so name none. */
const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::", "*"])

/** The options of a command line. Throws a {@link UsageFailure} that says which is wrong. */
export const serveOptions = (input: Input, env: Environment, command = "serve"): ServeOptions => {
  const { lists, positionals } = input
  const [stray] = positionals
  if (stray !== undefined && !stray.startsWith("-"))
    throw new UsageFailure(`${command} takes no "${stray}". Flags for claude itself go after \`--\`.`)
  const host = text(input, "host") ?? "127.0.0.1"
  const cwd = resolve(text(input, "cwd") ?? ".")
  const roots = (lists["root"] ?? []).map((root) => resolve(root))
  return {
    ...tokenOf(input, env),
    host,
    port: portNumber("port", text(input, "port")) ?? 3210,
    portIsChosen: text(input, "port") !== undefined,
    cwd,
    roots: roots.length === 0 ? [cwd] : roots,
    source: sourceOf(input),
    templates: templatesOf(input),
    agent: agentOf(input),
    sessionOptions: sessionOptionsOf(input),
    // What the demo agent asks for is harmless, and there to be seen; the page asks a person.
    approvals: word(input, "approvals") ?? (isSet(input, "demo") || isSet(input, "page") ? "interrupt" : "deny"),
    ...policyOf(input),
    busy: word(input, "busy") ?? "reject",
    origins: lists["origin"] ?? [],
    // An address cannot be rebound as a name can, and whoever listens on one wants to be reached by it.
    hosts: [...(lists["allow-host"] ?? []), ...(wildcards.has(host) ? [] : [host])],
    data: dataOf(input, env),
    basePath: text(input, "base-path")
      ?.replace(/^\/*|\/*$/g, "")
      .replace(/^(?=.)/, "/"),
    maxSessions: wholeNumber("max-sessions", text(input, "max-sessions"), 1, 10_000),
    limits: httpLimitsOf(input),
    extensions: extensionsOf(input),
    page: isSet(input, "page"),
    json: isSet(input, "json"),
    jsonLogs: isSet(input, "json-logs"),
    logLevel: word(input, "log-level") ?? "info",
    otlp: otlpOf(input)
  }
}

const extensionsOf = (input: Input): string | undefined => {
  const file = text(input, "extensions")
  return file === undefined ? undefined : resolve(file)
}

const otlpOf = (input: Input): string | undefined => {
  const given = text(input, "otlp")
  if (given === undefined) return undefined
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new UsageFailure(`--otlp takes an address such as http://127.0.0.1:4318, not "${given}".`)
  return given
}

const policyOf = (input: Input): Pick<ServeOptions, "policy" | "mode"> => {
  const policy = text(input, "policy")
  const mode = text(input, "mode")
  if (mode !== undefined && policy === undefined)
    throw new UsageFailure("--mode is one of a policy: name its --policy.")
  return { policy: policy === undefined ? undefined : resolve(policy), mode }
}

const tokenOf = (input: Input, env: Environment): TokenChoice => {
  const given = text(input, "token") ?? env[tokenVariable]
  if (isSet(input, "no-auth")) {
    if (text(input, "token") !== undefined) throw new UsageFailure("Either --token or --no-auth, not both.")
    return { token: undefined, isNew: false }
  }
  return given === undefined || given === ""
    ? { token: randomBytes(32).toString("base64url"), isNew: true }
    : { token: given, isNew: false }
}

/** What Codex has nothing for. */
const claudeOnly = [
  "transport",
  "allowed-tools",
  "disallowed-tools",
  "mcp-config",
  "max-turns",
  "max-budget",
  "checkpointing"
]

const liveOnly = [
  "cli",
  "templates",
  "transport",
  "record",
  "model",
  "permission-mode",
  "max-turns",
  "max-budget",
  "effort",
  "checkpointing",
  "mcp-config"
]

const templatesOf = (input: Input): string | undefined => {
  const folder = text(input, "templates")
  return folder === undefined ? undefined : resolve(folder)
}

const sourceOf = (input: Input): AgentSource => {
  const replay = text(input, "replay")
  const speed = text(input, "speed")
  const isDemo = isSet(input, "demo")
  if (replay === undefined && !isDemo) {
    if (speed !== undefined) throw new UsageFailure("--speed goes with --replay and --demo.")
    const record = text(input, "record")
    const runtime = word(input, "runtime") ?? "claude"
    if (runtime !== "claude") {
      const other = claudeOnly.find((name) => input.values[name] !== undefined)
      if (other !== undefined)
        throw new UsageFailure(`--${other} is for Claude Code: it does not go with --runtime ${runtime}.`)
    }
    if (runtime === "codex-exec") checkUnasked(input)
    return {
      _tag: "Cli",
      runtime,
      path: text(input, "cli"),
      transport: word(input, "transport") ?? "auto",
      record: record === undefined ? undefined : resolve(record)
    }
  }
  if (replay !== undefined && isDemo) throw new UsageFailure("Either --replay or --demo, not both.")
  const other = liveOnly.find((name) => input.values[name] !== undefined)
  if (other !== undefined)
    throw new UsageFailure(`--${other} is for a live CLI: it does not go with ${isDemo ? "--demo" : "--replay"}.`)
  const runtime = word(input, "runtime")
  if (runtime === "codex-exec")
    throw new UsageFailure(
      `--runtime codex-exec is for a live Codex: it does not go with ${isDemo ? "--demo" : "--replay"}.`
    )
  return replay === undefined
    ? { _tag: "Demo", runtime: runtime ?? "claude", speed: speedOf(speed ?? "real") }
    : { _tag: "Tapes", path: resolve(replay), runtime, speed: speedOf(speed ?? "instant"), limits: limitsOf(input) }
}

/** The modes of `codex exec` in which it can write nothing. */
const readOnlyModes: ReadonlySet<string | undefined> = new Set([undefined, "default", "read-only"])

/** With `codex exec` nobody is asked, neither a person nor a policy: who wants them asked must not think they are. */
const checkUnasked = (input: Input): void => {
  const approvals = word(input, "approvals")
  if (approvals === "interrupt" || approvals === "event")
    throw new UsageFailure(
      `--approvals ${approvals} does not go with --runtime codex-exec, which asks nobody. --runtime codex asks.`
    )
  const mode = text(input, "permission-mode")
  if (text(input, "policy") !== undefined && !(readOnlyModes.has(mode) && input.positionals.length === 0))
    throw new UsageFailure(
      "No --policy is asked about what codex exec runs: with one, it goes with --permission-mode read-only and no flags of its own. --runtime codex asks the policy."
    )
}

const speedOf = (speed: string): number | "instant" => {
  if (speed === "instant") return speed
  const factor = speed === "real" ? 1 : Number(speed)
  if (!(factor > 0)) throw new UsageFailure(`--speed takes real, instant or a number above 0, not "${speed}".`)
  return factor
}

/** What the command line can say of an agent. Its environment is that of the command, and the rest goes after `--`. */
type AgentOptionsGiven = {
  readonly [K in Exclude<keyof AgentOptions, "runtime" | "env" | "mcpServers" | "agents" | "jsonSchema" | "hooks">]-?:
    | AgentOptions[K]
    | undefined
}

const agentOf = (input: Input): AgentOptions => {
  const { lists, positionals } = input
  const given: AgentOptionsGiven = {
    model: text(input, "model"),
    permissionMode: text(input, "permission-mode"),
    allowedTools: lists["allowed-tools"],
    disallowedTools: lists["disallowed-tools"],
    addDirs: lists["add-dir"]?.map((folder) => resolve(folder)),
    systemPrompt: text(input, "system-prompt"),
    appendSystemPrompt: text(input, "append-system-prompt"),
    mcpConfig: text(input, "mcp-config"),
    maxTurns: wholeNumber("max-turns", text(input, "max-turns"), 1),
    maxBudgetUsd: dollars(input, "max-budget"),
    effort: word(input, "effort"),
    checkpointing: isSet(input, "checkpointing") ? true : undefined,
    extraArgs: positionals.length === 0 ? undefined : positionals
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const dollars = (input: Input, name: string): number | undefined => {
  const given = text(input, name)
  if (given === undefined) return undefined
  const amount = /^\d+(?:\.\d+)?$/.test(given) ? Number(given) : 0
  if (!(amount > 0)) throw new UsageFailure(`--${name} takes an amount of US dollars above 0, not "${given}".`)
  return amount
}

const sessionOptionsOf = ({ lists }: Input): ReadonlyArray<SessionOptionName> => {
  const names = (lists["session-options"] ?? []).flatMap((list) => list.split(",")).map((name) => name.trim())
  return names.map((name) => {
    const known = sessionOptionNames.find((each) => each === name)
    if (known === undefined)
      throw new UsageFailure(
        `--session-options takes names of options, not "${name}". They are: ${sessionOptionNames.join(", ")}.`
      )
    return known
  })
}

/** Tapes and the demo agent have no conversation to continue. */
const dataOf = (input: Input, env: Environment): DataChoice | undefined => {
  checkOldOptions(input)
  const folder = text(input, "data")
  const [durability, index] = [word(input, "durability"), text(input, "import")]
  const isKept = folder !== undefined || (text(input, "replay") === undefined && !isSet(input, "demo"))
  if (!isKept || isSet(input, "no-data")) {
    if (isSet(input, "no-data") && folder !== undefined) throw new UsageFailure("Either --data or --no-data, not both.")
    if (durability !== undefined || index !== undefined)
      throw new UsageFailure(`--${index === undefined ? "durability" : "import"} goes with --data: nothing is kept.`)
    return undefined
  }
  return {
    folder: folder === undefined ? defaultData(env) : resolve(folder),
    durability: durability ?? "normal",
    // The default place takes over what earlier versions had in theirs.
    imports: [...(index === undefined ? [] : [resolve(index)]), ...(folder === undefined ? [oldIndex(env)] : [])]
  }
}

/** What became of options that are gone. */
const checkOldOptions = (input: Input): void => {
  const index = text(input, "index")
  if (index !== undefined)
    throw new UsageFailure(
      `--index is gone: threads are kept in a database now, in --data DIR. To take over those of ${index}, say --import ${index} once.`
    )
  if (isSet(input, "no-index")) throw new UsageFailure("--no-index is --no-data now: nothing is kept.")
}

/** Where threads are kept unless another folder is named: where the XDG rules keep a person's data. */
export const defaultData = (env: Environment): string => join(xdgFolder(env, "XDG_DATA_HOME", "share"), "agentwire")

/** Where earlier versions remembered threads. */
export const oldIndex = (env: Environment): string =>
  join(xdgFolder(env, "XDG_STATE_HOME", "state"), "agentwire", "index.json")

/** A folder of the XDG rules. A relative path is to be ignored, by the same rules. */
const xdgFolder = (env: Environment, variable: string, name: string): string => {
  const folder = env[variable]
  return folder?.startsWith("/") === true ? folder : join(env["HOME"] || homedir(), ".local", name)
}

const text = ({ values }: Input, name: string): string | undefined => {
  const value = values[name]
  if (value === "") throw new UsageFailure(`--${name} is empty.`)
  return typeof value === "string" ? value : undefined
}

const isSet = ({ values }: Input, name: string): boolean => values[name] === true

const word = <K extends keyof typeof optionWords>(input: Input, name: K): (typeof optionWords)[K][number] | undefined =>
  oneOf<(typeof optionWords)[K][number]>(name, optionWords[name], text(input, name))
