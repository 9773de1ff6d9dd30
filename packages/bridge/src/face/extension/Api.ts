/**
 * The routes of extensions as data: what each takes, answers and refuses. `Routes.ts` serves them, and the OpenAPI document
 * describes them.
 */
import * as Schema from "effect/Schema"
import { Health } from "../../extension/Schemas.ts"
import type { RefusalCode } from "../http/HttpRefusal.ts"
import type { Route } from "../http/Route.ts"

/** All extensions, and how each is. */
export const ExtensionList = Schema.Struct({ extensions: Schema.Array(Health) }).annotate({
  identifier: "ExtensionList"
})

/** The parameters of a method. */
export const MethodParams = Schema.Record(Schema.String, Schema.Unknown).annotate({ identifier: "MethodParams" })

/** What a method answered. */
export const MethodResult = Schema.Struct({ result: Schema.Unknown }).annotate({ identifier: "MethodResult" })

/** A route of extensions. */
export interface ExtensionEndpoint extends Pick<Route, "method" | "path"> {
  readonly summary: string
  readonly description?: string
  readonly body?: Schema.Top
  /** `page`: whatever the extension answers. */
  readonly answer: Schema.Top | "page"
  readonly refusals: ReadonlyArray<RefusalCode>
}

const ofExtension = [
  "EXTENSION_NOT_FOUND",
  "EXTENSION_UNAVAILABLE",
  "EXTENSION_BUSY",
  "EXTENSION_FAILED",
  "EXTENSION_TIMEOUT"
] as const

const page = {
  summary: "A web page of an extension",
  description:
    "A file of its folder of pages, else what it answers itself. It gets the method, what follows its name in the path, " +
    "the query, the headers without those that let the caller in, and the body, which is JSON.",
  answer: "page",
  refusals: ["PAGE_NOT_FOUND", ...ofExtension]
} as const

/** Every route. */
export const extensionApi = {
  list: {
    method: "GET",
    path: "/extensions",
    summary: "All extensions, and how each is",
    description: "Each is asked; one that does not answer within two seconds is not well.",
    answer: ExtensionList,
    refusals: []
  },
  call: {
    method: "POST",
    path: "/ext/:extension/call/:method",
    summary: "Call a method of an extension",
    description: "`method` is its name with that of the extension before it, such as `voice.say`, or without it.",
    body: MethodParams,
    answer: MethodResult,
    refusals: ["EXTENSION_METHOD_UNKNOWN", ...ofExtension]
  },
  get: { ...page, method: "GET", path: "/ext/:extension/*page" },
  post: { ...page, method: "POST", path: "/ext/:extension/*page", body: Schema.Unknown },
  put: { ...page, method: "PUT", path: "/ext/:extension/*page", body: Schema.Unknown },
  patch: { ...page, method: "PATCH", path: "/ext/:extension/*page", body: Schema.Unknown },
  delete: { ...page, method: "DELETE", path: "/ext/:extension/*page" }
} as const satisfies Readonly<Record<string, ExtensionEndpoint>>

/** The name of a route. */
export type ExtensionRouteName = keyof typeof extensionApi
