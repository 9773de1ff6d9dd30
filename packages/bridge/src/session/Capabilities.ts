/**
 * What a kind of agent can do, as data: a page that offers something need not try it first.
 *
 * The vocabulary is closed and says nothing of any one kind. Each runtime fills it as a table; tests hold the rows to what
 * the runtime does, and docs/capabilities.md is written from it.
 */
import * as Schema from "effect/Schema"
import { settingNames } from "./Settings.ts"

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

const can = (description: string) => described(Schema.Boolean, description)

/** What an agent asks permission for, or asks at all. */
export const askedKinds = [
  "command",
  "patch",
  "tool",
  "permissions",
  "network",
  "mcp_tool",
  "form",
  "choice",
  "plan"
] as const

/** What an agent can do. */
export const Capabilities = Schema.Struct({
  resume: can("A conversation continues in another process, after a restart of the bridge, too."),
  fork: can("A conversation can be copied, up to a point."),
  goBack: described(
    Schema.Literals(["none", "turn", "message"]),
    "What a conversation can go back to: the end of a turn, or of any message."
  ),
  steer: can("It hears words in the middle of a turn."),
  interrupt: can("Its turn can be stopped."),
  compact: can("It can be asked to forget all but a summary."),
  review: can("It reviews changes, as a turn of its own kind."),
  plan: can("It can be told to plan and to ask, and to change nothing."),
  pageTools: described(
    Schema.Literals(["none", "beginning", "always"]),
    "When it learns of tools of the application: never, when its conversation begins, or at any time."
  ),
  approvals: described(
    Schema.Array(Schema.Literals(askedKinds)),
    "What it asks. `tool`: it asks about any tool; otherwise it asks about what is named."
  ),
  changedInput: can("Whoever allows a call may change its input."),
  remember: can("Whoever allows a call may say that it is not asked again in this session."),
  images: can("A prompt may have images."),
  documents: can("A prompt may have documents."),
  thinking: can("It tells what its model thinks."),
  subAgents: can("It has sub-agents."),
  unsupportedOptions: described(
    Schema.Array(Schema.String),
    "The options of a session that it has nothing for: a session with one is refused."
  ),
  mcpServersLater: can("Its MCP servers may be others while it runs."),
  settingsLater: described(
    Schema.Array(Schema.Literals(settingNames)),
    "What of it may be others while it runs: its model, how much it may do unasked, how hard it thinks."
  ),
  hooks: can("Functions of the bridge's owner are called before and after its tools."),
  rewindFiles: can("Files can be put back to what they were before a prompt."),
  adopt: can("Conversations that were begun outside of the bridge can be continued.")
}).annotate({ identifier: "Capabilities" })

/** What an agent can do. */
export type Capabilities = typeof Capabilities.Type

/** A kind of agent of a bridge. */
export const AgentKind = Schema.Struct({
  kind: described(Schema.String, "Its name: the option `runtime` of a session."),
  name: described(Schema.String, "What people call it."),
  capabilities: Capabilities
}).annotate({ identifier: "AgentKind" })

/** A kind of agent of a bridge. */
export type AgentKind = typeof AgentKind.Type
