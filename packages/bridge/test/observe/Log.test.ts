import * as Effect from "effect/Effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type LogOptions, layerLog } from "../../src/observe/Log.ts"

const logged = async (effect: Effect.Effect<void>, options: Partial<LogOptions> = {}) => {
  const lines: Array<string> = []
  const layer = layerLog({ write: (line) => lines.push(line), json: false, color: false, ...options })
  await Effect.runPromise(Effect.provide(effect, layer))
  return lines
}

const happened = (thread: string) => Effect.annotateLogs(Effect.logWarning("run ended"), { thread, status: 401 })

describe("the log", () => {
  it("is a line of words and facts for people", async () => {
    expect(await logged(happened("t-1"))).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d warn {2}run ended +thread=t-1 status=401$/)
    ])
  })

  it("has colors where they are wanted", async () => {
    const [line = ""] = await logged(happened("t-1"), { color: true })
    expect(line).toContain("\u001b[33mwarn \u001b[0m")
  })

  it("is one object a line as JSON, and no fact takes the place of the time, the level or the event", async () => {
    const spoilt = Effect.annotateLogs(happened("t-1"), { event: "x", level: "x", time: "x" })
    const [line = ""] = await logged(spoilt, { json: true })
    expect(JSON.parse(line)).toEqual({
      time: expect.stringMatching(/^\d{4}-/),
      level: "warn",
      event: "run ended",
      thread: "t-1",
      status: 401
    })
  })

  it("is one line and its facts are told apart, whatever a thread is called", () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.oneof(fc.constantFrom("\n", "\u0085", "\u2028", '"'), fc.string()) }),
        async (thread) => {
          const [pretty = "", ...more] = await logged(happened(thread))
          expect(more).toEqual([])
          expect(pretty.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(1)
          const [json = ""] = await logged(happened(thread), { json: true })
          expect(JSON.parse(json).thread).toBe(thread)
        }
      )
    ))

  it("has the cause of a defect, without the keys in it", async () => {
    const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    const failing = Effect.die(new Error(`refused ${key}`)).pipe(
      Effect.catchCause((cause) => Effect.logError("It broke.", cause))
    )
    for (const json of [true, false]) {
      const [line = ""] = await logged(failing, { json })
      expect(line).toContain("refused")
      expect(line).not.toContain(key)
    }
  })
})
