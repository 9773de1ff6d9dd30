/**
 * The requests of the page besides CopilotKit's own: what is served, the sessions, and their streams.
 */
import { isRecord, readSse, type SseFrame } from "@agentwire/protocol/wire"

/** Why a request has no answer: what the server said, or that there is none. */
export class Refused extends Error {
  /** Those of the server, and `SERVER_GONE`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** What runs behind the server. */
export interface AgentInfo {
  readonly name: string
  readonly description: string
}

/** A session as the list shows it. */
export interface SessionItem {
  readonly threadId: string
  readonly title: string | undefined
  readonly status: string
  /** In milliseconds since 1970. */
  readonly usedAt: number
}

/** A conversation that was begun elsewhere, such as in a terminal. */
export interface FoundConversation {
  /** The agent's own id of it. */
  readonly id: string
  readonly title: string | undefined
  /** In milliseconds since 1970. */
  readonly usedAt: number
}

/** Some of them, the newest first. */
export interface FoundConversations {
  readonly conversations: ReadonlyArray<FoundConversation>
  /** What to ask for the next ones with; undefined when there are none. */
  readonly before: string | undefined
}

/** A kind of agent that a thread can be with. */
export interface PageAgent {
  /** What the option `runtime` of a session calls it. */
  readonly kind: string
  /** What people call it. */
  readonly name: string
  /** What may be typed, to try the demo; empty without one. */
  readonly suggestions: ReadonlyArray<{ readonly title: string; readonly prompt: string }>
}

/** What the page was told when it was served. */
export interface PageSettings {
  /** Where CopilotKit's routes are; empty: at the root. */
  readonly basePath: string
  /** The kinds of agents; the first is for threads that name none. */
  readonly agents: ReadonlyArray<PageAgent>
}

/** A server, with the token that lets the page in. */
export interface Server {
  readonly settings: PageSettings
  readonly headers: Readonly<Record<string, string>>
  readonly info: () => Promise<AgentInfo>
  readonly sessions: () => Promise<ReadonlyArray<SessionItem>>
  /** The kind of agent that was chosen for a session; undefined where there is no such session. */
  readonly session: (threadId: string) => Promise<{ readonly runtime: string | undefined } | undefined>
  /** Makes a session with a kind of agent. */
  readonly create: (threadId: string, runtime: string) => Promise<void>
  readonly remove: (threadId: string) => Promise<void>
  /** The conversations that were begun elsewhere and can be continued here. */
  readonly elsewhere: (before?: string) => Promise<FoundConversations>
  /** Makes a thread of one of them; gives its id. */
  readonly adopt: (id: string) => Promise<string>
  /** Whether the agent of a session hears words in the middle of a run. */
  readonly canSteer: (threadId: string) => Promise<boolean>
  /** Says something in the run that is open; the id that the message will have. */
  readonly steer: (threadId: string, words: string) => Promise<string>
  /** The tape of a session, as a file. */
  readonly tape: (threadId: string) => Promise<Blob>
  /** What a stream of a session says, from its beginning or after an id, until it ends or the signal aborts it. */
  readonly stream: (
    threadId: string,
    what: keyof typeof streams,
    after: string | undefined,
    signal: AbortSignal
  ) => AsyncGenerator<SseFrame>
}

/** Each stream from its beginning, and each event with the line that it came from. */
const streams = { events: "/events?from=0&lines=true", wire: "/wire?from=0" } as const

const field = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)

const textOf = (value: unknown, otherwise = ""): string => (typeof value === "string" ? value : otherwise)

/** The settings of the page. They are public. */
export const readSettings = async (): Promise<PageSettings> => {
  const settings: unknown = await (await ask("/page.json", {})).json()
  return {
    basePath: textOf(field(settings, "basePath")),
    agents: listOf(field(settings, "agents")).map((agent) => ({
      kind: textOf(field(agent, "kind")),
      name: textOf(field(agent, "name")),
      suggestions: listOf(field(agent, "suggestions")).map((item) => ({
        title: textOf(field(item, "title")),
        prompt: textOf(field(item, "prompt"))
      }))
    }))
  }
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The server the page came from. */
export const makeServer = (settings: PageSettings, token: string | undefined): Server => {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const session = (threadId: string, rest = "") => `/api/sessions/${encodeURIComponent(threadId)}${rest}`
  return {
    settings,
    headers,
    info: async () => {
      const info: unknown = await (await ask(`${settings.basePath}/info`, { headers })).json()
      const [agent] = Object.values(isRecord(field(info, "agents")) ? (field(info, "agents") as object) : {})
      return { name: textOf(field(agent, "name"), "the agent"), description: textOf(field(agent, "description")) }
    },
    sessions: async () => {
      const body: unknown = await (await ask("/api/sessions", { headers })).json()
      const list = Array.isArray(body) ? body : field(body, "sessions")
      return (Array.isArray(list) ? list : []).map((item) => ({
        threadId: textOf(field(item, "threadId")),
        title: textOf(field(item, "title")) || undefined,
        status: textOf(field(item, "status")),
        usedAt: Number(field(item, "usedAt") ?? 0)
      }))
    },
    session: async (threadId) => {
      const found = await ask(session(threadId), { headers }).catch((error: unknown) => {
        if (error instanceof Refused && error.code === "SESSION_NOT_FOUND") return undefined
        throw error
      })
      if (found === undefined) return undefined
      const body: unknown = await found.json()
      return { runtime: textOf(field(field(body, "options"), "runtime")) || undefined }
    },
    create: async (threadId, runtime) => {
      await ask("/api/sessions", {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ threadId, runtime })
      })
    },
    remove: async (threadId) => {
      await ask(session(threadId), { headers, method: "DELETE" })
    },
    elsewhere: async (before) => {
      const place = before === undefined ? "" : `?${new URLSearchParams({ before })}`
      const body: unknown = await (await ask(`/api/adoptable${place}`, { headers })).json()
      return {
        conversations: listOf(field(body, "conversations")).map((item) => ({
          id: textOf(field(item, "providerSessionId")),
          title: textOf(field(item, "title")) || undefined,
          usedAt: Number(field(item, "usedAt") ?? 0)
        })),
        before: textOf(field(body, "before")) || undefined
      }
    },
    adopt: async (id) => {
      const answer = await ask(`/api/adoptable/${encodeURIComponent(id)}`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: "{}"
      })
      return textOf(field(await answer.json(), "threadId"))
    },
    canSteer: async (threadId) => {
      const body: unknown = await (await ask(session(threadId), { headers })).json()
      return field(field(field(body, "agent"), "capabilities"), "steer") === true
    },
    steer: async (threadId, words) => {
      const answer = await ask(session(threadId, "/steer"), {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ content: words })
      })
      return textOf(field(await answer.json(), "messageId"))
    },
    tape: async (threadId) => (await ask(session(threadId, "/tape"), { headers })).blob(),
    async *stream(threadId, what, after, signal) {
      const place = after === undefined ? {} : { "Last-Event-ID": after }
      const response = await ask(session(threadId, streams[what]), { headers: { ...headers, ...place }, signal })
      if (response.body !== null) yield* readSse(response.body)
    }
  }
}

const ask = async (path: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(path, init).catch((cause: unknown) => {
    if (init.signal?.aborted === true) throw cause
    throw new Refused("SERVER_GONE", "The server does not answer.")
  })
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => undefined)
  const error = field(body, "error")
  throw new Refused(textOf(field(error, "code"), `HTTP_${response.status}`), textOf(field(error, "message")))
}
