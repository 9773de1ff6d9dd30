/**
 * Observes the sessions of a `Bridge` and notifies its listeners.
 */
import * as Agui from "@agentwire/protocol/agui"
import { parseJson } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { writeOptions } from "../face/agui/AguiThread.ts"
import { claudeFacts } from "../face/management/NativeClaude.ts"
import type { WireEntry } from "../log/WireLog.ts"
import type { SessionObserver } from "../observe/SessionObserver.ts"
import type { Session } from "../session/Session.ts"
import { approvalOf } from "./Approval.ts"
import type { Listeners } from "./Listeners.ts"

/** Notifies listeners of what a session does. */
export const listenerObserver =
  (listeners: Listeners): SessionObserver =>
  (session) =>
    Effect.sync(() => {
      const { threadId } = session
      const look = lookAt(listeners, session)
      let writer: Agui.Writer | undefined
      listeners.notify("session", { threadId, state: "opened" })
      return {
        events: (entries) =>
          Effect.andThen(
            Effect.sync(() => {
              for (const entry of entries) {
                writer ??= Agui.initialWriter(writeOptions(threadId, "event"), entry.before)
                const [next, events] = Agui.write(writer, entry.event)
                writer = next
                for (const event of events) listeners.notify("event", { threadId, seq: entry.seq, event })
              }
            }),
            look
          ),
        lines: (entries) =>
          Effect.andThen(
            look,
            Effect.sync(() => tellLines(listeners, threadId, entries))
          ),
        ended: Effect.andThen(
          look,
          Effect.sync(() => listeners.notify("session", { threadId, state: "closed" }))
        )
      }
    })

/** Reports what has changed about a session since it was last looked at. */
const lookAt = (listeners: Listeners, session: Session): Effect.Effect<void> => {
  const { threadId } = session
  let told: unknown
  let asked: ReadonlySet<string> = new Set()
  return Effect.gen(function* () {
    const { init } = yield* claudeFacts(session)
    if (init !== undefined && init !== told) {
      told = init
      listeners.notify("init", { threadId, init })
    }
    const waiting = (yield* session.waiting).filter(({ request }) => request.kind !== "page_tool")
    const before = asked
    asked = new Set(waiting.map(({ request }) => request.id))
    for (const question of waiting)
      if (!before.has(question.request.id)) listeners.notify("approval", approvalOf(threadId, question))
  })
}

const tellLines = (listeners: Listeners, threadId: string, entries: ReadonlyArray<WireEntry>): void => {
  if (!listeners.has("message")) return
  for (const { from, line } of entries)
    if (from === "agent") listeners.notify("message", { threadId, line, message: messageIn(line) })
}

/** What is no JSON is its own message. */
const messageIn = (line: string): unknown => {
  const value = parseJson(line)
  return value === undefined ? line : value
}
