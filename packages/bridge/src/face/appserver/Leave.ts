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
type Runtime = AppServerOptions["runtime"]

/** What comes of what a client wants. */
export interface Leave {
  /** For the agent: what is not among them stays as the operator has it. */
  readonly agent: Pick<AgentOptions, "permissionMode" | "model" | "effort" | "appendSystemPrompt">
  readonly cwd: string | undefined
  readonly approvalPolicy: Policy
  readonly sandbox: Sandbox
  /** What was not done, for people. */
  readonly warnings: ReadonlyArray<string>
}

/** A permission mode, and whether an agent does more in it without asking than in its first one. */
interface Mode {
  readonly name: string
  readonly widens: boolean
  /** What is left of it where the operator does not allow it; undefined: whatever the agent has. */
  readonly instead?: string | undefined
}

const widening = (name: string, instead?: string): Mode => ({ name, widens: true, instead })
const harmless = (name: string): Mode => ({ name, widens: false })

/** The permission modes by runtime and by what may be done, asking about the rest or not. Where there is none, the first. */
const modes: Readonly<Record<Runtime, Readonly<Record<string, Mode>>>> = {
  claude: {
    "edit, asks": widening("acceptEdits"),
    "everything, asks": widening("acceptEdits"),
    "read, silent": harmless("dontAsk"),
    // Who does not want to be asked is not asked, and may less.
    "edit, silent": widening("acceptEdits", "dontAsk"),
    "everything, silent": widening("bypassPermissions", "dontAsk")
  },
  codex: {
    "read, asks about all": harmless("untrusted"),
    // What wants to leave the sandbox is asked about in no other policy: Codex refuses it in the others by itself.
    "read, asks": widening("on-request-read-only", "untrusted"),
    "edit, asks": widening("on-request"),
    "everything, asks": widening("on-request"),
    "read, silent": harmless("read-only"),
    "edit, silent": widening("never"),
    "everything, silent": widening("full-access")
  }
}

/** The modes in which nobody is asked. */
const silent: ReadonlySet<string> = new Set(["dontAsk", "bypassPermissions", "never", "full-access"])

const efforts = ["low", "medium", "high", "xhigh", "max"] as const

/** What the agents call what they have under another name. */
const otherEfforts: Readonly<Record<string, AgentOptions["effort"]>> = { minimal: "low", ultra: "max" }

const notAllowed =
  "The operator of this bridge decides what runs without asking: to let clients choose it, start it with --session-options permissionMode."

/** What a client gets of what it wants. */
export const leaveOf = (
  params: unknown,
  { runtime, sessionOptions = [] }: AppServerOptions
): Effect.Effect<Leave, Refusal> =>
  Effect.suspend(() => {
    const { choices, notKept, refused } = AppServer.sessionSettings(params)
    if (refused !== undefined) return Effect.fail(refuse(`Invalid request: ${refused}`))
    const { autonomy, effort, instructions, model } = choices
    const manner =
      autonomy?.asks === false ? "silent" : choices.approvalPolicy === "untrusted" ? "asks about all" : "asks"
    const wanted = autonomy === undefined ? undefined : modes[runtime][`${autonomy.may}, ${manner}`]
    const isAllowed = wanted?.widens !== true || sessionOptions.includes("permissionMode")
    const mode = isAllowed ? wanted?.name : wanted?.instead
    const isKnown = model !== undefined && isModelOf(runtime, model)
    const hard = efforts.find((each) => each === effort) ?? otherEfforts[effort ?? ""]
    return Effect.succeed({
      agent: {
        ...(mode !== undefined && { permissionMode: mode }),
        ...(isKnown && model !== "default" && { model }),
        ...(hard !== undefined && { effort: hard }),
        ...(instructions !== undefined && { appendSystemPrompt: instructions })
      },
      cwd: choices.cwd,
      approvalPolicy:
        mode !== undefined && silent.has(mode)
          ? "never"
          : choices.approvalPolicy === "untrusted"
            ? "untrusted"
            : "on-request",
      sandbox: sandboxOf(runtime, mode),
      warnings: [
        ...notKept,
        ...(isAllowed ? [] : [notAllowed]),
        ...(model !== undefined && !isKnown && model !== "default"
          ? [`The agent has no model ${model}: it uses its own.`]
          : [])
      ]
    })
  })

/** What truly is around the programs that an agent runs. */
export const sandboxOf = (runtime: Runtime, mode: string | undefined): Sandbox => {
  if (runtime === "claude" || mode === "full-access") return { type: "dangerFullAccess" }
  if (mode === "read-only" || mode === "on-request-read-only") return { type: "readOnly", networkAccess: false }
  return {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: false
  }
}
