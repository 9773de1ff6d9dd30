/** Which events a client wants, of which sessions. */
import { assert, describe, it } from "vitest"
import { Interests } from "../../../src/face/gateway/Interests.ts"

describe("interests", () => {
  it("are patterns, of all sessions or of some", () => {
    const interests = new Interests()
    interests.add("session.turn_stop", undefined)
    interests.add("session.*", ["a"])
    interests.add("session.*", ["b"])
    assert.isTrue(interests.wants("session.turn_stop", "c"))
    assert.isFalse(interests.wants("session.message_start", "c"))
    assert.isTrue(interests.wants("session.message_start", "a"))
    assert.isTrue(interests.wants("session.message_start", "b"))
    assert.isFalse(interests.wants("session.event", "a"))
    assert.isFalse(interests.wants("voice.spoken"))
    interests.add("session.*", undefined)
    assert.isTrue(interests.wants("session.message_start", "c"))
    interests.remove("session.*")
    assert.isFalse(interests.wants("session.message_start", "a"))
  })

  it("say which sessions are to be followed", () => {
    const interests = new Interests()
    interests.add("voice.*", undefined)
    assert.isFalse(interests.wantsSession("a"))
    interests.add("session.event", ["a"])
    assert.deepStrictEqual([interests.wantsSession("a"), interests.wantsSession("b")], [true, false])
    assert.isFalse(interests.wantsAllSessions())
    interests.add("*", undefined)
    assert.deepStrictEqual([interests.wantsSession("b"), interests.wantsAllSessions()], [true, true])
  })

  it("remember what was found out for so many names only", () => {
    const interests = new Interests()
    interests.add("*", undefined)
    for (let nth = 0; nth < 5000; nth++) assert.isTrue(interests.wants(`voice.${nth}`))
  })
})
