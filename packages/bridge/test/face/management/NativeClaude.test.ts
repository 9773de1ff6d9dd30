/** The line that a prompt was sent in is found by what stands there, however long the conversation is. */
import type * as Model from "@agentwire/protocol/model"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { promptUuid } from "../../../src/face/management/NativeClaude.ts"
import type { LogFailed } from "../../../src/log/BoundedLog.ts"
import type { EntryView } from "../../../src/log/EventLog.ts"
import { testLog } from "../../TestLog.ts"

const uuid = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`
const session = uuid(0)

const prompt = (id: string, nth?: number): Model.TranscriptEntry => ({
  kind: "prompt",
  lane: null,
  id,
  content: "What?",
  ...(nth !== undefined && { anchor: `${session}/${uuid(nth)}` })
})

const answer = (id: string): Model.TranscriptEntry => ({ kind: "text", lane: null, id, text: "That." })

const long = Array.from({ length: 3000 }, (_, nth) => answer(`t${nth}`))
const entries = [
  prompt("first", 1),
  answer("a"),
  // Two that waited for the same turn, and were sent in one line.
  prompt("one"),
  prompt("other", 2),
  ...long,
  prompt("untold"),
  answer("b"),
  prompt("last", 3)
]

/** How many entries were read, and what was found. */
const looked = (messageId: string) =>
  Effect.suspend(() => {
    const { look } = testLog({}, { entries, omitted: 0 })
    let read = 0
    const counted = (view: EntryView<LogFailed>): EntryView<LogFailed> => ({
      ...view,
      page: (query) =>
        Effect.tap(view.page(query), ({ entries: { length } }) =>
          Effect.sync(() => {
            read += length
          })
        )
    })
    const log: Parameters<typeof promptUuid>[0]["log"] = {
      look: (read) => look((view, seq) => read(counted(view), seq))
    }
    return Effect.map(promptUuid({ log }, messageId), (found) => ({ found, read }))
  })

describe("the line of a prompt", () => {
  it.effect("is its own, or that of the last that was sent with it", () =>
    Effect.gen(function* () {
      expect((yield* looked("first")).found).toBe(uuid(1))
      expect((yield* looked("one")).found).toBe(uuid(2))
      expect((yield* looked("other")).found).toBe(uuid(2))
      expect((yield* looked("last")).found).toBe(uuid(3))
    })
  )

  it.effect("is none where the agent was not told, nobody said it, or it is no prompt", () =>
    Effect.gen(function* () {
      for (const id of ["untold", "nobody", "a"]) expect((yield* looked(id)).found).toBeUndefined()
    })
  )

  it.effect("is found without reading what was said since", () =>
    Effect.gen(function* () {
      expect((yield* looked("first")).read).toBe(0)
      expect((yield* looked("one")).read).toBe(1)
    })
  )
})
