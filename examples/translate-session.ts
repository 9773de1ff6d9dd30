import { createReadStream } from "node:fs"
import { Agui, Translate } from "@agentwire/protocol"
import { decodeChunks } from "@agentwire/protocol/claude"

// A pure fold: a state and a message in, a state and events out.
let state = Translate.initialState({ threadId: "my-thread" })
const events: Array<Agui.AguiEvent> = []
for await (const decoded of decodeChunks(createReadStream("examples/tool_approved.ndjson"))) {
  const [next, given] = Translate.step(state, decoded)
  state = next
  events.push(...given)
}
events.push(...Translate.finish(state, { type: "exit", code: 0 })) // ends what is open; here nothing is

console.log(events[0]?.type, events.at(-1)?.type) // RUN_STARTED RUN_FINISHED

// What a client shows after these events.
const { messages } = Agui.foldEvents(events)
console.log(messages.map(({ role }) => role).join(", ")) // reasoning, assistant, tool, assistant

// The same for a live session, faster: the CLI's bytes in, the body of an HTTP response out. `runtime: "codex"` for Codex.
const live = new Translate.SseTranslator({ threadId: "my-thread", dialect: "0.0" })
let frames = ""
for await (const chunk of createReadStream("examples/tool_approved.ndjson")) frames += live.push(chunk)
frames += live.end({ type: "exit", code: 0 })
console.log(frames.split("\n\n")[0]) // data: {"type":"RUN_STARTED","threadId":"my-thread","runId":"my-thread:1"}
