/** What may be read of one session: its log, what was said, and the lines between it and its agent. */
import * as Model from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"
import { LogFailed, LogGap } from "../log/BoundedLog.ts"
import { LookGone, SessionGone } from "./LinkErrors.ts"
import { asked, done, method, nothing, session } from "./Method.ts"
import * as V from "./Values.ts"

const { optional } = Schema
const look = { ...asked, look: Schema.Natural, path: optional(V.Path) }
const looked = Schema.Union([LookGone, SessionGone, LogFailed])
const placed = Schema.Struct({ entries: Schema.Array(V.PlacedEntryJson) })
const span = optional(Schema.Struct({ from: Schema.Natural, until: Schema.Natural }))
const lookUp = Schema.Struct({ ...look, ids: Schema.Array(Schema.String), except: span })

/** The cursors of one session. */
export const cursorMethods = {
  "log.take": method({
    what: "read the log of a session",
    params: Schema.Struct({
      ...asked,
      from: Schema.Natural,
      /** How many at most. */
      limit: optional(Schema.Natural),
      /** Whether what was open before the first is told, too. */
      situation: optional(Schema.Boolean)
    }),
    result: V.EventsJson,
    failure: Schema.Union([SessionGone, LogGap, LogFailed])
  }),
  "log.settled": method({
    what: "wait until all is kept",
    params: session,
    result: done,
    failure: Schema.Union([SessionGone, LogFailed])
  }),
  "log.turnBefore": method({
    what: "find the beginning of a turn",
    params: Schema.Struct({ ...asked, seq: Schema.Natural }),
    result: V.OpenAtJson,
    failure: Schema.Union([SessionGone, LogGap, LogFailed])
  }),
  "look.open": method({
    what: "look at a transcript",
    params: session,
    result: Schema.Struct({
      look: Schema.Natural,
      seq: Schema.Natural,
      situation: Model.SituationJson,
      path: V.Path,
      nextPosition: Schema.Natural
    }),
    failure: Schema.Union([SessionGone, LogFailed])
  }),
  "look.page": method({
    what: "look at a page of a transcript",
    params: Schema.Struct({
      ...look,
      before: optional(Schema.Natural),
      maxEntries: optional(Schema.Natural),
      maxBytes: optional(Schema.Natural)
    }),
    result: Schema.Struct({ entries: Schema.Array(V.PlacedEntryJson), more: Schema.Boolean }),
    failure: looked
  }),
  "look.count": method({
    what: "count the entries of a transcript",
    params: Schema.Struct({ ...look, messages: Schema.Boolean }),
    result: Schema.Struct({ count: Schema.Natural }),
    failure: looked
  }),
  "look.find": method({ what: "look entries up", params: lookUp, result: placed, failure: looked }),
  "look.parts": method({ what: "look messages up", params: lookUp, result: placed, failure: looked }),
  "look.close": method({ what: "end a look", params: Schema.Struct(look), result: nothing }),
  "wire.take": method({
    what: "read the lines between a session and its agent",
    params: Schema.Struct({ ...asked, from: Schema.Natural }),
    result: Schema.Struct({ lines: Schema.Array(V.WireLineJson), ended: optional(Schema.Literal(true)) }),
    failure: Schema.Union([SessionGone, LogGap])
  }),
  "wire.place": method({
    what: "know which lines are kept",
    params: session,
    result: Schema.Struct({ oldest: Schema.Natural, next: Schema.Natural }),
    failure: SessionGone
  })
}
