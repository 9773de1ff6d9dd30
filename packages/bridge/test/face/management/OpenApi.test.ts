/**
 * The OpenAPI document: every route is in it, and it holds together.
 */
import { readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { withReference } from "../../../../../scripts/ManagementReference.ts"
import { openApiFile } from "../../../../../scripts/OpenApiFile.ts"
import { api, type Endpoint } from "../../../src/face/management/Api.ts"
import { openApi } from "../../../src/face/management/OpenApi.ts"
import { otherRoutes } from "../../../src/face/management/OtherRoutes.ts"
import { type EndpointName, paths, streams, texts, withoutBody } from "../../../src/face/management/Paths.ts"
import { makeMcpRoutes } from "../../../src/face/mcp/McpHttp.ts"
import { builtInRoutes } from "../../../src/server/HttpHandler.ts"

type Json = Readonly<Record<string, unknown>>

const document = openApi()
const described = Object.entries(document["paths"] as Json).flatMap(([path, methods]) =>
  Object.entries(methods as Json).map(([method, operation]) => ({
    key: `${method.toUpperCase()} ${path}`,
    operation: operation as Json & { readonly parameters?: ReadonlyArray<Json> }
  }))
)

const templated = (path: string): string => path.replaceAll(/[:*](\w+)/g, "{$1}")

/** Every object in the document. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== "object" || value === null) return
  if (!Array.isArray(value)) yield value as Json
  for (const child of Object.values(value)) yield* objectsIn(child)
}

describe("the OpenAPI document", () => {
  it("has every route, and no other", async () => {
    const mcp = await Effect.runPromise(Effect.scoped(makeMcpRoutes()))
    const routes = [...Object.values(builtInRoutes).flat(), ...mcp].map(
      ({ method, path }) => `${method} ${templated(path)}`
    )
    const page = otherRoutes.filter(({ name }) => name === "page").map(({ method, path }) => `${method} ${path}`)
    assert.deepStrictEqual([...new Set([...routes, ...page])].sort(), described.map(({ key }) => key).sort())
  })

  it("gives every operation an id of its own, and every parameter of its path", () => {
    const ids = described.map(({ operation }) => operation["operationId"])
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const { key, operation } of described) {
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter["in"] === "path")
      assert.deepStrictEqual(
        inPath.map(({ name }) => `{${String(name)}}`),
        key.match(/\{\w+\}/g) ?? [],
        key
      )
      for (const { description, name } of inPath) assert.notStrictEqual(description, "", `${key} ${String(name)}`)
    }
  })

  it("refers to nothing that is not there, and has nothing nobody refers to", () => {
    const { schemas } = document["components"] as { readonly schemas: Json }
    const targets = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []))
    const names = new Set(targets.map((ref) => ref.replace("#/components/schemas/", "")))
    assert.deepStrictEqual([...names].sort(), Object.keys(schemas).sort())
  })

  it("has schemas that JSON Schema 2020-12 accepts", () => {
    const { schemas } = document["components"] as { readonly schemas: Json }
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const [name, schema] of Object.entries(schemas))
      assert.strictEqual(ajv.validateSchema(schema as object), true, `${name}: ${ajv.errorsText(ajv.errors)}`)
  })
})

describe("the files that are made of the table", () => {
  it("have the reference in the guide as it is", () => {
    const guide = readFileSync(new URL("../../../../../docs/management-api.md", import.meta.url), "utf8")
    assert.include(guide, "| `sessions.list` | `GET /api/sessions` |")
    assert.strictEqual(guide, withReference(guide), "run `npm run openapi`")
  })

  it("have the document as it is", () => {
    const file = new URL("../../../schema/openapi.json", import.meta.url)
    assert.strictEqual(readFileSync(file, "utf8"), openApiFile(), "run `npm run openapi`")
  })
})

describe("the two halves of the table", () => {
  const namesOf = (holds: (endpoint: Endpoint, method: string) => boolean): ReadonlyArray<string> =>
    (Object.keys(paths) as ReadonlyArray<EndpointName>)
      .filter((name) => holds(api[name], paths[name].split(" ")[0] ?? ""))
      .sort()

  it("agree on which answers are streams and texts, and which requests have no body", () => {
    assert.deepStrictEqual(
      [...streams].sort(),
      namesOf(({ output }) => output._tag === "Stream")
    )
    assert.deepStrictEqual(
      [...texts].sort(),
      namesOf(({ output }) => output._tag === "Text")
    )
    const mayHave = (method: string): boolean => ["POST", "PUT", "PATCH"].includes(method)
    assert.deepStrictEqual(
      [...withoutBody].sort(),
      namesOf(({ body }, method) => mayHave(method) && body === undefined)
    )
    assert.deepStrictEqual(
      [],
      namesOf(({ body }, method) => !mayHave(method) && body !== undefined)
    )
  })
})
