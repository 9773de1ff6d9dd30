/**
 * Sub-agents that a project is to have: their files, for whichever runtimes, put where the project has no agent of the
 * same name. Claude Code and Codex go by the name within a file, wherever below their folder it is; Codex ignores one of
 * two files with the same name, so a second one must not appear beside the project's own.
 */
import {
  type AgentDefinition,
  type AgentUnwritable,
  agentFolders,
  agentPath,
  type CodexAgentOptions,
  type DefinitionRuntime,
  fromClaudeAgent,
  fromCodexAgent,
  toClaudeAgent,
  toCodexAgent
} from "@agentwire/protocol/agents"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readTemplates } from "./Templates.ts"
import { type PreparedWorkspace, prepareWorkspace, realFolder, type WorkspaceFile } from "./Workspace.ts"
import type { WorkspaceRefused } from "./WorkspaceRefused.ts"

/** For whom agents are written. */
export interface AgentFilesOptions extends CodexAgentOptions {
  /** Default: both. */
  readonly runtimes?: ReadonlyArray<DefinitionRuntime>
}

/** Writes the agents that a folder does not have. `kept` names the project's own files of the others. */
export const prepareAgents = Effect.fn("prepareAgents")(function* (
  folder: string,
  definitions: ReadonlyArray<AgentDefinition>,
  options: AgentFilesOptions = {}
): Effect.fn.Return<PreparedWorkspace, WorkspaceRefused | AgentUnwritable> {
  const root = yield* realFolder(folder)
  const kept: Array<string> = []
  const missing: Array<WorkspaceFile> = []
  // All of them before the first is written: one that cannot be said must not leave half of the others.
  for (const runtime of options.runtimes ?? (["claude", "codex"] as const)) {
    const there = yield* namesIn(root, runtime)
    for (const definition of definitions) {
      const own = there.get(definition.name)
      if (own === undefined) {
        const content = yield* Effect.fromResult(formats[runtime].write(definition, options))
        missing.push({ path: agentPath(runtime, definition.name), content })
      } else kept.push(own)
    }
  }
  const prepared = yield* prepareWorkspace(root, missing)
  return { written: prepared.written, kept: [...kept, ...prepared.kept] }
})

const formats = {
  claude: { write: (definition: AgentDefinition) => toClaudeAgent(definition), read: fromClaudeAgent },
  codex: { write: toCodexAgent, read: fromCodexAgent }
}

/** The agents that a project has, by their names: the files they are in. A file that is none is nobody's. */
const namesIn = (root: string, runtime: DefinitionRuntime): Effect.Effect<Map<string, string>, WorkspaceRefused> => {
  const { ending, folder } = agentFolders[runtime]
  return readTemplates(`${root}/${folder}`, ending).pipe(
    Effect.catchIf(
      ({ code }) => code === "WORKSPACE_MISSING",
      () => Effect.succeed([])
    ),
    Effect.map((files) => {
      const named = files.flatMap(({ content, path }): ReadonlyArray<readonly [string, string]> => {
        const read = formats[runtime].read(Buffer.from(content).toString("utf8"))
        return Result.isSuccess(read) ? [[read.success.definition.name, `${folder}/${path}`]] : []
      })
      return new Map(named)
    })
  )
}
