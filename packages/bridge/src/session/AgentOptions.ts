/**
 * What may be chosen about an agent: one schema for the management API, for programs, for a run's `forwardedProps` and
 * for the store. Which of these an agent knows is for its runtime to say, when it is started.
 *
 * A value that does not fit is refused with its path, and so is a key that nobody knows: an option that is misspelt
 * would else be an option that is not set.
 */
import { isRecord } from "@agentwire/protocol/wire"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

const optional = Schema.optionalKey

const described = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotate({ description })

/** What systems take as one argument of a program is 131,072 bytes with its flag and its end. */
const maxArgumentBytes = 120_000

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** A JSON Schema has no word for it. With nothing at all, the description that follows would be lost with it. */
const unsaid = () => ({})

/** NUL ends the arguments and variables of a program. */
const noNul = Schema.makeFilter((value: string) => !value.includes("\0"), {
  expected: "a text without NUL",
  toJsonSchema: unsaid
})

/** A text of at least one character. */
const text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max), noNul)

/** A text that travels as one argument. */
const argument = text(maxArgumentBytes).check(
  Schema.makeFilter((value: string) => bytesOf(value) <= maxArgumentBytes, {
    expected: `at most ${maxArgumentBytes} bytes of UTF-8`,
    toJsonSchema: unsaid
  })
)

/** A value that travels as one argument, as JSON. */
const asArgument = <S extends Schema.Top>(schema: S): S["Rebuild"] =>
  schema.check(
    Schema.makeFilter((value: unknown) => bytesOf(JSON.stringify(value)) <= maxArgumentBytes, {
      expected: `at most ${maxArgumentBytes} bytes as JSON`,
      toJsonSchema: unsaid
    })
  )

/** The names of tools, or rules such as `Bash(git log:*)`. They are joined with commas. */
const tools = Schema.Array(text(4096)).check(Schema.isMaxLength(1000))

const seconds = Schema.Finite.check(Schema.isBetween({ minimum: 0.001, maximum: 86_400 }))
const milliseconds = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 86_400_000 }))

/** A name of an environment variable. */
const variable = Schema.String.check(Schema.isPattern(/^[A-Za-z_][A-Za-z0-9_]*$/))

/** Environment variables by name. */
export const Variables = Schema.Record(variable, Schema.String.check(Schema.isMaxLength(100_000), noNul))

const alwaysLoad = optional(
  described(Schema.Boolean, "Tell the model of its tools at once, instead of when it looks for tools.")
)

/** An MCP server at an address. */
export const McpAddress = Schema.Struct({
  type: Schema.Literals(["http", "sse"]),
  url: described(text(8192), "Where it is, beginning with `http://` or `https://`.").check(
    Schema.isPattern(/^https?:\/\//i)
  ),
  headers: optional(
    described(
      Schema.Record(Schema.String.check(Schema.isPattern(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/)), Schema.String),
      "Headers of every request to it. They are not shown again."
    )
  ),
  timeout: optional(described(milliseconds, "How long one of its tools may take, in milliseconds.")),
  alwaysLoad
}).annotate({ identifier: "McpAddress" })
/** An MCP server at an address. */
export type McpAddress = typeof McpAddress.Type

/** An MCP server that the agent starts as a process. */
export const McpCommand = Schema.Struct({
  type: optional(Schema.Literal("stdio")),
  command: text(4096),
  args: optional(Schema.Array(Schema.String.check(noNul)).check(Schema.isMaxLength(1000))),
  env: optional(described(Variables, "Environment variables of the process. They are not shown again.")),
  timeout: optional(described(milliseconds, "How long one of its tools may take, in milliseconds.")),
  alwaysLoad
}).annotate({ identifier: "McpCommand" })
/** An MCP server that the agent starts as a process. */
export type McpCommand = typeof McpCommand.Type

/** An MCP server. */
export const McpServer = Schema.Union([McpAddress, McpCommand]).annotate({ identifier: "McpServerOption" })
/** An MCP server. */
export type McpServer = typeof McpServer.Type

/** Whether an MCP server is a command that the agent runs. */
export const isMcpCommand = (server: McpServer): server is McpCommand => "command" in server

/** A kind of sub-agent. */
export const AgentDefinition = Schema.Struct({
  description: described(text(20_000), "When it is to be used, for the model."),
  prompt: described(text(maxArgumentBytes), "Its system prompt."),
  tools: optional(described(tools, "The tools it has. All when it is left out.")),
  disallowedTools: optional(described(tools, "The tools it does not have.")),
  model: optional(text(200))
}).annotate({ identifier: "AgentDefinition" })
/** A kind of sub-agent. */
export type AgentDefinition = typeof AgentDefinition.Type

/** Commands that the agent runs at an event. */
export const HookCommands = Schema.Struct({
  matcher: optional(described(text(1000), "Which tools it is for. All when it is left out.")),
  hooks: Schema.Array(
    Schema.Struct({
      type: Schema.Literal("command"),
      command: described(text(20_000), "Run by a shell, with the event as JSON on its standard input."),
      timeout: optional(described(seconds, "In seconds."))
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(100))
}).annotate({ identifier: "HookCommands" })
/** Commands that the agent runs at an event. */
export type HookCommands = typeof HookCommands.Type

/** The fields of {@link AgentOptions}, for other schemas to take in. */
export const agentOptionFields = {
  runtime: optional(
    described(text(50), "Which kind of agent it is, by name. The one of the bridge when it is left out.")
  ),
  model: optional(described(text(200), "The model the agent starts with.")),
  permissionMode: optional(
    described(text(100), "The permission mode the agent starts with, such as `default` or `plan`.")
  ),
  effort: optional(described(Schema.Literals(["low", "medium", "high", "xhigh", "max"]), "How hard the model thinks.")),
  systemPrompt: optional(described(argument, "The system prompt, in place of the agent's own.")),
  appendSystemPrompt: optional(described(argument, "What is added to the system prompt.")),
  allowedTools: optional(
    described(asArgument(tools), "Tools, or rules such as `Bash(git log:*)`, that run without anybody being asked.")
  ),
  disallowedTools: optional(described(asArgument(tools), "Tools, or rules, that do not run.")),
  addDirs: optional(
    described(Schema.Array(text(4096)).check(Schema.isMaxLength(100)), "Further folders to work in: absolute paths.")
  ),
  env: optional(described(Variables, "Environment variables of the agent. Their values are not shown again.")),
  mcpServers: optional(described(Schema.Record(text(200), McpServer), "MCP servers by name.")),
  mcpConfig: optional(described(argument, "MCP servers that stay whatever is set later: the path of a file, or JSON.")),
  agents: optional(
    described(
      asArgument(Schema.Record(Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/)), AgentDefinition)),
      "Kinds of sub-agents by name."
    )
  ),
  jsonSchema: optional(
    described(
      asArgument(Schema.Record(Schema.String, Schema.Unknown)),
      "A JSON Schema: every run ends with a value that fits it, in the `result` of its end."
    )
  ),
  maxTurns: optional(
    described(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
      "How often the model may be asked in a run."
    )
  ),
  maxBudgetUsd: optional(
    described(
      Schema.Finite.check(Schema.isBetween({ minimum: 0.000_001, maximum: 1_000_000 })),
      "What the process may cost, in US dollars."
    )
  ),
  checkpointing: optional(
    described(Schema.Boolean, "Keep what files were like at each prompt, so that they can be put back.")
  ),
  hooks: optional(
    described(
      asArgument(Schema.Record(text(100), Schema.Array(HookCommands).check(Schema.isMaxLength(100)))),
      "Commands that the agent runs, by the event that they are for."
    )
  ),
  extraArgs: optional(
    described(Schema.Array(Schema.String.check(noNul)).check(Schema.isMaxLength(1000)), "Further flags as they are.")
  )
} as const

/** What may be chosen about an agent. */
export const AgentOptions = Schema.Struct(agentOptionFields).annotate({ identifier: "AgentOptions" })
/** What may be chosen about an agent. */
export type AgentOptions = typeof AgentOptions.Type

/** The name of an option. */
export type AgentOptionName = keyof AgentOptions

/** Options that do not fit: the place, and what is wrong there. Never the value, which may be a secret. */
export class BadOption extends Schema.TaggedError<BadOption>()("BadOption", {
  code: Schema.Literal("BAD_OPTION"),
  /** Such as `mcpServers.files.url`. */
  path: Schema.String,
  message: Schema.String
}) {}

/** What is wrong is said before what nobody knows: a wrong `type` explains the keys that go with it. */
const exactly = <A>(schema: Schema.Decoder<A>): ((value: unknown) => Result.Result<A, Schema.SchemaError>) => {
  const decodeShape = Schema.decodeUnknownResult(schema)
  const decodeExact = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  return (value) => Result.flatMap(decodeShape(value), () => decodeExact(value))
}

const decode = exactly(AgentOptions)
const decodeAddress = exactly<McpServer>(McpAddress)
const decodeCommand = exactly<McpServer>(McpCommand)

const format = SchemaIssue.makeFormatterStandardSchemaV1()

interface Problem {
  readonly path: ReadonlyArray<string>
  readonly message: string
}

const problemIn = ({ issue }: Schema.SchemaError): Problem => {
  const [first] = format(issue).issues
  return {
    path: (first?.path ?? []).map((segment) => String(typeof segment === "object" ? segment.key : segment)),
    message: first?.message ?? "Not what is taken"
  }
}

/** The options in a value of any shape. */
export const decodeAgentOptions = (value: unknown): Result.Result<AgentOptions, BadOption> =>
  Result.mapError(decode(value), (error) => {
    const { message, path } = ofServer(value, problemIn(error))
    const where = path.join(".")
    return new BadOption({
      code: "BAD_OPTION",
      path: where,
      message: `${where === "" ? "The options do not fit" : `The option ${where} does not fit`}: ${inWords(message)}.`
    })
  })

/** There are two kinds of MCP servers: what is wrong with the one that is meant. */
const ofServer = (options: unknown, problem: Problem): Problem => {
  const [option, name, ...rest] = problem.path
  if (option !== "mcpServers" || name === undefined || rest.length === 0) return problem
  const server = isRecord(options) && isRecord(options[option]) ? options[option][name] : undefined
  const decodeServer = isRecord(server) && "command" in server ? decodeCommand : decodeAddress
  const decoded = decodeServer(server)
  if (Result.isSuccess(decoded)) return problem
  const found = problemIn(decoded.failure)
  return { ...found, path: [option, name, ...found.path] }
}

const inWords = (message: string): string =>
  /excess property/.test(message)
    ? "nothing of this name is taken"
    : message.replace(/^[A-Z]/, (first) => first.toLowerCase())

/** Options as JSON, to be kept: what they are decoded from again. */
export const encodeAgentOptions = (options: AgentOptions): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(options)) as Readonly<Record<string, unknown>>
