/**
 * What is open at a point of a conversation, as plain JSON: for stores, which cannot keep maps or what is `undefined`.
 */
import * as Schema from "effect/Schema"
import { optional } from "../wire/Open.ts"
import { BranchBeginning, EntryPlace } from "./Branch.ts"
import { ItemStart, Lane, SessionInfo } from "./Event.ts"
import { Request } from "./Request.ts"
import type { OpenLane, OpenTurn, Situation } from "./Situation.ts"
import { Usage } from "./Usage.ts"

const OpenTurnJson = Schema.Struct({
  ticket: optional(Schema.String),
  spent: Usage,
  provider: optional(Schema.String),
  model: optional(Schema.String)
})

const OpenItemJson = Schema.Struct({
  lane: Lane,
  item: ItemStart,
  phase: Schema.Literals(["growing", "ended", "abandoned"])
})

const OpenLaneJson = Schema.Struct({ parent: Lane, name: Schema.String, description: optional(Schema.String) })

const OpenRequestJson = Schema.Struct({ lane: Lane, request: Request })

/** A map as JSON: its entries, in order. An object would not do, because an item may be called `__proto__`. */
const entriesOf = <S extends Schema.Top>(value: S) => Schema.Array(Schema.Tuple([Schema.String, value]))

/** What is open, as plain JSON. */
export const SituationJson = Schema.Struct({
  turns: Schema.Natural,
  turn: optional(OpenTurnJson),
  failure: optional(Schema.Struct({ code: Schema.String, message: Schema.String })),
  reply: optional(Schema.String),
  items: entriesOf(OpenItemJson),
  lanes: entriesOf(OpenLaneJson),
  requests: entriesOf(OpenRequestJson),
  session: optional(SessionInfo),
  state: optional(Schema.Unknown),
  resets: Schema.Natural,
  newest: optional(Schema.String),
  branch: Schema.Natural,
  origins: Schema.Array(Schema.NullOr(EntryPlace)),
  beginnings: optional(Schema.Array(Schema.NullOr(BranchBeginning))),
  goesOnAt: optional(Schema.Struct({ anchor: Schema.NullOr(Schema.String) }))
}).annotate({ identifier: "ModelSituation" })

/** What is open, as plain JSON. */
export type SituationJson = typeof SituationJson.Type

/** What is open as plain JSON: {@link situationFromJson} gives the same again. */
export const situationToJson = ({
  beginnings,
  branch,
  failure,
  goesOnAt,
  items,
  lanes,
  newest,
  origins,
  reply,
  requests,
  resets,
  session,
  state,
  turn,
  turns
}: Situation): SituationJson => ({
  turns,
  ...(turn !== undefined && { turn: turnToJson(turn) }),
  ...(failure !== undefined && { failure }),
  ...(reply !== undefined && { reply }),
  items: [...items],
  lanes: [...lanes].map(([lane, open]) => [lane, laneToJson(open)] as const),
  requests: [...requests],
  ...(session !== undefined && { session }),
  ...(state !== undefined && { state }),
  resets,
  ...(newest !== undefined && { newest }),
  branch,
  origins: [...origins],
  beginnings: [...beginnings],
  ...(goesOnAt !== undefined && { goesOnAt })
})

/** What is open, from its JSON. */
export const situationFromJson = (json: SituationJson): Situation => ({
  turns: json.turns,
  turn: json.turn && {
    ticket: json.turn.ticket,
    spent: json.turn.spent,
    provider: json.turn.provider,
    model: json.turn.model
  },
  failure: json.failure,
  reply: json.reply,
  items: new Map(json.items),
  lanes: new Map(
    json.lanes.map(([lane, { description, name, parent }]) => [lane, { parent, name, description }] as const)
  ),
  requests: new Map(json.requests),
  session: json.session,
  state: json.state,
  resets: json.resets,
  newest: json.newest,
  branch: json.branch,
  origins: json.origins,
  beginnings: json.beginnings ?? json.origins.map(() => null),
  goesOnAt: json.goesOnAt
})

const turnToJson = ({ model, provider, spent, ticket }: OpenTurn) => ({
  ...(ticket !== undefined && { ticket }),
  spent,
  ...(provider !== undefined && { provider }),
  ...(model !== undefined && { model })
})

const laneToJson = ({ description, name, parent }: OpenLane) => ({
  parent,
  name,
  ...(description !== undefined && { description })
})
