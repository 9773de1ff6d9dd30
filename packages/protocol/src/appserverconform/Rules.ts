/**
 * What a server of Codex's app-server protocol owes its clients, as a table. Each row says where it is from: the schema
 * that Codex 0.166.0 prints of itself, or what was measured on it (`docs/wire/codex.md`). Ids are stable and never given
 * to another rule.
 *
 * Levels: `error` where a client breaks or loses something and Codex was never seen to do it, `warning` where Codex
 * itself does it in some cases that are named, so that clients have to live with it.
 */
import type { Family, Rule, RuleText } from "../conform/Rule.ts"

const schema = "the schema that Codex 0.166.0 prints"
const measured = (section: string): string => `docs/wire/codex.md ${section}`

type Row = Omit<RuleText, "dialects"> & { readonly family: Family }

const row = (family: Family, level: RuleText["level"], requirement: string, spec: string): Row => ({
  family,
  level,
  requirement,
  spec
})

const table = {
  "APP-WIRE-001": row(
    "wire",
    "error",
    "Each line or text frame of the server is one JSON object that is a request, a notification or an answer.",
    measured("§3.1, §3.6")
  ),
  "APP-WIRE-002": row("wire", "warning", "No message of the server has the key jsonrpc.", measured("§3.1")),
  "APP-WIRE-003": row(
    "wire",
    "warning",
    "Every notification has emittedAtMs beside its params; requests and answers have none.",
    measured("§3.1")
  ),
  "APP-SCHEMA-001": row("schema", "error", "Every method of the server is one that the schema names.", schema),
  "APP-SCHEMA-002": row("schema", "error", "Every message of the server fits its schema, strictly.", schema),
  "APP-SCHEMA-003": row("schema", "error", "Every result fits the schema of the request it answers, strictly.", schema),
  "APP-SCHEMA-004": row("schema", "warning", "Every key and value is one that the schema names.", schema),
  "APP-ANSWER-001": row("identity", "error", "Every request with a valid id is answered.", measured("§3.2")),
  "APP-ANSWER-002": row(
    "identity",
    "error",
    "No request is answered twice, and nothing is answered that nobody asked.",
    measured("§3.2")
  ),
  "APP-ANSWER-003": row(
    "identity",
    "error",
    "Until initialize is sent, every other request is answered with an error.",
    measured("§3.3")
  ),
  "APP-ANSWER-004": row(
    "identity",
    "error",
    "A method that does not exist is answered with an error.",
    measured("§3.3")
  ),
  "APP-ANSWER-005": row(
    "identity",
    "error",
    "An experimental method is refused to a client that did not ask for the experimental API.",
    measured("§1")
  ),
  "APP-ANSWER-006": row("identity", "error", "The second initialize of a connection is refused.", measured("§3.3")),
  "APP-ANSWER-007": row(
    "identity",
    "error",
    "A notification that the client opted out of is not sent to it.",
    measured("§3.27")
  ),
  "APP-ANSWER-008": row(
    "identity",
    "warning",
    "An interrupt of a turn that is over is answered. Codex does not.",
    measured("§3.13")
  ),
  "APP-QUESTION-001": row(
    "interrupt",
    "error",
    "The id of a server's request is not that of another of its requests.",
    measured("§3.4")
  ),
  "APP-QUESTION-002": row(
    "interrupt",
    "error",
    "serverRequest/resolved names a request that the server made of this client, once.",
    measured("§3.10")
  ),
  "APP-QUESTION-003": row(
    "interrupt",
    "warning",
    "What people are asked about a turn is resolved before the turn is completed. Codex resolves what an interrupt leaves open right after.",
    measured("§3.11")
  ),
  "APP-QUESTION-004": row(
    "interrupt",
    "error",
    "An approval is asked for an item that was started and is not completed.",
    measured("§3.10")
  ),
  "APP-QUESTION-005": row(
    "interrupt",
    "error",
    "The diff of a patch is in its item before leave is asked for it.",
    measured("§3.10")
  ),
  "APP-QUESTION-006": row(
    "interrupt",
    "error",
    "What people are asked is resolved: answered, or withdrawn.",
    measured("§3.10")
  ),
  "APP-TURN-001": row("run", "error", "thread/started comes after the answer that names the thread.", measured("§3.7")),
  "APP-TURN-002": row("run", "error", "A turn is started once.", measured("§3.8")),
  "APP-TURN-003": row("run", "error", "A turn that was started is completed, once.", measured("§3.8")),
  "APP-TURN-004": row("run", "error", "A thread has one turn at a time.", measured("§3.20")),
  "APP-TURN-005": row("run", "error", "Items of a turn come after its turn/started.", measured("§3.8")),
  "APP-TURN-006": row(
    "run",
    "warning",
    "Nothing is said of the items of a turn after its turn/completed. Codex does, of commands in the background.",
    measured("§3.13")
  ),
  "APP-TURN-007": row(
    "run",
    "error",
    "The status idle or systemError of a thread precedes turn/completed.",
    measured("§3.8")
  ),
  "APP-TURN-008": row(
    "run",
    "error",
    "A completed turn is not in progress, and a failed one says why in turn.error.",
    measured("§3.9")
  ),
  "APP-TURN-009": row(
    "run",
    "warning",
    "turn/started comes after the answer to turn/start. In one recording of eighty, Codex has it before.",
    measured("§3.8")
  ),
  "APP-ITEM-001": row("messages", "error", "An item is started once.", measured("§3.12")),
  "APP-ITEM-002": row(
    "messages",
    "error",
    "What is completed was started, as the same kind of item.",
    measured("§3.12")
  ),
  "APP-ITEM-003": row("messages", "error", "An item is completed once.", measured("§3.12")),
  "APP-ITEM-004": row(
    "messages",
    "error",
    "A delta is of an item that was started and is not completed.",
    measured("§3.16")
  ),
  "APP-ITEM-005": row(
    "messages",
    "warning",
    "Every item is completed before its turn is. Codex leaves texts that were cut, interrupted commands and cancelled patches open.",
    measured("§3.12")
  ),
  "APP-ITEM-006": row(
    "text",
    "error",
    "The deltas of a message, a plan and a thought, one after the other, are what it is when completed.",
    measured("§3.16")
  ),
  "APP-ITEM-007": row("tool-result", "error", "What is completed is not in progress any more.", measured("§3.12"))
} as const

/** The id of a rule. */
export type RuleId = keyof typeof table

/** The rules, by id. */
export const rules: Readonly<Record<RuleId, Rule>> = Object.fromEntries(
  Object.entries<Row>(table).map(([id, text]): [string, Rule] => [id, { id, dialects: [], ...text }])
) as Record<RuleId, Rule>
