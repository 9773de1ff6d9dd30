/** What agents that run say that they have. */
import { assert, it } from "vitest"
import { echo } from "../../AgentLines.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import type { Message } from "./CodexClient.ts"
import { connected } from "./Connected.ts"

const servers = [
  { name: "files", status: "connected", tools: [{ name: "read", description: "Reads" }], transport: "stdio" },
  { name: "mail", status: "needs-auth" },
  { name: "broken", status: "failed", error: "It ended." },
  { name: "frontend", status: "connected", transport: "sdk" }
]

const tells: Behaviour = (line, say) => {
  const request = line["request"] as Line | undefined
  return request?.["subtype"] === "mcp_status"
    ? say({
        type: "control_response",
        response: { subtype: "success", request_id: line["request_id"], response: { mcpServers: servers } }
      })
    : echo(line, say)
}

it("MCP servers are those of an agent that runs, without that of the application's tools", () =>
  connected(
    async ({ agents, connect }) => {
      const client = connect()
      await client.hello()
      const thread = await client.start()
      assert.deepStrictEqual((await client.ask("mcpServerStatus/list"))["data"], [])
      // Nothing was started for a list.
      assert.deepStrictEqual(agents.sent, [])
      await client.turn(thread, "Hello")
      const { data } = await client.ask("mcpServerStatus/list", { threadId: thread })
      assert.deepStrictEqual(
        (data as ReadonlyArray<Message>).map(({ authStatus, name, runtimeStatus, tools, toolsError }) => [
          name,
          runtimeStatus,
          authStatus,
          Object.keys(tools as Message),
          toolsError
        ]),
        [
          ["files", "connected", "unknown", ["read"], null],
          ["mail", "authenticationRequired", "notLoggedIn", [], null],
          ["broken", "failed", "unknown", [], "It ended."]
        ]
      )
      const elsewhere = await client.ask("mcpServerStatus/list", { threadId: "another" })
      assert.deepStrictEqual(elsewhere["data"], [])
    },
    { behave: tells }
  ))

it("skills are none until an agent has named some", () =>
  connected(async ({ connect }) => {
    const client = connect()
    await client.hello()
    const thread = await client.start()
    await client.turn(thread, "Hello")
    assert.deepStrictEqual((await client.ask("skills/list", { cwds: ["/", "/elsewhere"] }))["data"], [
      { cwd: "/", skills: [], errors: [] },
      { cwd: "/elsewhere", skills: [], errors: [] }
    ])
  }))
