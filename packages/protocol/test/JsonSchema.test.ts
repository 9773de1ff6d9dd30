import { readFileSync } from "node:fs"
import { readRecording, recordings } from "@agentwire/fixtures"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { jsonSchemaFiles } from "../../../scripts/JsonSchema.ts"
import { someLines } from "../../fixtures/test/Sweep.ts"
import { codec } from "../src/claude/index.ts"
import { Claude } from "../src/index.ts"

const files = jsonSchemaFiles()
const document = JSON.parse(files["claude-code.json"] ?? "")

const ajv = new Ajv2020({ strict: false, allErrors: false, discriminator: false })
ajv.addSchema(document, "claude-code")

const validatorOf = (name: string) => {
  const identifier = String(codec.catalog.members.get(name)?.schema.ast.annotations?.["identifier"])
  const validate = ajv.getSchema(`claude-code#/$defs/${identifier}`)
  if (validate === undefined) throw new Error(`${name} has no definition`)
  return validate
}

describe("JSON Schema files", () => {
  it.each(Object.entries(files))("%s is current (`npm run schema` writes it)", (name, text) => {
    expect(readFileSync(new URL(`../schema/${name}`, import.meta.url), "utf8")).toBe(text)
  })

  it("define every message under its own name", () => {
    const identifiers = Object.values(Claude.messages).map((schema) => schema.ast.annotations?.["identifier"])
    expect(new Set(identifiers).size).toBe(new Set(Object.values(Claude.messages)).size)
    for (const identifier of identifiers) expect(document.$defs).toHaveProperty(String(identifier))
  })

  it.each(recordings)("accept what codec %s accepts and refuse what it refuses", (version) => {
    let checked = 0
    for (const { line } of someLines(readRecording(version))) {
      const decoded = codec.decodeLine(line)
      if (decoded._tag !== "Known") continue
      const validate = validatorOf(decoded.name)
      expect(validate(decoded.message), `${decoded.name} ${ajv.errorsText(validate.errors)}`).toBe(true)
      checked++
    }
    expect(checked).toBeGreaterThan(500)
  })

  it("refuse a message with a wrong field", () => {
    const [frame] = readRecording("2.1.325").filter(({ line }) => line.includes('"subtype":"init"'))
    const init = JSON.parse(frame?.line ?? "{}")
    expect(validatorOf("system/init")({ ...init, tools: "Bash" })).toBe(false)
    expect(validatorOf("system/init")({ ...init, cwd: undefined })).toBe(false)
  })
})
