/**
 * Hooks for programs that do not use Effect: plain functions, or such that return promises.
 */
import type * as Claude from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import type { BlockableEvent, Hook, HookCallbacks, HookContext } from "../runtime/claude/HookCallbacks.ts"

/** Whom a hook is called for, and when nobody waits for it any more. */
export interface BridgeHookContext extends HookContext {
  /** Aborted when its time is up, or when the agent takes the call back. */
  readonly signal: AbortSignal
}

/** A hook for an event. What it returns is the answer; nothing: the agent goes on as it would. */
export type BridgeHook<E extends Claude.HookEventName> = (
  input: Claude.HookInputOf<E>,
  context: BridgeHookContext
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks has nothing to return
) => Claude.HookOutputOf<E> | void | Promise<Claude.HookOutputOf<E> | void>

/** A hook with what may be chosen about it. */
export interface BridgeHookOptions<E extends Claude.HookEventName> {
  /** Which tools it is for, or what else the event goes by: a name, names with `|` between them, or a pattern. */
  readonly matcher?: string
  /** How long it may take, in milliseconds. Default 60,000. */
  readonly timeout?: number
  /** What becomes of the event when it fails. Default `block` for `PreToolUse`, else `continue`: as without the hook. */
  readonly onFailure?: E extends BlockableEvent ? "continue" | "block" : "continue"
  readonly run: BridgeHook<E>
}

/** Hooks by the events that they are for: a function, one with options, or several. */
export type BridgeHooks = {
  readonly [E in Claude.HookEventName]?:
    | BridgeHook<E>
    | BridgeHookOptions<E>
    | ReadonlyArray<BridgeHook<E> | BridgeHookOptions<E>>
}

/** The hooks as the runtime takes them. */
export const hooksOf =
  (hooks: BridgeHooks | ((threadId: string) => BridgeHooks | undefined) = {}) =>
  (threadId: string): HookCallbacks => {
    const given = (typeof hooks === "function" ? hooks(threadId) : hooks) ?? {}
    const callbacks = Object.entries(given).map(([event, hook]) => [event, [hook].flat().map(callbackOf)] as const)
    // Each list is for the event it was given for, which `Object.entries` forgets.
    return Object.fromEntries(callbacks) as HookCallbacks
  }

type AnyHook = BridgeHook<never> | BridgeHookOptions<never>

const callbackOf = (hook: AnyHook): Hook<never> => {
  const { run, ...options }: BridgeHookOptions<never> = typeof hook === "function" ? { run: hook } : hook
  return {
    ...options,
    run: (input, context) =>
      Effect.tryPromise({ try: async (signal) => run(input, { ...context, signal }), catch: same })
  }
}

const same = (error: unknown): unknown => error
