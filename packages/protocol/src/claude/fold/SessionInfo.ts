/**
 * What the session says about itself in `system/init`, once per turn. None of it is relied on: what a release leaves
 * out is empty.
 */
import type { SessionInfo } from "../../model/Event.ts"
import type { MessageOf } from "../Message.ts"
import { fieldsIn, listIn, textIn, textsIn } from "./Fields.ts"

/** The session as it describes itself. */
export const sessionInfo = (message: MessageOf<"system/init">): SessionInfo => {
  const told = fieldsIn(message)
  const text = (key: string): string => textIn(told[key]) ?? ""
  return {
    sessionId: text("session_id"),
    version: text("claude_code_version"),
    model: text("model"),
    cwd: text("cwd"),
    mode: text("permissionMode"),
    tools: textsIn(told["tools"]),
    mcpServers: listIn(told["mcp_servers"]).flatMap(serverOf),
    slashCommands: textsIn(told["slash_commands"]),
    agents: textsIn(told["agents"]),
    skills: textsIn(told["skills"]),
    outputStyle: text("output_style")
  }
}

const serverOf = (given: unknown): NonNullable<SessionInfo["mcpServers"]> => {
  const { name, status } = fieldsIn(given)
  return typeof name === "string" ? [{ name, status: textIn(status) ?? "" }] : []
}
