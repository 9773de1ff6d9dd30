import "agentwire/vitest"
import { expect, test } from "vitest"

test("what my server answers is AG-UI", async () => {
  const events = [
    { type: "RUN_STARTED", threadId: "t", runId: "r" },
    { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hello." },
    { type: "TEXT_MESSAGE_END", messageId: "m" },
    { type: "RUN_FINISHED", threadId: "t", runId: "r" }
  ]
  expect(events).toConformToAgui()
})
