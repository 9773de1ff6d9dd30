/** The tables in the guide to the gateway: its methods and events, made from the schemas, and where each is from. */
import * as Schema from "effect/Schema"
import { Gateway } from "../packages/protocol/src/index.ts"

/** Where something is from: as the architecture document has it, the same with a difference and why, or ours. */
interface Origin {
  readonly from: "theirs" | "different" | "ours"
  readonly why?: string
}

const theirs: Origin = { from: "theirs" }
const ours = (why: string): Origin => ({ from: "ours", why })
const different = (why: string): Origin => ({ from: "different", why })

/** Where each method is from. */
export const methodOrigins: { readonly [M in Gateway.GatewayMethod]: Origin } = {
  "session.prompt": theirs,
  "session.history": different(
    "results of tools are messages of their own, as in Anthropic's API, and never on another page than their calls, so nothing has to be filled in later; `before` pages without counting; `usage` is null where the session is not open, because nothing is opened to be read"
  ),
  "session.create": theirs,
  "session.switch": theirs,
  "session.list": theirs,
  "session.info": theirs,
  "session.interrupt": theirs,
  "session.reset": different("what was said stays in the old session; a new one like it takes its place"),
  "session.get": theirs,
  "session.config": different("holds for a session that runs, too; Codex is told its own words for it"),
  "session.questions": ours("agents there may do everything unasked; here somebody may be asked"),
  "session.answer": ours("the same"),
  "workspace.list": theirs,
  "workspace.get": theirs,
  "workspace.getOrCreate": different(
    "lists the sessions that were found at once; each is continued as soon as it is named"
  ),
  subscribe: different("`sessionIds` and `after` are ours: some sessions only, and from where a reader has come to"),
  unsubscribe: theirs
}

/** Where each event is from, without `session.`. */
export const eventOrigins: { readonly [T in Gateway.PayloadType]: Origin } = {
  turn_start: ours("an interface shows that something happens before the first word"),
  message_start: theirs,
  content_block_start: different(
    "every block has an `id`, and one that continues begins again with what it has: so a reader may join at any time"
  ),
  content_block_delta: theirs,
  content_block_stop: theirs,
  message_delta: different("`usage` is that of the turn so far, because that is what both runtimes tell"),
  message_stop: theirs,
  request_tool_results: theirs,
  turn_stop: different("says how the turn ended, too; the cost is there where the agent tells it: Codex does not"),
  user_message: ours("others at the same session see what was asked"),
  task: ours("plans and background work"),
  request_opened: ours("questions, and tools of the application"),
  request_closed: ours("the same"),
  subagent_start: ours("`parent_tool_use_id` says who speaks; here begins who is meant"),
  subagent_stop: ours("the same"),
  branched: ours("a conversation may go back"),
  event: ours("everything, in the model's own words")
}

type Fields = Readonly<Record<string, { readonly description?: string }>>

const fieldsOf = (schema: Schema.Top, left: ReadonlyArray<string> = []): string => {
  const { schema: top, definitions } = Schema.toJsonSchemaDocument(schema)
  const reference = (top as { readonly $ref?: string }).$ref?.split("/").at(-1)
  const body = (reference === undefined ? top : definitions[reference]) as {
    readonly properties?: Fields
    readonly required?: ReadonlyArray<string>
  }
  const names = Object.keys(body.properties ?? {}).filter((name) => !left.includes(name))
  return names.map((name) => `\`${name}\`${body.required?.includes(name) === true ? "" : "?"}`).join(", ")
}

const said = ({ from, why }: Origin): string => (why === undefined ? from : `${from}: ${why}`)

/** What every payload has. */
const everywhere = ["type", "sessionId", "seq", "part", "parent_tool_use_id"]

const tables: Readonly<Record<string, () => ReadonlyArray<string>>> = {
  methods: () => [
    "| method | what it does | takes | answers | whose |",
    "|---|---|---|---|---|",
    ...(Object.keys(methodOrigins) as ReadonlyArray<Gateway.GatewayMethod>).map((name) => {
      const { params, payload, summary } = Gateway.gatewayMethods[name]
      return `| \`${name}\` | ${summary} | ${fieldsOf(params)} | ${fieldsOf(payload)} | ${said(methodOrigins[name])} |`
    })
  ],
  events: () => [
    "| event | payload, besides what all have | whose |",
    "|---|---|---|",
    ...(Object.keys(eventOrigins) as ReadonlyArray<Gateway.PayloadType>).map(
      (type) =>
        `| \`session.${type}\` | ${fieldsOf(Gateway.gatewayPayloads[type], everywhere)} | ${said(eventOrigins[type])} |`
    )
  ],
  effort: () => [
    "| effort | tokens |",
    "|---|---|",
    ...Object.entries(Gateway.thinkingTokens).map(([effort, tokens]) => `| \`${effort}\` | ${tokens} |`)
  ]
}

/** The guide with its tables as they are. */
export const withGatewayTables = (guide: string): string =>
  Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->\n`]
    const [before, rest] = text.split(begin)
    const after = rest?.split(end)[1]
    if (before === undefined || after === undefined) throw new Error(`The guide has no place for the table of ${name}.`)
    return `${before}${begin}${table().join("\n")}\n${end}${after}`
  }, guide)
