/**
 * The whole bridge: the real HttpAgent of AG-UI 1.0.0 and 0.0.59 on one side, the real CLI on the other, and a
 * scripted model behind it.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { says, text, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { agentAt, chosenWires, clients, onBridge, say } from "./OnBridge.ts"

describe.each(chosenWires)("with Claude Code %s over %s", (...wire) => {
  it.live("a question is answered, and so is the next", () =>
    onBridge(wire, { replies: [says(text("Hel", "lo.")), says("Again.")] }, {}, async ({ url }) => {
      const agent = agentAt(url)
      await say(agent, "Hi").runAgent()
      expect(agent.messages.map(({ content, role }) => [role, content])).toEqual([
        ["user", "Hi"],
        ["assistant", "Hello."]
      ])
      await say(agent, "And again").runAgent()
      expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Again." })
    })
  )

  it.live("a client of 0.0 gets the same", () =>
    onBridge(wire, { replies: [says(text("Hel", "lo."))] }, {}, async ({ url }) => {
      const agent = agentAt(url, clients[1])
      agent.addMessage({ id: "u", role: "user", content: "Hi" })
      await agent.runAgent()
      expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Hello." })
    })
  )

  it.live("a tool waits for a yes, runs with the edited input, and its result is seen", () =>
    onBridge(
      wire,
      { replies: [says(tool("Bash", { command: "touch wrong", description: "Touch" })), says("Done.")] },
      { session: { approvals: "interrupt" } },
      async ({ project, url }) => {
        const agent = agentAt(url)
        await say(agent, "Go").runAgent()
        const [interrupt] = agent.pendingInterrupts
        expect(interrupt).toMatchObject({ reason: "tool_call" })
        expect(existsSync(join(project, "wrong"))).toBe(false)
        await agent.runAgent({
          resume: [
            {
              interruptId: interrupt?.id ?? "",
              status: "resolved",
              payload: { approved: true, editedArgs: { command: "echo right > right", description: "Touch" } }
            }
          ]
        })
        expect(readFileSync(join(project, "right"), "utf8")).toBe("right\n")
        expect(existsSync(join(project, "wrong"))).toBe(false)
        expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Done." })
      }
    )
  )

  it.live("a tool nobody may allow does not run", () =>
    onBridge(
      wire,
      { replies: [says(tool("Bash", { command: "touch no", description: "Touch" })), says("I may not.")] },
      {},
      async ({ project, url }) => {
        const agent = agentAt(url)
        await say(agent, "Go").runAgent()
        expect(existsSync(join(project, "no"))).toBe(false)
        expect(agent.messages.at(-1)).toMatchObject({ content: "I may not." })
      }
    )
  )

  it.live("a tool of the page runs in the page, and the model sees its real result", () =>
    onBridge(
      wire,
      { replies: [says(tool("mcp__frontend__pick", { of: "colors" })), says("Blue it is.")] },
      {},
      async ({ url }) => {
        const agent = agentAt(url)
        const tools = [
          { name: "pick", description: "Lets the person pick", parameters: { type: "object", properties: {} } }
        ]
        await say(agent, "Pick one").runAgent({ tools })
        const call = agent.messages.flatMap((message) =>
          message.role === "assistant" ? (message.toolCalls ?? []) : []
        )[0]
        expect(call?.function).toEqual({ name: "pick", arguments: '{"of":"colors"}' })
        agent.addMessage({ id: "result-1", role: "tool", toolCallId: call?.id ?? "", content: "blue" })
        await agent.runAgent({ tools })
        expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Blue it is." })
      }
    )
  )
})
