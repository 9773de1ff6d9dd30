/** What happens in a session is told under the name of the event, and only where somebody wants it. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeEventBus } from "../../src/extension/EventBus.ts"
import type { ExtensionEvent } from "../../src/extension/Extension.ts"
import { tellSessions } from "../../src/extension/SessionEvents.ts"
import { FakeSession } from "../FakeSessions.ts"
import { testLog } from "../TestLog.ts"

it.effect("tellSessions tells what is wanted", () =>
  Effect.gen(function* () {
    const bus = makeEventBus()
    const heard: Array<ExtensionEvent> = []
    bus.subscribe(
      (type) => type === "session.turn_ended",
      (event) => heard.push(event)
    )
    const fake = new FakeSession("t", testLog({}), () => undefined)
    const { events } = yield* tellSessions(bus)(fake.session())
    const situation = fake.log.situation()
    const entry = { at: 5, before: situation, line: undefined }
    const ended = { type: "turn_ended", outcome: { type: "completed" } } as const
    yield* events?.([
      { ...entry, seq: 1, event: { type: "turn_started", cause: "agent" } },
      { ...entry, seq: 2, event: ended }
    ]) ?? Effect.void
    expect(heard).toEqual([{ type: "session.turn_ended", payload: { threadId: "t", seq: 2, at: 5, event: ended } }])
  })
)
