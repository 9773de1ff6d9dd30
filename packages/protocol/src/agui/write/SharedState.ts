/**
 * What the session says about itself, as a key of the shared state, so that the application's own state stays what it
 * is.
 */
import type { SessionInfo } from "../../model/Event.ts"
import type { AguiEvent } from "../Event.ts"
import { sessionStateKey } from "../SessionState.ts"
import { customNames } from "./CustomNames.ts"
import type { Writer } from "./Writer.ts"

/** The shared state of a session. */
export const stateOf = (info: SessionInfo | undefined): { readonly [sessionStateKey]?: SessionInfo } =>
  info === undefined ? {} : { [sessionStateKey]: info }

/** The event that tells the client what session this is. */
export const sessionEvent = ({ settings }: Writer, info: SessionInfo): AguiEvent =>
  settings.keyedState
    ? { type: "STATE_DELTA", delta: [{ op: "add", path: `/${sessionStateKey}`, value: info }] }
    : { type: "CUSTOM", name: customNames.sessionChanged, value: info }
