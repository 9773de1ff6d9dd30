/** What a process that is killed has written: events that tell their thread and number, so that anybody can check them. */
import { Model } from "@agentwire/protocol"
import type { Batch, Happened } from "../../../src/store/Store.ts"

/** So much that it is written in several transactions. */
const much = "much ü".repeat(60_000)

/** The event of a thread with a number: mostly pieces of a few items, and now and then one that is long. */
export const pouredEvent = (threadId: string, seq: number): Happened =>
  seq % 7 === 0
    ? {
        at: seq,
        event: {
          type: "noticed",
          lane: null,
          name: "poured",
          value: { threadId, seq, ...(seq % 490 === 0 && { much }) }
        }
      }
    : {
        at: seq,
        event: {
          type: "item_grew",
          lane: null,
          id: `${threadId}-${Math.floor(seq / 20)}`,
          delta: `${threadId}${seq} ü`
        }
      }

/** The entry that comes with every fortieth event. Some are long. */
export const pouredEntry = (threadId: string, position: number) => ({
  position,
  branch: 0,
  entry: {
    id: `${threadId}-${position}`,
    lane: null,
    kind: "prompt" as const,
    content: `${threadId} ${position}${position % 9 === 0 ? much : ""}`
  }
})

/** A batch of a thread: its events, with a checkpoint and entries where it passes a fortieth event. */
export const pouredBatch = (threadId: string, first: number, count: number): Batch => {
  const events = Array.from({ length: count }, (_, n) => pouredEvent(threadId, first + n))
  const [before, after] = [Math.floor(first / 40), Math.floor((first + count) / 40)]
  if (before === after) return { first, events }
  return {
    first,
    events,
    entries: Array.from({ length: after - before }, (_, n) => pouredEntry(threadId, before + n)),
    thread: { activeAt: first + count, state: { next: first + count } },
    checkpoint: {
      seq: first + count,
      situation: { ...Model.situationToJson(Model.emptySituation), turns: after },
      path: [{ branch: 0 }],
      nextPosition: after
    }
  }
}
