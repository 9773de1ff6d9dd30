/** What a fork has of the thread that it is made of: no more than the agent knows. */
import type * as Model from "@agentwire/protocol/model"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { knownPart } from "../../src/session/Fork.ts"

const on = { lane: null }

/** A turn: a prompt, then messages with some calls, of which the results come in any order and maybe not all. */
const turn = fc.record({
  isNamed: fc.boolean(),
  messages: fc.array(fc.record({ calls: fc.nat(3), answered: fc.nat(3), isText: fc.boolean() }), { maxLength: 3 })
})

const entriesOf = (
  turns: ReadonlyArray<typeof turn extends fc.Arbitrary<infer T> ? T : never>
): ReadonlyArray<Model.TranscriptEntry> =>
  turns.flatMap(({ isNamed, messages }, nth) => [
    { kind: "prompt" as const, ...on, id: `p${nth}`, content: "?", ...(isNamed && { anchor: `s/p${nth}` }) },
    ...messages.flatMap(({ answered, calls, isText }, at): ReadonlyArray<Model.TranscriptEntry> => {
      const parent = `m${nth}.${at}`
      const ids = Array.from({ length: calls }, (_, call) => `${parent}.${call}`)
      return [
        ...(isText ? [{ kind: "text" as const, ...on, id: parent, text: "!", anchor: `s/${parent}` }] : []),
        ...ids.map((id) => ({
          kind: "call" as const,
          ...on,
          id,
          tool: "Read",
          action: "read" as const,
          parent,
          arguments: "{}",
          anchor: `s/${id}`
        })),
        ...ids.slice(0, answered).map((id) => ({
          kind: "result" as const,
          ...on,
          id,
          content: "",
          failed: false,
          anchor: `s/${id}r`
        }))
      ]
    })
  ])

describe("what the agent knows of what was said", () => {
  it("is the beginning of it, up to a point that has a name, in a last turn without open calls", () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 3 }), (turns) => {
        const said = entriesOf(turns)
        const { anchor, entries } = knownPart(said)
        expect(entries).toEqual(said.slice(0, entries.length))
        expect(anchor).toBe(entries.at(-1)?.anchor ?? null)
        const last = said.slice(said.findLastIndex(({ kind }) => kind === "prompt"))
        const results = new Set(entries.flatMap(({ id, kind }) => (kind === "result" ? [id] : [])))
        for (const { id, kind } of entries)
          if (kind === "call" && last.some((each) => each.id === id)) expect(results).toContain(id)
        // Whatever is left out could not have stayed.
        const next = said.slice(entries.length).find((each) => each.anchor !== undefined)
        if (next !== undefined) {
          const answered = new Set(said.flatMap(({ id, kind }) => (kind === "result" ? [id] : [])))
          expect(said.slice(entries.length).some(({ id, kind }) => kind === "call" && !answered.has(id))).toBe(true)
        }
      })
    )
  })

  it("does not end with what sub-agents and tasks say", () => {
    const said: ReadonlyArray<Model.TranscriptEntry> = [
      { kind: "prompt", ...on, id: "p", content: "?", anchor: "s/p" },
      { kind: "task", ...on, id: "t", content: {}, anchor: "s/t" },
      { kind: "text", lane: "c", id: "x", text: "!", anchor: "s/x" }
    ]
    expect(knownPart(said)).toEqual({ entries: said.slice(0, 1), anchor: "s/p" })
  })
})
