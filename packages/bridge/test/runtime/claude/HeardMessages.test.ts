import { decodeLine } from "@agentwire/protocol/claude"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { HeardMessages } from "../../../src/runtime/claude/HeardMessages.ts"

const message = (n: number) => decodeLine(JSON.stringify({ type: "keep_alive", uuid: `u${n}` }))

/** Hears messages; whether all of them were fine. */
const hear = (heard: HeardMessages, numbers: ReadonlyArray<number>): boolean =>
  numbers.map((n) => heard.noteMessage(message(n))).every(Boolean)

const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)

describe("HeardMessages", () => {
  /** A CLI writes so many messages, of which so many arrive, and keeps so many to send again. */
  const cuts = fc.record({ arrived: fc.integer({ min: 1, max: 40 }), lost: fc.nat(40), kept: fc.nat(60) })

  it("finds what was lost of any session, with a CLI that sends again what it has kept", () => {
    fc.assert(
      fc.property(cuts, ({ arrived, kept, lost }) => {
        const heard = new HeardMessages()
        const written = arrived + lost
        hear(heard, range(0, arrived))
        heard.noteReconnect(`u${written - 1}`)
        expect(heard.isInDoubt).toBe(lost > 0)
        const again = range(Math.max(0, written - kept), written)
        const isWhole = lost === 0 || kept > lost
        expect(hear(heard, [...again, written])).toBe(isWhole)
      })
    )
  })

  it("is not in doubt after the first connection, which names no message", () => {
    const heard = new HeardMessages()
    heard.noteReconnect(undefined)
    expect(heard.isInDoubt).toBe(false)
  })

  it("stays in doubt while only messages without a uuid come", () => {
    const heard = new HeardMessages()
    hear(heard, [1])
    heard.noteReconnect("u2")
    expect(heard.noteMessage(decodeLine('{"type":"keep_alive"}'))).toBe(true)
    expect(heard.noteMessage(decodeLine("no json"))).toBe(true)
    expect(heard.isInDoubt).toBe(true)
  })

  it("knows messages that no schema fits by their uuid, too", () => {
    const heard = new HeardMessages()
    for (const line of ['{"type":"new","uuid":"a"}', '{"type":"result","subtype":"success","uuid":"b"}'])
      heard.noteMessage(decodeLine(line))
    for (const uuid of ["a", "b"]) {
      heard.noteReconnect(uuid)
      expect(heard.isInDoubt).toBe(false)
    }
  })

  it("forgets what no CLI sends again", () => {
    const heard = new HeardMessages()
    hear(heard, range(0, 5000))
    heard.noteReconnect("u0")
    expect(heard.isInDoubt).toBe(true)
    heard.noteReconnect("u3999")
    expect(heard.isInDoubt).toBe(false)
  })
})
