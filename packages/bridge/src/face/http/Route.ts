/**
 * A route of the HTTP face: a method, a path, and what it answers. `server/HttpHandler.ts` joins the tables of routes.
 */
import type { IncomingHttpHeaders } from "node:http"
import type * as Effect from "effect/Effect"
import type { Sessions } from "../../session/Sessions.ts"
import type { Answer } from "./Answer.ts"
import type { HttpRefusal } from "./HttpRefusal.ts"

/** Which routes share a path with this one: CopilotKit's alone, the plain ones alone, or both. */
export type Mount = "plain" | "copilotkit" | "shared"

/** A request that found its route, and the options of such routes. */
export interface Asked<Options = unknown> {
  /** The parameters in its path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The body as JSON. */
  readonly body: Effect.Effect<unknown, HttpRefusal>
  readonly hasBody: boolean
  readonly options: Options
}

/** A route. */
export interface Route<Options = unknown> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Segments led by `:` are parameters. A last one led by `*` is whatever follows: its segments, with line feeds between. */
  readonly path: string
  readonly answer: (asked: Asked<Options>, mount: Mount) => Effect.Effect<Answer, HttpRefusal, Sessions>
}

/** The parameters of a path that a pattern names; undefined when the path is another one. */
export const matchPath = (
  pattern: string,
  segments: ReadonlyArray<string>
): Readonly<Record<string, string>> | undefined => {
  const expected = pattern.split("/").filter((segment) => segment !== "")
  const rest = expected.at(-1)?.startsWith("*") === true ? expected.pop()?.slice(1) : undefined
  if (rest === undefined ? expected.length !== segments.length : expected.length > segments.length) return undefined
  const params: Record<string, string> = {}
  if (rest !== undefined) {
    const following = segments.slice(expected.length)
    if (following.some((segment) => segment.includes("\n"))) return undefined
    params[rest] = following.join("\n")
  }
  for (const [index, name] of expected.entries()) {
    const segment = segments[index] ?? ""
    if (name.startsWith(":")) params[name.slice(1)] = segment
    else if (name !== segment) return undefined
  }
  return params
}
