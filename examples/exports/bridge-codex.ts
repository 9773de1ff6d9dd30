/** `@agentwire/bridge/codex`: what Codex asks for, to policies. */
import { codexToolInputs } from "@agentwire/bridge/codex"
import { explainDecision, readPolicy } from "@agentwire/bridge/policy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

// Commands are texts or lists of words; changes of files are patches with several paths.
const rules = Result.getOrThrow(
  readPolicy(
    JSON.stringify({
      version: 1,
      allow: [
        { tool: "commandExecution", command: "cat *" },
        { tool: "fileChange", path: "**" }
      ],
      deny: [{ tool: ["read", "fileChange"], path: ".env" }]
    }),
    codexToolInputs
  )
)
const decide = (toolName: string, input: Readonly<Record<string, unknown>>) =>
  Effect.runPromise(explainDecision(rules, { toolName, input, cwd: process.cwd(), mode: undefined }))
console.log((await decide("commandExecution", { command: ["bash", "-lc", "cat .env"] })).decision) // deny
console.log((await decide("fileChange", { changes: [{ path: "a.ts", kind: { type: "add" } }] })).decision) // allow
