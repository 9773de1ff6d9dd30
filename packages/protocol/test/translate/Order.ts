/**
 * The order that clients insist on, as far as a translator can break it: the rules of docs/wire/ag-ui.md §2.1, each
 * of which ends the run in `@ag-ui/client` 1.0.0. The real clients are asked in `test/translate`; this is for tests
 * that stay in the package.
 */
import { codecs } from "../../src/agui/Codec.ts"
import type { Dialect } from "../../src/agui/Dialect.ts"
import type { AguiEvent } from "../../src/agui/Event.ts"

interface Book {
  running: boolean
  readonly open: Map<string, string | undefined>
  readonly owners: Map<string, string | undefined>
  readonly agents: Set<string>
  readonly finished: Set<string>
}

const opensAndCloses: Readonly<Record<string, readonly [kind: string, act: "open" | "go on" | "close"]>> = {
  TEXT_MESSAGE_START: ["message", "open"],
  TEXT_MESSAGE_CONTENT: ["message", "go on"],
  TEXT_MESSAGE_END: ["message", "close"],
  TOOL_CALL_START: ["call", "open"],
  TOOL_CALL_ARGS: ["call", "go on"],
  TOOL_CALL_END: ["call", "close"],
  REASONING_START: ["span", "open"],
  REASONING_END: ["span", "close"],
  REASONING_MESSAGE_START: ["reasoning", "open"],
  REASONING_MESSAGE_CONTENT: ["reasoning", "go on"],
  REASONING_MESSAGE_END: ["reasoning", "close"]
}

/** What is wrong with a stream of events, or undefined when a client takes it all. */
export const refusal = (events: ReadonlyArray<AguiEvent>, dialect: Dialect = "1.0"): string | undefined => {
  const book: Book = { running: false, open: new Map(), owners: new Map(), agents: new Set(), finished: new Set() }
  for (const [at, event] of events.entries()) {
    const decoded = codecs[dialect].decodeValue(JSON.parse(JSON.stringify(event)))
    const wrong = decoded._tag === "Known" ? breach(book, event) : `no event of ${dialect}`
    if (wrong !== undefined) return `${wrong}: event ${at}, ${JSON.stringify(event)}`
  }
  return book.running ? "the run does not end" : undefined
}

const breach = (book: Book, event: AguiEvent): string | undefined => {
  if (event.type === "RUN_STARTED") {
    if (book.running) return "a run begins in a run"
    for (const kept of [book.open, book.owners, book.agents, book.finished]) kept.clear()
    book.running = true
    return undefined
  }
  if (!book.running) return "nothing may come outside a run"
  const fields: Readonly<Record<string, unknown>> = { ...event }
  const tag = fields["subagentRunId"] as string | undefined
  switch (event.type) {
    case "RUN_ERROR":
      book.running = false
      return undefined
    case "RUN_FINISHED":
      book.running = false
      if (book.open.size > 0) return `the run ends while ${[...book.open.keys()].join(", ")} is open`
      return book.agents.size > 0 ? `the run ends while ${[...book.agents].join(", ")} is active` : undefined
    case "SUBAGENT_STARTED":
      return startAgent(book, event)
    case "SUBAGENT_FINISHED":
    case "SUBAGENT_ERROR":
      book.finished.add(event.subagentRunId)
      return book.agents.delete(event.subagentRunId) ? undefined : "this sub-agent is not active"
    default:
      return tag !== undefined && !book.agents.has(tag) && !book.finished.has(tag)
        ? "the tag names a sub-agent that never began in this run"
        : blockOrder(book, event, fields, tag)
  }
}

const startAgent = (book: Book, event: Extract<AguiEvent, { type: "SUBAGENT_STARTED" }>): string | undefined => {
  const { parentSubagentRunId: parent, subagentRunId: id } = event
  if (book.agents.has(id) || book.finished.has(id)) return "an id names one invocation"
  if (parent !== undefined && !book.agents.has(parent) && !book.finished.has(parent)) return "the parent never began"
  book.agents.add(id)
  return undefined
}

const blockOrder = (
  book: Book,
  event: AguiEvent,
  fields: Readonly<Record<string, unknown>>,
  tag: string | undefined
): string | undefined => {
  const [kind, act] = opensAndCloses[event.type] ?? []
  if (kind === undefined) return undefined
  const key = `${kind} ${String(fields["messageId"] ?? fields["toolCallId"])}`
  const parent = event.type === "TOOL_CALL_START" ? `message ${event.parentMessageId}` : key
  for (const owned of [key, parent])
    if (tag !== undefined && book.owners.has(owned) && book.owners.get(owned) !== tag) return `${owned} is another's`
  if (act === "open") {
    if (book.open.has(key)) return "it is open"
    book.open.set(key, tag)
    if (!book.owners.has(key)) book.owners.set(key, tag)
    return undefined
  }
  if (!book.open.has(key)) return "it is not open"
  if (act === "close") book.open.delete(key)
  return undefined
}
