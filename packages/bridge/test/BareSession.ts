/**
 * A session without an agent, for tests to build theirs on.
 */
import * as Effect from "effect/Effect"
import type { EventLog } from "../src/log/EventLog.ts"
import { makeWireLog } from "../src/log/WireLog.ts"
import { ControlFailed } from "../src/runtime/claude/ControlPlane.ts"
import { NothingPending, type Session, StartFailed, ThreadBusy, ToolCallFailed } from "../src/session/Session.ts"

const noAgent = new StartFailed({ code: "GONE", message: "No agent." })

/** A session that does nothing. */
export const bareSession = (threadId: string, log: EventLog): Session => ({
  threadId,
  cwd: "/work",
  openedAt: 0,
  log,
  wire: makeWireLog(),
  status: Effect.succeed("idle"),
  mode: undefined,
  title: Effect.undefined,
  init: Effect.undefined,
  greeting: Effect.undefined,
  providerSessionId: Effect.undefined,
  run: () => Effect.fail(new ThreadBusy({ threadId, message: "No agent." })),
  delivered: () => Effect.void,
  stop: () => Effect.succeed(false),
  pending: Effect.succeed([]),
  answer: (id) => Effect.fail(new NothingPending({ id, message: "Nothing waits." })),
  tools: Effect.succeed([]),
  callTool: () => Effect.fail(new ToolCallFailed({ code: "NO_SUCH_TOOL", message: "No tools." })),
  answerTool: () => Effect.succeed(false),
  start: Effect.fail(noAgent),
  send: () => Effect.fail(noAgent),
  control: (subtype) => Effect.fail(new ControlFailed({ code: "UNSUPPORTED", subtype, message: "No agent." })),
  disconnect: Effect.void
})
