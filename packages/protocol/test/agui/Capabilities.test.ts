import { expect, test } from "vitest"
import { AgentCapabilities } from "../../src/agui/Capabilities.ts"
import { issues, wrongAt } from "./Decode.ts"

test("everything may be left unsaid", () => {
  expect(issues(AgentCapabilities, {})).toEqual([])
  expect(
    issues(AgentCapabilities, Object.fromEntries(Object.keys(AgentCapabilities.fields).map((k) => [k, {}])))
  ).toEqual([])
})

test("0.0's spelling survives as an unknown key", () => {
  expect(issues(AgentCapabilities, { multiAgent: { subAgents: 1 } })).toEqual([])
  expect(wrongAt(AgentCapabilities, { multiAgent: { subagents: [{}] } })).toEqual(["multiAgent.subagents.0.name"])
})

test("malformed capabilities, by path", () => {
  const bad = {
    identity: { name: 1 },
    transport: { streaming: "yes" },
    tools: { items: [{ name: "n" }] },
    multimodal: { input: { pdf: null } },
    execution: { maxIterations: 1.5 },
    custom: []
  }
  expect(wrongAt(AgentCapabilities, bad)).toEqual([
    "identity.name",
    "transport.streaming",
    "tools.items.0.description",
    "multimodal.input.pdf",
    "execution.maxIterations",
    "custom"
  ])
})
