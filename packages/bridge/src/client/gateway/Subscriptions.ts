/**
 * What a client says that comes back: all that it listens to, and how far it has come.
 *
 * Whoever goes on in a session is told at once what it has patterns for, and never again what it had none for. So all
 * patterns of sessions are said together, though some are then told of more sessions than anybody listens to.
 */
import type { ParamsOf, Position } from "@agentwire/protocol/gateway"

/** What is listened to. */
export interface ListenedTo {
  readonly pattern: string
  /** Undefined: all. */
  readonly sessionIds: ReadonlyArray<string> | undefined
}

type Subscription = ParamsOf<"subscribe">

/** How many patterns, and how many sessions, are said at once. */
const [maxEvents, maxSessions] = [100, 1000]

const isOfSessions = ({ pattern }: ListenedTo): boolean => pattern === "*" || pattern.startsWith("session.")

const chunksOf = (all: ReadonlyArray<string>, size: number): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nth) => all.slice(nth * size, (nth + 1) * size))

const patternsOf = (some: ReadonlyArray<ListenedTo>): ReadonlyArray<string> => [
  ...new Set(some.map(({ pattern }) => pattern))
]

/** What is to be said, in this order. */
export const subscriptionsFor = (
  listening: ReadonlyArray<ListenedTo>,
  places: Readonly<Record<string, Position>>
): ReadonlyArray<Subscription> => {
  const others = chunksOf(patternsOf(listening.filter((each) => !isOfSessions(each))), maxEvents)
  const ofSessions = listening.filter(isOfSessions)
  const events = patternsOf(ofSessions)
  const said: Array<Subscription> = others.map((events) => ({ events }))
  if (events.length === 0) return said
  if (ofSessions.some(({ sessionIds }) => sessionIds === undefined)) return [...said, { events, after: places }]
  const named = [...new Set(ofSessions.flatMap(({ sessionIds = [] }) => sessionIds))]
  return [...said, ...chunksOf(named, maxSessions).map((sessionIds) => onlyOf({ events, after: places }, sessionIds))]
}

/** The same, of these sessions only. */
export const onlyOf = ({ after = {}, events }: Subscription, sessionIds: ReadonlyArray<string>): Subscription => ({
  events,
  sessionIds,
  after: Object.fromEntries(Object.entries(after).filter(([id]) => sessionIds.includes(id)))
})
