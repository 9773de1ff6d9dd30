/**
 * Every message of `codex app-server`, both directions, by name.
 *
 * A request or a notification has the name of its method: no method means two things. What answers a request does not
 * say which one it answers; it is a `response` or a `response/error`, and `Dialogue.ts` knows the rest.
 */
import * as Schema from "effect/Schema"
import { known, open, optional, type Unrecognized } from "../wire/Open.ts"
import {
  type ClientNotifications,
  type ClientRequests,
  clientNotifications,
  clientRequests,
  type ServerNotifications,
  type ServerRequests,
  serverNotifications,
  serverRequests
} from "./generated/Methods.ts"
import { RequestId } from "./generated/Shared.ts"
import type { NotificationMethod, RequestMethod } from "./Method.ts"

/** The requests of a client, by method. */
export type ClientMethod = keyof ClientRequests

/** The requests of the server, by method. */
export type ServerMethod = keyof ServerRequests

/** A method that is answered, whoever asks. */
export type Answered = ClientMethod | ServerMethod

/** Every request of both sides. */
export interface Requests extends ClientRequests, ServerRequests {}

/** The requests of both sides by method. */
export const requests: Requests = { ...clientRequests, ...serverRequests }

/** What the request of a method takes. */
export type ParamsOf<M extends Answered> = Requests[M] extends RequestMethod<infer P, unknown> ? P : never

/** What the request of a method is answered with. */
export type ResultOf<M extends Answered> = Requests[M] extends RequestMethod<infer _, infer R> ? R : never

/** What every message may have. Codex never sends it, and ignores what a client writes there (§3.1). */
export interface Envelope {
  readonly jsonrpc?: "2.0" | Unrecognized
}

/** The part of a message that its method decides. Methods without params may be sent without any. */
export type WithParams<P> = null extends P ? { readonly params?: P } : { readonly params: P }

/** A request as it is on the wire. */
export type RequestMessage<M, P> = Envelope &
  WithParams<P> & {
    readonly id: RequestId
    readonly method: M
    /** The span that a client's request belongs to (W3C Trace Context). */
    readonly trace?: { readonly traceparent?: string | null; readonly tracestate?: string | null } | null
  }

/** A notification as it is on the wire. */
export type NotificationMessage<M, P> = Envelope &
  WithParams<P> & {
    readonly method: M
    /** When the server sent it, in milliseconds since 1970. Clients' notifications have none. */
    readonly emittedAtMs?: number
  }

/** The result of a request, whichever. */
export interface ResponseMessage extends Envelope {
  readonly id: RequestId
  readonly result: unknown
}

/** The schema of {@link ResponseMessage}. */
export const ResponseMessage: Schema.Codec<ResponseMessage> = open("ResponseMessage", {
  jsonrpc: optional(known("2.0")),
  id: RequestId,
  result: Schema.Unknown
})

/** The failure of a request, whichever. Codex has one code for almost everything, -32600 (§3.3). */
export interface ErrorMessage extends Envelope {
  readonly id: RequestId
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** The schema of {@link ErrorMessage}. */
export const ErrorMessage: Schema.Codec<ErrorMessage> = open("ErrorMessage", {
  jsonrpc: optional(known("2.0")),
  id: RequestId,
  error: open({ code: Schema.Finite, message: Schema.String, data: optional(Schema.Unknown) })
})

type RequestSchemas<T> = {
  readonly [M in keyof T]: T[M] extends RequestMethod<infer P, unknown> ? Schema.Codec<RequestMessage<M, P>> : never
}

type NotificationSchemas<T> = {
  readonly [M in keyof T]: T[M] extends NotificationMethod<infer P> ? Schema.Codec<NotificationMessage<M, P>> : never
}

/** The schemas of all messages by name. */
export interface Messages
  extends RequestSchemas<ClientRequests>,
    RequestSchemas<ServerRequests>,
    NotificationSchemas<ClientNotifications>,
    NotificationSchemas<ServerNotifications> {
  readonly response: typeof ResponseMessage
  readonly "response/error": typeof ErrorMessage
}

/** The name that a method's messages have in the JSON Schema files: `thread/goal/set` is `ThreadGoalSetMessage`. */
const identifierOf = (method: string): string =>
  `${method
    .split(/[/_]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")}Message`

const paramsField = (params: Schema.Top) => (mayBeNull(params) ? optional(params) : params)

const mayBeNull = ({ ast }: Schema.Top): boolean =>
  ast._tag === "Union" && ast.types.some(({ _tag }) => _tag === "Null")

const requestSchemas = <T extends object>(methods: T): RequestSchemas<T> =>
  Object.fromEntries(
    Object.entries(methods as Readonly<Record<string, RequestMethod<unknown, unknown>>>).map(([method, { params }]) => [
      method,
      open(identifierOf(method), {
        jsonrpc: optional(known("2.0")),
        id: RequestId,
        method: Schema.Literal(method),
        params: paramsField(params),
        trace: optional(Schema.NullOr(Trace))
      })
    ])
  ) as unknown as RequestSchemas<T>

const Trace = open("TraceContext", {
  traceparent: optional(Schema.NullOr(Schema.String)),
  tracestate: optional(Schema.NullOr(Schema.String))
})

const notificationSchemas = <T extends object>(methods: T): NotificationSchemas<T> =>
  Object.fromEntries(
    Object.entries(methods as Readonly<Record<string, NotificationMethod<unknown>>>).map(([method, { params }]) => [
      method,
      open(identifierOf(method), {
        jsonrpc: optional(known("2.0")),
        method: Schema.Literal(method),
        params: paramsField(params),
        emittedAtMs: optional(Schema.Finite)
      })
    ])
  ) as unknown as NotificationSchemas<T>

/** Every message by name. */
export const messages: Messages = {
  ...requestSchemas(clientRequests),
  ...requestSchemas(serverRequests),
  ...notificationSchemas(clientNotifications),
  ...notificationSchemas(serverNotifications),
  response: ResponseMessage,
  "response/error": ErrorMessage
}

/** The names of all messages. */
export type MessageName = keyof Messages

/** The message of a name, such as `MessageOf<"turn/started">`; of all names: any message. */
export type MessageOf<Name extends MessageName> = Messages[Name]["Type"]

/** Any message, in either direction. */
export type Message = MessageOf<MessageName>
