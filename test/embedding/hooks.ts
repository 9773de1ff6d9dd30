import { Bridge } from "@agentwire/bridge"

const bridge = new Bridge({
  policy: () => ({ _tag: "Allow" }),
  hooks: {
    // Before a tool runs. Return nothing, and the agent goes on as it would.
    PreToolUse: {
      matcher: "Bash",
      timeout: 5000,
      run: async ({ tool_input }) => {
        const { command } = tool_input as { readonly command: string }
        console.log(`It is about to run ${command}.`)
        if (!command.startsWith("git push")) return
        return {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: "Nothing is pushed from here."
          }
        }
      }
    },
    // The model is told this with the prompt.
    UserPromptSubmit: (_, { threadId }) => ({
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: `This is thread ${threadId}.` }
    })
  }
})

await bridge.open()
const { threadId } = await bridge.createSession({ effort: "low", appendSystemPrompt: "Be brief." })
const run = await bridge.sendMessage(threadId, "Publish this.")
console.log((await run.result).text)
await bridge.stop()
