import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { roundTrip } from "../../../src/doctor/checks/RoundTrip.ts"
import { modelAnswer, type RoundTrip, RoundTripFailed } from "../../../src/doctor/RoundTrip.ts"
import { cliOf, noCli, options, surroundings } from "../FakeSurroundings.ts"
import { aRoundTrip, failing, saying } from "../trips.ts"

const judged = (but: Partial<RoundTrip>) =>
  roundTrip.inspect(surroundings({ roundTrip: () => Effect.succeed(aRoundTrip(but)) }))

describe("the check of the round trip", () => {
  it.effect("is ok when the scripted answer comes back in events that keep the rules", () =>
    Effect.gen(function* () {
      const found = yield* judged({})
      expect(found).toMatchObject({ status: "ok", facts: { milliseconds: 1234, events: 5, asked: 1, errors: 0 } })
      expect(found.found).toContain("1.2 s")
    })
  )

  it.effect.each([
    ["auto", "2.1.37", ["stdio"]],
    ["stdio", "2.1.37", ["stdio"]],
    ["ws", "2.1.37", ["ws"]],
    ["ws", "2.1.325", []]
  ] as const)("runs over the transport that is checked: %s with %s", ([transport, version, tried]) =>
    Effect.gen(function* () {
      const over: Array<string> = []
      const found = yield* roundTrip.inspect(
        surroundings({
          options: { ...options, transport },
          findCli: Effect.succeed(cliOf(version)),
          roundTrip: (_, transport) =>
            Effect.as(
              Effect.sync(() => over.push(transport)),
              aRoundTrip()
            )
        })
      )
      expect(over).toEqual(tried)
      expect(found.status).toBe(tried.length === 0 ? "skipped" : "ok")
    })
  )

  it.effect("is skipped with --no-run and without a CLI", () =>
    Effect.gen(function* () {
      const never = { roundTrip: () => Effect.die("it was run") }
      const told = surroundings({ ...never, options: { ...options, run: false } })
      expect(yield* roundTrip.inspect(told)).toMatchObject({ status: "skipped" })
      const missing = surroundings({ ...never, findCli: noCli("CLI_NOT_FOUND") })
      expect(yield* roundTrip.inspect(missing)).toMatchObject({ status: "skipped" })
    })
  )

  it.effect("says why it could not be tried", () =>
    Effect.gen(function* () {
      const failed = Effect.fail(new RoundTripFailed({ message: "the disk is full" }))
      const found = yield* roundTrip.inspect(surroundings({ roundTrip: () => failed }))
      expect(found).toMatchObject({ status: "problem", found: "It could not be tried: the disk is full." })
      expect(found.advice).toContain("TMPDIR")
    })
  )

  const silent = { ended: false, events: [], milliseconds: 3000 } as const

  it.effect.each([
    [{ status: "starting", asked: 0 }, "did not answer `initialize`"],
    [{ status: "active", asked: 0 }, "did not ask the model"],
    [{ status: "active", asked: 2 }, "asked the model, and did not finish"],
    [
      { status: "starting", asked: 0, process: { stdout: "hello\nyou\n", stderr: "" } },
      'It said "hello", which is not its protocol.'
    ]
  ] as const)("says how far a silent CLI came: %j", ([but, words]) =>
    Effect.gen(function* () {
      const found = yield* judged({ ...silent, ...but })
      expect(found.status).toBe("problem")
      expect(found.found).toContain("No answer within 3.0 s")
      expect(found.found).toContain(words)
      expect(found.advice).toContain("--timeout")
    })
  )

  it.effect.each([
    [{ code: 1, signal: null }, "one\nlast words\n", "It broke. The CLI ended with code 1: last words"],
    [{ code: null, signal: "SIGILL" }, "", "It broke. The CLI ended by SIGILL."],
    [{ code: 0, signal: null }, "a warning", "It broke."],
    [{ code: null, signal: "SIGTERM" }, "a warning", "It broke."],
    [{ code: null, signal: "SIGKILL" }, "a warning", "It broke."],
    [undefined, "a warning", "It broke."]
  ] as const)("says what a run that failed says, and how the CLI ended: %j", ([exit, stderr, words]) =>
    Effect.gen(function* () {
      const process = { stdout: "", stderr, ...(exit !== undefined && { exit }) }
      const found = yield* judged({ events: failing("It broke."), process })
      expect(found).toMatchObject({ status: "problem", found: `The run failed: ${words}` })
    })
  )

  it.effect.each([
    ["Something else.", '"Something else." came back'],
    [undefined, "nothing came back"]
  ] as const)("another answer is a problem: %s", ([said, words]) =>
    Effect.gen(function* () {
      const events = said === undefined ? saying("").filter(({ type }) => type.startsWith("RUN")) : saying(said)
      const found = yield* judged({ events })
      expect(found.status).toBe("problem")
      expect(found.found).toContain(words)
      expect(found.advice).toContain("agentwire drift --cli /usr/bin/claude")
    })
  )

  it.effect("the right answer in events that break a rule a little is worth a warning", () =>
    Effect.gen(function* () {
      const events = saying(modelAnswer).map((event) => ({ ...event, newest: "fashion" }))
      const found = yield* judged({ events })
      expect(found).toMatchObject({ status: "warning", facts: { errors: 0, warnings: 5 } })
      expect(found.found).toContain("AGUI-SCHEMA-006")
    })
  )

  it.effect("the right answer in events that break a rule is a problem", () =>
    Effect.gen(function* () {
      const events = saying(modelAnswer).filter(({ type }) => type !== "TEXT_MESSAGE_END")
      const found = yield* judged({ events })
      expect(found.status).toBe("problem")
      expect(found.found).toMatch(/break AGUI-TEXT-\d+: /)
      expect(found.advice).toContain("agentwire conform --cli /usr/bin/claude")
    })
  )
})
