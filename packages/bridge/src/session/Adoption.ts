/**
 * Threads of conversations that were begun without a bridge: with their history, and continued where they were.
 */
import * as Model from "@agentwire/protocol/model"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { trunk } from "../store/Checkpoint.ts"
import type { Batch, Store } from "../store/Store.ts"
import type { StoredThread } from "../store/StoredThread.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { type AgentOptions, encodeAgentOptions } from "./AgentOptions.ts"
import { filledPage } from "./FilledPage.ts"
import type { ListedConversation, ProviderConversations, ToldConversation } from "./ProviderConversations.ts"
import { refused, SessionRefused } from "./SessionRefused.ts"
import { workspaceIdOf } from "./Workspaces.ts"

/** Which conversations are wanted. */
export interface AdoptableQuery {
  /** Only those that were begun in this folder. */
  readonly cwd?: string | undefined
  /** What the page before said. */
  readonly before?: string | undefined
  /** How many at most. Default 50. */
  readonly limit?: number | undefined
}

/** Conversations that can be adopted, that which was written to last first. */
export interface AdoptablePage {
  readonly conversations: ReadonlyArray<ListedConversation>
  /** What to ask for the next page with; undefined when there is none. */
  readonly before: string | undefined
}

/** A conversation to make a thread of. */
export interface AdoptRequest {
  readonly providerSessionId: string
  /** Default: the provider's id. */
  readonly threadId?: string | undefined
  /** What the session is for, to the policy. */
  readonly mode?: string | undefined
  readonly agent?: Pick<AgentOptions, "model" | "permissionMode"> | undefined
}

/** A thread to be made, with what was said in it. */
export interface AdoptedThread {
  readonly thread: Omit<StoredThread, "workspaceId">
  readonly beginning: Pick<Batch, "checkpoint" | "entries">
}

const defaultLimit = 50

/** What can be adopted of what a provider has kept. */
export const readAdoptable = (
  store: Store["Service"],
  conversations: ProviderConversations | undefined,
  { before, cwd, limit = defaultLimit }: AdoptableQuery
): Effect.Effect<AdoptablePage, SessionRefused> =>
  Effect.gen(function* () {
    if (conversations === undefined) return { conversations: [], before: undefined }
    const known = yield* continuedIn(store, cwd === undefined ? undefined : workspaceIdOf(cwd))
    const { before: next, items } = yield* filledPage(
      { before, limit },
      (after, limit) =>
        Effect.map(conversations.list({ cwd, after, limit }), ({ conversations: items, next }) => ({
          items,
          before: next
        })),
      (items) => Effect.succeed(items.filter(({ providerSessionId }) => !known.has(providerSessionId)))
    )
    return { conversations: items, before: next }
  }).pipe(Effect.mapError(refused))

/** How many threads are read at once. */
const pageSize = 1000

/** The thread that continues each conversation of the provider. `workspaceId`: only of the threads of this one. */
const continuedIn = (
  store: Store["Service"],
  workspaceId: string | undefined
): Effect.Effect<ReadonlyMap<string, string>, StoreFailed> =>
  Effect.gen(function* () {
    const known = new Map<string, string>()
    let after: { readonly activeAt: number; readonly threadId: string } | undefined
    for (;;) {
      const page = yield* store.threads({
        limit: pageSize,
        ...(workspaceId !== undefined && { workspaceId }),
        ...(after !== undefined && { after })
      })
      for (const { providerSessionId, threadId } of page.threads)
        if (providerSessionId !== undefined) known.set(providerSessionId, threadId)
      after = page.threads.at(-1)
      if (!page.more) return known
    }
  })

/** The thread that a conversation becomes. */
export const readAdopted = (
  store: Store["Service"],
  conversations: ProviderConversations | undefined,
  { agent = {}, mode, providerSessionId, threadId = providerSessionId }: AdoptRequest
): Effect.Effect<AdoptedThread, SessionRefused> =>
  Effect.gen(function* () {
    if (conversations === undefined)
      return yield* new SessionRefused({
        code: "AGENT_UNSUPPORTED",
        message: "This kind of agent keeps no conversations that could be adopted."
      })
    const continued = (yield* continuedIn(store, undefined)).get(providerSessionId)
    if (continued !== undefined)
      return yield* new SessionRefused({
        code: "THREAD_EXISTS",
        message: `Thread ${continued} continues this conversation already.`
      })
    const told = yield* conversations.read(providerSessionId)
    if (told === undefined)
      return yield* new SessionRefused({
        code: "SESSION_NOT_FOUND",
        message: "The provider has kept no conversation of this id."
      })
    const { activeAt, cwd, kind, title, titleBy } = told
    const thread: AdoptedThread["thread"] = {
      threadId,
      cwd,
      providerSessionId: told.providerSessionId,
      options: encodeAgentOptions({ ...agent, runtime: kind }),
      archived: false,
      adopted: true,
      createdAt: yield* Clock.currentTimeMillis,
      activeAt,
      ...(mode !== undefined && { mode }),
      ...(title !== undefined && { title }),
      ...(titleBy !== undefined && { titleBy })
    }
    return { thread, beginning: beginningOf(told) }
  }).pipe(Effect.mapError(refused))

/** What was said in a conversation, as a thread begins with it. Nothing is open. */
const beginningOf = ({ events }: Pick<ToldConversation, "events">): Pick<Batch, "checkpoint" | "entries"> => {
  const { entries } = Model.transcriptOf(events)
  const told = events.reduce(Model.applyToSituation, Model.emptySituation)
  const closed = Model.closeSituation(told, { type: "completed" }).reduce(Model.applyToSituation, told)
  return {
    entries: entries.map((entry, position) => ({ position, branch: 0, entry })),
    checkpoint: {
      seq: 0,
      situation: Model.situationToJson(closed),
      path: trunk,
      nextPosition: entries.length
    }
  }
}
