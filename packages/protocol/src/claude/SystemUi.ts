/**
 * What plugins draw in a host: lines, toasts, notifications, panes, rows. The host asks for the trees
 * themselves with the `ui_*` control requests; these messages say when, and what to show without asking.
 *
 * All text here is a plugin's: plain text to show, never markup.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"
import { systemEnvelope } from "./Envelope.ts"

/** What the host drew with `ui_render` may be stale: it asks again (2.1.325; recorded without `instances`). */
export const SystemUiInvalidate = open("SystemUiInvalidate", {
  ...systemEnvelope("ui_invalidate"),
  event: known("ui.render"),
  /** Plugins may change what is recorded of a typed line. Absence says nothing. */
  prompts_screened: optional(Schema.Boolean),
  /** Only these are stale; without it, all may be. */
  instances: optional(
    Schema.Array(open("UiInstance", { surface: Schema.String, component: Schema.String, instance_id: Schema.String }))
  )
})

/** What the host drew with `ui_render` may be stale. */
export type SystemUiInvalidate = typeof SystemUiInvalidate.Type

/** A line of a plugin for the transcript, not for the model (2.1.325; from the binary's own schema, not recorded). */
export const SystemUiLog = open("SystemUiLog", {
  ...systemEnvelope("ui_log"),
  plugin: Schema.String,
  text: Schema.String
})

/** A line of a plugin for the transcript. */
export type SystemUiLog = typeof SystemUiLog.Type

/** A line to show for a short time (2.1.325; from the binary's own schema, not recorded). */
export const SystemUiToast = open("SystemUiToast", {
  ...systemEnvelope("ui_toast"),
  plugin: Schema.String,
  text: Schema.String,
  timeout_ms: Schema.Finite
})

/** A line to show for a short time. */
export type SystemUiToast = typeof SystemUiToast.Type

/** The pinned line of a plugin; null removes it (2.1.325; from the binary's own schema, not recorded). */
export const SystemUiStatus = open("SystemUiStatus", {
  ...systemEnvelope("ui_status"),
  plugin: Schema.String,
  text: Schema.NullOr(Schema.String)
})

/** The pinned line of a plugin. */
export type SystemUiStatus = typeof SystemUiStatus.Type

/**
 * A notification for the host to raise, now or later (2.1.325; from the binary's own schema, not recorded). One
 * with the `source` and `key` of another replaces it.
 */
export const SystemUiNotify = open("SystemUiNotify", {
  ...systemEnvelope("ui_notify"),
  plugin: Schema.String,
  /** `name@marketplace`: what tells plugins of one name apart. */
  source: Schema.String,
  title: Schema.String,
  text: Schema.String,
  key: optional(Schema.String),
  /** How long to wait with it; never beside `at`. */
  delay_ms: optional(Schema.Finite),
  /** When to raise it, in milliseconds since 1970. */
  at: optional(Schema.Finite),
  /** Dropped if the user comes back first. */
  until_back: optional(Schema.Boolean),
  /** Another plugin changed it on the way. Absence is false. */
  rewritten: optional(Schema.Boolean)
})

/** A notification for the host to raise. */
export type SystemUiNotify = typeof SystemUiNotify.Type

/** A notification is taken back (2.1.325; from the binary's own schema, not recorded). */
export const SystemUiNotifyCancel = open("SystemUiNotifyCancel", {
  ...systemEnvelope("ui_notify_cancel"),
  plugin: Schema.String,
  source: Schema.String,
  /** Without it, all that wait: the plugin is gone from the session. */
  key: optional(Schema.String)
})

/** A notification is taken back. */
export type SystemUiNotifyCancel = typeof SystemUiNotifyCancel.Type

/** A pane a plugin opened. */
export const UiPane = open("UiPane", {
  /** Up to 64 letters, digits, `_` and `-`; the `instance_id` of its `ui_render`. */
  id: Schema.String,
  title: Schema.String,
  plugin: Schema.String,
  close_on_escape: optional(Schema.Boolean),
  hold_toasts: optional(Schema.Boolean),
  /** A theme key, a colour or `transparent`. */
  background_color: optional(Schema.String),
  rows: optional(Schema.Finite),
  columns: optional(Schema.Finite),
  placement: optional(known("widget"))
})

/** A pane a plugin opened. */
export type UiPane = typeof UiPane.Type

/** The open panes, the whole list each time (2.1.325; from the binary's own schema, not recorded). */
export const SystemUiPanes = open("SystemUiPanes", {
  ...systemEnvelope("ui_panes"),
  panes: Schema.Array(UiPane),
  shown_id: Schema.NullOr(Schema.String),
  /** The pane that has the keyboard; null while the prompt has it. */
  focused_id: Schema.NullOr(Schema.String),
  /** A pane that asks for the keyboard: the host answers with `ui_pane_focus`. */
  focus_requested_id: Schema.NullOr(Schema.String)
})

/** The open panes. */
export type SystemUiPanes = typeof SystemUiPanes.Type

/** The rows plugins placed in the conversation (2.1.325; from the binary's own schema, not recorded). */
export const SystemUiPlaced = open("SystemUiPlaced", {
  ...systemEnvelope("ui_placed"),
  rows: Schema.Array(
    open("UiPlacedRow", {
      plugin: Schema.String,
      id: Schema.String,
      /** The `instance_id` for `ui_render`, with the component `Placed`. */
      request_id: Schema.String,
      /** The message the row follows; absent at the start of the conversation. */
      after_uuid: optional(Schema.String)
    })
  )
})

/** The rows plugins placed in the conversation. */
export type SystemUiPlaced = typeof SystemUiPlaced.Type

const site = {
  client_id: Schema.String,
  component: known("Pane", "AbovePrompt"),
  /** The id of the pane, or `above-prompt`. */
  instance_id: Schema.String
} as const

/** A plugin scrolled what the host draws (2.1.325; from the binary's own schema, not recorded). */
export const SystemUiScroll = open("SystemUiScroll", {
  ...systemEnvelope("ui_scroll"),
  ...site,
  /** The first row to show; 0 is the top. */
  offset: Schema.Finite,
  follow_end: optional(Schema.Boolean)
})

/** A plugin scrolled what the host draws. */
export type SystemUiScroll = typeof SystemUiScroll.Type

/** A plugin moved the focus to one of its elements (2.1.325; from the binary's own schema, not recorded). */
export const SystemUiFocus = open("SystemUiFocus", {
  ...systemEnvelope("ui_focus"),
  ...site,
  plugin: Schema.String,
  /** The `key` of the element. */
  key: Schema.String
})

/** A plugin moved the focus to one of its elements. */
export type SystemUiFocus = typeof SystemUiFocus.Type
