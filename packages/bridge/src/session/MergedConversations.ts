/**
 * What several kinds of agents have kept of their conversations, as one list: that which was written to last comes first,
 * whoever kept it. A place in the list is a place in the list of each kind.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { filledPage } from "./FilledPage.ts"
import { ConversationUnreadable, type ListedConversation, type ProviderConversations } from "./ProviderConversations.ts"

/** What each kind has kept, by its name. */
export type ConversationsByKind = ReadonlyMap<string, ProviderConversations>

/** One list of the lists of all kinds. */
export const mergedConversations = (kept: ConversationsByKind): ProviderConversations => ({
  list: ({ after, cwd, limit }) =>
    Effect.gen(function* () {
      const places = after === undefined ? {} : placesIn(after)
      if (places === undefined) return yield* badCursor
      const parts = yield* Effect.forEach([...kept], ([kind, { list }]) => partOf(kind, list, places[kind], cwd, limit))
      // Sorting is stable: each kind's stay in their order.
      const page = parts
        .flatMap(({ items, kind }) => items.map((item) => ({ item, kind })))
        .sort((a, b) => b.item.writtenAt - a.item.writtenAt)
        .slice(0, limit)
      const next: Places = Object.fromEntries(
        parts.flatMap(({ before, items, kind, rest }) => {
          const taken = page.filter((each) => each.kind === kind).length
          const place = taken === items.length ? rest : (items[taken - 1]?.providerSessionId ?? before)
          return place === undefined ? [] : [[kind, place]]
        })
      )
      const isOver = parts.every(({ kind }) => next[kind] === null)
      return { conversations: page.map(({ item }) => item), next: isOver ? undefined : cursorOf(next) }
    }),
  read: (providerSessionId) =>
    Effect.gen(function* () {
      for (const { read } of kept.values()) {
        const found = yield* read(providerSessionId)
        if (found !== undefined) return found
      }
      return undefined
    })
})

/** The next conversations of a kind, as many as a page may need. */
interface Part {
  readonly kind: string
  /** Its place before them. */
  readonly before: string | null | undefined
  readonly items: ReadonlyArray<ListedConversation>
  /** Its place after them. */
  readonly rest: string | null
}

const partOf = (
  kind: string,
  list: ProviderConversations["list"],
  before: string | null | undefined,
  cwd: string | undefined,
  limit: number
): Effect.Effect<Part, ConversationUnreadable> =>
  before === null
    ? Effect.succeed({ kind, before, items: [], rest: null })
    : filledPage<ListedConversation, ConversationUnreadable, never>(
        { before, limit },
        (after, atMost) =>
          Effect.map(list({ cwd, after, limit: atMost }), ({ conversations: items, next }) => ({
            items,
            before: next
          })),
        Effect.succeed
      ).pipe(Effect.map(({ before: rest = null, items }) => ({ kind, before, items, rest })))

/** The last conversation that was listed of each kind; null: there are no more of it. */
type Places = Readonly<Record<string, string | null>>

const Places = Schema.fromJsonString(Schema.Record(Schema.String, Schema.NullOr(Schema.String)))

const cursorOf = (places: Places): string => Buffer.from(JSON.stringify(places)).toString("base64url")

const placesIn = (cursor: string): Places | undefined =>
  Option.getOrUndefined(Schema.decodeOption(Places)(Buffer.from(cursor, "base64url").toString()))

const badCursor = new ConversationUnreadable({
  code: "BAD_CURSOR",
  message: "`before` is not what a page of this list said. Ask without it for the first page."
})
