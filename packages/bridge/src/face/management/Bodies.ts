/**
 * What the management API is sent: bodies and queries. Keys that are not named here are refused, except those of
 * the objects that belong to the wire (content parts, MCP servers, JSON-RPC).
 */
import * as Schema from "effect/Schema"
import { agentOptionFields, McpServer } from "../../session/AgentOptions.ts"
import * as Wire from "./Wire.ts"

const optional = Schema.optionalKey

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

/** A text of at most so many characters, and at least one. */
const text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max))

/** A session to make. */
export const NewSession = Schema.Struct({
  threadId: optional(described(text(256), "The name of the thread. One is made up when it is left out.")),
  cwd: optional(described(text(4096), "The folder the agent works in: an absolute path under a root of the bridge.")),
  mode: optional(described(text(100), "What the session is for, to the policy.")),
  ...agentOptionFields
}).annotate({ identifier: "NewSession" })

/** What is to change about a session. */
export const SessionChange = Schema.Struct({
  title: optional(described(text(200), "What the person calls it.")),
  summary: optional(described(Schema.String.check(Schema.isMaxLength(10_000)), "What it is about.")),
  archived: optional(described(Schema.Boolean, "Whether it is put away: lists can leave it out."))
}).annotate({ identifier: "SessionChange" })

/** A conversation that was begun elsewhere, to be continued here. */
export const Adoption = Schema.Struct({
  threadId: optional(described(text(256), "The name of the thread. The agent's id when it is left out.")),
  mode: optional(described(text(100), "What the session is for, to the policy.")),
  model: optional(described(text(200), "The model the agent continues with.")),
  permissionMode: optional(described(text(100), "The permission mode the agent continues with."))
}).annotate({ identifier: "Adoption" })

/** A workspace to find or to make. */
export const WorkspaceOf = Schema.Struct({
  folder: described(text(4096), "An absolute path under a root of the bridge."),
  name: optional(described(text(200), "What it is called if it is made now. The folder's name when it is left out."))
}).annotate({ identifier: "WorkspaceOf" })

/** What is to change about a workspace. */
export const WorkspaceChange = Schema.Struct({
  name: optional(described(text(200), "What people call it.")),
  activeThreadId: optional(described(Schema.NullOr(text(256)), "A session of the workspace; null for none."))
}).annotate({ identifier: "WorkspaceChange" })

/** A prompt. */
export const NewMessage = Schema.Struct({
  content: described(
    Schema.Union([Schema.String, Schema.Array(Wire.ContentPart)]),
    "Text, or the content parts of AG-UI."
  )
}).annotate({ identifier: "NewMessage" })

/** Words for the run that is open. */
export const Steer = Schema.Struct({
  content: NewMessage.fields.content,
  runId: optional(described(text(1000), "Only when this run is open. Whichever is open when it is left out."))
}).annotate({ identifier: "Steer" })

const point = {
  messageId: optional(
    described(text(1000), "The last message that stays, with the results of its calls. It may be on any branch.")
  ),
  beforeMessageId: optional(
    described(text(1000), "The first message that goes: for another version of it. It may be on any branch.")
  ),
  branch: optional(described(Schema.Natural, "All that was said up to the end of this branch stays."))
}

/** Where a conversation goes back to: one of them. */
export const Revert = Schema.Struct(point).annotate({ identifier: "Revert" })

/** A session to make of another one, and where it leaves that: one of them, or where it is now. */
export const Fork = Schema.Struct({
  ...point,
  threadId: optional(described(text(256), "The name of the new thread. One is made up when it is left out.")),
  title: optional(described(text(200), "What the person calls it. As the old one, with a mark, when it is left out."))
}).annotate({ identifier: "Fork" })

/** Which run to stop. */
export const Interrupt = Schema.Struct({
  runId: optional(described(text(1000), "Stop this run only. Whichever is open when it is left out."))
}).annotate({ identifier: "Interrupt" })

/** Yes to a tool call, the answers to the questions of AskUserQuestion, or a form that is filled in. */
export const Allow = Schema.Struct({
  behavior: Schema.Literal("allow"),
  updatedInput: optional(
    described(
      Schema.Record(Schema.String, Schema.Unknown),
      "The whole input of the tool, where it is to be another one."
    )
  ),
  always: optional(described(Schema.Boolean, "Accept the rules the agent suggested, so that it does not ask again.")),
  answers: optional(
    described(
      Schema.Union([
        Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Array(Schema.String)])),
        Schema.Array(Schema.Union([Schema.String, Schema.Array(Schema.String)]))
      ]),
      "For AskUserQuestion: the answers by question or header, or in the order of the questions."
    )
  ),
  content: optional(described(Schema.Record(Schema.String, Schema.Unknown), "For a form of an MCP server: its fields."))
}).annotate({ identifier: "Allow" })

/** No to a tool call, a question or a form. */
export const Deny = Schema.Struct({
  behavior: Schema.Literal("deny"),
  message: optional(described(Schema.String.check(Schema.isMaxLength(100_000)), "What the model is told.")),
  interrupt: optional(described(Schema.Boolean, "End the turn, too."))
}).annotate({ identifier: "Deny" })

/** The answer to a question of the agent. */
export const ApprovalAnswer = Schema.Union([Allow, Deny]).annotate({ identifier: "ApprovalAnswer" })

/** The result of a call of one of the application's tools. */
export const ToolAnswer = Schema.Struct({
  content: described(
    Schema.Union([
      Schema.String,
      Schema.Array(
        Schema.Union([
          Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
          Schema.Struct({ type: Schema.Literal("image"), data: Schema.String, mimeType: Schema.String })
        ])
      )
    ]),
    "Text, or the blocks of an MCP result."
  ),
  isError: optional(described(Schema.Boolean, "Whether the tool failed."))
}).annotate({ identifier: "ToolAnswer" })

const permissionMode = described(
  text(100),
  "Such as `default`, `acceptEdits` or `plan` of Claude Code, `untrusted` or `never` of Codex; the agent says no to what it " +
    "does not know."
)

/** What an agent is to be from now on. */
export const NewSettings = Schema.Struct({
  model: optional(
    described(Schema.NullOr(text(200)), "The model; null for the default, where the agent has a word for it.")
  ),
  permissionMode: optional(permissionMode),
  effort: agentOptionFields.effort
}).annotate({ identifier: "NewSettings" })

/** Another model. */
export const SetModel = Schema.Struct({
  model: described(Schema.NullOr(text(200)), "The model; null for the default.")
}).annotate({ identifier: "SetModel" })

/** Another permission mode. */
export const SetPermissionMode = Schema.Struct({
  mode: permissionMode
}).annotate({ identifier: "SetPermissionMode" })

/** Another thinking budget. */
export const SetThinkingTokens = Schema.Struct({
  maxThinkingTokens: described(
    Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))),
    "How many tokens the model may think; null for no limit."
  )
}).annotate({ identifier: "SetThinkingTokens" })

/** Environment variables of the agent's process. */
export const SetEnvironment = Schema.Struct({
  variables: described(
    Schema.Record(Schema.String.check(Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_]*$/)), Schema.String),
    "Values by name. What is not named stays as it is."
  )
}).annotate({ identifier: "SetEnvironment" })

/** Which prompt the files are put back to. */
export const RewindFiles = Schema.Struct({
  messageId: described(text(1000), "The id of the prompt, as AG-UI clients and `POST …/messages` know it."),
  dryRun: optional(described(Schema.Boolean, "Only say what would change."))
}).annotate({ identifier: "RewindFiles" })

/** The MCP servers the agent is to have besides its own. */
export const SetMcpServers = Schema.Struct({
  servers: described(
    Schema.Record(text(200), McpServer),
    "All of them, by name. The server of the application's tools stays by itself."
  )
}).annotate({ identifier: "SetMcpServers" })

/** Whether an MCP server is on. */
export const ToggleMcpServer = Schema.Struct({ enabled: Schema.Boolean }).annotate({ identifier: "ToggleMcpServer" })

/** A message of an MCP server to the agent. */
export const McpMessage = Schema.Struct({ message: Wire.JsonRpc }).annotate({ identifier: "McpMessage" })

/** Where to begin reading. */
export const From = Schema.Struct({
  from: optional(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      "The number to begin with. The header `Last-Event-ID` wins."
    )
  )
})

/** Where to begin reading events, and what each comes with. */
export const EventsChoice = Schema.Struct({
  ...From.fields,
  lines: optional(
    described(Schema.Boolean, "Each event comes with the number of the line of the wire that it came from.")
  )
})

/** How exactly the context is counted. */
export const ContextDetail = Schema.Struct({
  detail: optional(
    described(Schema.Literals(["summary", "full"]), "`summary` estimates. Only newer agents know the word.")
  )
})

/** How a tape is made. */
export const TapeChoice = Schema.Struct({
  redact: optional(described(Schema.Boolean, "False keeps secrets in the tape. Default true."))
})

const cursor = described(text(1000), "What the answer before said as `before`.")

const limit = (max: number, otherwise: number, what: string) =>
  described(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max })),
    `How many ${what} at most. Default ${otherwise}.`
  )

/** Which messages of a session are wanted. */
export const MessagesChoice = Schema.Struct({
  before: optional(cursor),
  limit: optional(limit(1000, 100, "messages, about (one comes with the results of its calls),")),
  branch: optional(
    described(Schema.Natural, "Those up to the end of this branch. Those of the conversation when it is left out.")
  )
})

/** Which branches of a session are wanted. */
export const BranchesChoice = Schema.Struct({
  before: optional(cursor),
  limit: optional(limit(1000, 100, "branches"))
})

/** Which sessions are wanted. */
export const SessionsChoice = Schema.Struct({
  before: optional(cursor),
  limit: optional(limit(1000, 100, "sessions")),
  workspaceId: optional(described(text(256), "Only those of this workspace.")),
  archived: optional(described(Schema.Boolean, "Only those that are archived, or only the others. Default both."))
})

/** Which conversations that were begun elsewhere are wanted. */
export const AdoptableChoice = Schema.Struct({
  before: optional(cursor),
  limit: optional(limit(200, 50, "conversations")),
  cwd: optional(described(text(4096), "Only those of this folder: an absolute path under a root of the bridge."))
})
