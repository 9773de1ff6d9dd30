/**
 * The part of the SARIF 2.1.0 schema that our reports use, closed: a key that the specification does not have, or a
 * value outside its lists, is an error. Sections are those of the OASIS specification.
 */

const closed = (required: ReadonlyArray<string>, properties: object) => ({
  type: "object",
  required,
  properties,
  additionalProperties: false
})

const text = { type: "string", minLength: 1 }
const message = closed(["text"], { text })
const list = (items: object) => ({ type: "array", items })
const bag = { type: "object" }
const level = { enum: ["none", "note", "warning", "error"] }
/** §3.4.3: a valid URI or relative reference. */
const uri = { type: "string", pattern: "^[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]+$" }

/** §3.49 */
const descriptor = closed(["id"], {
  id: text,
  shortDescription: message,
  help: message,
  defaultConfiguration: closed([], { level }),
  properties: bag
})

/** §3.28 */
const location = closed([], {
  physicalLocation: closed(["artifactLocation"], {
    artifactLocation: closed(["uri"], { uri }),
    region: closed(["startLine"], { startLine: { type: "integer", minimum: 1 } })
  }),
  logicalLocations: list(closed([], { name: text, kind: text, fullyQualifiedName: text }))
})

/** §3.27 */
const result = closed(["message", "ruleId", "ruleIndex", "level"], {
  ruleId: text,
  ruleIndex: { type: "integer", minimum: 0 },
  level,
  message,
  locations: list(location),
  suppressions: list(closed(["kind"], { kind: { enum: ["inSource", "external"] }, justification: text })),
  properties: bag
})

/** §3.14 */
const run = closed(["tool", "results"], {
  tool: closed(["driver"], { driver: closed(["name"], { name: text, version: text, rules: list(descriptor) }) }),
  automationDetails: closed([], { id: text }),
  columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
  invocations: list(
    closed(["executionSuccessful"], {
      executionSuccessful: { type: "boolean" },
      toolExecutionNotifications: list(closed(["message"], { level, message }))
    })
  ),
  results: list(result),
  properties: bag
})

/** §3.13 */
export const sarifSchema = closed(["version", "runs"], {
  $schema: { const: "https://json.schemastore.org/sarif-2.1.0.json" },
  version: { const: "2.1.0" },
  runs: list(run)
})
