/**
 * What the session says about itself in `system/init`, once per turn: a key of the shared state, so that the
 * application's own state stays what it is.
 */
import type { MessageOf } from "../claude/Message.ts"
import type { Out } from "./Block.ts"
import { sessionStateKey } from "./Options.ts"
import type { State } from "./State.ts"

/** The session as the client sees it. */
export interface SessionInfo {
  readonly sessionId: string
  readonly version: string
  readonly model: string
  readonly cwd: string
  readonly permissionMode: string
  readonly tools: ReadonlyArray<string>
  readonly mcpServers: ReadonlyArray<{ readonly name: string; readonly status: string }>
  readonly slashCommands: ReadonlyArray<string>
  readonly agents: ReadonlyArray<string>
  readonly skills: ReadonlyArray<string>
  readonly outputStyle: string
}

/** The session as the client sees it. */
export const sessionInfo = (message: MessageOf<"system/init">): SessionInfo => ({
  sessionId: message.session_id,
  version: message.claude_code_version,
  model: message.model,
  cwd: message.cwd,
  permissionMode: String(message.permissionMode ?? "unknown"),
  tools: message.tools,
  mcpServers: message.mcp_servers.map(({ name, status }) => ({ name, status: String(status ?? "unknown") })),
  slashCommands: message.slash_commands,
  agents: message.agents ?? [],
  skills: message.skills,
  outputStyle: message.output_style
})

/** Tells the client what session this is. */
export const tellSession = (state: State, message: MessageOf<"system/init">, out: Out): void => {
  const value = sessionInfo(message)
  out.push(
    state.settings.keyedState
      ? { type: "STATE_DELTA", delta: [{ op: "add", path: `/${sessionStateKey}`, value }] }
      : { type: "CUSTOM", name: "system_init", value }
  )
}
