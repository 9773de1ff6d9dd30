/**
 * Threads of the bridge as Codex's clients see them.
 */
import type { ResultOf } from "@agentwire/protocol/codex"
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import type { SessionSummary } from "../../session/Sessions.ts"
import type { AppServerOptions } from "./Shared.ts"
import { wireIdOf } from "./ThreadIds.ts"

/** A thread on the wire. */
export type WireThread = ResultOf<"thread/start">["thread"]

/** A turn on the wire. */
export type WireTurn = WireThread["turns"][number]

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** What is not known from the list of threads. */
export interface ThreadDetails {
  readonly status: WireThread["status"]
  readonly model?: string | undefined
  readonly ephemeral?: boolean
  readonly turns?: ReadonlyArray<WireTurn>
}

/** What a thread is made of. */
export type ThreadFacts = Pick<SessionSummary, "threadId" | "createdAt" | "usedAt" | "title" | "forkOf"> & {
  readonly cwd: string
}

/** A thread. */
export const threadOf = (
  facts: ThreadFacts,
  { runtime, version = "0.0.0" }: AppServerOptions,
  { ephemeral = false, model, status, turns = [] }: ThreadDetails
): WireThread => {
  const id = wireIdOf(facts.threadId)
  return {
    id,
    environments: null,
    extra: null,
    sessionId: id,
    forkedFromId: facts.forkOf === undefined ? null : wireIdOf(facts.forkOf),
    parentThreadId: null,
    preview: facts.title ?? "",
    ephemeral,
    section: null,
    sectionEnteredAt: null,
    projectId: null,
    historyMode: "paginated",
    modelProvider: runtime,
    model: model ?? null,
    reasoningEffort: null,
    createdAt: seconds(facts.createdAt),
    updatedAt: seconds(facts.usedAt),
    recencyAt: seconds(facts.usedAt),
    status,
    // Threads are in a database. Clients leave out of their lists what has no path (codex-acp 2.6.0), so this names it.
    path: ephemeral ? null : `agentwire:/threads/${id}`,
    cwd: facts.cwd,
    cliVersion: version,
    originator: "agentwire",
    // Codex says so of a plain client on stdio, and clients list no others (docs/wire/codex.md §2).
    source: "vscode",
    canAcceptDirectInput: true,
    threadSource: null,
    agentNickname: null,
    agentRole: null,
    gitInfo: null,
    name: facts.title ?? null,
    daybreakEnabled: null,
    turns
  }
}

/** What a thread is doing, as a list shows it. */
export const listedStatus = ({ status }: Pick<SessionSummary, "status">): WireThread["status"] => {
  switch (status) {
    case "active":
      return { type: "active", activeFlags: [] }
    case "disconnected":
    case "terminated":
      return { type: "notLoaded" }
    default:
      return { type: "idle" }
  }
}

/** What an open thread is doing. */
export const openStatus = (session: Session): Effect.Effect<WireThread["status"]> =>
  Effect.map(session.waiting, (waiting): WireThread["status"] => {
    if (session.log.situation().turn === undefined) return { type: "idle" }
    const kinds = waiting.map(({ request }) => request.kind)
    const isAsked = kinds.some((kind) => kind === "permission" || kind === "plan")
    const isWaitedFor = kinds.some((kind) => kind === "choice" || kind === "form")
    return {
      type: "active",
      activeFlags: [
        ...(isAsked ? ["waitingOnApproval" as const] : []),
        ...(isWaitedFor ? ["waitingOnUserInput" as const] : [])
      ]
    }
  })
