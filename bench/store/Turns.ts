/** What a session says: turns of an answer in pieces, as a model streams it, with what a session writes besides. */
import { Model } from "@agentwire/protocol"
import type { Batch, Happened, PlacedEntry } from "../../packages/bridge/src/store/Store.ts"

const nothingOpen = Model.situationToJson(Model.emptySituation)

/** How many pieces an answer has. */
const pieces = 200

const word = (n: number): string =>
  ["the", "wire", "between", "agents", "and", "people", "carries", "events"][n % 8] ?? ""

/** The batches of a session, one after the other, each with one event; the last of a turn has a checkpoint and entries. */
export class Turns {
  #seq = 0
  #position = 0
  #piece = 0
  #text = ""
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** What happens next. */
  next(): Batch {
    const [seq, turn] = [this.#seq++, this.#position >> 1]
    const at = Date.now()
    const id = `msg_01${this.#name}_${turn}`
    const n = this.#piece++
    if (n === 0)
      return { first: seq, events: [{ at, event: { type: "turn_started", cause: "prompt", ticket: `run-${turn}` } }] }
    if (n === 1)
      return { first: seq, events: [{ at, event: { type: "item_started", lane: null, id, item: { kind: "text" } } }] }
    if (n <= pieces + 1) {
      const delta = `${word(seq)} `
      this.#text += delta
      return { first: seq, events: [{ at, event: { type: "item_grew", lane: null, id, delta } }] }
    }
    return this.#end(seq, { at, event: { type: "turn_ended", outcome: { type: "completed" } } }, id)
  }

  #end(seq: number, last: Happened, id: string): Batch {
    const entries: ReadonlyArray<PlacedEntry> = [
      {
        position: this.#position++,
        branch: 0,
        entry: { id: `p-${id}`, lane: null, kind: "prompt", content: "Tell me more about that, please." }
      },
      { position: this.#position++, branch: 0, entry: { id, lane: null, kind: "text", text: this.#text } }
    ]
    this.#piece = 0
    this.#text = ""
    return {
      first: seq,
      events: [last],
      entries,
      thread: { activeAt: last.at },
      checkpoint: {
        seq: seq + 1,
        situation: { ...nothingOpen, turns: this.#position >> 1 },
        path: [{ branch: 0 }],
        nextPosition: this.#position
      }
    }
  }
}
