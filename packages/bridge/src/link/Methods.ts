/**
 * What one process may ask of the other: one table for both of them. What a row says in words is what a gateway cannot do
 * whose runtime lacks it.
 *
 * Nothing here is of one face: these are the commands and the cursors of the port of sessions.
 */
import * as Schema from "effect/Schema"
import { cursorMethods } from "./CursorMethods.ts"
import { type Method, method, nothing } from "./Method.ts"
import { sessionMethods } from "./SessionMethods.ts"
import { sessionsMethods } from "./SessionsMethods.ts"
import * as V from "./Values.ts"

const { optional } = Schema

/** The methods. */
export const methods = {
  status: method({ what: "say how the runtime is", params: nothing, result: V.LinkStatus }),
  report: method({ what: "tell the runtime how it is", params: V.GatewayReport, result: nothing }),
  news: method({
    what: "hear of sessions that others open, and of titles",
    params: Schema.Struct({ after: optional(Schema.Natural) }),
    result: Schema.Struct({
      news: Schema.Array(V.NewsJson),
      next: Schema.Natural,
      open: optional(Schema.Array(Schema.String))
    })
  }),
  ...sessionsMethods,
  ...sessionMethods,
  ...cursorMethods
}

/** The methods, by name. */
export type Methods = typeof methods
/** The name of a method. */
export type MethodName = keyof Methods
/** What a method is asked with. */
export type ParamsOf<M extends MethodName> = Methods[M] extends Method<infer P, infer _R, infer _E> ? P : never
/** What a method answers. */
export type ResultOf<M extends MethodName> = Methods[M] extends Method<infer _P, infer R, infer _E> ? R : never
/** Why a method refuses. */
export type FailureOf<M extends MethodName> = Methods[M] extends Method<infer _P, infer _R, infer E> ? E : never

/** The row of a method, whatever it takes. */
export const rowOf = <M extends MethodName>(name: M): Method<ParamsOf<M>, ResultOf<M>, FailureOf<M>> =>
  methods[name] as unknown as Method<ParamsOf<M>, ResultOf<M>, FailureOf<M>>

/** Whether there is a method of a name. */
export const isMethod = (name: string): name is MethodName => Object.hasOwn(methods, name)

/** What each method of this version does, in words, by name: what the two processes tell each other when they meet. */
export const features: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(methods).map(([name, { what }]) => [name, what])
)
