/**
 * What a run may choose about the session that it begins.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { applySettings, runSettings, sessionChoices } from "../../../src/face/agui/SessionOptions.ts"
import { type SessionOptionName, sessionOptionNames } from "../../../src/session/OptionRules.ts"
import type { Session } from "../../../src/session/Session.ts"
import { SettingFailed, type Settings } from "../../../src/session/Settings.ts"
import { bareSession } from "../../BareSession.ts"
import { everything, secret } from "../../Options.ts"
import { testLog } from "../../TestLog.ts"

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

describe("the settings in a run", () => {
  const settings = (chosen: unknown, allowed: ReadonlyArray<SessionOptionName> = sessionOptionNames) =>
    runSettings({ forwardedProps: { settings: chosen } }, allowed)

  it.effect("are what the owner allows, and what fits", () =>
    Effect.gen(function* () {
      expect(yield* settings(undefined)).toBeUndefined()
      expect(yield* settings({ model: null, effort: "low" })).toEqual({ model: null, effort: "low" })
      expect((yield* Effect.flip(settings({ model: "m" }, ["effort"]))).code).toBe("OPTION_REFUSED")
      for (const [wrong, place] of [
        ["x", "settings"],
        [{ effort: secret }, "effort"],
        [{ env: { A: secret } }, "env"]
      ] as const) {
        const refusal = yield* Effect.flip(settings(wrong))
        expect(refusal.code).toBe("BAD_INPUT")
        expect(refusal.message).toContain(place)
        expect(refusal.message).not.toContain(secret)
      }
    })
  )

  it.effect("are set where they are news, and a refusal of the agent is one of the run", () =>
    Effect.gen(function* () {
      const set: Array<Settings> = []
      const session: Session = {
        ...bareSession("t", testLog()),
        options: Effect.succeed({ model: "m" }),
        start: Effect.void,
        set: (given) =>
          given.effort === undefined
            ? Effect.sync(() => void set.push(given))
            : Effect.fail(new SettingFailed({ code: "UNSUPPORTED", setting: "effort", message: "No." }))
      }
      yield* applySettings(session, undefined)
      yield* applySettings(session, { model: "m" })
      yield* applySettings(session, { model: "m", permissionMode: "plan" })
      expect(set).toEqual([{ permissionMode: "plan" }])
      expect((yield* Effect.flip(applySettings(session, { effort: "low" }))).code).toBe("AGENT_UNSUPPORTED")
    }).pipe(Effect.scoped)
  )
})
