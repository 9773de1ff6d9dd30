/** Whether what the server says is a message, one of its own, and fits its schema. */
import { type Heard, heardDrift, serverNotifications, serverRequests } from "../../codex/index.ts"
import type { Connection } from "../Connection.ts"

/** How many keys of one message that the schema does not name are reported. */
const maxDrift = 5

/** Judges the shape of what the server said. True when it can be read. */
export const checkShape = (heard: Heard, connection: Connection): boolean => {
  const { answers, decoded, result } = heard
  if (decoded._tag === "Unknown") {
    connection.report("APP-SCHEMA-001", `The schema names no ${decoded.type}.`)
    return false
  }
  if (decoded._tag === "Invalid") {
    const rule = decoded.error.code === "BAD_FIELD" ? "APP-SCHEMA-002" : "APP-WIRE-001"
    connection.report(rule, decoded.error.message)
    return false
  }
  checkEnvelope(decoded.raw ?? decoded.message, decoded.name, connection)
  const { name, odd = [] } = decoded
  for (const { message, path } of odd) connection.report("APP-SCHEMA-002", `${name}, ${path}: ${message}`)
  const oddResult = result?._tag === "Known" ? (result.odd ?? []) : []
  for (const { message, path } of oddResult)
    connection.report("APP-SCHEMA-003", `The result of ${answers}, ${path}: ${message}`)
  if (result?._tag === "Invalid")
    connection.report("APP-SCHEMA-003", `The result of ${answers}: ${result.error.message}`)
  const unnamed = heardDrift(heard).filter(({ code, path }) => code === undefined && path !== "$.jsonrpc")
  for (const { path } of unnamed.slice(0, maxDrift))
    connection.report("APP-SCHEMA-004", `The schema of ${answers ?? name} does not name ${path}.`)
  return true
}

/** What is around the params: whose method it is, and the two keys that clients meet or miss. */
const checkEnvelope = (message: unknown, name: string, connection: Connection): void => {
  const fields = message as Readonly<Record<string, unknown>>
  if ("jsonrpc" in fields) connection.report("APP-WIRE-002", `${name} has jsonrpc.`)
  if (!("method" in fields)) {
    if ("emittedAtMs" in fields) connection.report("APP-WIRE-003", "An answer has emittedAtMs.")
    return
  }
  const isRequest = "id" in fields
  if (!Object.hasOwn(isRequest ? serverRequests : serverNotifications, name))
    connection.report("APP-SCHEMA-001", `${name} is no ${isRequest ? "request" : "notification"} of a server.`)
  if (isRequest === "emittedAtMs" in fields)
    connection.report("APP-WIRE-003", `${name} has ${isRequest ? "an emittedAtMs" : "no emittedAtMs"}.`)
}
