/**
 * Judges one connection of Codex's app-server protocol, line by line, both sides heard together: what the client says
 * is taken as it is, what the server says is judged by `Rules.ts`. Pure, and it continues after a breach.
 */
import { Dialogue, type Heard, type Side } from "../codex/index.ts"
import type { Finding } from "../conform/Finding.ts"
import { classify } from "../jsonrpc/Message.ts"
import { fieldsIn } from "../wire/Fields.ts"
import { readJson } from "../wire/ReadJson.ts"
import { Connection } from "./Connection.ts"
import { checkAnswer, checkUnanswered, noteNames, noteRequest } from "./checks/Answers.ts"
import { itemCompleted, itemGrew, itemStarted } from "./checks/Items.ts"
import { checkNeverResolved, checkQuestion, checkResolved } from "./checks/Questions.ts"
import { checkShape } from "./checks/Shape.ts"
import { checkRunning, statusChanged, threadStarted, turnCompleted, turnStarted } from "./checks/Turns.ts"

/** How a connection ended. */
export interface Ending {
  /** The server was waited for: what it still owes is a breach. Otherwise it was cut off, and nothing is owed. */
  readonly isWhole: boolean
}

/** A checker of one connection. */
export interface AppServerChecker {
  /** What is wrong with the next line of either side. Never throws. */
  readonly hear: (from: Side, line: string) => ReadonlyArray<Finding>
  /** What is wrong with the connection when it ends here. */
  readonly end: (ending: Ending) => ReadonlyArray<Finding>
}

type Told = (params: Readonly<Record<string, unknown>>, connection: Connection) => void

const notifications: Readonly<Record<string, Told>> = {
  "thread/started": threadStarted,
  "thread/status/changed": statusChanged,
  "turn/started": turnStarted,
  "turn/completed": turnCompleted,
  "item/started": itemStarted,
  "item/completed": itemCompleted,
  "serverRequest/resolved": ({ requestId }, connection) => checkResolved(requestId, connection)
}

/** Deltas of items are told by their names. */
const isDelta = (method: string): boolean => method.startsWith("item/") && method.endsWith("elta")

/** A checker of one connection. */
export const makeAppServerChecker = (): AppServerChecker => {
  const dialogue = new Dialogue()
  const connection = new Connection()
  return {
    hear: (from, line) => {
      connection.index++
      const heard = dialogue.hear(from, line)
      const { decoded } = heard
      connection.current = decoded._tag === "Known" ? (decoded.raw ?? decoded.message) : valueIn(decoded.raw)
      if (from === "client") hearClient(connection)
      else hearServer(heard, connection)
      return connection.taken()
    },
    end: ({ isWhole }) => {
      connection.current = undefined
      if (!isWhole) return []
      checkUnanswered(connection)
      checkRunning(connection)
      checkNeverResolved(connection)
      return connection.taken()
    }
  }
}

/** What a line says that fits no schema: what is no JSON says nothing but itself. */
const valueIn = (raw: unknown): unknown => {
  const read = typeof raw === "string" ? readJson(raw) : undefined
  return read?.isRead === true ? read.value : raw
}

/** Takes what a client says. What is no message is answered by nobody (§3.2). */
const hearClient = (connection: Connection): void => {
  const said = classify(connection.current)
  if (said._tag === "Request") noteRequest(said.id, said.method, said.params, connection)
}

const hearServer = (heard: Heard, connection: Connection): void => {
  const isReadable = checkShape(heard, connection)
  const said = classify(connection.current)
  switch (said._tag) {
    case "Response":
    case "Failure": {
      const asked = checkAnswer(said.id, said._tag === "Failure", connection)
      if (asked !== undefined && said._tag === "Response") noteNames(asked, said.result, connection)
      return
    }
    case "Request":
      if (isReadable) checkQuestion(said.id, said.method, said.params, connection)
      return
    case "Notification":
      if (isReadable) tell(said.method, said.params, connection)
      return
    case "Invalid":
      return
  }
}

const tell = (method: string, params: unknown, connection: Connection): void => {
  if (connection.optedOut.has(method)) connection.report("APP-ANSWER-007", `The client does not want ${method}.`)
  const told = Object.hasOwn(notifications, method) ? notifications[method] : undefined
  if (told !== undefined) told(fieldsIn(params), connection)
  else if (isDelta(method)) itemGrew(method, fieldsIn(params), connection)
}
