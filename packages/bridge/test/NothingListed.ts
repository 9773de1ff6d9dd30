/**
 * Sessions that know of no threads but those that are asked for: for tests of what else there is.
 */
import * as Effect from "effect/Effect"
import { SessionRefused, type Sessions } from "../src/session/Sessions.ts"

const notHere = Effect.fail(new SessionRefused({ code: "SESSION_NOT_FOUND", message: "There is nothing here." }))

/** Empty lists. */
export const nothingListed: Pick<
  Sessions["Service"],
  | "agents"
  | "list"
  | "page"
  | "summary"
  | "history"
  | "branches"
  | "fork"
  | "change"
  | "workspaces"
  | "adoptable"
  | "adopt"
  | "statuses"
  | "onTitled"
> = {
  agents: [],
  list: Effect.succeed([]),
  onTitled: () => Effect.void,
  statuses: Effect.succeed([]),
  page: () => Effect.succeed({ sessions: [], before: undefined }),
  summary: () => Effect.undefined,
  history: () => Effect.undefined,
  branches: () => Effect.undefined,
  fork: () => Effect.undefined,
  change: () => Effect.undefined,
  workspaces: {
    list: Effect.succeed([]),
    get: () => Effect.undefined,
    ofFolder: () => notHere,
    change: () => Effect.undefined,
    remove: () => Effect.succeed(false)
  },
  adoptable: () => Effect.succeed({ conversations: [], before: undefined }),
  adopt: () => notHere
}
