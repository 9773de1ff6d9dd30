/**
 * What the session says about itself, as a key of the shared state, so that the application's own state stays what it
 * is.
 */
import type { SessionInfo } from "../../model/Event.ts"
import { emptySituation, type Situation } from "../../model/Situation.ts"
import type { JsonObject } from "../../wire/Open.ts"
import type { AguiEvent } from "../Event.ts"
import { sessionStateKey } from "../SessionState.ts"
import { customNames } from "./CustomNames.ts"
import type { Writer } from "./Writer.ts"

/** The names that clients know, where they are not the model's. */
const stateNames: { readonly [K in keyof SessionInfo]?: string } = { mode: "permissionMode" }

/** What clients are told of a session. */
const told = (info: SessionInfo): JsonObject =>
  Object.fromEntries(Object.entries(info).map(([key, value]) => [stateNames[key as keyof SessionInfo] ?? key, value]))

/** By this a client says in its next request what it has had (read/Seen.ts). */
const markOf = ({ branch, prompt }: Conversed): JsonObject =>
  prompt === undefined ? {} : { conversation: { branch, prompt } }

/** How far a conversation is. */
type Conversed = Pick<Situation, "branch" | "prompt">

/** The shared state of a session, in a conversation that is so far. */
export const stateOf = (
  info: SessionInfo | undefined,
  conversed: Conversed = emptySituation
): { readonly [sessionStateKey]?: JsonObject } =>
  info === undefined ? {} : { [sessionStateKey]: { ...told(info), ...markOf(conversed) } }

/** The event that tells the client what session this is. */
export const sessionEvent = ({ settings, situation }: Writer, info: SessionInfo): AguiEvent =>
  settings.keyedState
    ? {
        type: "STATE_DELTA",
        delta: [{ op: "add", path: `/${sessionStateKey}`, value: { ...told(info), ...markOf(situation) } }]
      }
    : { type: "CUSTOM", name: customNames.sessionChanged, value: told(info) }
