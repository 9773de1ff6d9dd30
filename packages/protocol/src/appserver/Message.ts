/**
 * What a client of the app-server is told and asked, by Codex's own schemas. Whoever has the connection numbers what is
 * asked, and writes the lines.
 */
import type * as Schema from "effect/Schema"
import type { ServerNotifications, ServerRequests } from "../codex/generated/Methods.ts"
import type { Event } from "../model/Event.ts"

/** An event, and when it happened, in milliseconds since 1970. */
export interface Timed<E extends Event = Event> {
  readonly at: number
  readonly event: E
}

type ParamsIn<Rows, M extends keyof Rows> = Rows[M] extends { readonly params: Schema.Codec<infer P> } ? P : never

/** What a notification of a method says. */
export type NotificationParams<M extends keyof ServerNotifications> = ParamsIn<ServerNotifications, M>

/** What a request of the server asks. */
export type QuestionParams<M extends keyof ServerRequests> = ParamsIn<ServerRequests, M>

/** The methods by which a client is asked something. */
export const askMethods = [
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/tool/requestUserInput",
  "mcpServer/elicitation/request",
  "item/tool/call"
] as const

/** A method by which a client is asked something. */
export type AskMethod = (typeof askMethods)[number]

/** A client is told something. */
export type Notification = {
  readonly [M in keyof ServerNotifications]: {
    readonly _tag: "Notification"
    readonly method: M
    readonly params: NotificationParams<M>
  }
}[keyof ServerNotifications]

/** A client is asked something: the connection numbers it, and remembers the number by the model's id of the request. */
export type Ask = {
  readonly [M in AskMethod]: {
    readonly _tag: "Ask"
    readonly request: string
    readonly method: M
    readonly params: QuestionParams<M>
  }
}[AskMethod]

/** A question is closed: whoever was asked, and has not answered, is told so by `serverRequest/resolved`. */
export interface Resolved {
  readonly _tag: "Resolved"
  /** The model's id of the request. */
  readonly request: string
  /** The thread that it was asked on. */
  readonly threadId: string
}

/** What goes to a client. */
export type AppServerOut = Notification | Ask | Resolved
