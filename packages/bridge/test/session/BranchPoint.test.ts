import type * as Model from "@agentwire/protocol/model"
import { describe, expect, it } from "vitest"
import { branchPoint, type PlacedEntry } from "../../src/session/BranchPoint.ts"

type Entry = Model.TranscriptEntry
const named = (anchor: string | undefined) => (anchor === undefined ? {} : { anchor })
const prompt = (id: string, anchor?: string): Entry => ({
  id,
  lane: null,
  kind: "prompt",
  content: id,
  ...named(anchor)
})
const text = (id: string, anchor?: string, lane: string | null = null): Entry => ({
  ...{ id, lane, kind: "text", text: id },
  ...named(anchor)
})
const task: Entry = { id: "k", lane: null, kind: "task", content: {} }

const place = (...entries: ReadonlyArray<Entry>): ReadonlyArray<PlacedEntry> =>
  entries.map((entry, index) => ({ entry, branch: 0, position: index * 2 }))

describe("the point after an entry", () => {
  it("is the one that the runtime has a name for", () => {
    expect(branchPoint(place(prompt("p", "at p"), text("a", "at a")), true)).toEqual({
      from: { branch: 0, position: 2 },
      after: "a",
      anchor: "at a",
      again: []
    })
  })

  it("keeps sub-agents and tasks that came after it", () => {
    expect(branchPoint(place(prompt("p"), text("a", "at a"), task, text("s", undefined, "call")), true)).toMatchObject({
      from: { position: 6 },
      after: "s",
      anchor: "at a"
    })
  })

  it("is before what people said that the agent never heard: it is said again", () => {
    const entries = place(prompt("p", "at p"), text("a", "at a"), prompt("q"), prompt("r"))
    expect(branchPoint(entries, true)).toEqual({
      from: { branch: 0, position: 2 },
      after: "a",
      anchor: "at a",
      again: [
        { id: "q", content: "q" },
        { id: "r", content: "r" }
      ]
    })
  })

  it("is before everything when nothing was ever heard", () => {
    expect(branchPoint(place(prompt("p")), true)).toEqual({
      from: null,
      after: null,
      anchor: null,
      again: [{ id: "p", content: "p" }]
    })
    expect(branchPoint([], true)).toEqual({ from: null, after: null, anchor: null, again: [] })
  })

  it("after what was cut off is that of what the agent knows of the turn", () => {
    expect(branchPoint(place(prompt("p", "at p"), text("half")), true)).toMatchObject({
      from: { position: 2 },
      after: "half",
      anchor: "at p"
    })
  })

  it("is nowhere when nothing of the turn has a name", () => {
    expect(branchPoint(place(text("a", "at a"), prompt("p"), text("b")), true)).toBe("unavailable")
    expect(branchPoint(place(text("b")), true)).toBe("unavailable")
  })

  it("may lie further back than one has looked", () => {
    expect(branchPoint(place(prompt("p")), false)).toBe("look_further")
    expect(branchPoint(place(text("b")), false)).toBe("look_further")
    expect(branchPoint([], false)).toBe("look_further")
  })
})
