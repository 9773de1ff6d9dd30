/**
 * The shared state: the application's own, which stays what it is, and what the session says about itself as a key of
 * it.
 *
 * Clients say what the application's state is, with each run. Nobody sends it back to them while they run: they may have
 * changed it meanwhile.
 */
import type { SessionInfo } from "../../model/Event.ts"
import type { Situation } from "../../model/Situation.ts"
import { isRecord } from "../../wire/Json.ts"
import type { JsonObject } from "../../wire/Open.ts"
import type { AguiEvent } from "../Event.ts"
import { broughtState, sessionStateKey } from "../SessionState.ts"
import { customNames } from "./CustomNames.ts"
import type { Writer } from "./Writer.ts"

/** The names that clients know, where they are not the model's. */
const stateNames: { readonly [K in keyof SessionInfo]?: string } = { mode: "permissionMode" }

/** What clients are told of a session. */
const told = (info: SessionInfo): JsonObject =>
  Object.fromEntries(Object.entries(info).map(([key, value]) => [stateNames[key as keyof SessionInfo] ?? key, value]))

/** Whether a state can have keys: one that nobody has set can. */
export const takesKeys = (state: unknown): boolean => state === undefined || isRecord(state)

/** How far a conversation is. */
type Conversed = Partial<Pick<Situation, "branch" | "newest">>

/** What a client is told of a session, and a mark by which it says in its next request what it has had (read/Seen.ts). */
const marked = (info: SessionInfo, { branch = 0, newest }: Conversed): JsonObject => ({
  ...told(info),
  ...(newest !== undefined && { conversation: { branch, last: newest } })
})

/** The shared state of a session: the application's, and what the session says about itself as a key of it. */
export const stateOf = (info: SessionInfo | undefined, state?: unknown, conversed: Conversed = {}): unknown => {
  if (!takesKeys(state)) return state
  const own: JsonObject = isRecord(state) ? state : {}
  return info === undefined ? own : { ...own, [sessionStateKey]: marked(info, conversed) }
}

/** The event that tells the client what session this is. */
export const sessionEvent = (
  { settings, situation }: Pick<Writer, "settings" | "situation">,
  info: SessionInfo
): AguiEvent => (settings.keyedState && takesKeys(situation.state) ? keyEvent(info, situation) : customEvent(info))

/** The event that tells the client what it has had by now, for its next request; none where nobody wants that. */
export const markEvents = ({
  settings,
  situation
}: Pick<Writer, "settings" | "situation">): ReadonlyArray<AguiEvent> =>
  settings.marks && settings.keyedState && situation.session !== undefined && takesKeys(situation.state)
    ? [keyEvent(situation.session, situation)]
    : []

const keyEvent = (info: SessionInfo, conversed: Conversed): AguiEvent => ({
  type: "STATE_DELTA",
  delta: [{ op: "add", path: `/${sessionStateKey}`, value: marked(info, conversed) }]
})

const customEvent = (info: SessionInfo): AguiEvent => ({
  type: "CUSTOM",
  name: customNames.sessionChanged,
  value: told(info)
})

/**
 * The events that give the shared state to a client that joins and has sent its own. A snapshot would take away what the
 * client has changed since, and what it has not sent yet (docs/wire/ag-ui.md §3.4): only one that has none gets it. A
 * state nobody set is not sent at all.
 */
export const stateEvents = (
  situation: Pick<Situation, "session" | "state"> & Conversed,
  sent: unknown
): ReadonlyArray<AguiEvent> => {
  const { session, state } = situation
  const brought = broughtState(sent)
  if (brought === undefined)
    return session === undefined && isEmptyState(state)
      ? []
      : [{ type: "STATE_SNAPSHOT", snapshot: stateOf(session, state, situation) }]
  if (session === undefined) return []
  return [takesKeys(brought.state) ? keyEvent(session, situation) : customEvent(session)]
}

/** Whether a state says nothing. */
export const isEmptyState = (state: unknown): boolean =>
  state === undefined || (isRecord(state) && Object.keys(state).length === 0)
