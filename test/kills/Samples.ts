/** Small logs and conversations, to show that the laws notice what is wrong with them. */
import type { Message } from "@ag-ui/client"
import type { SseFrame } from "@agentwire/protocol/wire"
import { ThreadLedger } from "./ThreadLedger.ts"

/** An event of a log. */
export const frame = (seq: number, data: string): SseFrame => ({ id: `${seq}-a`, event: "message", data })

/** A log of events, each a type and the id of its run. */
export const eventsOf = (...events: ReadonlyArray<string>): ReadonlyArray<SseFrame> =>
  events.map((event, seq) => {
    const [type, runId] = event.split(" ")
    return frame(seq, JSON.stringify({ type, runId }))
  })

/** A prompt, by its mark. */
export const user = (mark: string): Message => ({ id: `m-${mark}`, role: "user", content: `[${mark}] talk` })

/** An answer. */
export const words = (content: string): Message => ({ id: "answer", role: "assistant", content })

/** What the clients of a thread know that has had one prompt, which was acknowledged. */
export const ledgerOf = (mark: string, count: number): ThreadLedger => {
  const ledger = new ThreadLedger("t", () => undefined)
  ledger.send(mark, "talk", count).isStarted = true
  return ledger
}
