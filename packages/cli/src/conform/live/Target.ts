/**
 * The server under test and the three ways to talk to it: plain AG-UI (`POST url`), and CopilotKit's REST routes and
 * single endpoint (docs/wire/ag-ui.md §4.1).
 */
import type { Agui } from "@agentwire/protocol"
import { UsageFailure } from "../../Failure.ts"

/** How a client reaches the agent. */
export type Transport = "agui" | "copilotkit-rest" | "copilotkit-single"

/** The server under test. */
export interface LiveTarget {
  readonly url: string
  /** The id of the agent. Plain AG-UI has none: the URL is the agent. */
  readonly agent: string
  /** Sent as a bearer token, and never shown. */
  readonly token?: string
  readonly transport: Transport
}

/** The dialect that the usual client of a transport speaks: CopilotKit 1.74 and 1.75 pin client 0.0.59. */
export const usualDialect: Readonly<Record<Transport, Agui.Dialect>> = {
  agui: "1.0",
  "copilotkit-rest": "0.0",
  "copilotkit-single": "0.0"
}

/** Something a client asks of a server. Bodies are text, so that they may be wrong. */
export type Call =
  | { readonly ask: "info" }
  | { readonly ask: "run" | "connect"; readonly body: string }
  | { readonly ask: "stop"; readonly threadId: string; readonly body: string }

/** The HTTP request that a call is. */
export interface HttpCall {
  readonly method: "GET" | "POST"
  readonly url: URL
  readonly body?: string
}

/** The URL of a target, or why it is none. */
export const parseUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageFailure(`${text} is not a URL of a server, such as http://127.0.0.1:8000/agent.`)
  }
  return url
}

/** The request of a call; undefined where the transport has no such call. */
export const httpCall = (target: LiveTarget, call: Call): HttpCall | undefined => calls[target.transport](target, call)

const calls: Readonly<Record<Transport, (target: LiveTarget, call: Call) => HttpCall | undefined>> = {
  agui: ({ url }, call) => (call.ask === "run" ? { method: "POST", url: parseUrl(url), body: call.body } : undefined),

  "copilotkit-rest": ({ agent, url }, call) => {
    const route = (...path: ReadonlyArray<string>): URL => {
      const whole = parseUrl(url)
      whole.pathname = [whole.pathname.replace(/\/+$/, ""), ...path.map(encodeURIComponent)].join("/")
      return whole
    }
    if (call.ask === "info") return { method: "GET", url: route("info") }
    const more = call.ask === "stop" ? [call.threadId] : []
    return { method: "POST", url: route("agent", agent, call.ask, ...more), body: call.body }
  },

  "copilotkit-single": ({ agent, url }, call) => {
    const envelope = (method: string, params: object | undefined, body: string | undefined): HttpCall => {
      // Pasted together, not stringified: the body may be no JSON.
      const members = [
        `"method":${JSON.stringify(method)}`,
        ...(params === undefined ? [] : [`"params":${JSON.stringify(params)}`]),
        ...(body === undefined ? [] : [`"body":${body}`])
      ]
      return { method: "POST", url: parseUrl(url), body: `{${members.join(",")}}` }
    }
    if (call.ask === "info") return envelope("info", undefined, undefined)
    const params = { agentId: agent, ...(call.ask === "stop" && { threadId: call.threadId }) }
    return envelope(`agent/${call.ask}`, params, call.body)
  }
}
