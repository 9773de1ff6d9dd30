/**
 * Every message of Claude Code's wire, both directions, by name.
 *
 * A name is `type`, or `type/subtype` where the type has subtypes. The same table serves
 * the CLI's output and the host's: no name means two things.
 */
import { Assistant } from "./Assistant.ts"
import { ControlCancelRequest, controlRequestMessages, controlResponses } from "./Control.ts"
import { notices } from "./Notice.ts"
import { results } from "./Result.ts"
import { streamEvents } from "./StreamEvent.ts"
import { systemMessages } from "./System.ts"
import { User } from "./User.ts"

type Named<Type extends string, T> = {
  readonly [Subtype in keyof T & string as `${Type}/${Subtype}`]: T[Subtype]
}

const named = <const Type extends string, const T extends object>(type: Type, subtypes: T): Named<Type, T> =>
  Object.fromEntries(Object.entries(subtypes).map(([subtype, schema]) => [`${type}/${subtype}`, schema])) as Named<
    Type,
    T
  >

/** The schemas of all messages by name. */
export interface Messages
  extends Named<"stream_event", typeof streamEvents>,
    Named<"result", typeof results>,
    Named<"system", typeof systemMessages>,
    Named<"control_request", typeof controlRequestMessages>,
    Named<"control_response", typeof controlResponses>,
    Readonly<typeof notices> {
  readonly assistant: typeof Assistant
  readonly user: typeof User
  readonly control_cancel_request: typeof ControlCancelRequest
}

/** Every message by name. */
export const messages: Messages = {
  assistant: Assistant,
  user: User,
  ...named("stream_event", streamEvents),
  ...named("result", results),
  ...named("system", systemMessages),
  ...named("control_request", controlRequestMessages),
  ...named("control_response", controlResponses),
  control_cancel_request: ControlCancelRequest,
  ...notices
}

/** The names of all messages. */
export type MessageName = keyof Messages

/** The message of a name, such as `MessageOf<"system/init">`; of all names: any message. */
export type MessageOf<Name extends MessageName> = Messages[Name]["Type"]

/** Any message, in either direction. */
export type Message = MessageOf<MessageName>
