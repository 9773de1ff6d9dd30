/** What the generator makes of each way in which Rust's serde writes a type (`scripts/codex`). */
import { describe, expect, it } from "vitest"
import { type JsonSchema, readBundle } from "../../../../scripts/codex/Bundle.ts"
import { changesBetween } from "../../../../scripts/codex/Changes.ts"
import { definitionsOf } from "../../../../scripts/codex/Definitions.ts"
import { sourceFiles } from "../../../../scripts/codex/Files.ts"
import { readNode } from "../../../../scripts/codex/Node.ts"
import { docComment, schemaText, typeText } from "../../../../scripts/codex/Source.ts"
import { filesOf, themeOf } from "../../../../scripts/codex/Themes.ts"

const written = (schema: JsonSchema): readonly [string, string] => {
  const node = readNode(schema, "Thing")
  return [typeText(node).replaceAll(/\s+/g, " "), schemaText(node, "Thing")]
}

const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: ReadonlyArray<string> = []
): JsonSchema => ({
  type: "object",
  properties,
  required
})
const string: JsonSchema = { type: "string" }

describe("a schema of the program", () => {
  it.each<[string, JsonSchema, string, string]>([
    ["an integer is a number", { type: "integer" }, "number", "Schema.Finite"],
    ["two types, one of them null", { type: ["string", "null"] }, "string | null", "Schema.NullOr(Schema.String)"],
    ["an enumeration is open", { type: "string", enum: ["a"] }, '"a" | Unrecognized', 'known("a")'],
    [
      "an enumeration whose values have descriptions",
      {
        oneOf: [
          { enum: ["a"], type: "string" },
          { enum: ["b"], type: "string" }
        ]
      },
      '"a" | "b" | Unrecognized',
      'known("a", "b")'
    ],
    [
      "an object keeps what it does not name",
      object({ a: string, "b-c": string }, ["a"]),
      '{ readonly a: string readonly "b-c"?: string }',
      'open("Thing", {a: Schema.String, "b-c": optional(Schema.String)})'
    ],
    [
      "an object that is meant to have others",
      { ...object({ a: string }), additionalProperties: true },
      "{ readonly a?: string }",
      'extensible("Thing", {a: optional(Schema.String)})'
    ],
    ["an object without any", { type: "object" }, "NoFields", 'open("Thing", {})'],
    [
      "a record",
      { type: "object", additionalProperties: { type: "boolean" } },
      "{ readonly [key: string]: boolean }",
      "Schema.Record(Schema.String, Schema.Boolean)"
    ],
    [
      "strings, and objects with one key",
      {
        oneOf: [
          { enum: ["never"], type: "string" },
          { ...object({ granular: string }, ["granular"]), additionalProperties: false }
        ]
      },
      '"never" | Unrecognized | { readonly granular: string } | UnrecognizedKey<"granular">',
      'keyed("Thing", ["never"], {granular: Schema.String})'
    ],
    ["a wrapped reference", { allOf: [{ $ref: "#/definitions/v2/Other" }] }, "Other", "Other"],
    [
      "a reference or null",
      { anyOf: [{ $ref: "#/definitions/Other" }, { type: "null" }] },
      "Other | null",
      "Schema.NullOr(Other)"
    ]
  ])("%s", (_, schema, type, text) => {
    expect(written(schema)).toEqual([type, text])
  })

  it("with tags has a definition for each member, with the fields that all share", () => {
    const tagged = (type: string, title?: string): JsonSchema => ({
      ...object({ type: { type: "string", enum: [type] } }, ["type"]),
      ...(title !== undefined && { title })
    })
    const node = readNode(
      { oneOf: [tagged("a/b"), tagged("c", "NamedThing")], properties: { id: string }, required: ["id"] },
      "Thing"
    )
    expect(typeText(node)).toBe('A_BThing | NamedThing | UnrecognizedVariant<"type">')
    expect(schemaText(node, "Thing")).toBe('variants("Thing", "type", [A_BThing, NamedThing])')
    const [first] = node.kind === "variants" ? node.members : []
    expect(first?.fields.map(({ isOptional, name }) => [name, isOptional])).toEqual([
      ["type", false],
      ["id", false]
    ])
  })

  it("whose alternatives differ in one key has all of them, optional", () => {
    const either: JsonSchema = {
      ...object({ id: string }, ["id"]),
      anyOf: [object({ url: string }, ["url"]), object({ fileId: string }, ["fileId"])]
    }
    expect(typeText(readNode(either, "Thing")).replaceAll(/\s+/g, " ")).toBe(
      "{ readonly id: string readonly url?: string readonly fileId?: string }"
    )
  })

  it("that the generator does not know is refused by name", () => {
    expect(() => readNode({ type: "date" }, "Thing")).toThrow("Thing: the generator does not know the type date")
    expect(() => readNode({ type: ["string", "number"] }, "Thing")).toThrow("Thing")
  })
})

describe("a doc comment", () => {
  it("ends where it should, and is wrapped", () => {
    expect(docComment("a */ b")).toBe("/** a *\\/ b */")
    expect(
      docComment("word ".repeat(60).trim())
        .split("\n")
        .every((line) => line.length <= 120)
    ).toBe(true)
  })
})

/** A program with two requests and a notification. */
const printed = (
  extra: Readonly<Record<string, JsonSchema>> = {},
  methods: ReadonlyArray<string> = ["fs/copy", "fs/move"]
): string => {
  const request = (method: string): JsonSchema => {
    const params = `${method.replace("fs/", "Fs")}Params`
    return object({
      id: string,
      method: { type: "string", enum: [method] },
      params: { $ref: `#/definitions/v2/${params}` }
    })
  }
  const named = (method: string, suffix: string): string => `${method.replace("fs/", "Fs")}${suffix}`
  const definitions = {
    ClientRequest: { oneOf: methods.map(request) },
    ClientNotification: { oneOf: [] },
    ServerRequest: { oneOf: [] },
    ServerNotification: { oneOf: [] },
    SessionSource: string,
    SubAgentSource: string,
    AuthMode: string,
    RawResponseItemCompletedNotification: object({ item: string }),
    RawResponseCompletedNotification: object({ item: string }),
    v2: {
      Path: { type: "string", description: "Where." },
      ...Object.fromEntries(
        methods.flatMap((method) => [
          [named(method, "Params"), object({ path: { $ref: "#/definitions/v2/Path" } }, ["path"])],
          [named(method, "Response"), object({})]
        ])
      ),
      ...extra
    }
  }
  return JSON.stringify({ definitions })
}

describe("a bundle", () => {
  const bundle = readBundle(printed(), printed({}, ["fs/copy"]))

  it("knows what answers a request, and what is experimental", () => {
    const [copy, move] = bundle.methods.clientRequests
    expect(copy).toMatchObject({ name: "fs/copy", result: "FscopyResponse", isExperimental: false })
    expect(move).toMatchObject({ name: "fs/move", isExperimental: true })
    const unanswered = printed().replaceAll("FscopyResponse", "FscopyReply")
    expect(() => readBundle(unanswered, unanswered)).toThrow("Nobody says what answers fs/copy")
  })

  it("becomes a file for each theme: what only it uses is in it, after what it refers to", () => {
    const file = sourceFiles(bundle, "1.2.3").get("Fs.ts") ?? ""
    expect(file).toContain("npm run codex-schema -- 1.2.3")
    expect(file.indexOf("export const Path:")).toBeGreaterThan(-1)
    expect(file.indexOf("export const Path:")).toBeLessThan(file.indexOf("export const FscopyParams:"))
    expect(file).toContain('"fs/move": request(FsmoveParams, FsmoveResponse, "experimental")')
  })

  it("has no two files that import each other", () => {
    const definitions = definitionsOf(bundle)
    const files = filesOf(bundle, definitions)
    expect([...definitions.keys()].filter((name) => !files.has(name))).toEqual([])
    expect(themeOf("thread/goal/set")).toBe("ThreadGoal")
    expect(themeOf("never/heard/of")).toBe("Never")
  })

  it("says what is new in another", () => {
    const after = readBundle(printed({ Path: object({ of: string }) }), printed())
    expect(changesBetween(bundle, bundle)).toEqual([])
    expect(changesBetween(bundle, after)).toEqual([
      "~ clientRequests fs/move is stable now",
      "~ Path: string → { readonly of?: string }"
    ])
  })
})
