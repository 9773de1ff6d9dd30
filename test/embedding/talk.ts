import { Bridge } from "@agentwire/bridge"

const bridge = new Bridge({ approvals: "event" })
await bridge.open()

bridge.on("approval", ({ input, requestId, threadId, toolName }) =>
  toolName === "Bash" && input["command"] === "ls"
    ? bridge.approve(threadId, requestId)
    : bridge.deny(threadId, requestId, "Only ls is allowed here.")
)

const { threadId } = await bridge.createSession()
const run = await bridge.sendMessage(threadId, "Tidy up this folder.")
for await (const event of run) {
  if (event.type === "TOOL_CALL_START") console.log(`It wants to use ${event.toolCallName}.`)
  if (event.type === "TEXT_MESSAGE_CONTENT") console.log(event.delta)
}
const { outcome } = await run.result
console.log(`The run ended with ${outcome}.`)
await bridge.stop()
