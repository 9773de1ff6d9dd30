/**
 * What the server says of a session as it happens: the lines of the wire and the events they became, newest last, so
 * many of each. One feed is shared by all of the page.
 */
import { Refused, type Server } from "./Server.ts"

/** An AG-UI event with its number. */
export interface FeedEvent {
  readonly seq: number
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string }
}

/** A line of the wire. */
export interface FeedLine {
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly at: number
  readonly from: "agent" | "host"
  /** The line as JSON. */
  readonly line: string
  /** The events it became: from the first up to, but not with, the second. */
  readonly events: readonly [from: number, to: number]
}

/** What a feed has at a moment. */
export interface FeedState {
  readonly lines: ReadonlyArray<FeedLine>
  readonly events: ReadonlyArray<FeedEvent>
  /** `waiting`: the thread has no session yet. */
  readonly status: "waiting" | "live" | "gone"
}

/** A feed. */
export interface Feed {
  readonly state: () => FeedState
  readonly subscribe: (changed: () => void) => () => void
  /** Looks at once whether there is a session, instead of in a while. */
  readonly wake: () => void
  readonly close: () => void
}

/** How many lines and how many events are kept. */
export const feedLimit = 5000

const pauseMs = 1500

/** Opens the feed of a thread. It waits for its session and comes back after every cut, until it is closed. */
export const openFeed = (server: Server, threadId: string): Feed => {
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  const sleepers = new Set<() => void>()
  const events: Array<FeedEvent> = []
  const lines: Array<FeedLine> = []
  let state: FeedState = { lines: [], events: [], status: "waiting" }
  let status: FeedState["status"] = "waiting"
  let scheduled = false

  /** Many frames come at a time; one look is enough for all of them. */
  const tell = (): void => {
    if (scheduled) return
    scheduled = true
    setTimeout(() => {
      scheduled = false
      state = { lines: lines.slice(), events: events.slice(), status }
      for (const listener of listeners) listener()
    }, 30)
  }
  const wake = (): void => {
    for (const sleeper of sleepers) sleeper()
    sleepers.clear()
  }
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      sleepers.add(resolve)
      setTimeout(resolve, pauseMs)
    })

  const follow = async <A extends { readonly seq: number }>(
    what: "events" | "wire",
    entries: Array<A>,
    entryOf: (seq: number, data: unknown) => A
  ): Promise<void> => {
    let last: string | undefined
    while (!closing.signal.aborted) {
      try {
        for await (const { data, event, id } of server.stream(threadId, what, last, closing.signal)) {
          // Numbers begin again when the session does, after a restart of the server.
          if (last !== undefined && epochOf(last) !== epochOf(id)) entries.length = 0
          last = id
          status = "live"
          // Those with a name of their own tell of gaps and of the end.
          const seq = Number.parseInt(id, 10)
          if (event === "message" && seq > (entries.at(-1)?.seq ?? -1)) entries.push(entryOf(seq, JSON.parse(data)))
          if (entries.length > feedLimit) entries.shift()
          tell()
        }
      } catch (error) {
        if (closing.signal.aborted) return
        status = error instanceof Refused && error.code !== "SERVER_GONE" ? "waiting" : "gone"
        tell()
      }
      await pause()
    }
  }
  void follow("events", events, (seq, data) => ({ seq, event: data as FeedEvent["event"] }))
  void follow("wire", lines, (_, data) => data as FeedLine)

  return {
    state: () => state,
    subscribe: (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    wake,
    close: () => {
      closing.abort()
      wake()
    }
  }
}

/** The opening of the session that an id is from. */
const epochOf = (id: string): string => id.split("-")[1] ?? ""
