/**
 * The hooks of a session at one desk: what the CLI is told to call, and whom its calls reach, for every event.
 */
import { Claude } from "@agentwire/protocol"
import { decodePayload } from "@agentwire/protocol/codec"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { HookCallbacks } from "../../../src/runtime/claude/HookCallbacks.ts"
import { type HookDeskOptions, makeHookDesk } from "../../../src/runtime/claude/HookDesk.ts"
import { policyHook } from "../../../src/runtime/claude/PolicyHook.ts"

const events = Object.keys(Claude.hookInputs) as ReadonlyArray<Claude.HookEventName>

const deskOf = (more: Partial<HookDeskOptions> = {}) =>
  makeHookDesk({ threadId: "t", judge: undefined, isPageTool: () => false, ...more })

const called = (event: string, callback_id: string, more: object = {}) =>
  ({
    type: "control_request",
    request_id: "h1",
    request: {
      subtype: "hook_callback",
      callback_id,
      tool_use_id: "toolu_1",
      input: { hook_event_name: event, ...more }
    }
  }) as unknown as Claude.ControlRequestMessage<"hook_callback">

/** A hook for every event, which says what it was called with. */
const all = (heard: Array<unknown>): HookCallbacks =>
  Object.fromEntries(
    events.map((event) => [
      event,
      [{ run: (input: object, context: object) => Effect.sync(() => void heard.push({ input, context })) }]
    ])
  )

describe("the hooks of a session", () => {
  it("subscribe to nothing where there are none, and guard nothing", () => {
    expect(deskOf()).toMatchObject({ subscriptions: {}, isGuarding: false })
    expect(deskOf().answer(called("PreToolUse", policyHook), "/")).toBeUndefined()
  })

  it("with a policy are asked about every tool", () => {
    const { isGuarding, subscriptions } = deskOf({ judge: () => Effect.succeed({ _tag: "Allow" }) })
    expect(isGuarding).toBe(true)
    expect(subscriptions).toEqual({ PreToolUse: [{ hookCallbackIds: [policyHook], timeout: 65 }] })
  })

  it("leave the CLI more time than they take", () => {
    const { subscriptions } = deskOf({
      judge: () => Effect.succeed({ _tag: "Allow" }),
      hooks: {
        PreToolUse: [{ run: () => Effect.void }, { timeout: "1500 millis", run: () => Effect.void }],
        Stop: [{ timeout: "2 minutes", run: () => Effect.void }]
      }
    })
    expect(subscriptions["PreToolUse"]).toMatchObject([{ timeout: 60 + 60 + 2 + 5 }])
    expect(subscriptions["Stop"]).toMatchObject([{ timeout: 125 }])
    for (const [event, list] of Object.entries(subscriptions))
      for (const subscription of list)
        expect(decodePayload(Claude.HookCallbackMatcher, subscription)._tag, event).toBe("Known")
  })

  it.effect.each(events)("hear of %s", (event) =>
    Effect.gen(function* () {
      const heard: Array<unknown> = []
      const desk = deskOf({ hooks: all(heard) })
      const id = desk.subscriptions[event]?.[0]?.hookCallbackIds[0] ?? ""
      const answer = desk.answer(called(event, id, { tool_name: "Bash", tool_input: {} }), "/")
      expect(answer === undefined ? undefined : yield* answer).toEqual({})
      expect(heard).toMatchObject([
        { input: { hook_event_name: event }, context: { threadId: "t", toolUseId: "toolu_1" } }
      ])
    })
  )

  it("of one event are called each by its own name, with its matcher", () => {
    const { subscriptions } = deskOf({
      hooks: { PostToolUse: [{ matcher: "Bash", run: () => Effect.void }, { run: () => Effect.void }] }
    })
    const [first, second] = subscriptions["PostToolUse"] ?? []
    expect(first?.matcher).toBe("Bash")
    expect(second).not.toHaveProperty("matcher")
    expect(first?.hookCallbackIds).not.toEqual(second?.hookCallbackIds)
  })

  it("do not answer for others: another name, or another event", () => {
    const desk = deskOf({ hooks: { Stop: [{ run: () => Effect.void }] } })
    const id = desk.subscriptions["Stop"]?.[0]?.hookCallbackIds[0] ?? ""
    expect(desk.answer(called("Stop", "of somebody"), "/")).toBeUndefined()
    expect(desk.answer(called("SessionEnd", id), "/")).toBeUndefined()
    expect(desk.answer(called("Stop", id), "/")).toBeDefined()
  })
})
