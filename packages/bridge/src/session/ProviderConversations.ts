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
  /** The kind of agent that goes on with it: the option `runtime` of its session. */
  readonly kind: string
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

/** A conversation of a list. */
export interface ListedConversation extends ProviderConversation {
  /** When it was written to last, in milliseconds since 1970: what the list is sorted by. */
  readonly writtenAt: number
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
  /** Those after the conversation of this id in the list, such as the last of the part before. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Conversations that a provider has kept. */
export interface ProviderConversations {
  /** Those that were written to last come first. */
  readonly list: (query: ConversationQuery) => Effect.Effect<
    {
      readonly conversations: ReadonlyArray<ListedConversation>
      /** What to ask for the next part with; undefined when there is none. */
      readonly next: string | undefined
    },
    ConversationUnreadable
  >
  /** Undefined: there is none. */
  readonly read: (providerSessionId: string) => Effect.Effect<ToldConversation | undefined, ConversationUnreadable>
}
