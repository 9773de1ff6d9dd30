/** `@agentwire/bridge/workspace`: a folder made ready before a session, without touching what the project has. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { prepareAgents, prepareWorkspace, readTemplates, WorkspaceRefused } from "@agentwire/bridge/workspace"
import { Effect } from "effect"

const folder = await mkdtemp(join(tmpdir(), "agentwire-example-"))

// A sub-agent for both runtimes, where the project has none of its name.
const reviewer = { name: "reviewer", description: "Reviews changes.", instructions: "Review the change." }
const { written } = await Effect.runPromise(prepareAgents(folder, [reviewer]))
console.log(written) // [ '.claude/agents/reviewer.md', '.codex/agents/reviewer.toml' ]
console.log((await Effect.runPromise(prepareAgents(folder, [reviewer]))).written) // []

// Any other files, from a folder of templates or made here.
const templates = await Effect.runPromise(readTemplates(folder, ".md"))
const prepared = await Effect.runPromise(
  prepareWorkspace(folder, [...templates, { path: "CLAUDE.md", content: "Hi.\n" }])
)
console.log(prepared) // { written: [ 'CLAUDE.md' ], kept: [ '.claude/agents/reviewer.md' ] }

const refused = await Effect.runPromise(Effect.flip(prepareWorkspace(folder, [{ path: "../elsewhere", content: "" }])))
console.log(refused instanceof WorkspaceRefused, refused.code) // true WORKSPACE_BAD_PATH
await rm(folder, { recursive: true })
