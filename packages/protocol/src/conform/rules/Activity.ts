/**
 * Activities: made by snapshots, amended by deltas, and messages of their own.
 */

import * as Result from "effect/Result"
import { applyPatch } from "../../agui/Patch.ts"
import { isRecord } from "../../wire/Json.ts"
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks, Stream } from "../Stream.ts"
import { agreesWithOwner } from "./Subagent.ts"

/** The rules of activities. */
export const activityRules = rulesOf("activity", {
  "AGUI-ACTIVITY-001": {
    level: "warning",
    requirement: "ACTIVITY_DELTA follows the ACTIVITY_SNAPSHOT that made the activity: clients skip it otherwise.",
    spec: "1.0 events/activity#activity_delta"
  },
  "AGUI-ACTIVITY-002": {
    level: "warning",
    requirement: "ACTIVITY_DELTA applies to the activity's content: the client keeps the old one otherwise.",
    spec: "1.0 basic/patterns/snapshots#when-a-patch-does-not-apply"
  },
  "AGUI-ACTIVITY-003": {
    level: "warning",
    requirement: "An activity does not share its messageId with another message: one of the two is lost.",
    spec: "client 1.0.0 defaultApplyEvents (message ids must be unique)"
  },
  "AGUI-ACTIVITY-004": {
    level: "error",
    requirement: "The content of an activity stays an object when a patch was applied.",
    spec: "1.0 events/activity#activity_delta"
  },
  "AGUI-ACTIVITY-005": {
    level: "error",
    requirement: "An ACTIVITY_SNAPSHOT with replace: false is attributed as the activity it leaves alone.",
    spec: "1.0 events/activity#activity_snapshot"
  }
})

/** Says when a message is started under the id of an activity: clients drop the message. */
export const checkNotActivity = (id: string, type: string, stream: Stream): void => {
  if (stream.kinds.get(id) === "activity")
    stream.report(activityRules["AGUI-ACTIVITY-003"], `${type} names ${quote(id)}, which is an activity.`)
}

/** Looks at activities. */
export const activityChecks: Checks = {
  on: {
    ACTIVITY_SNAPSHOT: ({ content, messageId: id, replace, subagentRunId }, stream) => {
      const kind = stream.kinds.get(id)
      if (kind !== undefined && kind !== "activity")
        stream.report(activityRules["AGUI-ACTIVITY-003"], `The activity ${quote(id)} is another message already.`)
      const owners = stream.owners.activity
      if (owners.has(id) && replace === false) {
        if (owners.get(id) !== subagentRunId)
          stream.report(
            activityRules["AGUI-ACTIVITY-005"],
            `The snapshot leaves activity ${quote(id)} alone and is attributed to someone else.`
          )
        return
      }
      owners.set(id, subagentRunId)
      // What an earlier run of the stream made is still there, and left alone too.
      if (replace === false && stream.activities.has(id)) return
      stream.activities.set(id, { content })
      stream.kinds.set(id, "activity")
    },
    ACTIVITY_DELTA: ({ messageId: id, patch, subagentRunId }, stream) => {
      agreesWithOwner("ACTIVITY_DELTA", subagentRunId, "activity", id, stream)
      const activity = stream.activities.get(id)
      if (activity === undefined) {
        // Requests do not carry activities: in a conversation that continues, the client may hold some.
        if (stream.kinds.get(id) !== "activity" && stream.input?.continues !== true)
          stream.report(
            activityRules["AGUI-ACTIVITY-001"],
            stream.kinds.has(id)
              ? `ACTIVITY_DELTA of ${quote(id)}, which is not an activity.`
              : `ACTIVITY_DELTA of ${quote(id)}, which no ACTIVITY_SNAPSHOT made.`
          )
        return
      }
      const applied = applyPatch(activity.content, patch)
      if (Result.isFailure(applied))
        stream.report(
          activityRules["AGUI-ACTIVITY-002"],
          `The patch does not apply to activity ${quote(id)}: ${applied.failure}.`
        )
      else if (!isRecord(applied.success))
        stream.report(
          activityRules["AGUI-ACTIVITY-004"],
          `The patch makes the content of activity ${quote(id)} something other than an object.`
        )
      else stream.activities.set(id, { content: applied.success })
    }
  }
}
