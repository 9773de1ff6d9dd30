import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { HookEvent } from "../../src/claude/Hook.ts"
import { HookInput, hookInputs } from "../../src/claude/HookInput.ts"
import { HookOutput, hookSpecificOutputs } from "../../src/claude/HookOutput.ts"

const decode = <A>(schema: Schema.Codec<A>, value: unknown) => Schema.decodeUnknownResult(schema)(value)
const message = (result: Result.Result<unknown, { readonly message: string }>) =>
  Result.isFailure(result) ? result.failure.message : "no failure"

const base = { session_id: "s", transcript_path: "/t.jsonl", cwd: "/w" }

describe("hook inputs", () => {
  it("cover the 33 events of 2.1.325", () => {
    expect(Object.keys(hookInputs)).toHaveLength(33)
    expect(Object.keys(hookInputs)).toEqual(HookEvent.literals)
  })

  it("are keyed by the event their schema is for", () => {
    for (const [event, schema] of Object.entries(hookInputs)) expect(schema.fields.hook_event_name.literal).toBe(event)
  })

  it("are all members of HookInput", () => {
    expect(HookInput.members).toEqual(Object.values(hookInputs))
  })

  it("keep an event that came later, with all its fields", () => {
    const later = { ...base, hook_event_name: "CoffeeBreak", minutes: 5 }
    expect(decode(HookInput, later)).toEqual(Result.succeed(later))
  })

  it("take the null of a compaction without instructions", () => {
    const input = { ...base, hook_event_name: "PreCompact", trigger: "manual", custom_instructions: null }
    expect(decode(HookInput, input)).toEqual(Result.succeed(input))
  })

  it("say where a known event is malformed", () => {
    const input = { ...base, hook_event_name: "PreToolUse", tool_name: 1, tool_input: {}, tool_use_id: "t" }
    expect(message(decode(HookInput, input))).toContain('at ["tool_name"]')
  })

  it("want the base fields", () => {
    const { cwd: _, ...rest } = { ...base, hook_event_name: "Setup", trigger: "init" }
    expect(message(decode(HookInput, rest))).toContain('at ["cwd"]')
  })
})

describe("hook outputs", () => {
  it("are keyed by the event they answer", () => {
    for (const [event, schema] of Object.entries(hookSpecificOutputs))
      expect(schema.fields.hookEventName.literal).toBe(event)
  })

  it("answer events that exist", () => {
    for (const event of Object.keys(hookSpecificOutputs)) expect(HookEvent.literals).toContain(event)
  })

  it("may be empty", () => {
    expect(decode(HookOutput, {})).toEqual(Result.succeed({}))
  })

  it("may be asynchronous", () => {
    expect(decode(HookOutput, { async: true, asyncTimeout: 5000 })).toEqual(
      Result.succeed({ async: true, asyncTimeout: 5000 })
    )
  })

  it("keep what an event that came later is answered", () => {
    const output = { hookSpecificOutput: { hookEventName: "CoffeeBreak", sugar: true } }
    expect(decode(HookOutput, output)).toEqual(Result.succeed(output))
  })

  it("refuse a malformed decision of a known event", () => {
    const output = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: "allow" } }
    expect(message(decode(HookOutput, output))).toContain('["decision"]')
  })
})
