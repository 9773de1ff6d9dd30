/**
 * The threads in Codex's own folder as conversations that a bridge can adopt. Those without a folder of their own are left
 * out: nothing could resume them. The ends of their turns are points to go back to, as those of a thread of the bridge are.
 */
import { Rollout } from "@agentwire/protocol/codex"
import * as Effect from "effect/Effect"
import {
  ConversationUnreadable,
  type ListedConversation,
  type ProviderConversation,
  type ProviderConversations
} from "../../session/ProviderConversations.ts"
import type { TranscriptFailed } from "../kept/KeptFile.ts"
import { anchored, anchorOf } from "./Origin.ts"
import { findRollout, type ListedRollout, listRollouts, readRolloutOf } from "./RolloutFolder.ts"

/** The threads in the folder of all threads. */
export const keptConversations = (rollouts: string): ProviderConversations => ({
  list: ({ after, cwd, limit }) =>
    listRollouts({
      rollouts,
      limit,
      ...(cwd !== undefined && { cwd }),
      ...(after !== undefined && { before: after })
    }).pipe(
      Effect.map(({ more, threads }) => ({
        conversations: threads.flatMap(listed),
        next: more ? threads.at(-1)?.threadId : undefined
      })),
      // Nobody has used Codex yet.
      Effect.catchIf(isMissing(rollouts), () => Effect.succeed({ conversations: [], next: undefined })),
      Effect.mapError((failed) => (failed.code === "TRANSCRIPT_NOT_FOUND" ? badCursor : unreadable(failed)))
    ),
  read: (providerSessionId) =>
    Effect.gen(function* () {
      const place = yield* findRollout(rollouts, providerSessionId)
      // The beginning of an id is enough for the reader, and not for us: another thread may begin so tomorrow.
      if (place.threadId !== providerSessionId) return undefined
      const { session } = yield* readRolloutOf(place, rollouts)
      const { cwd, errand, parent } = session.facts
      // What Codex does by itself, and what its agents do for it, nobody has begun.
      if (cwd === undefined || errand !== undefined || parent !== undefined) return undefined
      const events = Rollout.rolloutEvents(session).flatMap(({ event, turn }) =>
        turn === undefined ? [event] : anchored([event], anchorOf(providerSessionId, turn))
      )
      return { ...conversation(providerSessionId, cwd, session.facts), events }
    }).pipe(
      Effect.catchIf(
        ({ code }) => code === "TRANSCRIPT_NOT_FOUND",
        () => Effect.undefined
      ),
      Effect.mapError(unreadable)
    )
})

const isMissing =
  (rollouts: string) =>
  ({ code, path }: TranscriptFailed): boolean =>
    code === "TRANSCRIPT_NOT_FOUND" && path === rollouts

const unreadable = ({ code, message }: { readonly code: string; readonly message: string }): ConversationUnreadable =>
  new ConversationUnreadable({ code, message })

const badCursor = new ConversationUnreadable({
  code: "BAD_CURSOR",
  message: "`before` is not what a page of this list said, or that thread is gone. Ask without it for the first page."
})

const listed = ({ facts, modifiedAt, threadId }: ListedRollout): ReadonlyArray<ListedConversation> =>
  facts.cwd === undefined
    ? []
    : [
        {
          ...conversation(threadId, facts.cwd, { ...facts, activeAt: facts.activeAt ?? modifiedAt }),
          writtenAt: modifiedAt
        }
      ]

const conversation = (
  providerSessionId: string,
  cwd: string,
  { activeAt, createdAt, model, title, version }: Rollout.RolloutFacts
): ProviderConversation => ({
  kind: "codex",
  providerSessionId,
  cwd,
  createdAt: createdAt ?? activeAt ?? 0,
  activeAt: activeAt ?? createdAt ?? 0,
  ...(title !== undefined && { title, titleBy: "prompt" as const }),
  ...(model !== undefined && { model }),
  ...(version !== undefined && { version })
})
