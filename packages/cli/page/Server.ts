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

/** What the page was told when it was served. */
export interface PageSettings {
  /** Where CopilotKit's routes are; empty: at the root. */
  readonly basePath: string
  /** What may be typed, to try the demo; empty without one. */
  readonly suggestions: ReadonlyArray<{ readonly title: string; readonly prompt: string }>
}

/** A server, with the token that lets the page in. */
export interface Server {
  readonly settings: PageSettings
  readonly headers: Readonly<Record<string, string>>
  readonly info: () => Promise<AgentInfo>
  readonly sessions: () => Promise<ReadonlyArray<SessionItem>>
  readonly remove: (threadId: string) => Promise<void>
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
  const suggestions = field(settings, "suggestions")
  return {
    basePath: textOf(field(settings, "basePath")),
    suggestions: (Array.isArray(suggestions) ? suggestions : []).map((item) => ({
      title: textOf(field(item, "title")),
      prompt: textOf(field(item, "prompt"))
    }))
  }
}

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
      return { name: textOf(field(agent, "name"), "Claude Code"), description: textOf(field(agent, "description")) }
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
    remove: async (threadId) => {
      await ask(session(threadId), { headers, method: "DELETE" })
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
