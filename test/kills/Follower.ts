/** A client of the management API that reads along, and keeps every event that it was sent, with its id. */
import { readSse, type SseFrame } from "@agentwire/protocol/wire"
import type { Life } from "./Life.ts"

/** Reads the events of a thread, in one life after the other. */
export class Follower {
  readonly threadId: string
  /** All that it was sent, over all lives. */
  readonly frames: Array<SseFrame> = []
  readonly #waiting = new Set<() => void>()

  constructor(threadId: string) {
    this.threadId = threadId
  }

  /** Reads until the bridge is gone, from after what it has. */
  async follow(life: Life): Promise<void> {
    const last = this.frames.at(-1)?.id
    try {
      const response = await life.fetch(`${life.url}/api/sessions/${this.threadId}/events?from=0`, {
        headers: { ...life.headers, ...(last !== undefined && { "Last-Event-ID": last }) }
      })
      if (!response.ok || response.body === null) return
      for await (const frame of readSse(response.body)) {
        this.frames.push(frame)
        life.heard(JSON.parse(frame.data))
        for (const look of this.#waiting) look()
      }
    } catch (error) {
      if (!life.isOver()) throw error
    }
  }

  /** Waits until it has the end of a run. */
  endOf(runId: string): Promise<void> {
    return new Promise((resolve) => {
      let at = 0
      let isIn = false
      const look = (): void => {
        for (; at < this.frames.length; at++) {
          const event = JSON.parse(this.frames[at]?.data ?? "")
          if (event.type === "RUN_STARTED") isIn = event.runId === runId
          if (!isIn || (event.type !== "RUN_FINISHED" && event.type !== "RUN_ERROR")) continue
          this.#waiting.delete(look)
          resolve()
          return
        }
      }
      this.#waiting.add(look)
      look()
    })
  }
}
