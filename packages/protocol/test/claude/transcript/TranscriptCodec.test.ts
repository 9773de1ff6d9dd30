import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, it } from "vitest"
import { jsonSchemaFiles } from "../../../../../scripts/JsonSchema.ts"
import { transcriptCodec, transcriptLines } from "../../../src/claude/transcript/TranscriptCodec.ts"
import { encodeLine } from "../../../src/wire/Codec.ts"
import { filesOf, kept } from "./Kept.ts"

const lines = kept.flatMap(({ name, scenario, version }) =>
  filesOf(scenario, version)
    .filter(({ path }) => path.endsWith(".jsonl"))
    .flatMap(({ bytes }) => new TextDecoder().decode(bytes).split("\n"))
    .filter((line) => line !== "")
    .map((line) => ({ name, line }))
)

describe("the session files of real CLIs", () => {
  it("have nothing that is unknown, invalid or drifting", () => {
    expect(lines.length).toBeGreaterThan(1500)
    for (const { line, name } of lines) {
      const decoded = transcriptCodec.decodeLine(line)
      if (decoded._tag !== "Known") expect.fail(`${name}: ${JSON.stringify(decoded).slice(0, 400)}`)
      expect(transcriptCodec.drift(decoded.message), name).toEqual([])
    }
  })

  it("are written again as they were read, key for key", () => {
    for (const { line } of lines) {
      const decoded = transcriptCodec.decodeLine(line)
      if (decoded._tag === "Known") expect(encodeLine(decoded.message)).toBe(`${JSON.stringify(JSON.parse(line))}\n`)
    }
  })
})

describe("the JSON Schema of session files", () => {
  const document = JSON.parse(jsonSchemaFiles()["claude-code-transcript.json"] ?? "")
  const ajv = new Ajv2020({ strict: false }).addSchema(document, "transcript")

  it("accepts what the codec accepts", () => {
    const seen = new Set<string>()
    for (const { line, name } of lines.filter((_, index) => index % 5 === 0)) {
      const decoded = transcriptCodec.decodeLine(line)
      if (decoded._tag !== "Known") continue
      seen.add(decoded.name)
      const identifier = String(transcriptLines[decoded.name].ast.annotations?.["identifier"])
      const validate = ajv.getSchema(`transcript#/$defs/${identifier}`)
      expect([name, validate?.(decoded.message), ajv.errorsText(validate?.errors)]).toEqual([name, true, "No errors"])
    }
    expect(seen.size).toBeGreaterThan(25)
  })
})

describe("a line of a session file", () => {
  it("of an unknown type, subtype or attachment is kept", () => {
    expect(transcriptCodec.decodeLine('{"type":"new","x":1}')).toMatchObject({ _tag: "Unknown", type: "new" })
    expect(transcriptCodec.decodeLine('{"type":"system","subtype":"new"}')).toMatchObject({
      _tag: "Unknown",
      subtype: "new"
    })
    expect(transcriptCodec.decodeLine('{"type":"attachment","attachment":{"type":"new"}}')).toMatchObject({
      _tag: "Unknown",
      subtype: "new"
    })
  })

  it("can be read without what says nothing, and tells what was odd", () => {
    const line = { type: "user", uuid: "u", parentUuid: null, message: { role: 7, content: "Hi" }, cwd: 7 }
    const decoded = transcriptCodec.decodeValue(line)
    expect(decoded).toMatchObject({ _tag: "Known", odd: [{ path: "$.message.role" }, { path: "$.cwd" }] })
  })

  it("cannot be read without what was said", () => {
    expect(
      transcriptCodec.decodeValue({ type: "user", uuid: "u", parentUuid: null, message: { role: "user" } })._tag
    ).toBe("Invalid")
    expect(
      transcriptCodec.decodeValue({ type: "system", subtype: "local_command", uuid: "u", parentUuid: null })._tag
    ).toBe("Invalid")
  })
})
