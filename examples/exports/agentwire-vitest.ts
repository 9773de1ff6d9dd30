/** `agentwire/vitest`: importing it adds `toConformToAgui` to vitest's `expect`. */
import { type ConformOptions, toConformToAgui } from "agentwire/vitest"
import { expect } from "vitest"

const events = [
  { type: "RUN_STARTED", threadId: "t", runId: "r" },
  { type: "RUN_FINISHED", threadId: "t", runId: "r" }
]

// In a test: events, or the text or bytes of a response.
const options: ConformOptions = { dialect: "0.0", strict: true }
expect(events).toConformToAgui(options)
expect(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")).toConformToAgui()

// The matcher itself, for those who extend `expect` themselves.
console.log(toConformToAgui(events.slice(1)).pass) // false
