/**
 * What differs between versions of Codex, as data. Only some versions were measured. Of methods, each was asked for its
 * schema, with and without `--experimental`: `test/codex/versions.test.ts` holds every row against the real programs. Of
 * behaviour, each has played the scenarios: `agentwire conform --cli` holds the facts against a program, and a test
 * against the tapes.
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

/** What versions do otherwise, and the values that it can have. */
export interface Facts {
  /** Items say when they began and ended (`startedAtMs`, `completedAtMs`). */
  readonly itemTimes: boolean
  /** A turn names the turn that it serves (`rootTurnId`), so a sub-agent's names that of its parent. */
  readonly rootTurnId: boolean
  /** `thread/readState/changed` comes with every turn. */
  readonly readState: boolean
  /** `thread/started` says the model of the thread. */
  readonly threadModel: boolean
  /** What an account may not do fails with `httpConnectionFailed` and its status; else with `other`. */
  readonly unauthorizedStatus: boolean
  /** `modelProvider/capabilities/read` answers with `namespaceTools`. */
  readonly namespaceTools: boolean
  /** A steer cuts the text that is being written; else the text ends first, and the model is asked again after it. */
  readonly steerCutsText: boolean
  /** `update_plan` is offered without `[tools.update_plan] enabled = true`. */
  readonly planToolByDefault: boolean
}

/** The name of a fact. */
export type FactName = keyof Facts

/** What was measured of a fact, and where that is written down. */
export interface FactRow<V> {
  readonly values: Readonly<Record<MeasuredVersion, V>>
  readonly source: string
}

const row = <V>(first: V, second: V, third: V, source: string): FactRow<V> => ({
  values: { "0.150.1": first, "0.160.1": second, "0.166.0": third },
  source
})

/** The facts, a row each, by measured version. `source` is a section of docs/wire/codex.md. */
export const factTable: { readonly [N in FactName]: FactRow<Facts[N]> } = {
  itemTimes: row(false, false, true, "§5"),
  rootTurnId: row(false, false, true, "§3.35"),
  readState: row(false, false, true, "§5"),
  threadModel: row(false, true, true, "§5"),
  unauthorizedStatus: row(false, true, true, "§3.37"),
  namespaceTools: row(true, true, false, "§5"),
  steerCutsText: row(false, false, true, "§3.31"),
  planToolByDefault: row(true, false, false, "§3.36")
}
