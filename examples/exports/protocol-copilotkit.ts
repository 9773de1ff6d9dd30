/**
 * `@agentwire/protocol/copilotkit`: CopilotKit's transport. The bodies of its requests and answers are schemas, used
 * alike: `RuntimeInfo` stands here for the others.
 */
import { envelopes, RuntimeInfo, routes } from "@agentwire/protocol/copilotkit"
import * as Schema from "effect/Schema"

// The REST routes of a runtime.
console.log(routes.map(({ method, path }) => `${method} ${path}`).find((route) => route.endsWith("/info"))) // GET /info

// What can be posted to the single endpoint, by method.
console.log(Schema.is(envelopes.info)({ method: "info" })) // true

// The body of an answer.
const agent = { name: "default", description: "Claude Code", className: "ClaudeCode" }
const info: RuntimeInfo = { version: "1.75.0", agents: { default: agent }, audioFileTranscriptionEnabled: false }
console.log(Schema.is(RuntimeInfo)(info)) // true
