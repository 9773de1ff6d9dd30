/**
 * What may be chosen about a session: its thread, its folder, its agent, who is asked, and how long anything may take.
 */
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { EventLogLimits } from "../log/EventLog.ts"
import type { WireLogLimits } from "../log/WireLog.ts"
import type { Policy } from "../policy/Policy.ts"
import type { Claim } from "../store/Store.ts"
import type { AgentOptions, StartFailed } from "./Runtime.ts"
import type { SessionStatus } from "./Session.ts"

/**
 * What happens to a prompt on a thread that is busy. `steer`: it goes into the open turn; where it cannot, because it is a
 * slash command or the agent hears nothing in the middle of a turn, it waits.
 */
export type BusyMode = "reject" | "queue" | "interrupt" | "steer"

/** What may be chosen about a session. */
export interface SessionOptions {
  /** The thread, which is this session's as long as the scope is open: see `openThread`. */
  readonly claim: Claim
  /** The name of the session in paths. */
  readonly sessionKey: string
  readonly cwd: string
  /** Looks the folder up at every start of the agent. Default: it is what it was called. */
  readonly findFolder?: (cwd: string) => Effect.Effect<string, StartFailed>
  readonly agent?: AgentOptions
  /** Whether a person can answer through some face. Default no: what needs a person is refused. */
  readonly canAsk?: boolean
  /** Default `reject`. */
  readonly busy?: BusyMode
  /** Asked about every tool call before anybody else. */
  readonly policy?: Policy
  /** What the session is for, to the policy. */
  readonly mode?: string
  /** How long a question is asked before it is refused. Default 5 minutes. */
  readonly approvalTimeout?: Duration.Input
  /** How long the application may take for one of its tools. Default 5 minutes. */
  readonly frontendTimeout?: Duration.Input
  /** How long a stopped turn may take to end. Default 5 seconds. */
  readonly stopTimeout?: Duration.Input
  /** How long the agent may take to start. Default 60 seconds. */
  readonly startTimeout?: Duration.Input
  readonly log?: EventLogLimits
  readonly wire?: WireLogLimits
  /** Called whenever the status of the session changes. */
  readonly onStatus?: (threadId: string, status: SessionStatus) => Effect.Effect<void>
}
