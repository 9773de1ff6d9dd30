/**
 * What hooks from the settings do. 2.1.37 reports `SessionStart` only; `--include-hook-events` (2.1.113
 * on) reports all. Hooks the host registered are `hook_callback` control requests instead.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { systemEnvelope } from "./Envelope.ts"

const hook = {
  hook_id: Schema.String,
  /** The event and what it is about: `PreToolUse:Bash`, `SessionStart:startup`. */
  hook_name: Schema.String,
  hook_event: Schema.String
} as const

const output = {
  stdout: Schema.String,
  stderr: Schema.String,
  /** Both, in the order they came. */
  output: Schema.String
} as const

/** A hook started. */
export const SystemHookStarted = open("SystemHookStarted", { ...systemEnvelope("hook_started"), ...hook })

/** A hook started. */
export type SystemHookStarted = typeof SystemHookStarted.Type

/** What a hook that runs for more than about a second has printed so far. */
export const SystemHookProgress = open("SystemHookProgress", {
  ...systemEnvelope("hook_progress"),
  ...hook,
  ...output
})

/** What a hook that still runs has printed so far. */
export type SystemHookProgress = typeof SystemHookProgress.Type

/** A hook ended. */
export const SystemHookResponse = open("SystemHookResponse", {
  ...systemEnvelope("hook_response"),
  ...hook,
  ...output,
  exit_code: optional(Schema.Finite),
  outcome: known("success", "error", "cancelled")
})

/** A hook ended. */
export type SystemHookResponse = typeof SystemHookResponse.Type
