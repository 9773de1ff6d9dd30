/**
 * What decides about a tool before it runs: the program's hooks, and then the policy, about what they have left.
 */
import { Claude } from "@agentwire/protocol"
import { decodePayload } from "@agentwire/protocol/codec"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { PolicyDecision, ToolUse } from "../../../src/policy/Policy.ts"
import type { Hook, HookFailure } from "../../../src/runtime/claude/HookCallbacks.ts"
import { hookAnswer } from "../../../src/runtime/claude/PolicyHook.ts"
import { type GuardHost, guardPermission, guardTool } from "../../../src/runtime/claude/ToolGuard.ts"

const called = (tool_name: string, tool_input: unknown = { command: "ls" }): Claude.HookInputOf<"PreToolUse"> => ({
  hook_event_name: "PreToolUse",
  session_id: "s",
  transcript_path: "/t",
  cwd: "/work/deeper",
  tool_name,
  tool_input,
  tool_use_id: "toolu_1"
})

/** A policy that says the same to everything, and what it was asked. */
const policyOf = (decision: PolicyDecision) => {
  const judged: Array<Omit<ToolUse, "mode">> = []
  const judge: GuardHost["judge"] = (use) =>
    Effect.sync(() => {
      judged.push(use)
      return decision
    })
  return { judge, judged }
}

const hostOf = (more: Partial<GuardHost> = {}): GuardHost => ({
  hooks: [],
  failed: undefined,
  judge: undefined,
  context: { threadId: "t", toolUseId: "toolu_1" },
  cwd: "/elsewhere",
  isPageTool: (name) => name === "mcp__frontend__paint",
  ...more
})

const deny: PolicyDecision = { _tag: "Deny", message: "No." }

/** A hook that answers about the call. */
const answers = (more: Claude.HookOutputOf<"PreToolUse">, matcher?: string): Hook<"PreToolUse"> => ({
  ...(matcher !== undefined && { matcher }),
  run: () => Effect.succeed(more)
})

const decides = (
  permissionDecision: "allow" | "deny" | "ask" | "defer",
  more: Partial<Claude.HookSpecificOutputOf<"PreToolUse">> = {}
): Hook<"PreToolUse"> => answers({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more } })

const decisionOf = (answer: object): string | undefined =>
  (answer as { readonly hookSpecificOutput?: { readonly permissionDecision?: string } }).hookSpecificOutput
    ?.permissionDecision

describe("a policy", () => {
  it.effect("decides in the folder where the shell is", () =>
    Effect.gen(function* () {
      const { judge, judged } = policyOf(deny)
      expect(yield* guardTool(called("Bash"), hostOf({ judge }))).toEqual(hookAnswer(deny))
      expect(judged).toEqual([{ toolName: "Bash", input: { command: "ls" }, cwd: "/elsewhere" }])
    })
  )

  it.effect.each(["AskUserQuestion", "mcp__frontend__paint"])("does not decide about %s", (name) =>
    Effect.gen(function* () {
      const { judge, judged } = policyOf(deny)
      expect(yield* guardTool(called(name), hostOf({ judge }))).toEqual({})
      expect(judged).toEqual([])
    })
  )

  it.effect.each(["ls", ["ls"], null])("reads an input that is no object (%j) as an empty one", (input) =>
    Effect.gen(function* () {
      const { judge, judged } = policyOf(deny)
      yield* guardTool(called("Bash", input), hostOf({ judge }))
      expect(judged).toMatchObject([{ toolName: "Bash", input: {} }])
    })
  )
})

describe("hooks beside a policy", () => {
  const all = ["allow", "ask", "deny"] as const
  const policies = { allow: { _tag: "Allow" }, ask: { _tag: "Ask" }, deny } as const

  it.effect("never make it laxer: the strictest decides", () =>
    Effect.gen(function* () {
      for (const [rank, hook] of all.entries())
        for (const [other, policy] of all.entries()) {
          const { judge } = policyOf(policies[policy])
          const answer = yield* guardTool(called("Bash"), hostOf({ judge, hooks: [decides(hook)] }))
          expect(decisionOf(answer), `${hook} and ${policy}`).toBe(all[Math.max(rank, other)])
          expect(decodePayload(Claude.HookOutput, answer)._tag).toBe("Known")
        }
    })
  )

  it.effect("change the input, and the policy judges what they have left", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const changing = (updatedInput: Readonly<Record<string, unknown>>): Hook<"PreToolUse"> => ({
        run: ({ tool_input }) =>
          Effect.sync(() => {
            seen.push(tool_input)
            return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput, additionalContext: "changed" } }
          })
      })
      const { judge, judged } = policyOf({ _tag: "Allow" })
      const hooks = [changing({ command: "ls -a" }), changing({ command: "ls -l" })]
      expect(yield* guardTool(called("Bash"), hostOf({ judge, hooks }))).toEqual({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow",
          updatedInput: { command: "ls -l" },
          additionalContext: "changed\nchanged"
        }
      })
      expect(seen).toEqual([{ command: "ls" }, { command: "ls -a" }])
      expect(judged).toMatchObject([{ input: { command: "ls -l" } }])
    })
  )

  it.effect("that say no end it, with their reason and without their change", () =>
    Effect.gen(function* () {
      const never: Hook<"PreToolUse"> = { run: () => Effect.die("asked after a no") }
      const no = decides("deny", { permissionDecisionReason: "Because.", updatedInput: { command: "rm" } })
      const answer = yield* guardTool(called("Bash"), hostOf({ hooks: [decides("allow"), no, never] }))
      expect(answer).toEqual({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "Because."
        }
      })
      const older = yield* guardTool(
        called("Bash"),
        hostOf({ hooks: [answers({ decision: "block", reason: "Old." })] })
      )
      expect(older).toMatchObject({
        hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Old." }
      })
    })
  )

  it.effect("are for the tools that they match", () =>
    Effect.gen(function* () {
      const hooks = ["Bash", "Read|Write", "^mcp__", "*", ""].map((matcher) =>
        answers({ systemMessage: matcher === "" ? "empty" : matcher }, matcher)
      )
      const said = (tool: string) =>
        Effect.map(
          guardTool(called(tool), hostOf({ hooks })),
          (answer) => (answer as { readonly systemMessage?: string }).systemMessage
        )
      expect(yield* said("Bash")).toBe("Bash\n*\nempty")
      expect(yield* said("BashOutput")).toBe("*\nempty")
      expect(yield* said("Write")).toBe("Read|Write\n*\nempty")
      expect(yield* said("mcp__a__b")).toBe("^mcp__\n*\nempty")
    })
  )

  it.effect("stop the turn, and say so", () =>
    Effect.gen(function* () {
      const stop = answers({ continue: false, stopReason: "Enough.", suppressOutput: true })
      expect(yield* guardTool(called("Bash"), hostOf({ hooks: [stop] }))).toEqual({
        continue: false,
        stopReason: "Enough.",
        suppressOutput: true
      })
    })
  )

  it.effect("that answer later have decided nothing", () =>
    Effect.gen(function* () {
      expect(yield* guardTool(called("Bash"), hostOf({ hooks: [answers({ async: true })] }))).toEqual({})
    })
  )

  it.effect("that fail are a no, whatever the policy says", () =>
    Effect.gen(function* () {
      const failures: Array<HookFailure> = []
      const host = hostOf({
        judge: policyOf({ _tag: "Allow" }).judge,
        hooks: [{ run: () => Effect.fail(new Error("broken")) }],
        failed: (failure) => Effect.sync(() => void failures.push(failure))
      })
      expect(decisionOf(yield* guardTool(called("Bash"), host))).toBe("deny")
      expect(failures).toMatchObject([{ threadId: "t", event: "PreToolUse", outcome: "block" }])
    })
  )
})

describe("a permission that a hook gives in the person's place", () => {
  const asked: Claude.HookInputOf<"PermissionRequest"> = {
    hook_event_name: "PermissionRequest",
    session_id: "s",
    transcript_path: "/t",
    cwd: "/",
    tool_name: "Bash",
    tool_input: { command: "ls" }
  }
  const allowing = (updatedInput?: Readonly<Record<string, unknown>>): Claude.HookOutput => ({
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: { behavior: "allow", ...(updatedInput !== undefined && { updatedInput }) }
    }
  })

  it.effect("is given, where the input stays or the policy allows the other one", () =>
    Effect.gen(function* () {
      const { judge, judged } = policyOf({ _tag: "Allow" })
      const plain = allowing()
      expect(yield* guardPermission(asked, plain, hostOf({ judge: policyOf(deny).judge }))).toBe(plain)
      const changed = allowing({ command: "pwd" })
      expect(yield* guardPermission(asked, changed, hostOf({ judge }))).toBe(changed)
      expect(yield* guardPermission(asked, changed, hostOf())).toBe(changed)
      expect(judged).toMatchObject([{ input: { command: "pwd" } }])
    })
  )

  it.effect("is not given for an input that the policy forbids, and left to the person where it asks", () =>
    Effect.gen(function* () {
      const changed = allowing({ command: "rm" })
      expect(yield* guardPermission(asked, changed, hostOf({ judge: policyOf(deny).judge }))).toMatchObject({
        hookSpecificOutput: { decision: { behavior: "deny", message: "No." } }
      })
      expect(yield* guardPermission(asked, changed, hostOf({ judge: policyOf({ _tag: "Ask" }).judge }))).toEqual({})
    })
  )
})
