/** The rows of the tables of methods: what a method takes, and what it is answered with. */
import * as Schema from "effect/Schema"
import { open } from "../wire/Open.ts"

/** A method that is answered. */
export interface RequestMethod<P, R> {
  readonly params: Schema.Codec<P>
  readonly result: Schema.Codec<R>
  /** The server takes it only from clients whose `initialize` asked for the experimental API. */
  readonly isExperimental: boolean
}

/** A method that is not answered. */
export interface NotificationMethod<P> {
  readonly params: Schema.Codec<P>
}

/** A row of a request. */
export const request = <P, R>(
  params: Schema.Codec<P>,
  result: Schema.Codec<R>,
  stage: "stable" | "experimental" = "stable"
): RequestMethod<P, R> => ({ params, result, isExperimental: stage === "experimental" })

/** A row of a notification. */
export const notification = <P>(params: Schema.Codec<P>): NotificationMethod<P> => ({ params })

/** An object that names no fields, and keeps those it has. */
export type NoFields = { readonly [key in never]: never }

/** The params of a method that has none: codex takes `null`, an empty object and nothing at all (§3.3). */
export type NoParams = NoFields | null

/** Checks {@link NoParams}. */
export const NoParams: Schema.Codec<NoParams> = Schema.NullOr(open({}))
