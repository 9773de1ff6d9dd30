/**
 * How the process of an agent ends, and why it may not even start.
 */
import * as Schema from "effect/Schema"

/** How an agent ended. */
export interface AgentExit {
  readonly code: number | null
  readonly signal: string | null
  /** The last lines it wrote to stderr. */
  readonly stderr: string
}

/** The agent could not be started. */
export class LaunchFailed extends Schema.TaggedError<LaunchFailed>()("LaunchFailed", {
  /** Stable: `CLI_NOT_FOUND`, `CLI_NOT_EXECUTABLE`, `CLI_VERSION_UNKNOWN`, `CWD_MISSING`, `SPAWN_FAILED`, `TRANSPORT_UNSUPPORTED`, `OPTION_UNSUPPORTED`, `OPTION_CONFLICT`, `NO_TAPE`, `TAPE_TOO_LARGE`. */
  code: Schema.String,
  message: Schema.String
}) {}
