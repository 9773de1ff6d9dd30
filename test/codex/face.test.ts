/** What our own app-server says, by the schema that the real program prints of itself: on every tape of both runtimes. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { AppServer } from "@agentwire/protocol"
import { schemaVersion, serverNotifications, serverRequests } from "@agentwire/protocol/codex"
import { Ajv } from "ajv"
import { beforeAll, expect, it } from "vitest"
import { conversations, options, written } from "../../packages/protocol/test/appserver/Conversations.ts"
import { bundleFile } from "../../scripts/codex/Bundle.ts"
import { withPrinted } from "../../scripts/codex/Program.ts"

let ajv: Ajv

beforeAll(async () => {
  const text = await withPrinted(schemaVersion, ["generate-json-schema", "--experimental"], (folder) =>
    readFile(join(folder, bundleFile), "utf8")
  )
  ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema(JSON.parse(text), "codex")
}, 120_000)

/** What a definition of the program says of a value. */
const complaintOf = (definition: string, value: unknown): string | undefined => {
  const check =
    ajv.getSchema(`codex#/definitions/${definition}`) ?? ajv.getSchema(`codex#/definitions/v2/${definition}`)
  if (check === undefined) throw new Error(`the program does not define ${definition}`)
  return check(value) ? undefined : ajv.errorsText(check.errors)
}

const methods = { ...serverNotifications, ...serverRequests }

/** The program's name for the params of a method. */
const definitionOf = (method: keyof typeof methods): string =>
  String(methods[method].params.ast.annotations?.["identifier"])

it("is what the program's own schema says", { timeout: 120_000 }, () => {
  const seen = new Set<string>()
  let checked = 0
  for (const { events, name } of conversations())
    for (const out of written(events).parts.flat()) {
      if (out._tag === "Resolved") continue
      checked++
      const { method, params } = JSON.parse(JSON.stringify(out))
      expect(complaintOf(definitionOf(method), params), `${name} ${method} ${JSON.stringify(params)}`).toBeUndefined()
      if (seen.has(method)) continue
      // The whole message, once for each method: the schema of all of them is slow.
      seen.add(method)
      const [kind, message] =
        out._tag === "Ask" ? ["ServerRequest", { id: 0, method, params }] : ["ServerNotification", { method, params }]
      expect(complaintOf(kind, message), method).toBeUndefined()
    }
  expect(checked).toBeGreaterThan(5000)
  expect([...seen]).toEqual(expect.arrayContaining([...AppServer.askMethods]))
  expect(seen.size).toBeGreaterThan(20)
  expect(complaintOf("AgentMessageDeltaNotification", { delta: "" })).toContain("itemId")
})

it("has turns that the program's own schema knows", { timeout: 60_000 }, () => {
  for (const { events, name } of conversations())
    for (const turn of AppServer.turnsOf(events, options))
      expect(complaintOf("Turn", JSON.parse(JSON.stringify(turn))), `${name} ${JSON.stringify(turn)}`).toBeUndefined()
})
