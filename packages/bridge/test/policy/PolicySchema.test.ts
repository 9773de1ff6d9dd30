import { readdirSync, readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { bridgeSchemaFiles } from "../../../../scripts/JsonSchema.ts"
import { readPolicy } from "../../src/policy/Rules.ts"
import { claudeToolInputs } from "../../src/runtime/claude/ToolInputs.ts"

const files = bridgeSchemaFiles()
const validate = new Ajv2020({ strict: false }).compile(JSON.parse(files["policy.json"] ?? ""))
const folder = new URL("../../../../examples/policies/", import.meta.url)
const examples = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => [name, readFileSync(new URL(name, folder), "utf8")] as const)

describe("the JSON Schema of policies", () => {
  it.each(Object.entries(files))("%s is current (`npm run schema` writes it)", (name, text) => {
    expect(readFileSync(new URL(`../../schema/${name}`, import.meta.url), "utf8")).toBe(text)
  })

  it.each(examples)("accepts the example %s, as agentwire does", (_, text) => {
    expect(validate(JSON.parse(text))).toBe(true)
    expect(Result.isSuccess(readPolicy(text, claudeToolInputs))).toBe(true)
    expect(JSON.parse(text).$schema).toBe("../../packages/bridge/schema/policy.json")
  })

  it.each([
    { version: 2 },
    { version: 1, denny: [] },
    { version: 1, deny: [{ tool: "Bash", comand: "rm *" }] },
    { version: 1, deny: [{ tool: [] }] },
    { version: 1, modes: { planner: { alow: [] } } }
  ])("refuses %j, as agentwire does", (policy) => {
    expect(validate(policy)).toBe(false)
    expect(Result.isFailure(readPolicy(JSON.stringify(policy), claudeToolInputs))).toBe(true)
  })
})
