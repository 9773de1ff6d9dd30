/**
 * What decides about a tool before it runs: the program's hooks for `PreToolUse`, one after the other, and then the
 * policy, about the input as the hooks left it.
 *
 * They are one hook to the CLI. Of several, versions up to 2.1.197 forget that one has changed the input when another
 * one says `allow` (docs/wire/claude-code.md §11), and no policy would see what is to run.
 */
import type * as Claude from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { PolicyDecision } from "../../policy/Policy.ts"
import type { ConversationHost } from "../../session/Runtime.ts"
import { type Hook, type HookContext, type HookFailed, matchesTool, runHook } from "./HookCallbacks.ts"
import { hookAnswer } from "./PolicyHook.ts"

/** What guarding takes. */
export interface GuardHost extends Pick<ConversationHost, "judge"> {
  readonly hooks: ReadonlyArray<Hook<"PreToolUse">>
  readonly failed: HookFailed | undefined
  readonly context: HookContext
  /** Where the agent's shell is. */
  readonly cwd: string
  readonly isPageTool: (name: string) => boolean
}

type Input = Claude.HookInputOf<"PreToolUse">
type Output = Extract<Claude.HookOutput, { readonly decision?: unknown }>

/** The answer to a call of the hook. */
export const guardTool = (asked: Input, host: GuardHost): Effect.Effect<object> =>
  Effect.gen(function* () {
    const outputs: Array<Output> = []
    let input: unknown = asked.tool_input
    for (const hook of host.hooks) {
      if (!matchesTool(hook.matcher, asked.tool_name)) continue
      const output = yield* runHook("PreToolUse", hook, { ...asked, tool_input: input }, host.context, host.failed)
      if (!isSync(output)) continue
      outputs.push(output)
      input = changedIn(output) ?? input
      if (decisionIn(output) === "deny" || output.continue === false) break
    }
    const decision = yield* judge(asked.tool_name, input, host)
    return merged(decision === undefined ? outputs : [...outputs, hookAnswer(decision)])
  })

/**
 * What a hook answered in the person's place, where it changes the input: the policy has not seen that one. Where the
 * policy wants a person to be asked, nothing is answered, and the person is.
 */
export const guardPermission = (
  { tool_name }: Claude.HookInputOf<"PermissionRequest">,
  output: Claude.HookOutput,
  host: Pick<GuardHost, "cwd" | "isPageTool" | "judge">
): Effect.Effect<object> => {
  const specific = isSync(output) ? output.hookSpecificOutput : undefined
  const decision =
    specific?.hookEventName === "PermissionRequest" && "decision" in specific ? specific.decision : undefined
  const changed = decision?.behavior === "allow" && "updatedInput" in decision ? decision.updatedInput : undefined
  if (changed === undefined) return Effect.succeed(output)
  return Effect.map(judge(tool_name, changed, host), (judged) => {
    if (judged?._tag === "Ask") return {}
    return judged?._tag === "Deny"
      ? {
          hookSpecificOutput: {
            hookEventName: "PermissionRequest",
            decision: { behavior: "deny", message: judged.message }
          }
        }
      : output
  })
}

/** A policy does not decide about tools of the application and questions to a person. */
const judge = (
  toolName: string,
  input: unknown,
  { cwd, isPageTool, judge }: Pick<GuardHost, "cwd" | "isPageTool" | "judge">
): Effect.Effect<PolicyDecision | undefined> =>
  judge === undefined || isPageTool(toolName) || toolName === "AskUserQuestion"
    ? Effect.undefined
    : judge({ toolName, input: isRecord(input) ? input : {}, cwd })

/** One that answers later has not decided. */
const isSync = (output: Claude.HookOutput): output is Output => !("async" in output && output.async === true)

type Specific = Claude.HookSpecificOutputOf<"PreToolUse">

const specificOf = ({ hookSpecificOutput }: Output): Specific | undefined =>
  hookSpecificOutput?.hookEventName === "PreToolUse" ? (hookSpecificOutput as Specific) : undefined

const changedIn = (output: Output): Specific["updatedInput"] => specificOf(output)?.updatedInput

/** From the strictest on: of several, the first counts. */
const strictness = ["deny", "ask", "defer", "allow"] as const

/** What an output decides; `decision` is the older way to say it. */
const decisionIn = (output: Output): string | undefined =>
  specificOf(output)?.permissionDecision ??
  (output.decision === "block" ? "deny" : output.decision === "approve" ? "allow" : undefined)

const reasonIn = (output: Output): string | undefined => specificOf(output)?.permissionDecisionReason ?? output.reason

const joined = (texts: ReadonlyArray<string | undefined>): string | undefined => {
  const given = texts.filter((text) => text !== undefined)
  return given.length === 0 ? undefined : given.join("\n")
}

/** Several outputs as one: the strictest decision, the last change, and everything that was said. */
const merged = (outputs: ReadonlyArray<Output>): object => {
  const permissionDecision = strictness.find((each) => outputs.some((output) => decisionIn(output) === each))
  const deciding = outputs.filter((output) => decisionIn(output) === permissionDecision)
  const specific = given({
    permissionDecision,
    permissionDecisionReason: permissionDecision === undefined ? undefined : joined(deciding.map(reasonIn)),
    updatedInput:
      permissionDecision === "deny" ? undefined : outputs.map(changedIn).findLast((each) => each !== undefined),
    additionalContext: joined(outputs.map((output) => specificOf(output)?.additionalContext))
  })
  const stops = outputs.find((output) => output.continue === false)
  return given({
    continue: stops === undefined ? undefined : false,
    stopReason: stops?.stopReason,
    systemMessage: joined(outputs.map(({ systemMessage }) => systemMessage)),
    suppressOutput: outputs.some(({ suppressOutput }) => suppressOutput === true) ? true : undefined,
    hookSpecificOutput: Object.keys(specific).length === 0 ? undefined : { hookEventName: "PreToolUse", ...specific }
  })
}

const given = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
