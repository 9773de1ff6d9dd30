/**
 * What the other process reads of a log: as much as there is, or the next that comes. It asks again with the number after
 * it, so a cut costs nothing, and whoever does not ask is sent nothing.
 */
import * as Model from "@agentwire/protocol/model"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { weightOf } from "../eventloop/Weight.ts"
import type { LogGap, ReadFailed } from "../log/BoundedLog.ts"
import type { EventLog, LogEntry } from "../log/EventLog.ts"
import type { WireLog } from "../log/WireLog.ts"
import { chunkValue } from "../store/EventChunk.ts"
import type { EventsJson, WireLineJson } from "./Values.ts"

/** About how many characters are told at once. */
const maxWeight = 2_000_000

/** The first of what a stream gives; none when nothing came in time; undefined when it has ended. */
const next = <A, E>(
  stream: Stream.Stream<A, E>,
  limit: Duration.Input
): Effect.Effect<ReadonlyArray<A> | undefined, E> =>
  Effect.scoped(Effect.flatten(Stream.toPull(stream))).pipe(
    Pull.catchDone(() => Effect.undefined),
    Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.succeed([]) })
  )

/** As many of the first as are not too much at once, but at least one. */
const fitting = <A>(all: ReadonlyArray<A>, limit: number, weight: (one: A) => number): ReadonlyArray<A> => {
  let sum = 0
  const end = all.findIndex((one, at) => {
    sum += weight(one)
    return at > 0 && (sum > maxWeight || at >= limit)
  })
  return end === -1 ? all : all.slice(0, end)
}

/** Events from a number on, once there are some. */
export const takeEvents = (
  log: Pick<EventLog, "read">,
  asked: {
    readonly from: number
    readonly limit?: number | undefined
    readonly situation?: boolean | undefined
  },
  limit: Duration.Input
): Effect.Effect<typeof EventsJson.Type, ReadFailed> =>
  Effect.map(next(log.read(asked.from), limit), (found) => {
    if (found === undefined) return { chunk: [], lines: [], ended: true as const }
    const entries = fitting<LogEntry>(found, asked.limit ?? Number.POSITIVE_INFINITY, ({ event }) => weightOf(event))
    const [first] = entries
    return {
      chunk: chunkValue(entries),
      lines: entries.flatMap(({ line }, at) => (line === undefined ? [] : [[at, line] as const])),
      ...(asked.situation === true && first !== undefined && { situation: Model.situationToJson(first.before) })
    }
  })

/** Lines of the wire from a number on, once there are some. */
export const takeLines = (
  wire: Pick<WireLog, "read">,
  from: number,
  limit: Duration.Input
): Effect.Effect<{ readonly lines: ReadonlyArray<typeof WireLineJson.Type>; readonly ended?: true }, LogGap> =>
  Effect.map(next(wire.read(from), limit), (found) =>
    found === undefined
      ? { lines: [], ended: true }
      : { lines: fitting(found, Number.POSITIVE_INFINITY, ({ line }) => line.length) }
  )
