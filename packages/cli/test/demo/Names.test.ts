import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { Names } from "../../src/demo/Names.ts"
import { conversation, take, takeNames, way } from "./takes.ts"

const linesOf = (name: string) => take(name).turn.flatMap((cue) => (cue._tag === "Say" ? [cue.line] : []))
const idPattern =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:msg|toolu|req)_\w+|\ba[0-9a-f]{16}\b|agentwire-[A-Za-z0-9]{6}\b/g
const idsIn = (lines: ReadonlyArray<string>) => new Set(lines.flatMap((line) => line.match(idPattern) ?? []))
const anyTake = fc.constantFrom(...takeNames)

describe("the names of a play", () => {
  it("leave none of the recording", () => {
    fc.assert(
      fc.property(anyTake, (name) => {
        const names = new Names(conversation, way(name).known)
        const now = idsIn(linesOf(name).map((line) => names.rename(line)))
        for (const id of idsIn(linesOf(name))) expect(now.has(id)).toBe(false)
      }),
      { numRuns: takeNames.length }
    )
  })

  it("are of this play only, but for the session and the prompt", () => {
    fc.assert(
      fc.property(anyTake, (name) => {
        const play = () => {
          const names = new Names(conversation, way(name).known)
          return idsIn(linesOf(name).map((line) => names.rename(line)))
        }
        const first = play()
        const shared = [...play()].filter((id) => first.has(id))
        expect(new Set(shared)).toEqual(new Set(way(name).known.map(([, now]) => now)))
      }),
      { numRuns: takeNames.length }
    )
  })

  it("stand for the same thing wherever it is named", () => {
    const names = new Names(conversation, [])
    const line = '{"id":"toolu_1","of":"msg_1"}'
    expect(names.rename(line)).toBe(names.rename(line))
    expect(names.rename('"toolu_1"')).not.toBe(names.rename('"toolu_2"'))
  })

  it("call the server of the page's tools what the host calls it", () => {
    const names = new Names({ ...conversation, server: "page" }, [])
    expect(names.rename('{"server_name":"frontend","name":"mcp__frontend__setAccent"}')).toBe(
      '{"server_name":"page","name":"mcp__page__setAccent"}'
    )
  })

  it("go over to a take that was the same so far, messages by their order", () => {
    const say = (line: string) => ({ _tag: "Say", wait: 0, line }) as const
    const uuid = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-111111111111`
    const names = new Names(conversation, [])
    const from = [say(`{"id":"msg_a","uuid":"${uuid("1")}"}`), say('{"id":"msg_b"}')]
    const said = from.map(({ line }) => names.rename(line))
    const to = [say(`{"id":"msg_x","uuid":"${uuid("2")}"}`), say('{"id":"msg_y"}')]
    const over = names.carriedOver(from, to, [])
    expect(over.rename('{"id":"msg_y"}')).toBe(said[1])
    expect(over.rename('{"id":"msg_x"}')).toBe(`{"id":${said[0]?.match(/"msg_\w+"/)?.[0]}}`)
    expect(over.rename(uuid("2"))).not.toBe(names.rename(uuid("1")))
  })
})
