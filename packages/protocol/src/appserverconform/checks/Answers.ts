/** What a client is owed for its requests: one answer each, and none for what it may not ask. */
import { clientRequests } from "../../codex/index.ts"
import { isRequestId, type RequestId } from "../../jsonrpc/Message.ts"
import { fieldsIn, textIn, textsIn } from "../../wire/Fields.ts"
import type { Asked, Connection } from "../Connection.ts"

/** Remembers a request of the client. */
export const noteRequest = (id: RequestId, method: string, params: unknown, connection: Connection): void => {
  const fields = fieldsIn(params)
  const asked: Asked = { method, params: fields, isGreeted: connection.isGreeted }
  connection.asked.set(id, [...(connection.asked.get(id) ?? []), asked])
  if (method === "initialize" && !connection.isGreeted) {
    connection.isGreeted = true
    const capabilities = fieldsIn(fields["capabilities"])
    connection.isExperimental = capabilities["experimentalApi"] === true
    connection.optedOut = new Set(textsIn(capabilities["optOutNotificationMethods"]))
  }
}

/** Judges an answer of the server. What it answers; undefined where nobody asked. */
export const checkAnswer = (id: unknown, isError: boolean, connection: Connection): Asked | undefined => {
  const waiting = isRequestId(id) ? connection.asked.get(id) : undefined
  // Which of the requests with the same id is answered is not said; what is owed for both is the same.
  const [asked, ...others] = waiting ?? []
  if (!isRequestId(id) || asked === undefined) {
    connection.report("APP-ANSWER-002", `Nobody waits for an answer to ${JSON.stringify(id)}.`)
    return undefined
  }
  if (others.length > 0) connection.asked.set(id, others)
  else connection.asked.delete(id)
  if (!isError) checkGranted(asked, connection)
  return asked
}

/** The methods there are. */
const methods: Readonly<Record<string, { readonly isExperimental: boolean }>> = { ...clientRequests }

/** Judges what was answered with a result. */
const checkGranted = ({ isGreeted, method }: Asked, connection: Connection): void => {
  const row = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (row === undefined) connection.report("APP-ANSWER-004", `${method} is no method, and has a result.`)
  if (method === "initialize") {
    if (connection.isWelcome) connection.report("APP-ANSWER-006", "A second initialize has a result.")
    connection.isWelcome = true
  } else if (!isGreeted) connection.report("APP-ANSWER-003", `${method} has a result before initialize was sent.`)
  else if (row?.isExperimental === true && !connection.isExperimental)
    connection.report("APP-ANSWER-005", `${method} is experimental, and this client did not ask for that.`)
}

/** Remembers which threads and turns an answer names. */
export const noteNames = ({ method }: Asked, result: unknown, connection: Connection): void => {
  const thread = textIn(fieldsIn(fieldsIn(result)["thread"])["id"])
  const turn = textIn(fieldsIn(fieldsIn(result)["turn"])["id"])
  if (thread !== undefined) connection.named.add(thread)
  if (method === "turn/start" && turn !== undefined) connection.begun.add(turn)
}

/** Judges the requests that are left when the connection ends. */
export const checkUnanswered = (connection: Connection): void => {
  for (const [id, waiting] of connection.asked)
    for (const asked of waiting)
      connection.report(
        isLateInterrupt(asked, connection) ? "APP-ANSWER-008" : "APP-ANSWER-001",
        `${asked.method} (id ${JSON.stringify(id)}) was not answered.`
      )
}

const isLateInterrupt = ({ method, params }: Asked, { threads }: Connection): boolean => {
  const [thread, turn] = [textIn(params["threadId"]), textIn(params["turnId"])]
  if (method !== "turn/interrupt" || thread === undefined || turn === undefined) return false
  return threads.get(thread)?.turns.get(turn)?.isOpen === false
}
