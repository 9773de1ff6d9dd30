/** `@agentwire/protocol/conform`: judges streams of AG-UI. */
import { decodeLine } from "@agentwire/protocol/claude"
import {
  checkEvents,
  checkFidelity,
  checkResponseHead,
  makeChecker,
  makeSseChecker,
  maxFrameLength,
  rules,
  verdictOf,
  windowSize
} from "@agentwire/protocol/conform"

const events = [
  { type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" },
  { type: "RUN_FINISHED", threadId: "t", runId: "r" }
]

// A whole stream.
console.log(checkEvents(events, { dialect: "1.0" }).verdict) // pass

// Event by event, with the verdict at the end.
const checker = makeChecker({ frontendTools: ["show_map"] })
const findings = [...events.slice(1).flatMap(checker.push), ...checker.end()]
console.log(verdictOf(findings).verdict, findings[0]?.rule) // fail AGUI-RUN-001

// The body of a response, and its head.
const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")
console.log(makeSseChecker({ dialect: "1.0" }).push(new TextEncoder().encode(body)).length) // 2
console.log(checkResponseHead({ status: 500, headers: {} })[0]?.rule) // AGUI-WIRE-007

// What became of an agent's words.
console.log(checkFidelity([decodeLine('{"type":"keep_alive"}')], events)) // []

// The rules themselves, and the limits of those who read.
console.log(rules.length > 100, maxFrameLength, windowSize) // true 10485760 5000
