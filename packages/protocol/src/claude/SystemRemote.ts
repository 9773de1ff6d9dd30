/**
 * Sessions that run or are watched elsewhere: cloud workers, the client of a cloud session, Remote Control.
 *
 * None of these was recorded. The fields are those of the schemas in the 2.1.325 binary, or, where it has
 * none, of the code that builds the message.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, variants } from "../wire/Open.ts"
import { systemEnvelope } from "./Envelope.ts"

/**
 * Remote Control connected, or lost its connection (2.1.325; not recorded). The binary has no schema for it: the
 * fields are those its code writes.
 */
export const SystemBridgeState = open("SystemBridgeState", {
  ...systemEnvelope("bridge_state"),
  state: known("ready", "connected", "reconnecting", "failed", "policy_disabled"),
  detail: optional(Schema.String),
  /** With `failed`. */
  failure_kind: optional(known("terminal", "auth")),
  /** With `connected`, after a failure. */
  recovered: optional(Schema.Boolean),
  /** Which attachment of the bridge it is about. */
  bridge_epoch: optional(Schema.Finite)
})

/** Remote Control connected, or lost its connection. */
export type SystemBridgeState = typeof SystemBridgeState.Type

/** Which questions of the worker before it a cloud worker keeps open; all others are over (2.1.325; from the binary's own schema, not recorded). */
export const SystemInheritedAsksSettled = open("SystemInheritedAsksSettled", {
  ...systemEnvelope("inherited_asks_settled"),
  kept_request_ids: Schema.Array(Schema.String)
})

/** Which questions of the worker before it a cloud worker keeps open. */
export type SystemInheritedAsksSettled = typeof SystemInheritedAsksSettled.Type

/** A cloud worker takes `turn_handoff` requests; the flags are there only when true (2.1.325; from the binary's own schema, not recorded). */
export const SystemTurnHandoffAvailable = open("SystemTurnHandoffAvailable", {
  ...systemEnvelope("turn_handoff_available"),
  /** 1. */
  v: Schema.Finite,
  tools: Schema.Array(Schema.String),
  worker_epoch: Schema.Finite,
  staged_files: optional(Schema.Boolean),
  no_query_first: optional(Schema.Boolean),
  shared_message_id: optional(Schema.Boolean),
  relay_marker: optional(Schema.Boolean),
  home_files: optional(Schema.Boolean),
  file_names: optional(Schema.Boolean),
  carried_writes: optional(Schema.Boolean),
  hydrates_carried_lines: optional(Schema.Boolean),
  requires_rewind_request_id: optional(Schema.Boolean)
})

/** A cloud worker takes `turn_handoff` requests. */
export type SystemTurnHandoffAvailable = typeof SystemTurnHandoffAvailable.Type

/**
 * Files a prompt named did not arrive (2.1.325; from the binary's own schema, not recorded). Only for prompts that
 * came from afar; the last one for a `message_uuid` counts.
 */
export const SystemFileAttachmentsMissing = open("SystemFileAttachmentsMissing", {
  ...systemEnvelope("file_attachments_missing"),
  message_uuid: Schema.String,
  sent_count: Schema.Finite,
  missing: Schema.Array(
    open({
      file_uuid: Schema.String,
      reason: known("download", "too_large", "not_found", "write", "no_token", "not_finished", "count_cap")
    })
  )
})

/** Files a prompt named did not arrive. */
export type SystemFileAttachmentsMissing = typeof SystemFileAttachmentsMissing.Type

/** Whether this machine is bound to the cloud session. */
export const CloudSessionDevice = variants("CloudSessionDevice", "status", [
  open("CloudSessionDeviceBound", {
    status: Schema.Literal("bound"),
    device_id: Schema.String,
    display_name: optional(Schema.String)
  }),
  open("CloudSessionDeviceUnbound", {
    status: Schema.Literal("unbound"),
    reason: Schema.String,
    message: Schema.String
  })
])

/** Whether this machine is bound to the cloud session. */
export type CloudSessionDevice = typeof CloudSessionDevice.Type

/** How the files of this machine and of the cloud session are kept the same. */
export const CloudSessionDirectorySync = open("CloudSessionDirectorySync", {
  state: known("off", "seeding", "armed", "stopped"),
  reason: optional(Schema.String),
  message: optional(Schema.String),
  first_upload: optional(Schema.String),
  synced_files: optional(Schema.Finite),
  other_window: optional(Schema.Boolean),
  muted: optional(Schema.Boolean),
  started_from_upload: optional(Schema.Boolean),
  direction: optional(known("two_way", "upload_only")),
  file_mode: known("container_sync", "device_tools", "unspecified"),
  file_mode_source: known("stored")
})

/** How the files of this machine and of the cloud session are kept the same. */
export type CloudSessionDirectorySync = typeof CloudSessionDirectorySync.Type

/** The calls of the cloud session that this machine serves. */
export const CloudSessionCalls = open("CloudSessionCalls", {
  live: Schema.Array(
    open({
      call_id: Schema.String,
      tool: Schema.String,
      state: known("running", "asked"),
      since: Schema.Finite,
      ask_id: optional(Schema.String),
      lapses_at: optional(Schema.Finite),
      classifier_eligible: optional(Schema.Boolean)
    })
  ),
  recent: Schema.Array(
    open({
      call_id: Schema.String,
      tool: Schema.String,
      ended: known("completed", "denied", "withdrawn", "refused", "failed"),
      code: optional(Schema.String),
      at: Schema.Finite
    })
  )
})

/** The calls of the cloud session that this machine serves. */
export type CloudSessionCalls = typeof CloudSessionCalls.Type

/** The cloud session this client shows; `init` has it too. */
export const CloudSession = open("CloudSession", {
  id: Schema.String,
  view_url: Schema.String,
  device: CloudSessionDevice,
  directory_sync: CloudSessionDirectorySync,
  /** 1. */
  client_version: Schema.Finite,
  not_applied: optional(Schema.Array(open({ name: Schema.String, kind: known("lost", "kept", "preference") }))),
  host: optional(
    open({
      handle: Schema.String,
      working_dir: Schema.String,
      platform: Schema.String,
      cli_version: optional(Schema.String)
    })
  ),
  serving: optional(
    open({
      state: known("on", "off", "pending", "revoked"),
      reason: optional(Schema.String),
      policy: known("parity", "interim"),
      channel: known("session", "bridge_only")
    })
  ),
  connection: optional(known("connecting", "live", "reconnecting")),
  calls: optional(CloudSessionCalls),
  notices: optional(Schema.Array(open({ key: Schema.String, text: Schema.String })))
})

/** The cloud session this client shows. */
export type CloudSession = typeof CloudSession.Type

/** The state of the cloud session changed between two `init` (2.1.325 as its client; from the binary's own schema, not recorded). */
export const SystemCloudSessionDelta = open("SystemCloudSessionDelta", {
  ...systemEnvelope("cloud_session_delta"),
  /** 1, 2, 3 …, over all `init`. */
  seq: Schema.Finite,
  /** The keys of `cloud_session` that differ from the last time. */
  changed: Schema.Array(Schema.String),
  /** The whole of it, despite the name of the message. */
  cloud_session: CloudSession
})

/** The state of the cloud session changed between two `init`. */
export type SystemCloudSessionDelta = typeof SystemCloudSessionDelta.Type
