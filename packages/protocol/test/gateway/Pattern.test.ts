/** Which events a pattern means. */
import { expect, it } from "vitest"
import { Gateway } from "../../src/index.ts"

it.each([
  ["*", "session.message_start", true],
  ["*", "voice.spoken", true],
  ["*", "session.event", false],
  ["session.*", "session.message_start", true],
  ["session.*", "session.event", false],
  ["session.event", "session.event", true],
  ["session.*", "sessions.made", false],
  ["session.*", "session", false],
  ["session.message_start", "session.message_start", true],
  ["session.message", "session.message_start", false],
  ["voice.a.*", "voice.a.b.c", true]
])("%s and %s: %s", (pattern, event, expected) => {
  expect(Gateway.matchesEvent(pattern, event)).toBe(expected)
})

it.each([
  ["*", true],
  ["session.*", true],
  ["a.b.c", true],
  ["", false],
  ["session.", false],
  ["*.session", false],
  ["se*", false],
  ["a b", false]
])("%j is a pattern: %s", (text, expected) => {
  expect(Gateway.isPattern(text)).toBe(expected)
})
