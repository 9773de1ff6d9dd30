/**
 * A session without an agent, for tests to build theirs on.
 */
import * as Effect from "effect/Effect"
import type { EventLog } from "../src/log/EventLog.ts"
import { makeWireLog } from "../src/log/WireLog.ts"
import { claudeCapabilities } from "../src/runtime/claude/Capabilities.ts"
import { NativeFailed, StartFailed } from "../src/session/Runtime.ts"
import { NothingPending, type Session, SteerRefused, ThreadBusy, ToolCallFailed } from "../src/session/Session.ts"

const noAgent = new StartFailed({ code: "GONE", message: "No agent." })

/** A session that does nothing. */
export const bareSession = (threadId: string, log: EventLog): Session => ({
  threadId,
  cwd: "/work",
  createdAt: 0,
  openedAt: 0,
  log,
  wire: makeWireLog(),
  status: Effect.succeed("idle"),
  mode: undefined,
  agent: Effect.succeed({ kind: "claude", name: "Fake Agent", capabilities: claudeCapabilities(false) }),
  options: Effect.succeed({}),
  title: Effect.undefined,
  onTitled: () => () => undefined,
  rename: () => Effect.void,
  providerSessionId: Effect.undefined,
  submit: () => Effect.fail(new ThreadBusy({ threadId, message: "No agent." })),
  steer: () =>
    Effect.fail(new SteerRefused({ threadId, code: "NOTHING_TO_STEER", message: `Thread ${threadId} does nothing.` })),
  goBack: () => Effect.fail(noAgent),
  stop: () => Effect.succeed(false),
  waiting: Effect.succeed([]),
  prompts: Effect.succeed([]),
  answer: (id) => Effect.fail(new NothingPending({ id, message: "Nothing waits." })),
  tools: Effect.succeed([]),
  callTool: () => Effect.fail(new ToolCallFailed({ code: "NO_SUCH_TOOL", message: "No tools." })),
  start: Effect.fail(noAgent),
  set: () => Effect.fail(noAgent),
  native: {
    request: (method) => Effect.fail(new NativeFailed({ code: "UNSUPPORTED", method, message: "No agent." })),
    send: () => Effect.fail(noAgent),
    facts: Effect.succeed({})
  },
  disconnect: Effect.void
})
