/**
 * The management API as functions: made from its table, so that names, parameters, bodies and answers are those of
 * the server. It runs wherever there is `fetch`.
 */
import { readSse } from "@agentwire/protocol/wire"
import type { BodyOf, EventFrame, OutputOf, QueryOf } from "../face/management/Api.ts"
import {
  type EndpointName,
  methodsWithBody,
  type ParamNames,
  type Paths,
  paged,
  paths,
  streams,
  texts,
  withoutBody
} from "../face/management/Paths.ts"
import { ManagementError, refusalOf } from "./ManagementError.ts"

/** Which server, and how to reach it. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:3210`. */
  readonly url: string
  readonly token?: string
  /** A `fetch` other than the global one. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>
  /** The longest wait before a stream that broke is asked for again, in milliseconds. Default 5,000. */
  readonly maxRetryDelay?: number
}

/** What may be chosen about a call: what its query takes, and a signal that ends it. */
export type CallOptions<N extends EndpointName> = QueryOf<N> & { readonly signal?: AbortSignal }

type Strings<Names extends ReadonlyArray<string>> = { [I in keyof Names]: string }

type BodyArgument<N extends EndpointName> = N extends
  | (typeof withoutBody)[number]
  | EndpointWithout<(typeof methodsWithBody)[number]>
  ? []
  : Record<never, never> extends BodyOf<N>
    ? [body?: BodyOf<N>]
    : [body: BodyOf<N>]

type EndpointWithout<M extends string> = {
  [N in EndpointName]: Paths[N] extends `${M} ${string}` ? never : N
}[EndpointName]

type Arguments<N extends EndpointName> = [
  ...params: Strings<ParamNames<Paths[N]>>,
  ...body: BodyArgument<N>,
  options?: CallOptions<N>
]

/** One endpoint: the parameters of its path, its body if it has one, and options. */
export type Method<N extends EndpointName> = N extends "sessions.events"
  ? EventsMethod
  : N extends (typeof paged)[number]
    ? PagedMethod<N>
    : (...args: Arguments<N>) => N extends (typeof streams)[number] ? AsyncIterable<OutputOf<N>> : Promise<OutputOf<N>>

/** A list, of which one call gets a part. */
export interface PagedMethod<N extends EndpointName> {
  (...args: Arguments<N>): Promise<OutputOf<N>>
  /** All parts, one after the other, each asked for when it is wanted. */
  readonly pages: (...args: Arguments<N>) => AsyncIterable<OutputOf<N>>
}

/** The events of a session. What their frames are depends on an option. */
export type EventsMethod = <Lines extends boolean = false>(
  threadId: string,
  options?: CallOptions<"sessions.events"> & { readonly lines?: Lines }
) => AsyncIterable<EventFrame<Lines>>

type Group = EndpointName extends infer N ? (N extends `${infer G}.${string}` ? G : never) : never

/** The management API: `client.sessions.list()`, `client.approvals.answer(threadId, requestId, answer)` and so on. */
export type Client = {
  readonly [G in Group]: {
    readonly [N in EndpointName as N extends `${G}.${infer M}` ? M : never]: Method<N>
  }
}

interface Request {
  readonly method: string
  readonly url: string
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** A client of a server. */
export const makeClient = (options: ClientOptions): Client => {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const name of Object.keys(paths) as ReadonlyArray<EndpointName>) {
    const [group = "", method = ""] = name.split(".")
    const ask = (...args: ReadonlyArray<unknown>) => call(options, name, args)
    const all = (...args: ReadonlyArray<unknown>) => pages(options, name, args)
    groups[group] = { ...groups[group], [method]: isOneOf(paged, name) ? Object.assign(ask, { pages: all }) : ask }
  }
  return groups as unknown as Client
}

const isOneOf = (names: ReadonlyArray<EndpointName>, name: EndpointName): boolean => names.includes(name)

const call = (options: ClientOptions, name: EndpointName, args: ReadonlyArray<unknown>): unknown => {
  if (isOneOf(streams, name)) return stream(options, name, args)
  return ask(options, name, args)
}

/** The parts of a list, from the first or from where the options say. */
async function* pages(
  options: ClientOptions,
  name: EndpointName,
  args: ReadonlyArray<unknown>
): AsyncGenerator<unknown, void> {
  const params = (paths[name].match(/:\w+/g) ?? []).length
  let query = (args[params] ?? {}) as CallOptions<"sessions.list">
  for (;;) {
    const page = (await ask(options, name, [...args.slice(0, params), query])) as { readonly before?: string }
    yield page
    if (page.before === undefined) return
    query = { ...query, before: page.before }
  }
}

const ask = async (options: ClientOptions, name: EndpointName, args: ReadonlyArray<unknown>): Promise<unknown> => {
  const response = await send(options, requestOf(options, name, args))
  if (!response.ok) throw await refusalOf(response)
  if (isOneOf(texts, name)) return response.text()
  try {
    return await response.json()
  } catch (cause) {
    const message = "The answer is not agentwire's: it is not JSON."
    throw new ManagementError({ code: "BAD_RESPONSE", status: response.status, message }, { cause })
  }
}

/** What to send for a call. */
const requestOf = ({ url }: ClientOptions, name: EndpointName, args: ReadonlyArray<unknown>): Request => {
  const [method = "", pattern = ""] = paths[name].split(" ")
  const rest = [...args]
  const path = pattern.replaceAll(/:\w+/g, () => segment(rest.shift()))
  const takesBody = methodsWithBody.some((each) => each === method) && !isOneOf(withoutBody, name)
  const body = takesBody ? (rest.shift() ?? {}) : undefined
  const { signal, ...query } = (rest.shift() ?? {}) as CallOptions<"sessions.events">
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
  return {
    method,
    url: `${url.replace(/\/$/, "")}${path}${search.size === 0 ? "" : `?${search}`}`,
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal })
  }
}

/** A parameter in a path. A URL takes `.` and `..` for steps, however they are written. */
const segment = (value: unknown): string => {
  if (typeof value === "string" && value !== "" && value !== "." && value !== "..") return encodeURIComponent(value)
  const message = `A parameter of a path is a text, and neither empty nor "." nor "..".`
  throw new ManagementError({ code: "BAD_INPUT", status: 0, message })
}

const send = async (
  { fetch = globalThis.fetch, token }: ClientOptions,
  { body, method, signal, url }: Request,
  more: Readonly<Record<string, string>> = {}
): Promise<Response> => {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    ...more
  }
  try {
    return await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal })
    })
  } catch (cause) {
    if (signal?.aborted === true) throw cause
    const message = `The server cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}.`
    throw new ManagementError({ code: "UNREACHABLE", status: 0, message }, { cause })
  }
}

/**
 * The frames of a stream. It is asked for again when the connection breaks, after the last frame that came; it ends
 * with the session, or quietly with the signal.
 */
async function* stream(
  options: ClientOptions,
  name: EndpointName,
  args: ReadonlyArray<unknown>
): AsyncGenerator<unknown, void> {
  const request = requestOf(options, name, args)
  const isOver = (): boolean => request.signal?.aborted === true
  let last: string | undefined
  let tries = 0
  while (!isOver()) {
    const resume = last === undefined ? {} : { "last-event-id": last }
    const answer = await opened(options, request, { accept: "text/event-stream", ...resume })
    if (isOver()) return
    if ("body" in answer) {
      try {
        for await (const { data, event, id } of readSse(answer.body)) {
          tries = 0
          last = id
          yield { event, id, seq: Number.parseInt(id, 10), data: JSON.parse(data) as unknown }
          if (event === "closed" || isOver()) return
        }
      } catch (cause) {
        if (isOver()) return
        // Every implementation of `fetch` reports a broken connection as a TypeError.
        if (!(cause instanceof TypeError)) throw cause
      }
      // A server that was there may come back.
    } else if (last === undefined || !mayPass(answer.failure)) throw answer.failure
    await pause(Math.min(100 * 2 ** tries++, options.maxRetryDelay ?? 5000), request.signal)
  }
}

const mayPass = (failure: unknown): boolean =>
  failure instanceof ManagementError && (failure.status === 0 || failure.status >= 500)

const opened = async (
  options: ClientOptions,
  request: Request,
  headers: Readonly<Record<string, string>>
): Promise<{ readonly body: ReadableStream<Uint8Array> } | { readonly failure: unknown }> => {
  try {
    const response = await send(options, request, headers)
    return response.ok && response.body !== null ? { body: response.body } : { failure: await refusalOf(response) }
  } catch (failure) {
    return { failure }
  }
}

const pause = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener("abort", done)
    if (signal?.aborted === true) done()
  })
