/**
 * The fold is one: a state that was kept gives the same events again, also after others went on from it; messages are
 * not changed; and what comes again, by its `uuid`, gives nothing.
 */
import { withUuids } from "./Bounded.ts"
import {
  difference,
  firstOf,
  type Law,
  numbersFrom,
  optionsFor,
  stable,
  translate,
  type Violation
} from "./Translator.ts"

/** A state that was kept can be stepped again. */
export const pure: Law = (translator, session, seed) => {
  const pick = numbersFrom(seed)
  const { messages } = session
  const places = new Set([0, pick(messages.length), pick(messages.length), pick(messages.length)])
  const before = stable(messages)
  const kept: Array<readonly [number, ReturnType<typeof translator.initial>]> = []
  let state = translator.initial(optionsFor(session))
  const steps = messages.map((message, index) => {
    if (places.has(index)) kept.push([index, state])
    const [next, events] = translator.step(state, message)
    state = next
    return stable(events)
  })
  const last = stable(translator.finish(state))
  const violations = kept.map(([from, old]): Violation => {
    // Another way first: what it leads to must leave no trace.
    let other = old
    for (const message of messages.slice(pick(messages.length)).slice(0, 20)) [other] = translator.step(other, message)
    translator.finish(other)
    let again = old
    for (const [offset, message] of messages.slice(from).entries()) {
      const [next, events] = translator.step(again, message)
      again = next
      const violation = difference(`line ${from + offset + 1} again`, steps[from + offset], stable(events))
      if (violation !== undefined) return violation
    }
    return difference("the end again", last, stable(translator.finish(again)))
  })
  return firstOf(
    () => violations.find((violation) => violation !== undefined),
    () => (before === stable(messages) ? undefined : "a message was changed")
  )
}

/** How many uuids a translator remembers at least. */
const window = 2_000

/** A CLI that replays its buffer (docs/wire/claude-code.md §2), in the middle or at the end, says nothing new. */
export const replayed: Law = (translator, session, seed) => {
  const at = 1 + numbersFrom(seed)(session.messages.length)
  const buffer = (end: number) => withUuids({ ...session, messages: session.messages.slice(0, end) }).slice(-window)
  const twice = [
    ...session.messages.slice(0, at),
    ...buffer(at),
    ...session.messages.slice(at),
    ...buffer(session.messages.length)
  ]
  return difference(
    `events of a session that is replayed after line ${at} and at the end`,
    translate(translator, session).events,
    translate(translator, { ...session, messages: twice }).events
  )
}
