import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type EntryPlace,
  forkOf,
  isOnPath,
  noBranches,
  type Origins,
  pathOf,
  pathThrough
} from "../../src/model/Branch.ts"
import type { Event, ItemStart } from "../../src/model/Event.ts"
import { applyToSituation, emptySituation, pathIn, type Situation } from "../../src/model/Situation.ts"
import { situationFromJson, situationToJson } from "../../src/model/SituationJson.ts"
import { type TranscriptEntry, transcriptOf } from "../../src/model/Transcript.ts"

const on = { lane: null }

/** The events of one entry. Ids of prompts may come again on another branch: a client asks the same thing once more. */
const entryEvents = (id: string, kind: "prompt" | "text" | "call"): ReadonlyArray<Event> => {
  const anchored: Event = { type: "anchored", ...on, id, anchor: `at ${id}` }
  switch (kind) {
    case "prompt":
      return [{ type: "item_started", ...on, id, item: { kind, content: id } }, anchored]
    case "text":
      return [
        { type: "item_started", ...on, id, item: { kind } },
        { type: "item_grew", ...on, id, delta: "some " },
        { type: "item_grew", ...on, id, delta: "words" },
        { type: "item_ended", ...on, id },
        anchored
      ]
    case "call":
      return [
        { type: "item_started", ...on, id, item: { kind, tool: "Bash", action: "command", parent: "m" } },
        { type: "item_grew", ...on, id, delta: "{}" },
        { type: "item_ended", ...on, id },
        anchored,
        { type: "call_answered", ...on, id, content: "ok", failed: false },
        { type: "anchored", ...on, id, anchor: `at the result of ${id}` }
      ]
  }
}

interface Node extends EntryPlace {
  readonly id: string
  readonly parent: Node | undefined
  readonly events: ReadonlyArray<Event>
}

/** Something is said, or the conversation goes back: to an entry of any branch, or to before everything. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("prompt", "text", "call"), again: fc.nat() })
  },
  { weight: 1, arbitrary: fc.record({ back: fc.nat() }) }
)

type Step = { readonly kind: "prompt" | "text" | "call"; readonly again: number } | { readonly back: number }

/** What was said on all branches, and what was said on the path alone. */
const tell = (steps: ReadonlyArray<Step>) => {
  const events: Array<Event> = []
  const nodes: Array<Node> = []
  let last: Node | undefined
  let branch = 0
  let branches = 1
  let position = 0
  for (const each of steps) {
    if ("back" in each) {
      const choice = each.back % (nodes.length + 1)
      last = nodes[choice]
      branch = branches++
      const from = last === undefined ? null : { branch: last.branch, position: last.position }
      events.push({ type: "branched", branch, from, after: last?.id ?? null, anchor: null })
      continue
    }
    // The same id as on another branch, where this one does not have it.
    const mine = new Set(idsTo(last))
    const others = nodes.filter(({ id }) => each.kind === "prompt" && id.startsWith("prompt") && !mine.has(id))
    const id = others[each.again % Math.max(1, others.length)]?.id ?? `${each.kind} ${nodes.length}`
    const said = entryEvents(id, each.kind)
    if (each.kind === "call") position++
    last = { branch, position: position++, id, parent: last, events: said }
    nodes.push(last)
    events.push(...said)
  }
  return { events, alone: pathTo(last).flatMap((node) => node.events), last }
}

const pathTo = (node: Node | undefined): ReadonlyArray<Node> =>
  node === undefined ? [] : [...pathTo(node.parent), node]

const idsTo = (node: Node | undefined): ReadonlyArray<string> => pathTo(node).map(({ id }) => id)

const situationOf = (events: ReadonlyArray<Event>): Situation => events.reduce(applyToSituation, emptySituation)

describe("the transcript of a conversation with branches", () => {
  it("is that of its path alone", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { alone, events } = tell(steps as ReadonlyArray<Step>)
        expect(transcriptOf(events)).toEqual(transcriptOf(alone))
      })
    )
  })

  it("has each entry of the path in the place that the path goes by, and no other", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { events, last } = tell(steps as ReadonlyArray<Step>)
        const path = pathIn(situationOf(events))
        const nodes = pathTo(last)
        for (const node of nodes) expect(isOnPath(path, node)).toBe(true)
        expect(path.map(({ branch }) => branch)).toEqual([...new Set(path.map(({ branch }) => branch))])
        expect(path.at(-1)?.through).toBeUndefined()
      })
    )
  })

  it("keeps the runtime's name for the point after each entry, and after a result for both", () => {
    const { entries } = transcriptOf([...entryEvents("p", "prompt"), ...entryEvents("c", "call")])
    expect(entries.map(({ anchor, kind }: TranscriptEntry) => [kind, anchor])).toEqual([
      ["prompt", "at p"],
      ["call", "at c"],
      ["result", "at the result of c"]
    ])
  })

  it("says after a bound how many entries are left out on the path", () => {
    const events = [..."abcdef"].flatMap((id) => entryEvents(id, "text"))
    const whole = transcriptOf(events)
    const bounded = transcriptOf(
      [{ type: "branched", branch: 1, from: { branch: 0, position: 1 }, after: "b", anchor: null }],
      { ...whole, entries: whole.entries.slice(4), omitted: 4 }
    )
    expect(bounded).toMatchObject({ entries: [], omitted: 2 })
  })
})

describe("a path", () => {
  const origins: Origins = [...noBranches, { branch: 0, position: 7 }, { branch: 1, position: 9 }, null]

  it("leads through the branches a branch came from, each up to where it left", () => {
    expect(pathOf(origins, 0)).toEqual([{ branch: 0 }])
    expect(pathOf(origins, 2)).toEqual([{ branch: 0, through: 7 }, { branch: 1, through: 9 }, { branch: 2 }])
    expect(pathOf(origins, 3)).toEqual([{ branch: 3 }])
  })

  it("ends at an entry, or before everything", () => {
    expect(pathThrough(origins, { branch: 1, position: 8 })).toEqual([
      { branch: 0, through: 7 },
      { branch: 1, through: 8 }
    ])
    expect(pathThrough(origins, null)).toEqual([])
  })
})

describe("the fork of two paths", () => {
  const origins: Origins = [null, { branch: 0, position: 1 }, { branch: 0, position: 3 }, null]

  it("is the last entry that both can have", () => {
    const fork = (one: EntryPlace, branch: number) => forkOf(pathThrough(origins, one), pathOf(origins, branch))
    expect(fork({ branch: 0, position: 3 }, 1)).toEqual({ branch: 0, position: 1 })
    expect(fork({ branch: 1, position: 5 }, 2)).toEqual({ branch: 0, position: 1 })
    expect(fork({ branch: 0, position: 2 }, 2)).toEqual({ branch: 0, position: 2 })
    expect(fork({ branch: 0, position: 2 }, 3)).toBeUndefined()
  })
})

describe("a situation", () => {
  const before = situationOf([
    { type: "turn_started", cause: "prompt" },
    ...entryEvents("p", "prompt"),
    { type: "turn_ended", outcome: { type: "completed" } }
  ])
  const branched: Event = { type: "branched", branch: 1, from: null, after: null, anchor: "here" }

  it("knows where the agent continues until the agent says which conversation it is in", () => {
    const after = applyToSituation(before, branched)
    expect(after).toMatchObject({ branch: 1, goesOnAt: { anchor: "here" }, newest: undefined })
    expect(after.resets).toBe(before.resets + 1)
    const info = { sessionId: "s", model: "m", cwd: "/" }
    expect(applyToSituation(after, { type: "session_changed", info }).goesOnAt).toBeUndefined()
  })

  it("knows the newest of what was said on the main thread", () => {
    expect(before.newest).toBe("p")
    const newest = (item: ItemStart, lane: string | null = null) =>
      applyToSituation(before, { type: "item_started", lane, id: "n", item }).newest
    expect(newest({ kind: "text" })).toBe("n")
    expect(newest({ kind: "call", tool: "Bash", action: "command", parent: "m" })).toBe("n")
    expect(newest({ kind: "task", content: {} })).toBe("p")
    expect(newest({ kind: "text" }, "lane")).toBe("p")
  })

  it("is the same after it was written down", () => {
    const after = applyToSituation(before, branched)
    expect(situationFromJson(JSON.parse(JSON.stringify(situationToJson(after))))).toEqual(after)
  })
})
