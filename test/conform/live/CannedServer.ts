/**
 * A small AG-UI server with a scripted agent, for both dialects and all three transports: at `/agui`, `/ck` (REST) and
 * `/single`. Every behaviour of it can be replaced, to break it on purpose.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { isRecord } from "@agentwire/protocol/wire"
import { type Event, type Input, type Pending, planOf } from "./Script.ts"

/** A run that is under way. */
export interface Running {
  readonly input: Input
  readonly stop: AbortController
  /** What it has said so far. */
  readonly said: Array<Event>
}

/** What the server knows of a thread. */
export interface Thread {
  readonly runs: Array<Running>
  active: Running | undefined
  pending: ReadonlyArray<Pending>
}

/** Everything a broken server may do otherwise. */
export interface Behaviour {
  /** Whether a body is a RunAgentInput: what is wrong with it, if anything. */
  readonly problem: (body: unknown) => string | undefined
  /** The answer to a request that is refused. */
  readonly refuse: (response: ServerResponse, status: number, message: string) => void
  readonly maxBody: number
  /** The head of a stream. */
  readonly head: (response: ServerResponse) => void
  /** One event on the wire. */
  readonly frame: (event: Event, index: number) => string | Uint8Array
  /** All events of a run that goes to its end. */
  readonly events: (
    events: ReadonlyArray<Event>,
    input: Input,
    thread: Thread,
    server: CannedServer
  ) => ReadonlyArray<Event>
  /** What closes a run that was stopped. */
  readonly stopped: (input: Input, open: ReadonlyArray<Event>) => ReadonlyArray<Event>
  /** Ends the response. */
  readonly end: (response: ServerResponse) => void
  readonly onStop: (server: CannedServer, threadId: string, response: ServerResponse) => void
  /** What a connect replays, and whether it stays for a run that is under way. */
  readonly history: (server: CannedServer, threadId: string) => ReadonlyArray<Event>
  readonly follows: boolean
  /** Whether the stream of a connect ends when nothing runs. */
  readonly endsConnects: boolean
  /** Whether history carries the inputs of the runs: that is how the user's messages come back. */
  readonly echoes: boolean
  /** How long the agent waits between the pieces of a long answer. */
  readonly pieceMs: number
  readonly info: () => unknown
  readonly agents: ReadonlyArray<string>
  /** What a run on a busy thread gets: 409, unless it says otherwise. */
  readonly busy: (server: CannedServer, thread: Thread, input: Input, response: ServerResponse) => void
  /** Whether a run ends when its client hangs up. */
  readonly endsWithClient: boolean
  readonly token: string | undefined
  /** Runs before anything else; true when it has answered. */
  readonly first: (server: CannedServer, request: IncomingMessage, response: ServerResponse, body: string) => boolean
}

const json = (response: ServerResponse, status: number, value: unknown): void => {
  response.writeHead(status, { "content-type": "application/json", connection: "close" })
  response.end(JSON.stringify(value))
}

const roles = ["developer", "system", "assistant", "user", "tool", "activity", "reasoning"]

const isMessage = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value["id"] === "string" &&
  typeof value["role"] === "string" &&
  roles.includes(value["role"]) &&
  (value["role"] !== "user" || typeof value["content"] === "string" || Array.isArray(value["content"]))

/** A server that does everything right. */
export const good: Behaviour = {
  problem: (body) => {
    if (!isRecord(body)) return "the body is no object"
    if (typeof body["threadId"] !== "string") return "threadId is no string"
    if (typeof body["runId"] !== "string") return "runId is no string"
    if (!Array.isArray(body["messages"]) || !body["messages"].every(isMessage)) return "messages is no list of messages"
    if (body["tools"] !== undefined && !Array.isArray(body["tools"])) return "tools is no list"
    return undefined
  },
  refuse: (response, status, message) => json(response, status, { error: message }),
  maxBody: 4 * 1024 * 1024,
  head: (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", connection: "close" })
  },
  frame: (event) => `data: ${JSON.stringify(event)}\n\n`,
  events: (events) => events,
  stopped: ({ protocolVersion, runId, threadId }, open) =>
    protocolVersion === undefined
      ? [...open, { type: "RUN_ERROR", message: "The run was stopped.", code: "abort" }]
      : [...open, { type: "RUN_FINISHED", threadId, runId, outcome: { type: "cancelled" } }],
  end: (response) => response.end(),
  onStop: (server, threadId, response) => {
    const active = server.threads.get(threadId)?.active
    active?.stop.abort()
    json(
      response,
      200,
      active === undefined
        ? { stopped: false, message: `No active run for thread '${threadId}'.` }
        : { stopped: true, interrupt: { type: "RUN_ERROR", message: "Run stopped by user", code: "STOPPED" } }
    )
  },
  history: (server, threadId) => server.threads.get(threadId)?.runs.flatMap(({ said }) => said) ?? [],
  follows: true,
  endsConnects: true,
  echoes: true,
  pieceMs: 4,
  info: () => ({
    version: "1.0.0-canned",
    agents: { default: { name: "default", description: "canned", className: "Canned" } },
    audioFileTranscriptionEnabled: false
  }),
  agents: ["default"],
  busy: (_server, _thread, _input, response) => json(response, 409, { error: "Thread already running" }),
  endsWithClient: true,
  token: undefined,
  first: () => false
}

/** The events that close what is open. */
const closing = (said: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  const open = new Map<string, Event>()
  for (const { messageId, toolCallId, type } of said) {
    if (type === "TEXT_MESSAGE_START") open.set(`m${messageId}`, { type: "TEXT_MESSAGE_END", messageId })
    if (type === "TEXT_MESSAGE_END") open.delete(`m${messageId}`)
    if (type === "TOOL_CALL_START") open.set(`c${toolCallId}`, { type: "TOOL_CALL_END", toolCallId })
    if (type === "TOOL_CALL_END") open.delete(`c${toolCallId}`)
  }
  return [...open.values()]
}

/** The server. */
export class CannedServer {
  readonly threads = new Map<string, Thread>()
  readonly behaviour: Behaviour
  /** The bearer tokens it was sent. */
  readonly tokens = new Set<string>()
  readonly #server = createServer((request, response) => void this.#handle(request, response))
  readonly #watchers = new Set<() => void>()

  constructor(defects: Partial<Behaviour> = {}) {
    this.behaviour = { ...good, ...defects }
  }

  /** Starts it and gives its base URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** How many connections are open. */
  connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
    )
  }

  async close(): Promise<void> {
    for (const { active } of this.threads.values()) active?.stop.abort()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  thread(threadId: string): Thread {
    const thread = this.threads.get(threadId) ?? { runs: [], active: undefined, pending: [] }
    this.threads.set(threadId, thread)
    return thread
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { behaviour } = this
    const chunks: Array<Buffer> = []
    let size = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > behaviour.maxBody) {
        behaviour.refuse(response, 413, "the body is too big")
        request.resume()
        return
      }
      chunks.push(chunk)
    }
    const body = Buffer.concat(chunks).toString()
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? "")?.[1]
    if (token !== undefined) this.tokens.add(token)
    if (behaviour.first(this, request, response, body)) return
    if (behaviour.token !== undefined && token !== behaviour.token) {
      return behaviour.refuse(response, 401, "a token is needed")
    }
    const path = request.url ?? "/"
    if (path === "/agui" && request.method === "POST") return this.#call("run", "default", undefined, body, response)
    if (path === "/single" && request.method === "POST") return this.#envelope(body, response)
    if (path === "/ck/info" && request.method === "GET") return json(response, 200, behaviour.info())
    const [, agent, ask, threadId] = /^\/ck\/agent\/([^/]+)\/(run|connect|stop)(?:\/([^/]+))?$/.exec(path) ?? []
    if (request.method !== "POST" || agent === undefined || ask === undefined) {
      return behaviour.refuse(response, 404, "there is nothing here")
    }
    return this.#call(ask, agent, threadId, body, response)
  }

  async #envelope(text: string, response: ServerResponse): Promise<void> {
    const envelope = parse(text)
    if (!isRecord(envelope)) return this.behaviour.refuse(response, 400, "the body is no JSON object")
    const { body, method, params } = envelope
    if (method === "info") return json(response, 200, this.behaviour.info())
    const { agentId, threadId } = isRecord(params) ? params : {}
    const ask = /^agent\/(run|connect|stop)$/.exec(String(method))?.[1]
    if (ask === undefined) return this.behaviour.refuse(response, 400, "there is no such method")
    return this.#call(
      ask,
      String(agentId),
      typeof threadId === "string" ? threadId : undefined,
      body === undefined ? "" : JSON.stringify(body),
      response
    )
  }

  async #call(ask: string, agent: string, threadId: string | undefined, text: string, response: ServerResponse) {
    const { behaviour } = this
    if (!behaviour.agents.includes(agent)) return behaviour.refuse(response, 404, `there is no agent ${agent}`)
    if (ask === "stop") return behaviour.onStop(this, threadId ?? "", response)
    const body = parse(text)
    if (body === undefined) return behaviour.refuse(response, 400, "the body is no JSON")
    const problem = behaviour.problem(body)
    if (problem !== undefined) return behaviour.refuse(response, 400, problem)
    const input: Input = { threadId: "t", runId: "r", messages: [], ...(body as Partial<Input>) }
    if (ask === "connect") return this.#connect(input.threadId, response)
    const thread = this.thread(input.threadId)
    if (thread.active !== undefined) return behaviour.busy(this, thread, input, response)
    return this.run(thread, input, response)
  }

  /** Plays a run. */
  async run(thread: Thread, input: Input, response: ServerResponse): Promise<void> {
    const { behaviour } = this
    const { events, outcome } = planOf(input, thread.pending)
    const { protocolVersion, runId, threadId } = input
    const started = {
      type: "RUN_STARTED",
      threadId,
      runId,
      ...(protocolVersion !== undefined && { protocolVersion: "1.0" })
    }
    const finished = { type: "RUN_FINISHED", threadId, runId, ...(outcome && { outcome }) }
    const plan = behaviour.events([started, ...events, finished], input, thread, this)
    thread.pending = outcome?.["type"] === "interrupt" ? (outcome["interrupts"] as ReadonlyArray<Pending>) : []
    const running: Running = { input, stop: new AbortController(), said: [] }
    thread.runs.push(running)
    thread.active = running
    if (behaviour.endsWithClient) response.once("close", () => running.stop.abort())
    behaviour.head(response)
    let index = 0
    const say = async (event: Event): Promise<void> => {
      running.said.push(event)
      for (const watcher of [...this.#watchers]) watcher()
      if (!response.destroyed && !response.write(behaviour.frame(event, index++))) {
        await new Promise<void>((resolve) => {
          response.once("drain", resolve).once("close", resolve)
        })
      }
    }
    const long = plan.length > 50
    for (const event of plan) {
      if (running.stop.signal.aborted) break
      await say(event)
      if (long) await sleep(behaviour.pieceMs)
    }
    if (running.stop.signal.aborted) {
      for (const event of behaviour.stopped(input, closing(running.said))) await say(event)
    }
    if (thread.active === running) thread.active = undefined
    for (const watcher of [...this.#watchers]) watcher()
    behaviour.end(response)
  }

  async #connect(threadId: string, response: ServerResponse): Promise<void> {
    const { behaviour } = this
    behaviour.head(response)
    const thread = this.threads.get(threadId)
    let sent = 0
    for (;;) {
      const events = behaviour.history(this, threadId).map((event) => this.#withInput(event, threadId))
      for (; sent < events.length; sent++) {
        const event = events[sent]
        if (event !== undefined) response.write(behaviour.frame(event, sent))
      }
      if (thread?.active === undefined || !behaviour.follows || response.destroyed) break
      await new Promise<void>((resolve) => {
        const watcher = () => {
          this.#watchers.delete(watcher)
          response.off("close", watcher)
          resolve()
        }
        this.#watchers.add(watcher)
        response.once("close", watcher)
      })
    }
    if (behaviour.endsConnects) response.end()
  }

  #withInput(event: Event, threadId: string): Event {
    if (event["type"] !== "RUN_STARTED" || !this.behaviour.echoes) return event
    const run = this.threads.get(threadId)?.runs.find(({ input }) => input.runId === event["runId"])
    return run === undefined ? event : { ...event, input: run.input }
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
