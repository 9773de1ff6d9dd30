/** Messages come in order, whole and once, and a full inbox stops its source. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { makeInbox } from "../../../src/runtime/claude/Inbox.ts"

const lines = (from: number, to: number) =>
  Buffer.from(
    Array.from({ length: to - from }, (_, i) => `${JSON.stringify({ type: "keep_alive", n: from + i })}\n`).join("")
  )

const numbers = (decoded: ReadonlyArray<unknown>) =>
  decoded.map((each) => (each as { readonly message: { readonly n: number } }).message.n)

describe("Inbox", () => {
  it.live("stops the source while it is full, loses nothing, and then lets it go on", () =>
    Effect.gen(function* () {
      const inbox = yield* makeInbox({ maxMessages: 4 })
      const calls: Array<string> = []
      const feed = inbox.feed({ pause: () => calls.push("pause"), resume: () => calls.push("resume") })
      feed.push(lines(0, 3))
      expect(calls).toEqual([])
      // A source may have something on the way when it is told to wait.
      feed.push(lines(3, 20))
      feed.push(lines(20, 22))
      feed.end()
      inbox.end()
      expect(calls[0]).toBe("pause")
      expect(calls).not.toContain("resume")
      expect(numbers(yield* Queue.collect(inbox.messages))).toEqual(Array.from({ length: 22 }, (_, i) => i))
      expect(calls.at(-1)).toBe("resume")
    })
  )

  it.live("keeps the unfinished lines of two sources apart", () =>
    Effect.gen(function* () {
      const inbox = yield* makeInbox()
      const source = { pause: () => undefined, resume: () => undefined }
      const [one, two] = [inbox.feed(source), inbox.feed(source)]
      const [first, second] = [lines(1, 2), lines(2, 3)]
      one.push(first.subarray(0, 10))
      two.push(second)
      one.push(first.subarray(10))
      inbox.end()
      expect(numbers(yield* Queue.collect(inbox.messages))).toEqual([2, 1])
    })
  )
})
