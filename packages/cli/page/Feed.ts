/**
 * What the server says of a session as it happens: the lines of the wire and the events they became, newest last, so
 * many of each. One feed is shared by all of the page.
 */
import { isRecord } from "@agentwire/protocol/wire"
import { epochOf, isAfter, type Place, placeOf } from "./Place.ts"
import { Refused, type Server } from "./Server.ts"

/** An AG-UI event with its place. */
export interface FeedEvent extends Place {
  /** The number of the line that it came from; undefined: it came from none. */
  readonly line: number | undefined
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
  /** The number that the next event had when the line came. */
  readonly events: number
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
const feedLimit = 5000

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

  const follow = async <A>(
    what: "events" | "wire",
    entries: Array<A>,
    entryOf: (place: Place, data: unknown) => A | undefined
  ): Promise<void> => {
    let last: string | undefined
    let had: Place | undefined
    while (!closing.signal.aborted) {
      try {
        for await (const { data, event, id } of server.stream(threadId, what, last, closing.signal)) {
          // Numbers begin again when the session does, after a restart of the server.
          if (last !== undefined && epochOf(last) !== epochOf(id)) {
            entries.length = 0
            had = undefined
          }
          last = id
          status = "live"
          // Those with a name of their own report gaps and the end.
          const place = placeOf(id)
          if (event === "message" && isAfter(place, had)) {
            had = place
            const entry = entryOf(place, JSON.parse(data))
            if (entry !== undefined) entries.push(entry)
          }
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
  void follow("events", events, eventOf)
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

/** An event of the stream, with the line that it came from; undefined where it is none. */
export const eventOf = (place: Place, data: unknown): FeedEvent | undefined => {
  const { event, line } = isRecord(data) ? data : {}
  return isEvent(event) ? { ...place, line: typeof line === "number" ? line : undefined, event } : undefined
}

const isEvent = (value: unknown): value is FeedEvent["event"] => isRecord(value) && typeof value["type"] === "string"
