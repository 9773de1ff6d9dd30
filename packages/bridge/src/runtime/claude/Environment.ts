/**
 * The environment an agent starts in: the bridge's own, without the variables that Claude Code sets for its children
 * when it started the bridge. With those the agent would take itself for a part of that session.
 */
import { cleanEnvironment } from "../../process/CleanEnvironment.ts"
import type { AgentOptions } from "../../session/AgentOptions.ts"

/**
 * What Claude Code adds to the environment of what it starts: measured as the difference between its own and that
 * of its Bash tool on 2.1.37, 2.1.197 and 2.1.325, and what `--sdk-url` and the remote workers read. Anything else
 * that begins with CLAUDE_CODE_ is a person's setting (`CLAUDE_CODE_USE_BEDROCK`) and stays.
 */
const sessionVariables: ReadonlySet<string> = new Set([
  "AI_AGENT",
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_ENVIRONMENT_KIND",
  "CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2",
  "CLAUDE_CODE_REMOTE",
  "CLAUDE_CODE_REMOTE_SESSION_ID",
  "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_CODE_USE_CCR_V2",
  "CLAUDE_CODE_WORKER_EPOCH",
  "CLAUDE_EFFORT",
  "CLAUDE_ENV_FILE",
  "CLAUDE_PID",
  "CLAUDE_PROJECT_DIR"
])

/** The environment of an agent: the bridge's own where nothing else is given, cleaned, and what is added to it. */
export const agentEnvironment = (
  added?: Readonly<Record<string, string>>,
  own?: Readonly<Record<string, string | undefined>>
): Readonly<Record<string, string>> => cleanEnvironment(sessionVariables, added, own)

/** The variables that a session has for itself. */
export const ownVariables = ({ checkpointing, env }: AgentOptions): Readonly<Record<string, string>> => ({
  ...env,
  ...(checkpointing !== undefined && { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: checkpointing ? "1" : "0" })
})
