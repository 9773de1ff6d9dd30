/** What the server asks the client: each once, for what is open, and resolved before the turn is over. */
import { isRequestId, type RequestId } from "../../jsonrpc/Message.ts"
import { fieldsIn, listIn, textIn } from "../../wire/Fields.ts"
import type { Connection, Question } from "../Connection.ts"

/** Judges a request of the server. */
export const checkQuestion = (id: RequestId, method: string, params: unknown, connection: Connection): void => {
  const fields = fieldsIn(params)
  const thread = textIn(fields["threadId"])
  const turn = textIn(fields["turnId"])
  if (connection.questions.has(id))
    connection.report("APP-QUESTION-001", `${method} has the id ${JSON.stringify(id)}, which another request had.`)
  connection.questions.set(id, { method, thread, turn, isResolved: false })
  const item = textIn(fields["itemId"])
  if (!isAboutItem.has(method) || thread === undefined || turn === undefined || item === undefined) return
  const about = connection.turn(thread, turn)
  if (about.isWhole && about.items.get(item)?.isOpen !== true)
    connection.report("APP-QUESTION-004", `${method} is about the item '${item}', which is not open.`)
}

/** What is asked about an item that the client has seen begin. */
const isAboutItem: ReadonlySet<string> = new Set([
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval"
])

/** Judges a patch that is about to be asked for: its diff is only in its item. */
export const checkPatch = (item: Readonly<Record<string, unknown>>, connection: Connection): void => {
  if (item["type"] !== "fileChange" || item["status"] !== "inProgress") return
  const changes = listIn(item["changes"])
  if (changes.length === 0 || changes.some((change) => textIn(fieldsIn(change)["diff"]) === undefined))
    connection.report("APP-QUESTION-005", `The patch '${textIn(item["id"])}' is started without its diff.`)
}

/** Judges the news that a request of the server is resolved. */
export const checkResolved = (id: unknown, connection: Connection): void => {
  const question = isRequestId(id) ? connection.questions.get(id) : undefined
  if (question === undefined || question.isResolved) {
    const why = question === undefined ? "was not asked of this client" : "was resolved already"
    connection.report("APP-QUESTION-002", `The request ${JSON.stringify(id)} ${why}.`)
    return
  }
  question.isResolved = true
}

/** Judges the requests that are left when a turn is completed. */
export const checkUnresolved = (thread: string, turn: string, connection: Connection): void => {
  for (const [id, question] of connection.questions) {
    if (question.thread !== thread || question.turn !== turn || !isOwed(question)) continue
    connection.report("APP-QUESTION-003", `${question.method} (id ${JSON.stringify(id)}) is not resolved.`)
  }
}

/** Judges the requests that are left when the connection ends. */
export const checkNeverResolved = (connection: Connection): void => {
  for (const [id, question] of connection.questions)
    if (isOwed(question))
      connection.report("APP-QUESTION-006", `${question.method} (id ${JSON.stringify(id)}) was not resolved.`)
}

/** Programs are asked, too, for the result of a tool or the time: of those nobody is told that they are resolved. */
const isOwed = ({ isResolved, method }: Question): boolean => !isResolved && isForPeople.has(method)

const isForPeople: ReadonlySet<string> = new Set([
  ...isAboutItem,
  "item/permissions/requestApproval",
  "item/tool/requestUserInput",
  "mcpServer/elicitation/request"
])
