import { describe, expect, it } from "vitest"
import { entryIdsOf, messageIdOf } from "../../../src/agui/write/MessageId.ts"
import { messagesOf } from "../../../src/agui/write/Messages.ts"
import type { TranscriptEntry } from "../../../src/model/Transcript.ts"

const on = { lane: null }

/** One of each kind. */
const entries: ReadonlyArray<TranscriptEntry> = [
  { kind: "prompt", ...on, id: "p", content: "?" },
  { kind: "thought", ...on, id: "h", text: "Hm" },
  { kind: "text", ...on, id: "m", text: "!" },
  { kind: "call", ...on, id: "c", tool: "Read", action: "read", parent: "m", arguments: "{}" },
  { kind: "result", ...on, id: "c", content: "Found.", failed: false },
  { kind: "task", ...on, id: "t", content: {} }
]

describe("the id of a message", () => {
  it("is what a client knows each entry by", () => {
    const ids = messagesOf({ entries, omitted: 0 }).map(({ id }) => id)
    expect([...new Set(entries.map(messageIdOf))]).toEqual(ids)
  })

  it("leads back to an entry", () => {
    for (const entry of entries)
      expect(entryIdsOf(messageIdOf(entry))).toContain(entry.kind === "call" ? "m" : entry.id)
  })

  it("may look like that of a result", () => {
    expect(entryIdsOf("x:result")).toEqual(["x:result", "x"])
    expect(entryIdsOf(":result")).toEqual([":result"])
  })
})
