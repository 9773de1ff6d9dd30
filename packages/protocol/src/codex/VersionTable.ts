/**
 * What differs between versions of Codex, as data. Only some versions were measured: each was asked for its schema, with
 * and without `--experimental`. `test/codex/versions.test.ts` holds every row against the real programs.
 */

/** The versions that were measured, oldest first. */
export const measuredVersions = ["0.150.1", "0.160.1", "0.166.0"] as const

/** A version that was measured. */
export type MeasuredVersion = (typeof measuredVersions)[number]

/** What a version makes of a method: takes it from everybody, only with `experimentalApi`, or does not know it. */
export type MethodStage = "stable" | "experimental" | "absent"

/** Methods that came after the first measured version, by the first that has them. */
export const methodsSince: Readonly<Partial<Record<MeasuredVersion, ReadonlyArray<string>>>> = {
  "0.160.1": [
    "account/gatewayOAuth/cancel",
    "account/gatewayOAuth/login",
    "account/gatewayOAuth/read",
    "memory/status",
    "plugin/reconcile",
    "rollout/compress",
    "thread/attachment/add",
    "thread/attachment/list",
    "thread/attachment/remove",
    "turn/settings/update",
    "userVerification/cancel",
    "userVerification/delete",
    "userVerification/enroll",
    "userVerification/status",
    "userVerification/verify",
    "account/gatewayOAuth/changed",
    "modelProvider/authRecoveryCompleted",
    "modelProvider/authRecoveryStarted",
    "thread/attachment/updated"
  ],
  "0.166.0": [
    "account/bedrock/checkGovCloudRequirements",
    "account/gcp/setup",
    "accountSession/list",
    "accountSession/switch",
    "feedback/save",
    "thread/attachmentOwner/list",
    "thread/items/read",
    "thread/memory/read",
    "thread/prediction/request",
    "thread/readState/update",
    "thread/sample",
    "thread/sample/cancel",
    "thread/prediction/updated",
    "thread/readState/changed"
  ]
}

/** Methods that went, by the first measured version that lacks them. None of them has a schema here. */
export const methodsUntil: Readonly<Partial<Record<MeasuredVersion, ReadonlyArray<string>>>> = {
  // Its place is taken by thread/revert, which counts by turn ids.
  "0.160.1": ["thread/rollback"]
}

/** Methods that were experimental, by the first measured version in which they are not. */
export const stableSince: Readonly<Partial<Record<MeasuredVersion, ReadonlyArray<string>>>> = {
  "0.160.1": ["thread/items/list", "thread/revert", "thread/turns/list"]
}
