/**
 * All hooks of a session at one desk: what the CLI is told to call, and the answers to its calls. The policy and the
 * program's hooks for `PreToolUse` are one of them (`ToolGuard.ts`).
 */
import type * as Claude from "@agentwire/protocol/claude"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ConversationHost } from "../../session/Runtime.ts"
import {
  type Hook,
  type HookCallbacks,
  type HookContext,
  type HookFailed,
  hookTimeout,
  runHook
} from "./HookCallbacks.ts"
import { policyHook } from "./PolicyHook.ts"
import { guardPermission, guardTool } from "./ToolGuard.ts"

/** What a desk is for. */
export interface HookDeskOptions extends Pick<ConversationHost, "judge"> {
  readonly threadId: string
  readonly hooks?: HookCallbacks
  readonly failed?: HookFailed | undefined
  readonly isPageTool: (name: string) => boolean
}

/** The hooks of a session. */
export interface HookDesk {
  /** The subscriptions of `initialize`, by event. */
  readonly subscriptions: Readonly<Record<string, ReadonlyArray<Claude.HookCallbackMatcher>>>
  /** Whether tools are decided about here: a call that is not understood is a refusal then. */
  readonly isGuarding: boolean
  /** The answer to a call; undefined when nobody here is meant. */
  readonly answer: (
    message: Claude.ControlRequestMessage<"hook_callback">,
    cwd: string
  ) => Effect.Effect<object> | undefined
}

interface Registered {
  readonly event: Claude.HookEventName
  readonly hook: Hook<Claude.HookEventName>
}

/** How long a policy may take. Nobody waits for a person there, but it may look at the disk. */
const policySeconds = 60

/** The limits here come first, so that it is known what became of a hook. */
const graceSeconds = 5

/** The hooks of a session. */
export const makeHookDesk = ({ failed, hooks = {}, isPageTool, judge, threadId }: HookDeskOptions): HookDesk => {
  const { PreToolUse: guards = [], ...others } = hooks
  const registered = new Map<string, Registered>()
  const subscriptions: Record<string, Array<Claude.HookCallbackMatcher>> = {}
  const isGuarding = judge !== undefined || guards.length > 0
  if (isGuarding) {
    const seconds = [...guards.map(secondsOf), judge === undefined ? 0 : policySeconds]
    const timeout = seconds.reduce((sum, each) => sum + each, graceSeconds)
    subscriptions["PreToolUse"] = [{ hookCallbackIds: [policyHook], timeout }]
  }
  for (const [event, list] of Object.entries(others) as ReadonlyArray<
    [Claude.HookEventName, ReadonlyArray<Hook<Claude.HookEventName>>]
  >)
    for (const [index, hook] of list.entries()) {
      const id = `agentwire-${event}-${index + 1}`
      registered.set(id, { event, hook })
      subscriptions[event] = [
        ...(subscriptions[event] ?? []),
        {
          hookCallbackIds: [id],
          timeout: secondsOf(hook) + graceSeconds,
          ...(hook.matcher !== undefined && { matcher: hook.matcher })
        }
      ]
    }

  return {
    subscriptions,
    isGuarding,
    answer: ({ request: { callback_id, input, tool_use_id } }, cwd) => {
      const context: HookContext = { threadId, toolUseId: tool_use_id }
      // Whatever id the CLI calls it by: a tool that nobody has judged does not run.
      if (input.hook_event_name === "PreToolUse")
        return isGuarding ? guardTool(input, { hooks: guards, failed, context, cwd, isPageTool, judge }) : undefined
      const found = registered.get(callback_id)
      // What it was registered for is what it is called for; the type of the hook cannot tell.
      if (found === undefined || found.event !== input.hook_event_name) return undefined
      const answering = runHook(found.event, found.hook, input as never, context, failed)
      return input.hook_event_name === "PermissionRequest"
        ? Effect.flatMap(answering, (output) => guardPermission(input, output, { cwd, isPageTool, judge }))
        : answering
    }
  }
}

const secondsOf = (hook: Pick<Hook<never>, "timeout">): number => Math.ceil(Duration.toSeconds(hookTimeout(hook)))
