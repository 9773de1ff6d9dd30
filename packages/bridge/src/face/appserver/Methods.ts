/**
 * Every method that is answered, and what does its work. The rest of Codex's methods is refused with `METHOD_UNSUPPORTED`:
 * what runs programs and touches files past the agent, and what is about accounts, plugins and Codex's own machinery.
 */

import type { Refusal } from "@agentwire/protocol/jsonrpc"
import { isRecord } from "@agentwire/protocol/wire"
import type * as Effect from "effect/Effect"
import type { Sessions } from "../../session/Sessions.ts"
import type { Call, Handlers } from "./Call.ts"
import { refuse } from "./Refusals.ts"
import { settingHandlers } from "./SettingMethods.ts"
import { rollback, threadHandlers } from "./ThreadMethods.ts"
import { threadSettingHandlers } from "./ThreadSettings.ts"
import { turnHandlers } from "./TurnMethods.ts"

/** The methods of Codex's protocol that are answered. */
export const handlers: Handlers = {
  ...settingHandlers,
  ...threadHandlers,
  ...threadSettingHandlers,
  ...turnHandlers
}

/** Methods that the newest Codex has no more, for clients of older ones. */
export const olderMethods: Readonly<
  Record<string, (params: unknown, call: Call) => Effect.Effect<unknown, Refusal, Sessions>>
> = {
  "thread/rollback": (params, call) => {
    const { numTurns, threadId } = isRecord(params) ? params : {}
    if (typeof threadId !== "string") return refuse("Invalid request: missing field `threadId`")
    return typeof numTurns === "number" && Number.isSafeInteger(numTurns) && numTurns > 0
      ? rollback(threadId, numTurns, call)
      : refuse("Invalid request: missing field `numTurns`")
  }
}

/** Their names, in order. */
export const answeredMethods: ReadonlyArray<string> = [...Object.keys(handlers), ...Object.keys(olderMethods)].sort()
