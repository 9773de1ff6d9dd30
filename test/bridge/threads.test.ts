/**
 * Many threads of one bridge at once, and what happens when one thread is wanted twice.
 */
import { says, saysWith, text } from "@agentwire/fixtures/scenario"
import { afterAll, beforeAll, describe, expect, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import {
  agentAt,
  type ClientAgent,
  clients,
  conversationOf,
  onBridge,
  type Ran,
  run,
  say,
  wires,
  withClientOfTurn
} from "./OnBridge.ts"

const [current] = wires

beforeAll(() => {
  vi.spyOn(console, "error").mockImplementation(() => {})
})
afterAll(() => {
  vi.restoreAllMocks()
})

/** An answer that does not end by itself. */
const endless = saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time"))

/** Runs an agent until it says something; the rest of the run is under way. */
const begin = (agent: ClientAgent): Promise<{ readonly rest: Promise<Ran> }> =>
  new Promise((resolve, reject) => {
    const rest = run(agent, {}, ({ type }) => {
      if (type === "TEXT_MESSAGE_CONTENT") resolve({ rest })
    })
    rest.then(() => reject(new Error("The run ended without a word.")), reject)
  })

describe("many threads", () => {
  /** A word that only this thread may ever see. */
  const wordOf = (thread: number) => `zq${thread}qz`
  const wordsIn = (value: unknown) => new Set(JSON.stringify(value).match(/zq\d+qz/g))
  const threads = Array.from({ length: sweeping ? 50 : 8 }, (_, thread) => thread)
  const answer = (thread: number) => Array.from({ length: 40 }, (_, index) => `${index} ${wordOf(thread)} `)

  it.live(
    "at once have their own answers, whole, and not a word of another",
    () =>
      onBridge(
        current,
        {
          replies: [says("Nobody's.")],
          lanes: threads.map((thread) => ({
            match: `[${wordOf(thread)}]`,
            replies: [saysWith({ dripMs: 5 }, text(...answer(thread)))]
          }))
        },
        { session: { startTimeout: "4 minutes" } },
        async ({ url }) => {
          const agents = threads.map((thread) => agentAt(url, clients[thread % clients.length], `thread-${thread}`))
          // Processes start one by one; in the second turn all of them are there, and all answer at once.
          for (const turn of [1, 2]) {
            const runs = await Promise.all(agents.map((agent, thread) => run(say(agent, `[${wordOf(thread)}]`))))
            for (const [thread, { error, events }] of runs.entries()) {
              expect(error).toBeUndefined()
              expect(wordsIn(events)).toEqual(new Set([wordOf(thread)]))
              expect(conversationOf(agents[thread] ?? agentAt(url))).toEqual(
                Array.from({ length: turn }, () => [
                  ["user", `[${wordOf(thread)}]`],
                  ["assistant", answer(thread).join("")]
                ]).flat()
              )
            }
          }
        }
      ),
    300_000
  )
})

describe("a thread that is busy", () => {
  it.live("refuses another run in the words of each face, and is not disturbed by it", () =>
    withClientOfTurn(0, (client) =>
      onBridge(current, { replies: [endless, says("Second.")] }, {}, async ({ kit, session, url }) => {
        const reader = say(agentAt(`${kit}/run`, client), "One")
        const { rest } = await begin(reader)
        await expect(say(agentAt(url, client), "Two").runAgent()).rejects.toMatchObject({
          status: 409,
          payload: { error: { code: "THREAD_BUSY" } }
        })
        const { error } = await run(say(agentAt(`${kit}/run`, client), "Three"))
        expect(error).toMatchObject({ code: "THREAD_BUSY" })
        await Effect.runPromise((await session()).stop())
        expect((await rest).error).toBeUndefined()
        await run(say(reader, "Four"))
        expect(conversationOf(reader).at(-1)).toEqual(["assistant", "Second."])
      })
    )
  )

  it.live("takes the next run when its time has come", () =>
    withClientOfTurn(1, (client) =>
      onBridge(
        current,
        { replies: [saysWith({ dripMs: 60 }, text("One, ", "two, ", "three.")), says("Second."), says("Third.")] },
        { session: { busy: "queue" } },
        async ({ url }) => {
          const [first, second, third] = ["One", "Two", "Three"].map((content) => say(agentAt(url, client), content))
          if (first === undefined || second === undefined || third === undefined) throw new Error("three agents")
          const { rest } = await begin(first)
          const others = await Promise.all([run(second), run(third)])
          expect([await rest, ...others].map(({ error }) => error)).toEqual([undefined, undefined, undefined])
          expect(conversationOf(first)).toEqual([
            ["user", "One"],
            ["assistant", "One, two, three."]
          ])
          expect(conversationOf(second).at(-1)).toEqual(["assistant", "Second."])
          expect(conversationOf(third).at(-1)).toEqual(["assistant", "Third."])
        }
      )
    )
  )

  it.live("drops the run it has for the next", () =>
    withClientOfTurn(2, (client) =>
      onBridge(
        current,
        { replies: [endless, says("Second.")] },
        { session: { busy: "interrupt" } },
        async ({ url }) => {
          const first = say(agentAt(url, client), "One")
          const { rest } = await begin(first)
          const second = say(agentAt(url, client), "Two")
          expect((await run(second)).error).toBeUndefined()
          expect(conversationOf(second).at(-1)).toEqual(["assistant", "Second."])
          expect((await rest).error).toBeUndefined()
          expect(conversationOf(first)).not.toContainEqual(["assistant", "Second."])
        }
      )
    )
  )
})
