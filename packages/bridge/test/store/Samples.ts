/** Threads, events and checkpoints for tests of stores. */
import { Model } from "@agentwire/protocol"
import type { Checkpoint } from "../../src/store/Checkpoint.ts"
import type { Batch, Happened, PlacedEntry, Store } from "../../src/store/Store.ts"
import type { StoredThread } from "../../src/store/StoredThread.ts"

/** A store that is open. */
export type OpenStore = Store["Service"]

/** A thread. */
export const thread = (threadId: string, more: Partial<StoredThread> = {}): StoredThread => ({
  threadId,
  cwd: "/project",
  options: {},
  archived: false,
  createdAt: 1,
  activeAt: 1,
  ...more
})

/** Pieces of a text, one after the other. */
export const grew = (id: string, ...deltas: ReadonlyArray<string>): ReadonlyArray<Happened> =>
  deltas.map((delta, n) => ({ at: 1000 + n, event: { type: "item_grew", lane: null, id, delta } }))

/** An event of another kind. */
export const noticed = (value: unknown, at = 1000): Happened => ({
  at,
  event: { type: "noticed", lane: null, name: "test", value }
})

/** Some events. */
export const batch = (first: number, events: ReadonlyArray<Happened>, more: Partial<Batch> = {}): Batch => ({
  first,
  events,
  ...more
})

/** A prompt in its place. */
export const said = (position: number, content = `${position}`, branch = 0): PlacedEntry => ({
  position,
  branch,
  entry: { id: `p${position}`, lane: null, kind: "prompt", content }
})

/** A text in its place. */
export const text = (position: number, id: string, branch = 0): PlacedEntry => ({
  position,
  branch,
  entry: { id, lane: null, kind: "text", text: `${position}` }
})

/** A call in its place, and the message that it hangs on. */
export const call = (position: number, id: string, parent: string, branch = 0): PlacedEntry => ({
  position,
  branch,
  entry: { id, lane: null, kind: "call", tool: "Bash", action: "command", parent, arguments: `[${position}]` }
})

/** The result of a call in its place. */
export const result = (position: number, id: string, branch = 0): PlacedEntry => ({
  position,
  branch,
  entry: { id, lane: null, kind: "result", content: `${position}`, failed: false }
})

/** A checkpoint of a thread in which nothing is open. */
export const checkpoint = (seq: number, more: Partial<Checkpoint> = {}): Checkpoint => ({
  seq,
  situation: { ...Model.situationToJson(Model.emptySituation), turns: 1 },
  path: [{ branch: 0 }],
  nextPosition: seq,
  ...more
})

/** The texts of the pieces among events. */
export const deltas = (events: ReadonlyArray<{ readonly event: Model.Event }>): ReadonlyArray<string> =>
  events.flatMap(({ event }) => (event.type === "item_grew" ? [event.delta] : []))
