import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { AguiEvent } from "../../src/agui/Event.ts"
import { stepAll, translateMessages, translateStream } from "../../src/translate/TranslateStream.ts"
import { finish, initialState, step } from "../../src/translate/Translator.ts"
import { init, options, recorded, streamedText } from "./Lines.ts"

const messages = recorded({ scenario: "three_tool_turns", version: "2.1.325" })

/** What all forms must give: `step` by hand, then `finish`. */
const expected = (() => {
  let state = initialState(options)
  const events: Array<AguiEvent> = []
  for (const message of messages) {
    const [next, given] = step(state, message)
    state = next
    events.push(...given)
  }
  return [...events, ...finish(state)]
})()

test("several messages at once are those messages one by one, however they are grouped", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(messages.length), { maxLength: 8 }), (places) => {
      const cuts = [0, ...places.sort((a, b) => a - b), messages.length]
      let state = initialState(options)
      const events: Array<AguiEvent> = []
      for (const [at, to] of cuts.slice(1).entries()) {
        const [next, given] = stepAll(state, messages.slice(cuts[at], to))
        state = next
        events.push(...given)
      }
      expect([...events, ...finish(state)]).toEqual(expected)
    }),
    { numRuns: 20 }
  )
})

describe("the pull form", () => {
  test("gives the events of a session and its end", () => {
    expect([...translateMessages(messages, options)]).toEqual(expected)
  })

  test("gives them as they come: nothing is read that is not asked for", () => {
    let read = 0
    const source = function* () {
      for (const message of messages) {
        read++
        yield message
      }
    }
    const events = translateMessages(source(), options)
    expect(events.next().value).toMatchObject({ type: "RUN_STARTED" })
    expect(read).toBeLessThan(messages.length)
  })

  test("ends for the reason it is given", () => {
    const open = [init(), ...streamedText("m", ["Hi"])]
    expect([...translateMessages(open, options, { type: "cancelled" })].at(-1)).toMatchObject({
      outcome: { type: "cancelled" }
    })
  })
})

describe("the Effect form", () => {
  const collect = <E>(stream: Stream.Stream<AguiEvent, E>): Promise<ReadonlyArray<AguiEvent>> =>
    Effect.runPromise(Stream.runCollect(stream)).then((events) => [...events])

  test("gives the same, in any chunking", async () => {
    for (const size of [1, 7, 1000])
      expect(await collect(Stream.fromIterable(messages).pipe(Stream.rechunk(size), translateStream(options)))).toEqual(
        expected
      )
  })

  test("can be run twice: each time is a session of its own", async () => {
    const stream = Stream.fromIterable(messages).pipe(translateStream(options))
    expect(await collect(stream)).toEqual(await collect(stream))
  })

  test("fails as its source fails, after the events until then", async () => {
    const source = Stream.concat(Stream.fromIterable([init()]), Stream.fail("gone" as const))
    const seen: Array<string> = []
    const run = Stream.runForEach(source.pipe(translateStream(options)), (event) =>
      Effect.sync(() => seen.push(event.type))
    )
    expect(await Effect.runPromiseExit(run)).toEqual(Exit.fail("gone"))
    expect(seen.slice(0, 2)).toEqual(["RUN_STARTED", "STATE_DELTA"])
  })

  test("ends for the reason it is given", async () => {
    const events = await collect(Stream.fromIterable([init()]).pipe(translateStream(options, { type: "cancelled" })))
    expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "cancelled" } })
  })
})
