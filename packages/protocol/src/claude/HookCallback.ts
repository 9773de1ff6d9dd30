/**
 * What a hook of a host is told and may answer, by the event it is for: the types for callbacks. Schemas of the inputs
 * are in `HookInput.ts`, of the outputs in `HookOutput.ts`.
 */
import type { hookInputs } from "./HookInput.ts"
import type { AsyncHookOutput, hookSpecificOutputs, SyncHookOutput } from "./HookOutput.ts"

/** An event that there is a schema for. */
export type HookEventName = keyof typeof hookInputs

/** What a hook is told at an event: `HookInputOf<"PreToolUse">`. */
export type HookInputOf<E extends HookEventName> = (typeof hookInputs)[E]["Type"]

/** What a hook may answer at an event beyond the fields that all have; `never` where there is nothing. */
export type HookSpecificOutputOf<E extends HookEventName> = E extends keyof typeof hookSpecificOutputs
  ? (typeof hookSpecificOutputs)[E]["Type"]
  : never

/** What a hook may answer at an event: `HookOutputOf<"PreToolUse">`. */
export type HookOutputOf<E extends HookEventName> =
  | AsyncHookOutput
  | (Omit<SyncHookOutput, "hookSpecificOutput"> & { readonly hookSpecificOutput?: HookSpecificOutputOf<E> })
