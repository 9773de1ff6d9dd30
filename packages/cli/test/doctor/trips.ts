/** Round trips as they go well, for tests to break one thing of. */
import { Agui } from "@agentwire/protocol"
import { modelAnswer, type RoundTrip } from "../../src/doctor/RoundTrip.ts"

const ids = { threadId: "t", runId: "r" }

/** A run that says a text. */
export const saying = (text: string): ReadonlyArray<Agui.AguiEvent> => [
  { type: "RUN_STARTED", ...ids, protocolVersion: Agui.PROTOCOL_VERSION },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: text },
  { type: "TEXT_MESSAGE_END", messageId: "m" },
  { type: "RUN_FINISHED", ...ids }
]

/** A run that fails. */
export const failing = (message: string): ReadonlyArray<Agui.AguiEvent> => [
  { type: "RUN_STARTED", ...ids, protocolVersion: Agui.PROTOCOL_VERSION },
  { type: "RUN_ERROR", message, code: "GONE" }
]

/** A round trip, but for what a test says of it. */
export const aRoundTrip = (but: Partial<RoundTrip> = {}): RoundTrip => ({
  input: { ...ids, protocolVersion: Agui.PROTOCOL_VERSION, messages: [{ id: "u", role: "user", content: "Hi" }] },
  events: saying(modelAnswer),
  ended: true,
  status: "idle",
  asked: 1,
  milliseconds: 1234,
  process: { stdout: "", stderr: "" },
  ...but
})
