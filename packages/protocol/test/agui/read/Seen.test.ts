/** What a client has had: as it says itself, and as a server knows it of those that a request may come from. */
import { describe, expect, it } from "vitest"
import type { KnownEntry } from "../../../src/agui/read/Divergence.ts"
import { hasSeen, hasTakenAway, type SeenMark, type SentTo, sendersOf } from "../../../src/agui/read/Seen.ts"
import type { Origins } from "../../../src/model/Branch.ts"

const prompt = (id: string, branch: number, position: number): KnownEntry => ({
  ...{ branch, position, entry: { id, lane: null, kind: "prompt", content: id } }
})
const text = (id: string, branch: number, position: number): KnownEntry => ({
  ...{ branch, position, entry: { id, lane: null, kind: "text", text: id } }
})
const call: KnownEntry = {
  branch: 0,
  position: 4,
  entry: { id: "c", lane: null, kind: "call", tool: "Bash", action: "command", parent: "a1", arguments: "{}" }
}

/** `u0 a0 u1 a1`, and beside the second turn `v1 b1`. */
const [u0, a0, u1, a1] = [prompt("u0", 0, 0), text("a0", 0, 1), prompt("u1", 0, 2), text("a1", 0, 3)] as const
const [v1, b1] = [prompt("v1", 1, 5), text("b1", 1, 6)] as const
const all = [u0, a0, u1, a1, call, v1, b1]
const origins: Origins = [null, { branch: 0, position: 1 }]

const mark = (last: string, branch = 0): SeenMark => ({ last, branch })

describe("a client with a mark", () => {
  it("has had what leads there, and nothing else", () => {
    const has = hasSeen(mark("b1", 1), all, origins)
    expect(all.filter(has)).toEqual([u0, a0, v1, b1])
    expect(all.filter(hasSeen(mark("gone"), all, origins))).toEqual([])
    expect(all.filter(hasSeen(undefined, all, origins))).toEqual([])
  })

  it("has taken away words that followed all it shows", () => {
    const took = (last: SeenMark, ...shown: ReadonlyArray<KnownEntry>): boolean =>
      hasTakenAway(last, [...shown.map((entry) => [entry]), []], all, origins)
    expect(took(mark("a1"), u0, a0)).toBe(true)
    expect(took(mark("u1"), u0, a0)).toBe(true)
    // It shows the newest, it shows nothing, it was elsewhere, it has an order of its own.
    expect(took(mark("a1"), u0, a0, u1, a1)).toBe(false)
    expect(took(mark("a1"))).toBe(false)
    expect(took(mark("a1"), u0, a0, v1)).toBe(false)
    expect(took(mark("a1"), u1, a0)).toBe(false)
    // Not every client shows calls.
    expect(took(mark("c"), u0, a0)).toBe(false)
  })
})

describe("clients that a request may come from", () => {
  const client = (known: Partial<SentTo>): SentTo => ({
    shown: [],
    said: undefined,
    sent: [],
    unsure: undefined,
    ...known
  })
  const senders = (clients: ReadonlyArray<SentTo>, ...shown: ReadonlyArray<KnownEntry>) =>
    sendersOf(
      clients,
      shown.map((entry) => [entry]),
      all,
      origins
    )
  const whole = client({ shown: [mark("a0")], said: mark("u1"), sent: [mark("a1")] })
  const behind = client({ sent: [mark("a0")] })
  const broken = client({ shown: [mark("a0")], said: mark("u1"), unsure: 0 })

  it("are those that have had what it shows, or may have", () => {
    expect(senders([whole, behind, broken], u0, a0).clients).toEqual([whole, behind, broken])
    expect(senders([whole, behind, broken], u0, a0, u1, a1).clients).toEqual([whole, broken])
    expect(senders([whole, behind, broken], v1).clients).toEqual([])
  })

  it("lack something on purpose when each of them does", () => {
    expect(senders([whole], u0, a0).haveLeft(u1)).toBe(true)
    expect(senders([whole, broken], u0, a0).haveLeft(u1)).toBe(true)
    expect(senders([whole, behind], u0, a0).haveLeft(u1)).toBe(false)
    expect(senders([], u0, a0).haveLeft(u1)).toBe(false)
    // Somebody else has said something in the place of what it takes away.
    expect(senders([whole], u0, a0).haveLeft(v1)).toBe(true)
  })

  it("were sent an answer when each of them was, whether it came or not", () => {
    expect(senders([whole], u0, a0, u1).wereSent(a1)).toBe(true)
    expect(senders([whole], u0, a0, u1).haveLeft(a1)).toBe(false)
    expect(senders([whole, broken], u0, a0, u1).wereSent(a1)).toBe(false)
  })
})
