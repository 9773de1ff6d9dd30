/**
 * What a thread is at a point of its log, so that opening it does not need the events before.
 */
import * as Model from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"

/** A part of a conversation: the entries of a branch, up to a position. */
export const Segment = Schema.Struct({
  branch: Schema.Natural,
  /** The last position of the branch that counts. Absent: all of it. */
  through: Schema.optionalKey(Schema.Natural)
})

/** A part of a conversation. */
export type Segment = typeof Segment.Type

/** What a thread is at a point of its log. What was said until then is in the transcript. */
export interface Checkpoint {
  /** The number of the event after it: events before this number are in it. */
  readonly seq: number
  /** What is open. */
  readonly situation: Model.SituationJson
  /** The conversation, as a path through the branches. No branch is in it twice. Later segments have greater positions. */
  readonly path: ReadonlyArray<Segment>
  /** The position of the next entry of the transcript. */
  readonly nextPosition: number
}

/** What a thread is at a point of its log. */
export const Checkpoint: Schema.Codec<Checkpoint> = Schema.Struct({
  seq: Schema.Natural,
  situation: Model.SituationJson,
  path: Schema.Array(Segment),
  nextPosition: Schema.Natural
})

/** The path of a conversation without branches. */
export const trunk: ReadonlyArray<Segment> = [{ branch: 0 }]
