/** The JSON Schema files of the packages, made from their schemas (draft 2020-12). */
import * as Schema from "effect/Schema"
import { PolicyFile } from "../packages/bridge/src/policy/PolicyFile.ts"
import { Agents, Agui, Claude, Codex, CopilotKit, Gateway, Normalised } from "../packages/protocol/src/index.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** One file: what its root accepts, and what else other languages may want a definition of. */
interface File {
  readonly title: string
  readonly root: ReadonlyArray<Schema.Top>
  readonly also: ReadonlyArray<Schema.Top>
  /** Keys that are not named are errors. */
  readonly isClosed?: true
}

const protocolFiles: Readonly<Record<string, File>> = {
  "claude-code.json": {
    title: "A line of Claude Code's wire, in either direction",
    root: Object.values(Claude.messages),
    also: [
      ...Object.values(Claude.controlRequests).map(({ response }) => response),
      Claude.HookInput,
      Claude.HookOutput,
      Claude.PermissionResult
    ]
  },
  "claude-code-transcript.json": {
    title: "A line of a session file that Claude Code keeps",
    root: Object.values(Claude.Transcript.transcriptLines),
    also: []
  },
  "codex-app-server.json": {
    title: "A line of `codex app-server`, in either direction",
    root: Object.values<Schema.Top>(Codex.messages as Readonly<Record<Codex.MessageName, Schema.Top>>),
    also: Object.values<{ readonly result: Schema.Top }>(
      Codex.requests as Readonly<Record<Codex.Answered, { readonly result: Schema.Top }>>
    ).map(({ result }) => result)
  },
  "codex-exec.json": {
    title: "A line of `codex exec --json`",
    root: Object.values(Codex.execEvents),
    also: []
  },
  "agents.json": {
    title: "A sub-agent that a project defines",
    root: [Agents.AgentDefinition],
    also: [Agents.ClaudeAgentFrontMatter, Agents.CodexAgentFile]
  },
  "ag-ui.json": {
    title: "An event of AG-UI 1.0",
    root: Object.values(Agui.events),
    also: [Agui.RunAgentInput, Agui.AgentCapabilities]
  },
  "copilotkit.json": {
    title: "A request in CopilotKit's single-endpoint envelope",
    root: [CopilotKit.Envelope],
    also: [CopilotKit.RuntimeInfo, CopilotKit.StopRequest, CopilotKit.StopResponse]
  },
  "normalised-events.json": {
    title: "A normalised event",
    root: Object.values(Normalised.normalisedEvents),
    also: []
  },
  "gateway.json": {
    title: "A message of the gateway's WebSocket, in either direction",
    root: [Gateway.RequestFrame, Gateway.ResponseFrame, Gateway.EventFrame],
    also: [
      ...Object.values(Gateway.sessionEvents),
      ...Object.values<{ readonly params: Schema.Top; readonly payload: Schema.Top }>(Gateway.gatewayMethods).flatMap(
        ({ params, payload }) => [params, payload]
      ),
      Gateway.GatewayHealthReport
    ]
  }
}

const bridgeFiles: Readonly<Record<string, File>> = {
  "policy.json": { title: "A policy file of agentwire", root: [PolicyFile], also: [], isClosed: true }
}

/** The text of every file of `@agentwire/protocol`, by name. */
export const jsonSchemaFiles = (): Readonly<Record<string, string>> => textsOf(protocolFiles)

/** The text of every file of `@agentwire/bridge`, by name. */
export const bridgeSchemaFiles = (): Readonly<Record<string, string>> => textsOf(bridgeFiles)

const textsOf = (files: Readonly<Record<string, File>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, `${JSON.stringify(document(name, file), null, 2)}\n`])
  )

const document = (name: string, { also, isClosed, root, title }: File): Json => {
  const defs: Record<string, Json> = {}
  const define = (schema: Schema.Top): Json => {
    const { definitions, schema: top } = Schema.toJsonSchemaDocument(schema, {
      onExcessProperty: isClosed === true ? "error" : "ignore"
    })
    for (const [key, value] of Object.entries(definitions)) defs[key] ??= tidy(value as Json)
    return tidy(top as Json)
  }
  const anyOf = root.map(define)
  also.forEach(define)
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:agentwire:${name.replace(/\.json$/, "")}`,
    title,
    ...(anyOf.length === 1 ? (anyOf[0] as { readonly [key: string]: Json }) : { anyOf }),
    $defs: Object.fromEntries(Object.entries(defs).sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** An object is open in JSON Schema unless it says otherwise; Effect says so at length. */
const tidy = (json: Json): Json => {
  if (Array.isArray(json)) return json.map(tidy)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json)
      .filter(([key, value]) => !(key === "allOf" && JSON.stringify(value) === openObject))
      .map(([key, value]) => [key, tidy(value)])
  )
}

const openObject = JSON.stringify([{ type: "object", additionalProperties: {} }])
