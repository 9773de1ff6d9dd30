/**
 * How much a request to `agentwire serve` may take, as options of the command line: one for each limit of the bridge.
 */
import { defaultHttpLimits, type HttpLimits } from "@agentwire/bridge/http"
import type { Input, Option } from "../Command.ts"
import { duration, size, wholeNumber } from "../OptionValue.ts"

interface Row {
  readonly limit: keyof HttpLimits
  readonly kind: keyof typeof kinds
  readonly summary: string
}

/** What is given for a limit: how the help names it, how it is read, and how a default is shown. */
const kinds = {
  size: {
    value: "SIZE",
    read: size,
    show: (bytes: unknown) => (Number(bytes) % 1_000_000 === 0 ? `${Number(bytes) / 1_000_000}MB` : String(bytes))
  },
  number: {
    value: "N",
    read: (name: string, value: Input["values"][string]) => wholeNumber(name, value, 1),
    show: (number: unknown) => Number(number).toLocaleString("en")
  },
  time: {
    value: "TIME",
    read: duration,
    // As the option takes it. "10 seconds" needs no library that would have to be loaded for the help.
    show: (time: unknown) => String(time).replace(/ seconds?$/, "s")
  }
} as const

/** The options and their limits, in the order the help lists them. */
const rows: Readonly<Record<string, Row>> = {
  "max-body": { limit: "maxBodyBytes", kind: "size", summary: "the largest body; a run brings the whole conversation" },
  "max-bodies": { limit: "maxBodiesBytes", kind: "size", summary: "large bodies that are read at a time; others wait" },
  "max-values": { limit: "maxValues", kind: "number", summary: "JSON values in a body" },
  "max-depth": { limit: "maxDepth", kind: "number", summary: "levels that the JSON of a body nests" },
  "max-part": { limit: "maxPartLength", kind: "size", summary: "one message, and all of a body besides messages" },
  "max-part-values": { limit: "maxPartValues", kind: "number", summary: "JSON values in one of these" },
  "max-new": { limit: "maxNewMessages", kind: "number", summary: "messages that a run tells the agent at once" },
  "max-new-text": { limit: "maxNewText", kind: "size", summary: "their text, with state and context" },
  "max-new-size": { limit: "maxNewLength", kind: "size", summary: "all of that, with attachments" },
  "max-header-size": { limit: "maxHeaderBytes", kind: "size", summary: "all headers of a request" },
  "max-headers": { limit: "maxHeaders", kind: "number", summary: "how many headers" },
  "max-connections": { limit: "maxConnections", kind: "number", summary: "connections at a time" },
  "headers-timeout": { limit: "headersTimeout", kind: "time", summary: "how long headers may take" },
  "request-timeout": { limit: "requestTimeout", kind: "time", summary: "how long a body may take, and wait for room" },
  "keep-alive-timeout": { limit: "idleTimeout", kind: "time", summary: "how long an unused connection stays" }
}

/** The options. */
export const httpLimitOptions: Readonly<Record<string, Option>> = Object.fromEntries(
  Object.entries(rows).map(([name, { kind, limit, summary }]) => [
    name,
    {
      type: "string",
      value: kinds[kind].value,
      summary: `${summary} (default ${kinds[kind].show(defaultHttpLimits[limit])})`
    }
  ])
)

/** The limits that a command line sets. */
export const httpLimitsOf = ({ values }: Pick<Input, "values">): HttpLimits =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, { kind, limit }]) => {
      const value = kinds[kind].read(name, values[name])
      return value === undefined ? [] : [[limit, value]]
    })
  )
