/**
 * What each route of extensions does. Who gets in is decided before, as for everything else.
 */
import type { IncomingHttpHeaders } from "node:http"
import * as Effect from "effect/Effect"
import type { ExtensionFailed } from "../../extension/ExtensionFailed.ts"
import type { Extensions } from "../../extension/ExtensionHost.ts"
import type { Answer } from "../http/Answer.ts"
import { type HttpRefusal, type RefusalCode, refuse } from "../http/HttpRefusal.ts"
import { readBody } from "../http/Reading.ts"
import type { Asked, Route } from "../http/Route.ts"
import { type ExtensionEndpoint, type ExtensionRouteName, extensionApi } from "./Api.ts"
import { pageAnswer } from "./PageAnswers.ts"
import { pageFile } from "./PageFiles.ts"

/** The extensions of a handler; without them there are none. */
export interface ExtensionRouteOptions {
  readonly extensions?: Extensions["Service"]
}

/** What a failure is over HTTP, where it has a code of its own. */
const codes: Partial<Record<ExtensionFailed["code"], RefusalCode>> = {
  EXTENSION_NOT_FOUND: "EXTENSION_NOT_FOUND",
  EXTENSION_METHOD_UNKNOWN: "EXTENSION_METHOD_UNKNOWN",
  EXTENSION_UNAVAILABLE: "EXTENSION_UNAVAILABLE",
  EXTENSION_BUSY: "EXTENSION_BUSY",
  EXTENSION_TIMEOUT: "EXTENSION_TIMEOUT"
}

const failed = ({ code, message }: ExtensionFailed): HttpRefusal => refuse(codes[code] ?? "EXTENSION_FAILED", message)

/** What lets a caller in is nothing for an extension. */
const hidden: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization", "host", "connection"])

const headersOf = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      hidden.has(name) || value === undefined ? [] : [[name, [value].flat().join(", ")]]
    )
  )

const noExtension = refuse("EXTENSION_NOT_FOUND", "There is no extension of this name.")

/** The segments of the rest of a path, which are decoded already. */
const segmentsOf = (rest: string): ReadonlyArray<string> => (rest === "" ? [] : rest.split("\n"))

const page = (
  extensions: Extensions["Service"],
  method: string,
  { body, hasBody, headers, params, query }: Asked<ExtensionRouteOptions>
): Effect.Effect<Answer, HttpRefusal> =>
  Effect.gen(function* () {
    const { extension = "", page: rest = "" } = params
    const segments = segmentsOf(rest)
    const folder = yield* Effect.mapError(extensions.pages(extension), failed)
    const file = folder === undefined || method !== "GET" ? undefined : yield* pageFile(folder, segments)
    if (file !== undefined) return file
    const given = yield* Effect.mapError(
      extensions.page(extension, {
        method,
        path: `/${segments.map(encodeURIComponent).join("/")}`,
        query: Object.fromEntries(query),
        headers: headersOf(headers),
        ...(hasBody && { body: yield* body })
      }),
      failed
    )
    if (given === undefined) return yield* refuse("PAGE_NOT_FOUND", "The extension has no such page.")
    return pageAnswer(given)
  })

const answer = (name: ExtensionRouteName, asked: Asked<ExtensionRouteOptions>): Effect.Effect<Answer, HttpRefusal> =>
  Effect.gen(function* () {
    const { extensions } = asked.options
    if (name === "list")
      return { _tag: "Json", body: { extensions: extensions === undefined ? [] : yield* extensions.health } }
    if (extensions === undefined) return yield* noExtension
    const { method, ...endpoint }: ExtensionEndpoint = extensionApi[name]
    if (name !== "call") return yield* page(extensions, method, asked)
    const { extension = "", method: called = "" } = asked.params
    yield* Effect.mapError(extensions.pages(extension), failed)
    const params = (yield* readBody(asked, endpoint.body)) as Readonly<Record<string, unknown>>
    const full = called.startsWith(`${extension}.`) ? called : `${extension}.${called}`
    return { _tag: "Json", body: { result: yield* Effect.mapError(extensions.call(full, params), failed) } }
  })

/** The routes of extensions. */
export const extensionRoutes: ReadonlyArray<Route<ExtensionRouteOptions>> = (
  Object.keys(extensionApi) as ReadonlyArray<ExtensionRouteName>
).map((name) => ({
  method: extensionApi[name].method,
  path: extensionApi[name].path,
  answer: (asked) => answer(name, asked)
}))
