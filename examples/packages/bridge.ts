import { Bridge } from "@agentwire/bridge"
import { findTape } from "@agentwire/fixtures"

// A recorded session answers here, so that no account is needed. Without `agent` it is the `claude` of your PATH.
const tape = findTape({ scenario: "plain_text", version: "2.1.325" })
const bridge = new Bridge({ agent: { tapes: tape?.file ?? "" } })
await bridge.open()

const { threadId } = await bridge.createSession()
const run = await bridge.sendMessage(threadId, "Hello!")
for await (const event of run) if (event.type === "RUN_STARTED") console.log("It works …") // events of AG-UI
const { outcome, text } = await run.result
console.log(outcome, text) // success Hello there.

await bridge.stop()
