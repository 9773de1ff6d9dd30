/**
 * What others may see of the wire has no values of variables and headers.
 */
import { describe, expect, it } from "vitest"
import { withoutSecrets } from "../../../src/runtime/claude/WireSecrets.ts"

const server = { type: "http", url: "http://127.0.0.1/", headers: { Authorization: "hunter2" } }
const command = { command: "x", env: { KEY: "hunter2" } }

describe("a line of the wire", () => {
  it.each([
    { type: "control_request", request_id: "1", request: { subtype: "mcp_set_servers", servers: { server, command } } },
    {
      type: "control_response",
      response: {
        subtype: "success",
        request_id: "1",
        response: {
          mcpServers: [
            { name: "a", status: "connected", config: server },
            { name: "b", config: command }
          ]
        }
      }
    },
    { type: "update_environment_variables", variables: { KEY: "hunter2" } }
  ])("has the names, and not the values: $type", (message) => {
    const before = JSON.stringify(message)
    const shown = JSON.stringify(withoutSecrets(message))
    expect(shown).not.toContain("hunter2")
    expect(shown.replaceAll("…", "hunter2")).toBe(before)
    expect(JSON.stringify(message)).toBe(before)
  })

  it.each([
    "text",
    null,
    { type: "user", message: { role: "user", content: "hunter2" } },
    { type: "control_request", request: { subtype: "mcp_set_servers", servers: 7 } },
    { type: "control_request", request: { subtype: "set_model", model: "m" } },
    { type: "control_response", response: { subtype: "success", response: { commands: [] } } },
    { type: "update_environment_variables", variables: 7 }
  ])("of any other kind is as it was: %j", (message) => {
    expect(withoutSecrets(message)).toBe(message)
  })
})
