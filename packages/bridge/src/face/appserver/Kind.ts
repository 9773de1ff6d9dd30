/** Which program a session talks to. */
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import type { Call } from "./Call.ts"

/** Whether the agent of a session is Codex. */
export const isCodex = (session: Session, { client }: Call): Effect.Effect<boolean> =>
  Effect.map(session.options, ({ runtime }) => (runtime ?? client.shared.options.runtime) === "codex")
