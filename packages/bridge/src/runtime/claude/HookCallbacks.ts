/**
 * Hooks of the program that runs the bridge: functions that Claude Code calls at its events, by way of `hook_callback`
 * control requests.
 *
 * A hook that fails, takes longer than it may or answers what nobody understands has an outcome all the same: the
 * agent would else wait, or go on as if it had been asked.
 */
import * as Claude from "@agentwire/protocol/claude"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Whom a hook is called for. */
export interface HookContext {
  readonly threadId: string
  /** The call that it is about, where the CLI says. */
  readonly toolUseId: string | undefined
}

/** A hook for an event. */
export interface Hook<E extends Claude.HookEventName> {
  /** Which tools it is for, or what else the event goes by: a name, names with `|` between them, or a pattern. */
  readonly matcher?: string
  /** How long it may take. Default 60 seconds. */
  readonly timeout?: Duration.Input
  /** What becomes of the event when it fails. Default `block` for `PreToolUse`, else `continue`: as without the hook. */
  readonly onFailure?: E extends BlockableEvent ? "continue" | "block" : "continue"
  readonly run: (
    input: Claude.HookInputOf<E>,
    context: HookContext
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks has nothing to return
  ) => Effect.Effect<Claude.HookOutputOf<E> | void, unknown>
}

/** Hooks by the events that they are for. */
export type HookCallbacks = { readonly [E in Claude.HookEventName]?: ReadonlyArray<Hook<E>> }

/** A hook that failed. */
export interface HookFailure {
  readonly threadId: string
  readonly event: Claude.HookEventName
  /** What it threw, or why it counts as failed. */
  readonly error: unknown
  readonly outcome: "continue" | "block"
}

/** Told of every hook that failed. */
export type HookFailed = (failure: HookFailure) => Effect.Effect<void>

const hookSpecific = <E extends keyof typeof Claude.hookSpecificOutputs>(hookEventName: E, more: object): object => ({
  hookSpecificOutput: { hookEventName, ...more }
})

/** What stops an event, for those that can be stopped. */
const blocks = {
  PreToolUse: (reason: string) =>
    hookSpecific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: reason }),
  PermissionRequest: (reason: string) =>
    hookSpecific("PermissionRequest", { decision: { behavior: "deny", message: reason } }),
  PreModelSwitch: (reason: string) =>
    hookSpecific("PreModelSwitch", { permissionDecision: "deny", permissionDecisionReason: reason }),
  UserPromptSubmit: (reason: string) => ({ decision: "block", reason }),
  UserPromptExpansion: (reason: string) => ({ decision: "block", reason }),
  PreCompact: (reason: string) => ({ decision: "block", reason })
} as const satisfies { readonly [E in Claude.HookEventName]?: (reason: string) => object }

/** An event that a hook can stop. */
export type BlockableEvent = keyof typeof blocks

/** The events that a hook can stop. */
export const blockableEvents = Object.keys(blocks) as ReadonlyArray<BlockableEvent>

const isBlockable = (event: Claude.HookEventName): event is BlockableEvent => Object.hasOwn(blocks, event)

const failureWords = "A hook of this bridge failed, so this is not allowed."

/** How long a hook may take unless it says otherwise. */
const defaultTimeout: Duration.Input = "60 seconds"

/** How long a hook may take. */
export const hookTimeout = ({ timeout = defaultTimeout }: Pick<Hook<never>, "timeout">): Duration.Duration =>
  Duration.fromInputUnsafe(timeout)

/** Calls a hook: its answer, or what stands for it when it fails. */
export const runHook = <E extends Claude.HookEventName>(
  event: E,
  hook: Hook<E>,
  input: Claude.HookInputOf<E>,
  context: HookContext,
  failed: HookFailed = () => Effect.void
): Effect.Effect<Claude.HookOutput> =>
  Effect.suspend(() => hook.run(input, context)).pipe(
    Effect.timeoutOrElse({
      duration: hookTimeout(hook),
      orElse: () => Effect.fail(new Error(`It took longer than ${Duration.format(hookTimeout(hook))}.`))
    }),
    Effect.flatMap((output) => understood(event, output ?? {})),
    Effect.catchCause((cause) => {
      // Nobody waits for it any more.
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
      const outcome = outcomeOf(event, hook)
      const error = Cause.squash(cause)
      return Effect.logError("A hook failed.", cause).pipe(
        Effect.annotateLogs({ event, threadId: context.threadId, outcome }),
        Effect.andThen(failed({ threadId: context.threadId, event, error, outcome })),
        Effect.as(outcome === "block" && isBlockable(event) ? blocks[event](failureWords) : {})
      )
    })
  )

const outcomeOf = (
  event: Claude.HookEventName,
  { onFailure }: { readonly onFailure?: string }
): "continue" | "block" =>
  isBlockable(event) && (onFailure ?? (event === "PreToolUse" ? "block" : "continue")) === "block"
    ? "block"
    : "continue"

/** An answer that the CLI would understand: it takes any other for no answer, and lets a tool run. */
const understood = (event: Claude.HookEventName, output: object): Effect.Effect<Claude.HookOutput, Error> => {
  const decoded = Claude.decodeResponse("hook_callback", output)
  if (decoded._tag === "Invalid")
    return Effect.fail(new Error(`What it answered is no output of a hook: ${decoded.error.message}`))
  const answer = decoded.value
  const named = "hookSpecificOutput" in answer ? answer.hookSpecificOutput?.hookEventName : undefined
  return named === undefined || named === event
    ? Effect.succeed(answer)
    : Effect.fail(new Error(`It answered for ${named}, not for ${event}.`))
}

/** Whether a matcher is for a tool, as the CLI reads it. */
export const matchesTool = (matcher: string | undefined, tool: string): boolean => {
  if (matcher === undefined || matcher === "" || matcher === "*") return true
  if (/^[\w|, -]+$/.test(matcher)) return matcher.split(/[|,]/).some((name) => name.trim() === tool)
  return new RegExp(matcher).test(tool)
}
