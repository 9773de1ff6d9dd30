/**
 * What the session says about itself, as a key of the shared state, so that the application's own state stays what it
 * is.
 */
import type { SessionInfo } from "../../model/Event.ts"
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

/** The shared state of a session. */
export const stateOf = (info: SessionInfo | undefined): { readonly [sessionStateKey]?: JsonObject } =>
  info === undefined ? {} : { [sessionStateKey]: told(info) }

/** The event that tells the client what session this is. */
export const sessionEvent = ({ settings }: Writer, info: SessionInfo): AguiEvent =>
  settings.keyedState
    ? { type: "STATE_DELTA", delta: [{ op: "add", path: `/${sessionStateKey}`, value: told(info) }] }
    : { type: "CUSTOM", name: customNames.sessionChanged, value: told(info) }
