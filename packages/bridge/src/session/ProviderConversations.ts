/**
 * What a kind of agent has kept of its conversations by itself, for those that were begun without a bridge: in a terminal,
 * for example. The port alone; each runtime that keeps any fills it.
 */
import type * as Model from "@agentwire/protocol/model"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { StoredThread } from "../store/StoredThread.ts"

/** What is known of a conversation that the provider has kept. */
export interface ProviderConversation extends Pick<StoredThread, "title" | "titleBy"> {
  /** What it is resumed by. */
  readonly providerSessionId: string
  /** The folder it was begun in, which it can be resumed from. */
  readonly cwd: string
  /** When it was begun, in milliseconds since 1970. */
  readonly createdAt: number
  /** When the last message was said. */
  readonly activeAt: number
  readonly model?: string
  /** The version of the agent that wrote to it last. */
  readonly version?: string
}

/** A conversation, with all that happened in it. Every turn has ended. */
export interface ToldConversation extends ProviderConversation {
  readonly events: ReadonlyArray<Model.Event>
}

/** What the provider has kept cannot be had. */
export class ConversationUnreadable extends Schema.TaggedError<ConversationUnreadable>()("ConversationUnreadable", {
  /** Stable: see docs/errors.md. */
  code: Schema.String,
  message: Schema.String
}) {}

/** Which conversations are wanted: the newest. */
export interface ConversationQuery {
  /** Only those that were begun in this folder. */
  readonly cwd?: string | undefined
  /** What the part of the list before said. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Conversations that a provider has kept. */
export interface ProviderConversations {
  /** Those that were written to last come first. */
  readonly list: (query: ConversationQuery) => Effect.Effect<
    {
      readonly conversations: ReadonlyArray<ProviderConversation>
      /** What to ask for the next part with; undefined when there is none. */
      readonly next: string | undefined
    },
    ConversationUnreadable
  >
  /** Undefined: there is none. */
  readonly read: (providerSessionId: string) => Effect.Effect<ToldConversation | undefined, ConversationUnreadable>
}
