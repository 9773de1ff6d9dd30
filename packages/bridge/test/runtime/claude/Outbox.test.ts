/** What has to be written on a new connection: nothing that has arrived, nothing twice that must not be. */
import { describe, expect, it } from "@effect/vitest"
import { Outbox } from "../../../src/runtime/claude/Outbox.ts"

const prompt = (text: string, more: object = {}) => ({ type: "user", text, ...more })
const numbersOf = (outbox: Outbox) => outbox.unsent().map(({ number }) => number)

describe("Outbox", () => {
  it("forgets what has arrived", () => {
    const outbox = new Outbox()
    for (const text of ["a", "b", "c"]) outbox.add(prompt(text, { uuid: text })).written = true
    outbox.confirm(2)
    expect(numbersOf(outbox)).toEqual([3])
  })

  it("repeats what was written only where twice does no harm, in order with what never was", () => {
    const outbox = new Outbox()
    outbox.add(prompt("a")).written = true
    outbox.add({ type: "control_response", response: {} }).written = true
    outbox.add(prompt("b", { uuid: "b" })).written = true
    outbox.add(prompt("c"))
    expect(numbersOf(outbox)).toEqual([2, 3, 4])
    expect(numbersOf(outbox)).toEqual([2, 3, 4])
  })

  it("ends every line", () => {
    expect(new Outbox().add(prompt("a\nb")).line.match(/\n/g)).toEqual(["\n"])
  })

  it("is full by number or by size, and has room again", () => {
    const few = new Outbox({ maxUnconfirmed: 2 })
    few.add({})
    expect(few.isFull).toBe(false)
    few.add({})
    expect(few.isFull).toBe(true)
    few.confirm(1)
    expect(few.isFull).toBe(false)
    const small = new Outbox({ maxUnconfirmedCharacters: 10 })
    small.add(prompt("long enough"))
    expect(small.isFull).toBe(true)
    small.confirm(1)
    expect(small.isFull).toBe(false)
  })
})
