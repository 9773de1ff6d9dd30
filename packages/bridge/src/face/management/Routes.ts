/**
 * The routes of the management API, made from its table.
 */
import * as Effect from "effect/Effect"
import type { Sessions } from "../../session/Sessions.ts"
import type { Answer } from "../http/Answer.ts"
import type { HttpRefusal } from "../http/HttpRefusal.ts"
import { readBody, readQuery } from "../http/Reading.ts"
import type { Asked, Route } from "../http/Route.ts"
import { api, type Endpoint } from "./Api.ts"
import type { Call, Given, ManagementOptions } from "./Handler.ts"
import { handlers } from "./Handlers.ts"
import { type EndpointName, paths } from "./Paths.ts"

/** The method and the path of an endpoint. */
export const routeOf = (name: EndpointName): Pick<Route, "method" | "path"> => {
  const [method, path = ""] = paths[name].split(" ")
  return { method: method as Route["method"], path }
}

const answerOf = <N extends EndpointName>(name: N, given: Given<N>): Answer => {
  const { output }: Endpoint = api[name]
  switch (output._tag) {
    case "Json":
      return { _tag: "Json", status: output.status, body: given }
    case "Stream":
      return { _tag: "Frames", frames: given as Given<"sessions.events"> }
    case "Text": {
      const { headers = {}, text } = given as Given<"sessions.tape">
      return { _tag: "File", contentType: output.contentType, body: text, headers }
    }
  }
}

const answer = <N extends EndpointName>(
  name: N,
  asked: Asked<ManagementOptions>
): Effect.Effect<Answer, HttpRefusal, Sessions> =>
  Effect.gen(function* () {
    const endpoint: Endpoint = api[name]
    // The schemas belong to this call: reading has proved that the values have their types.
    const call = {
      params: asked.params,
      query: yield* readQuery(asked.query, endpoint.query),
      body: yield* readBody(asked, endpoint.body),
      asked
    } as unknown as Call<N>
    return answerOf(name, yield* handlers[name](call))
  })

/** The routes of the management API. */
export const managementRoutes: ReadonlyArray<Route<ManagementOptions>> = (
  Object.keys(paths) as ReadonlyArray<EndpointName>
).map((name) => ({
  ...routeOf(name),
  answer: (asked) => answer(name, asked)
}))
