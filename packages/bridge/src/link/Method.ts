/** What one process may ask of the other, as a row of a table, and what rows have in common. */
import * as Schema from "effect/Schema"

/** A method. */
export interface Method<P, R, E> {
  /** What whoever lacks it cannot do. */
  readonly what: string
  readonly params: Schema.Decoder<P>
  readonly result: Schema.Decoder<R>
  readonly failure: Schema.Codec<E, unknown>
  /** It is done once, however often it is asked: the answer may be lost, and the request repeated. */
  readonly once?: true
  /** It waits for an agent or for somebody, however long that takes. Whoever asks may take it back. */
  readonly waits?: true
}

/** A row of the table. */
export const method = <P, R, E = never>(
  row: Omit<Method<P, R, E>, "failure"> & { readonly failure?: Schema.Codec<E, unknown> }
) => ({ failure: Schema.Never, ...row }) as Method<P, R, E>

/** What has nothing to say. */
export const nothing = Schema.Struct({})

/** The names of a session that is open. */
export const asked = { threadId: Schema.String, instance: Schema.String }

/** Nothing but a session that is open. */
export const session = Schema.Struct(asked)

/** The end of a page of a list. */
export const before = Schema.optional(Schema.String)

/** A command was done: with the number that the next event has now. */
export const done = Schema.Struct({ next: Schema.optional(Schema.Natural) })

/** The answer to a command of a session: with the number that the next event has now, so that whoever asked can wait for it. */
export const settled = <A>(value: Schema.Codec<A, unknown>) => Schema.Struct({ value, next: Schema.Natural })
