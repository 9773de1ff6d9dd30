/**
 * What a run may choose about the session that it begins.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sessionChoices } from "../../../src/face/agui/SessionOptions.ts"
import { type SessionOptionName, sessionOptionNames } from "../../../src/session/OptionRules.ts"
import { everything, secret } from "../../Options.ts"

const choices = (sessionOptions: unknown, allowed: ReadonlyArray<SessionOptionName> = []) =>
  sessionChoices({ forwardedProps: { sessionOptions } }, allowed)

describe("the options in a run", () => {
  it.effect("are none where nothing is said", () =>
    Effect.gen(function* () {
      for (const forwardedProps of [undefined, {}, [], "x", { sessionOptions: null }])
        expect(yield* sessionChoices(forwardedProps === undefined ? {} : { forwardedProps }, [])).toBeUndefined()
    })
  )

  it.effect("are refused, each of them, unless the owner allows it", () =>
    Effect.gen(function* () {
      for (const [name, value] of Object.entries({ ...everything, cwd: "/", mode: "planner" })) {
        const refusal = yield* Effect.flip(choices({ [name]: value }))
        expect([refusal.status, refusal.code], name).toEqual([403, "OPTION_REFUSED"])
        expect(refusal.message).toContain(name)
        expect(refusal.message).not.toContain(secret)
      }
    })
  )

  it.effect("are the session's where the owner allows them", () =>
    Effect.gen(function* () {
      expect(yield* choices({ ...everything, cwd: "/", mode: "planner" }, sessionOptionNames)).toEqual({
        cwd: "/",
        mode: "planner",
        agent: everything
      })
      expect(yield* choices({ model: "m" }, ["model"])).toEqual({ agent: { model: "m" } })
      expect((yield* Effect.flip(choices({ model: "m", env: {} }, ["model"]))).code).toBe("OPTION_REFUSED")
    })
  )

  it.effect.each([
    ["x", "sessionOptions"],
    [{ effort: secret }, "effort"],
    [{ surprise: 1 }, "surprise"],
    [{ mode: 7 }, "mode"],
    [{ cwd: "" }, "cwd"]
  ] as const)("that do not fit are refused with their place: %j", ([options, place]) =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(choices(options, sessionOptionNames))
      expect([refusal.status, refusal.code]).toEqual([400, "BAD_INPUT"])
      expect(refusal.message).toContain(place)
      expect(refusal.message).not.toContain(secret)
    })
  )
})
