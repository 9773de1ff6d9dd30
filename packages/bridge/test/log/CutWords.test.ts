/** The end of a conversation whose bridge was killed: there until somebody says something, after however many restarts. */
import type { Model } from "@agentwire/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { cutWords } from "../../src/log/CutWords.ts"
import type { EventLog } from "../../src/log/EventLog.ts"
import { wholeText } from "../FakeSessions.ts"
import { openLog, testStore } from "../TestLog.ts"

const asked = (id: string): ReadonlyArray<Model.Event> => [
  { type: "turn_started", cause: "prompt", ticket: id },
  { type: "item_started", lane: null, id, item: { kind: "prompt", content: id } }
]
const ended: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }

const append = (log: EventLog, ...events: ReadonlyArray<Model.Event>) => {
  log.append(events)
  return Effect.orDie(log.settled)
}

/** The ids of the words, and whether there is more before them. */
const wordsOf = (log: EventLog) => {
  const words = cutWords(log)
  return words === undefined
    ? Effect.undefined
    : Effect.map(words, ({ entries, more }) => [entries.map(({ id }) => id), more] as const)
}

it.effect("is what was said last, until somebody says something, also after further restarts", () =>
  Effect.gen(function* () {
    const store = testStore()
    yield* append(yield* openLog(store), ...asked("one"), ...wholeText("a", "Hi"), ended, ...asked("two"))
    const all = [["one", "a", "two"], false]
    expect(yield* wordsOf(yield* openLog(store))).toEqual(all)
    const log = yield* openLog(store)
    expect(yield* wordsOf(log)).toEqual(all)
    yield* append(log, ...asked("three"), ended)
    expect(yield* wordsOf(log)).toBeUndefined()
    expect(yield* wordsOf(yield* openLog(store))).toBeUndefined()
    yield* append(yield* openLog(store), ...asked("four"))
    expect(yield* wordsOf(yield* openLog(store))).toEqual([["one", "a", "two", "three", "four"], false])
  })
)

it.effect("is not more than a turn may have", () =>
  Effect.gen(function* () {
    const store = testStore()
    const many = Array.from({ length: 100 }, (_, n) => wholeText(`t${n}`, "x")).flat()
    yield* append(yield* openLog(store), ...asked("one"), ...many)
    const [ids, more] = (yield* wordsOf(yield* openLog(store))) ?? [[], false]
    expect([ids.length, ids.at(-1), more]).toEqual([64, "t99", true])
  })
)

it.effect("is nothing where nothing was cut, and nobody was killed", () =>
  Effect.gen(function* () {
    const store = testStore()
    yield* append(yield* openLog(store), ...asked("one"), ended)
    expect(yield* wordsOf(yield* openLog(store))).toBeUndefined()
  })
)

it.effect("is there, too, where no turn was open and the bridge was gone without giving its threads back", () =>
  Effect.gen(function* () {
    const store = testStore()
    const claim: typeof store.claim = (id) => Effect.map(store.claim(id), (given) => ({ ...given, abandoned: true }))
    yield* append(yield* openLog(store), ...asked("one"), ...wholeText("a", "Hi"), ended)
    const all = [["one", "a"], false]
    const log = yield* openLog({ ...store, claim })
    expect(yield* wordsOf(log)).toEqual(all)
    expect(log.cutAt).toBeUndefined()
    expect((yield* cutWords(log) ?? Effect.undefined)?.isInTurn).toBe(false)
    const later = yield* openLog(store)
    expect(yield* wordsOf(later)).toEqual(all)
    yield* append(later, ...asked("two"), ended)
    expect(yield* wordsOf(later)).toBeUndefined()
    expect(yield* wordsOf(yield* openLog(store))).toBeUndefined()
  })
)
