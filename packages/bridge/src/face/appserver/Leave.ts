/**
 * What a client may choose about an agent: the approval policy and the sandbox of Codex as permission modes, and what of
 * it is said back.
 *
 * A client can be stricter than its operator, and not laxer. `never` lets Codex run what its sandbox allows; there is no
 * sandbox of the operating system around the agents of a bridge, so it counts only where the operator lets clients choose
 * `permissionMode` (`--session-options permissionMode`). Else the agent asks as before. The policy of the bridge is asked
 * first in every mode, with Claude Code also for what the agent would not ask about.
 */
import * as AppServer from "@agentwire/protocol/appserver"
import type { ResultOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import type { AgentOptions } from "../../session/AgentOptions.ts"
import { isModelOf } from "./Models.ts"
import { refuse } from "./Refusals.ts"
import type { AppServerOptions } from "./Shared.ts"

type Policy = ResultOf<"thread/start">["approvalPolicy"]
type Sandbox = ResultOf<"thread/start">["sandbox"]
type Profile = NonNullable<ResultOf<"thread/start">["activePermissionProfile"]> | null
type Runtime = AppServerOptions["runtime"]

/** What comes of what a client wants. */
export interface Leave {
  /** For the agent: what is not among them stays as the operator has it. */
  readonly agent: Pick<AgentOptions, "permissionMode" | "model" | "effort" | "appendSystemPrompt">
  readonly cwd: string | undefined
  /** What applies, in the words of the protocol. */
  readonly approvalPolicy: Policy
  readonly sandbox: Sandbox
  readonly activePermissionProfile: Profile
  /** What was not done, for people: of that, what the answer does not say. */
  readonly warnings: ReadonlyArray<string>
  /** What there is nothing for, as the answer says, too: people are told when a thread begins. */
  readonly notKept: ReadonlyArray<string>
}

/** A permission mode, and what is left of it where the operator does not allow it: by default, the one that asks. */
type Mode = readonly [name: string | typeof asks, instead?: string]

/** The mode of the operator, unless it lets more be done unasked than the first mode of the agent does. */
const asks = Symbol("asks")

/** The permission modes by runtime and by what may be done, asking about the rest or not. */
const modes: Readonly<Record<Runtime, Readonly<Record<string, Mode>>>> = {
  claude: {
    "read, asks about all": [asks],
    "read, asks": [asks],
    "edit, asks": ["acceptEdits"],
    "everything, asks": ["acceptEdits"],
    "read, silent": ["dontAsk"],
    // Who does not want to be asked is not asked, and may less.
    "edit, silent": ["acceptEdits", "dontAsk"],
    "everything, silent": ["bypassPermissions", "dontAsk"]
  },
  codex: {
    "read, asks about all": ["untrusted"],
    // What wants to leave the sandbox is asked about in no other policy: Codex refuses it in the others by itself.
    "read, asks": ["on-request-read-only", "untrusted"],
    "edit, asks": ["on-request"],
    "everything, asks": ["on-request"],
    // Without leave people are asked all the same: Codex has no mode in which it reads and does nothing else.
    "read, silent": ["never-read-only", "read-only"],
    "edit, silent": ["never"],
    "everything, silent": ["full-access"]
  }
}

/** The first mode of each agent. */
const firstModes: Readonly<Record<Runtime, string>> = { claude: "default", codex: "untrusted" }

/** How much is done unasked in a mode, compared with the first: in those that are not here, as much. */
const laxities: Readonly<Record<string, number>> = {
  plan: -1,
  dontAsk: -1,
  "read-only": -1,
  acceptEdits: 1,
  auto: 1,
  bypassPermissions: 2,
  "on-request-read-only": 1,
  "never-read-only": 1,
  "on-request": 2,
  never: 2,
  "full-access": 3
}

const laxityOf = (mode: string | undefined): number => laxities[mode ?? ""] ?? 0

/** When an agent asks in a mode, and the sandbox that is around what it runs: there is none around Claude Code's. */
const manners: Readonly<Record<Runtime, Readonly<Record<string, readonly [policy: Policy, sandbox: SandboxWord]>>>> = {
  claude: {
    dontAsk: ["never", "danger-full-access"],
    bypassPermissions: ["never", "danger-full-access"]
  },
  codex: {
    default: ["untrusted", "workspace-write"],
    untrusted: ["untrusted", "workspace-write"],
    "read-only": ["untrusted", "read-only"],
    "on-request": ["on-request", "workspace-write"],
    "on-request-read-only": ["on-request", "read-only"],
    never: ["never", "workspace-write"],
    "never-read-only": ["never", "read-only"],
    "full-access": ["never", "danger-full-access"]
  }
}

const efforts = ["low", "medium", "high", "xhigh", "max"] as const

/** What the agents call what they have under another name. */
const otherEfforts: Readonly<Record<string, AgentOptions["effort"]>> = { minimal: "low", ultra: "max" }

const notAllowed =
  "The operator of this bridge decides what runs without asking: to let clients choose it, start it with --session-options permissionMode."

/** What a client gets of what it wants. `before` is the permission mode that its thread has. */
export const leaveOf = (
  params: unknown,
  { agent, runtime, sessionOptions = [] }: AppServerOptions,
  before: string | undefined = agent?.permissionMode
): Effect.Effect<Leave, Refusal> =>
  Effect.suspend(() => {
    const { choices, notKept, refused } = AppServer.sessionSettings(params, {
      sandboxed: runtime === "codex",
      provider: runtime
    })
    if (refused !== undefined) return Effect.fail(refuse(`Invalid request: ${refused}`))
    const { effort, instructions, model } = choices
    const own = agent?.permissionMode
    const isLimit = (mode: string): boolean =>
      laxityOf(mode) > laxityOf(own) && !sessionOptions.includes("permissionMode")
    const asking = laxityOf(own) <= 0 && own !== undefined ? own : firstModes[runtime]
    const [wish, instead = asking] = wantedMode(runtime, choices) ?? []
    const wanted = wish === asks ? asking : wish
    const isAllowed = wanted === undefined || !isLimit(wanted)
    const mode = isAllowed ? wanted : isLimit(instead) ? asking : instead
    const isKnown = model !== undefined && isModelOf(runtime, model)
    const hard = efforts.find((each) => each === effort) ?? otherEfforts[effort ?? ""]
    return Effect.succeed({
      agent: {
        ...(mode !== undefined && mode !== (before ?? "default") && { permissionMode: mode }),
        ...(isKnown && model !== "default" && { model }),
        ...(hard !== undefined && { effort: hard }),
        ...(instructions !== undefined && { appendSystemPrompt: instructions })
      },
      cwd: choices.cwd,
      ...appliedIn(runtime, mode ?? before, {
        ...(choices.approvalPolicy !== undefined && { policy: choices.approvalPolicy }),
        ...(isAllowed && choices.profile !== undefined && { profile: choices.profile })
      }),
      notKept,
      warnings: [
        ...(isAllowed ? [] : [notAllowed]),
        ...(model !== undefined && !isKnown && model !== "default"
          ? [`The agent has no model ${model}: it uses its own.`]
          : [])
      ]
    })
  })

/** The mode that comes nearest to what a client wants of an agent, and lets it do no more. */
const wantedMode = (
  runtime: Runtime,
  { approvalPolicy, autonomy, sandbox }: AppServer.ThreadChoices
): Mode | undefined => {
  if (autonomy === undefined) return undefined
  const isUntrusting = autonomy.asks && approvalPolicy === "untrusted"
  // Codex has a sandbox that is stricter than that of the mode in which it asks about all.
  if (isUntrusting && sandbox?.type === "readOnly" && runtime === "codex") return ["read-only"]
  return modes[runtime][`${autonomy.may}, ${isUntrusting ? "asks about all" : autonomy.asks ? "asks" : "silent"}`]
}

/** What truly applies in a mode; `chosen`: where the mode itself does not say, what the client wants and may have. */
export const appliedIn = (
  runtime: Runtime,
  mode: string | undefined,
  chosen: { readonly policy?: Policy; readonly profile?: string } = {}
): Pick<Leave, "approvalPolicy" | "sandbox" | "activePermissionProfile"> => {
  const otherwise = {
    claude: [chosen.policy === "untrusted" ? "untrusted" : "on-request", "danger-full-access"],
    codex: ["untrusted", "workspace-write"]
  } as const
  const [approvalPolicy, word] = manners[runtime][mode ?? "default"] ?? otherwise[runtime]
  const [named] = Object.entries(AppServer.permissionProfiles).find(([, each]) => each === word) ?? []
  // A profile is the sandbox that it names. Before Claude Code, where there is none, it is what was chosen by that name:
  // the TUI takes no prompt before it is told of the one that it has asked for.
  const profile = runtime === "codex" ? named : chosen.profile
  return {
    approvalPolicy,
    sandbox: sandboxes[word],
    activePermissionProfile: profile === undefined ? null : { id: profile, extends: null }
  }
}

type SandboxWord = "read-only" | "workspace-write" | "danger-full-access"

const sandboxes: Readonly<Record<SandboxWord, Sandbox>> = {
  "read-only": { type: "readOnly", networkAccess: false },
  "workspace-write": {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false
  },
  "danger-full-access": { type: "dangerFullAccess" }
}

/** The permission profiles, and whether the operator lets a client choose them. */
export const profilesOf = ({ sessionOptions = [] }: AppServerOptions): ResultOf<"permissionProfile/list">["data"] =>
  Object.entries(AppServer.permissionProfiles).map(([id, sandbox]) => ({
    id,
    description: null,
    allowed: sandbox === "read-only" || sessionOptions.includes("permissionMode")
  }))
