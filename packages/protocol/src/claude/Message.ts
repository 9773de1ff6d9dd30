/**
 * Every message of Claude Code's wire, both directions, by name.
 *
 * A name is `type`, or `type/subtype` where the type has subtypes. The same table serves
 * the CLI's output and the host's: no name means two things.
 */
import type * as Schema from "effect/Schema"
import { Assistant } from "./Assistant.ts"
import { ControlCancelRequest, controlRequestMessages, controlResponses } from "./Control.ts"
import { notices } from "./Notice.ts"
import { results } from "./Result.ts"
import { streamEvents } from "./StreamEvent.ts"
import { systemMessages } from "./System.ts"
import { User } from "./User.ts"

const named = <const Type extends string, const T extends Readonly<Record<string, Schema.Top>>>(
  type: Type,
  subtypes: T
): { readonly [Subtype in keyof T & string as `${Type}/${Subtype}`]: T[Subtype] } =>
  Object.fromEntries(
    Object.entries(subtypes).map(([subtype, schema]) => [`${type}/${subtype}`, schema])
  ) as never

/** Every message by name. */
export const messages = {
  assistant: Assistant,
  user: User,
  ...named("stream_event", streamEvents),
  ...named("result", results),
  ...named("system", systemMessages),
  ...named("control_request", controlRequestMessages),
  ...named("control_response", controlResponses),
  control_cancel_request: ControlCancelRequest,
  ...notices
} as const

/** The names of all messages. */
export type MessageName = keyof typeof messages

/** The message of a name, such as `MessageOf<"system/init">`; of all names: any message. */
export type MessageOf<Name extends MessageName> = (typeof messages)[Name]["Type"]

/** Any message, in either direction. */
export type Message = MessageOf<MessageName>
