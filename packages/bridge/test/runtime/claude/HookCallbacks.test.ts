/**
 * Hooks of the program: what becomes of those that fail, at every event.
 */
import { Claude } from "@agentwire/protocol"
import { decodePayload } from "@agentwire/protocol/codec"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  blockableEvents,
  type Hook,
  type HookFailure,
  matchesTool,
  runHook
} from "../../../src/runtime/claude/HookCallbacks.ts"

const events = Object.keys(Claude.hookInputs) as ReadonlyArray<Claude.HookEventName>
const blockable: ReadonlyArray<string> = blockableEvents
const context = { threadId: "t", toolUseId: undefined }

/** Calls a hook for an event; what it is told does not matter to these. */
const call = (event: Claude.HookEventName, hook: Hook<never>, failures: Array<HookFailure> = []) =>
  runHook(event, hook as Hook<Claude.HookEventName>, {} as never, context, (failure) =>
    Effect.sync(() => void failures.push(failure))
  )

describe("a hook", () => {
  it.effect.each(events)("for %s that says nothing says nothing", (event) =>
    Effect.gen(function* () {
      expect(yield* call(event, { run: () => Effect.void })).toEqual({})
    })
  )

  it.effect.each(events)("for %s that throws lets the agent go on, or stops what it is for", (event) =>
    Effect.gen(function* () {
      const failures: Array<HookFailure> = []
      const broken: Hook<never> = { run: () => Effect.sync(() => JSON.parse("{")) }
      const answer = yield* call(event, broken, failures)
      expect(failures).toMatchObject([{ event, threadId: "t", outcome: event === "PreToolUse" ? "block" : "continue" }])
      if (event !== "PreToolUse") expect(answer).toEqual({})
      const firm = yield* call(event, { ...broken, onFailure: "block" as never }, failures)
      expect(failures.at(-1)?.outcome).toBe(blockable.includes(event) ? "block" : "continue")
      expect(Object.keys(firm).length > 0).toBe(blockable.includes(event))
      expect(decodePayload(Claude.HookOutput, firm)._tag).toBe("Known")
      expect(yield* call("PreToolUse", { ...broken, onFailure: "continue" as never })).toEqual({})
    })
  )

  it.effect("that takes too long counts as failed when its time is up, and is interrupted", () =>
    Effect.gen(function* () {
      let ended = ""
      const failures: Array<HookFailure> = []
      const slow: Hook<never> = {
        timeout: "3 seconds",
        run: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => (ended = "interrupted")))
      }
      const calling = yield* Effect.forkChild(call("PreToolUse", slow, failures))
      yield* TestClock.adjust("2999 millis")
      expect(failures).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(yield* Fiber.join(calling)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } })
      expect(String(failures[0]?.error)).toContain("longer than 3s")
      expect(ended).toBe("interrupted")
    })
  )

  it.effect.each([
    ["is no object", "yes"],
    ["has a field of another type", { systemMessage: 7 }],
    ["is for another event", { hookSpecificOutput: { hookEventName: "Stop" } }]
  ] as const)("whose answer %s counts as failed", ([, answer]) =>
    Effect.gen(function* () {
      const failures: Array<HookFailure> = []
      yield* call("PreToolUse", { run: () => Effect.succeed(answer as never) }, failures)
      expect(failures).toHaveLength(1)
    })
  )
})

it("a matcher is a name, names, or a pattern", () => {
  expect(matchesTool(undefined, "Bash")).toBe(true)
  expect(matchesTool("Bash", "BashOutput")).toBe(false)
  expect(matchesTool("Read, Bash", "Bash")).toBe(true)
  expect(matchesTool("Bash.*", "BashOutput")).toBe(true)
})
