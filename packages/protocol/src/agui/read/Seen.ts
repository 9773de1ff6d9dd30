/**
 * What a client has had, as it says so itself.
 *
 * AG-UI has no name for a client and no cursor, but every request brings the shared state back. So the session's part of
 * the state says which prompt a turn began with: a client whose state names a prompt has had everything before it, and
 * one whose state names an earlier prompt has not had what came later. An application that replaces the whole state takes
 * the mark away, and then nothing is known.
 */
import { isRecord } from "../../wire/Json.ts"
import { sessionStateKey } from "../SessionState.ts"
import type { KnownConversation, KnownEntry } from "./Divergence.ts"

/** The newest prompt that a client has had. */
export interface SeenMark {
  readonly prompt: string
  readonly branch: number
}

/** The mark in a client's state. */
export const seenMarkIn = (state: unknown): SeenMark | undefined => {
  const session = isRecord(state) ? state[sessionStateKey] : undefined
  const mark = isRecord(session) ? session["conversation"] : undefined
  if (!isRecord(mark)) return undefined
  const { branch, prompt } = mark
  return typeof prompt === "string" && typeof branch === "number" ? { prompt, branch } : undefined
}

/**
 * Whether a client with a mark has had an entry of the path. `unsure`: the entry belongs to the turn of the mark, which may
 * have been cut off on its way to the client; or there is no mark.
 */
export const hasSeen = (
  mark: SeenMark | undefined,
  { elsewhere, path }: Pick<KnownConversation, "path" | "elsewhere">
): ((entry: KnownEntry) => "had" | "lacks" | "unsure") => {
  const at =
    mark === undefined
      ? undefined
      : [...path, ...elsewhere].find(
          ({ branch, entry }) => entry.kind === "prompt" && entry.id === mark.prompt && branch === mark.branch
        )?.position
  if (at === undefined) return () => "unsure"
  const next = path.find(({ entry, position }) => entry.kind === "prompt" && position > at)?.position
  return ({ position }) => {
    if (position <= at) return "had"
    return next !== undefined && position >= next ? "lacks" : "unsure"
  }
}
