/**
 * The command line of `codex exec`, measured on 0.166.0 (docs/wire/codex.md §4): options before `resume` hold for that, too.
 */
import type { AgentOptions } from "../../session/AgentOptions.ts"
import { sandboxOf } from "./ExecOptions.ts"

/** The files that a command line names. */
export interface ExecFiles {
  readonly images: ReadonlyArray<string>
  readonly schema: string | undefined
  readonly systemPrompt: string | undefined
}

/** The arguments of one turn, whose prompt comes on standard input. `thread`: the one that is continued. */
export const execArguments = (
  options: AgentOptions,
  cwd: string,
  files: ExecFiles,
  thread: string | undefined
): ReadonlyArray<string> => {
  const { addDirs = [], appendSystemPrompt, effort, extraArgs = [], model } = options
  const sandbox = sandboxOf(options)
  const settings = {
    // Its default, whatever the person's configuration says.
    approval_policy: "never",
    model_reasoning_effort: effort,
    developer_instructions: appendSystemPrompt,
    model_instructions_file: files.systemPrompt,
    "sandbox_workspace_write.writable_roots": addDirs.length === 0 ? undefined : addDirs
  }
  return [
    ...["exec", "--json", "--skip-git-repo-check"],
    // What a rule of the person allows would run outside of the sandbox.
    ...(sandbox === "read-only" ? ["--ignore-rules"] : []),
    ...["--sandbox", sandbox, "--cd", cwd],
    ...(model === undefined ? [] : ["--model", model]),
    ...Object.entries(settings).flatMap(([key, value]) =>
      value === undefined ? [] : ["--config", `${key}=${tomlOf(value)}`]
    ),
    ...(files.schema === undefined ? [] : ["--output-schema", files.schema]),
    ...extraArgs,
    ...(thread === undefined ? [] : ["resume"]),
    // With a blank it would take the words that follow for images, `resume` and the thread too.
    ...files.images.map((path) => `--image=${path}`),
    ...(thread === undefined ? [] : [thread]),
    "-"
  ]
}

/** A text or a list of texts in TOML, which escapes as JSON does, and one character more. */
const tomlOf = (value: string | ReadonlyArray<string>): string => JSON.stringify(value).replaceAll("\u007f", "\\u007f")
