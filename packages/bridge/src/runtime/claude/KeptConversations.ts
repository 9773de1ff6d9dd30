/**
 * The sessions in Claude Code's own folder as conversations that a bridge can adopt. Those without a folder of their own
 * are left out: nothing could resume them.
 */
import type { Transcript } from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import {
  ConversationUnreadable,
  type ListedConversation,
  type ProviderConversation,
  type ProviderConversations
} from "../../session/ProviderConversations.ts"
import type { TranscriptFailed } from "../kept/KeptFile.ts"
import { type ListedSession, listSessions } from "./SessionFolder.ts"
import { adoptSession } from "./Transcripts.ts"

/** The sessions in the folder of all projects. */
export const keptConversations = (projects: string): ProviderConversations => ({
  list: ({ after, cwd, limit }) =>
    listSessions({
      projects,
      limit,
      ...(cwd !== undefined && { cwd }),
      ...(after !== undefined && { before: after })
    }).pipe(
      Effect.map(({ more, sessions }) => ({
        conversations: sessions.flatMap(listed),
        next: more ? sessions.at(-1)?.sessionId : undefined
      })),
      // Nobody has used the CLI yet.
      Effect.catchIf(isMissing(projects), () => Effect.succeed({ conversations: [], next: undefined })),
      Effect.mapError((failed) => (failed.code === "TRANSCRIPT_NOT_FOUND" ? badCursor : unreadable(failed)))
    ),
  read: (providerSessionId) =>
    adoptSession(projects, providerSessionId).pipe(
      Effect.map((session) => {
        const { cwd, events } = session
        // The beginning of an id is enough for the reader, and not for us: another session may begin so tomorrow.
        if (cwd === undefined || session.providerSessionId !== providerSessionId) return undefined
        return { ...conversation({ ...session, cwd }), events: events.map(({ event }) => event) }
      }),
      Effect.catchIf(
        ({ code }) => code === "TRANSCRIPT_NOT_FOUND",
        () => Effect.undefined
      ),
      Effect.mapError(unreadable)
    )
})

const isMissing =
  (projects: string) =>
  ({ code, path }: TranscriptFailed): boolean =>
    code === "TRANSCRIPT_NOT_FOUND" && path === projects

const unreadable = ({ code, message }: { readonly code: string; readonly message: string }): ConversationUnreadable =>
  new ConversationUnreadable({ code, message })

const badCursor = new ConversationUnreadable({
  code: "BAD_CURSOR",
  message: "`before` is not what a page of this list said, or that session is gone. Ask without it for the first page."
})

const listed = ({ facts, modifiedAt, sessionId }: ListedSession): ReadonlyArray<ListedConversation> => {
  const { cwd } = facts
  return cwd === undefined
    ? []
    : [
        {
          ...conversation({
            ...facts,
            providerSessionId: sessionId,
            cwd,
            activeAt: facts.activeAt ?? modifiedAt
          }),
          writtenAt: modifiedAt
        }
      ]
}

type Known = Pick<Transcript.TranscriptFacts, "title" | "titleBy" | "model" | "version" | "createdAt" | "activeAt"> & {
  readonly providerSessionId: string
  readonly cwd: string
}

const conversation = ({
  activeAt,
  createdAt,
  cwd,
  model,
  providerSessionId,
  title,
  titleBy,
  version
}: Known): ProviderConversation => ({
  kind: "claude",
  providerSessionId,
  cwd,
  createdAt: createdAt ?? activeAt ?? 0,
  activeAt: activeAt ?? createdAt ?? 0,
  ...(title !== undefined && { title }),
  ...(titleBy !== undefined && { titleBy }),
  ...(model !== undefined && { model }),
  ...(version !== undefined && { version })
})
