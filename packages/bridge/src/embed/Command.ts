/**
 * The management API without HTTP: the same table, the same checks and the same codes, as effects.
 */
import * as Effect from "effect/Effect"
import type { HttpRefusal } from "../face/http/HttpRefusal.ts"
import { readBody } from "../face/http/Reading.ts"
import type { Asked } from "../face/http/Route.ts"
import { type Api, api, type BodyOf, type Endpoint, type OutputOf, type QueryOf } from "../face/management/Api.ts"
import type { Call, ManagementOptions } from "../face/management/Handler.ts"
import { handlers } from "../face/management/Handlers.ts"
import type { EndpointName } from "../face/management/Paths.ts"
import type { Sessions } from "../session/Sessions.ts"

/** The endpoints that answer with one document. */
export type CommandName = {
  [N in EndpointName]: Api[N]["output"]["_tag"] extends "Json" ? N : never
}[EndpointName]

/** What a command is given. */
export interface CommandInput<N extends CommandName> {
  readonly params: Call<N>["params"]
  readonly body?: { readonly [K in keyof BodyOf<N>]: BodyOf<N>[K] | undefined }
  readonly query?: { readonly [K in keyof QueryOf<N>]: QueryOf<N>[K] | undefined }
}

/** Does what an endpoint does. */
export const runCommand = <N extends CommandName>(
  name: N,
  { body, params, query }: CommandInput<N>
): Effect.Effect<OutputOf<N>, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const endpoint: Endpoint = api[name]
    // The schemas belong to this call: reading has proved that the values have their types.
    const call = {
      params,
      query: yield* readBody(given(query), endpoint.query),
      body: yield* readBody(given(body), endpoint.body),
      asked: nobody
    } as unknown as Call<N>
    return (yield* handlers[name](call)) as OutputOf<N>
  })

/** Only what was given: a key without a value is as if it were not there. */
const given = (value: object = {}): Pick<Asked, "body" | "hasBody"> => ({
  hasBody: true,
  body: Effect.succeed(Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)))
})

/** No request: it is the program itself that asks, and it may choose what it likes. */
const nobody: Asked<ManagementOptions> = {
  params: {},
  query: new URLSearchParams(),
  headers: {},
  body: Effect.succeed({}),
  hasBody: false,
  options: { sessionOptions: "all" }
}
