/** Laws of renaming: ids are matched one to one, and nothing else is let through. */
import { Tape } from "@agentwire/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const uuid = "7d114bbe-1677-4614-b80c-93fce2c27c67"
const other = "0b2d1c55-8f0e-4f3a-9a51-1f77c2a6b0aa"
const json = (value: unknown) => JSON.stringify(value)

describe("match", () => {
  it("learns the ids of lines that agree, and only of those", () => {
    const renamer = Tape.makeRenamer()
    expect(renamer.match(json({ type: "a", uuid, text: "x" }), json({ type: "a", uuid: other, text: "y" }))).toEqual([
      { path: "$.text", expected: "x", actual: "y" }
    ])
    expect(renamer.ids.size).toBe(0)
    expect(renamer.compare(json({ uuid }), json({ uuid: other }))).toEqual([])
    expect(renamer.ids.size).toBe(0)
    expect(renamer.match(json({ uuid }), json({ uuid: other }))).toEqual([])
    expect(renamer.ids.get(uuid)).toBe(other)
  })

  it("is one to one", () => {
    const renamer = Tape.makeRenamer()
    expect(renamer.match(json({ request_id: "1", uuid }), json({ request_id: "7", uuid: other }))).toEqual([])
    expect(renamer.match(json({ request_id: "1" }), json({ request_id: "8" }))).toHaveLength(1)
    expect(renamer.match(json({ request_id: "2" }), json({ request_id: "7" }))).toHaveLength(1)
    expect(renamer.match(json({ request_id: "1" }), json({ request_id: "7" }))).toEqual([])
  })

  it("finds ids in paths and texts", () => {
    const renamer = Tape.makeRenamer()
    const of = (folder: string, id: string) =>
      json({ path: `/tmp/run-${folder}/project/.claude/projects/-tmp-run-${folder}-project/${id}.jsonl` })
    expect(renamer.match(of("Dcx6cn", uuid), of("QwErTy", other))).toEqual([])
    expect(renamer.match(of("Dcx6cn", uuid), of("OtherX", other))).toHaveLength(1)
    expect(renamer.rewrite(json({ message: `see ${uuid} in /tmp/run-Dcx6cn/x` }))).toBe(
      json({ message: `see ${other} in /tmp/run-QwErTy/x` })
    )
  })

  it("does not compare times, costs and token counts", () => {
    const renamer = Tape.makeRenamer()
    const left = {
      type: "result",
      duration_ms: 5,
      total_cost_usd: 1,
      usage: { input_tokens: 3 },
      timestamp: "a",
      ttft_ms: 2
    }
    expect(renamer.match(json(left), json({ type: "result", duration_ms: 9, total_cost_usd: 2, usage: {} }))).toEqual(
      []
    )
    expect(renamer.match(json({ num_turns: 1 }), json({ num_turns: 2 }))).toEqual([
      { path: "$.num_turns", expected: 1, actual: 2 }
    ])
  })

  it("takes a placeholder for whatever is there, the same everywhere", () => {
    const renamer = Tape.makeRenamer()
    expect(renamer.match(json({ path: "/REDACTED_home_1/a" }), json({ path: "/home/bob/a" }))).toEqual([])
    expect(renamer.match(json({ path: "/REDACTED_home_1/b" }), json({ path: "/home/eve/b" }))).toHaveLength(1)
    expect(renamer.rewrite(json({ text: "in /REDACTED_home_1/c" }))).toBe(json({ text: "in /home/bob/c" }))
  })

  it("says which names of a list came and went", () => {
    const renamer = Tape.makeRenamer()
    expect(renamer.match(json({ tools: ["a", "b", "c", "d"] }), json({ tools: ["a", "x", "b", "c", "d"] }))).toEqual([
      { path: "$.tools[1]", expected: undefined, actual: "x" }
    ])
  })

  it("in shape only asks for the same keys, types and discriminators", () => {
    const renamer = Tape.makeRenamer()
    const shape = (a: unknown, b: unknown) => renamer.compareValue(a, b, "shape").map(({ path }) => path)
    expect(shape({ type: "user", text: "a", n: 1, list: [1] }, { type: "user", text: "b", n: 2, list: [] })).toEqual([])
    expect(shape({ type: "user", text: "a" }, { type: "result", text: 1 })).toEqual(["$.type", "$.text"])
    expect(shape({ a: 1 }, { b: 1 })).toEqual(["$.a", "$.b"])
  })

  it("never throws, and any JSON matches itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (one, two, text) => {
        const renamer = Tape.makeRenamer()
        expect(renamer.match(json(one), json(one))).toEqual([])
        renamer.match(json(one), json(two))
        renamer.match(text, json(two))
        expect(typeof renamer.rewrite(text)).toBe("string")
      })
    )
  })
})

describe("rewrite", () => {
  it("gives what was matched, byte for byte, and keeps all other bytes", () => {
    const id = fc.uuid()
    fc.assert(
      fc.property(fc.array(fc.tuple(id, id), { minLength: 1, maxLength: 5 }), fc.string(), (pairs, text) => {
        const [lefts, rights] = [pairs.map(([left]) => left), pairs.map(([, right]) => right)]
        fc.pre(new Set(lefts).size === lefts.length && new Set(rights).size === rights.length)
        const line = (ids: ReadonlyArray<string>) =>
          ` {"type": "x",  "text":${json(text)},"all_uuids":${json(ids)},"note":${json(ids.join(" "))},"n":1e2}\n`
        const renamer = Tape.makeRenamer()
        expect(renamer.match(line(lefts), line(rights))).toEqual([])
        expect(renamer.rewrite(line(lefts))).toBe(line(rights))
      })
    )
  })

  it("replaces ids that are no more than a word only where ids are", () => {
    const renamer = Tape.makeRenamer()
    renamer.match(json({ request_id: "1" }), json({ request_id: "run" }))
    expect(renamer.rewrite(json({ request_id: "1", text: "1", list: ["1"] }))).toBe(
      json({ request_id: "run", text: "1", list: ["1"] })
    )
  })

  it("takes a line of many megabytes", () => {
    const renamer = Tape.makeRenamer()
    renamer.match(json({ uuid }), json({ uuid: other }))
    const line = (id: string) => json({ text: 'a\n"'.repeat(2_000_000), uuid: id })
    expect(renamer.rewrite(line(uuid)) === line(other)).toBe(true)
  })
})
