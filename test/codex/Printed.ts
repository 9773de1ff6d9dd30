/** What Codex's own schema, as the program prints it, says of what two sides have said. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Dialogue, heardDrift, requests, schemaVersion } from "@agentwire/protocol/codex"
import { Ajv } from "ajv"
import { bundleFile } from "../../scripts/codex/Bundle.ts"
import { withPrinted } from "../../scripts/codex/Program.ts"
import type { Line } from "./AppServer.ts"

/** What is wrong with a session: lines that are not known, drift, and what the program's own schema says of them. */
export type Findings = (lines: ReadonlyArray<Line>) => ReadonlyArray<string>

/** The names of the program's own definitions, by the schemas that were made from them. */
const definitionOf = (method: keyof typeof requests): string =>
  String(requests[method].result.ast.annotations?.["identifier"])

/** Results that the program's own schema spells otherwise than the program does (`scripts/codex/Unprinted.ts`). */
const misspelledResults: ReadonlySet<string> = new Set(["thread/timeline/list"])

/** Has the program print its schema. */
export const printedFindings = async (): Promise<Findings> => {
  const text = await withPrinted(schemaVersion, ["generate-json-schema", "--experimental"], (folder) =>
    readFile(join(folder, bundleFile), "utf8")
  )
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema(JSON.parse(text), "codex")
  const validate = (definition: string, value: unknown): string | undefined => {
    const check =
      ajv.getSchema(`codex#/definitions/${definition}`) ?? ajv.getSchema(`codex#/definitions/v2/${definition}`)
    if (check === undefined) throw new Error(`the program does not define ${definition}`)
    return check(value) ? undefined : `${definition}: ${ajv.errorsText(check.errors)}`
  }
  return (lines) => {
    const dialogue = new Dialogue()
    return lines.flatMap(({ from, text: line }) => {
      const heard = dialogue.hear(from, line)
      const value = JSON.parse(line)
      const text = line.slice(0, 300)
      const kind = `${from === "client" ? "Client" : "Server"}${"id" in value ? "Request" : "Notification"}`
      const theirs =
        "method" in value
          ? validate(kind, value)
          : "error" in value || heard.answers === undefined
            ? validate("error" in value ? "JSONRPCError" : "JSONRPCResponse", value)
            : validate(definitionOf(heard.answers), value.result)
      return [
        ...(heard.decoded._tag === "Known" && heard.decoded.odd === undefined
          ? []
          : [`${heard.decoded._tag}: ${text}`]),
        ...("method" in value || "error" in value || heard.result?._tag === "Known" ? [] : [`not decoded: ${text}`]),
        ...heardDrift(heard).map(({ path }) => `drift ${path}: ${text}`),
        ...((theirs === undefined) !== misspelledResults.has(heard.answers ?? "") ? [] : [`${theirs}: ${text}`])
      ]
    })
  }
}
