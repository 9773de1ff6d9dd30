/** What the fields of the inputs of Claude Code's tools mean: which is a path, which is a shell text. One table. */
import type { ToolInputs } from "../../policy/ToolInputs.ts"

/** The inputs of Claude Code's tools, for policies. */
export const claudeToolInputs: ToolInputs = {
  paths: {
    Read: { field: "file_path" },
    Write: { field: "file_path" },
    Edit: { field: "file_path" },
    MultiEdit: { field: "file_path" },
    NotebookEdit: { field: "notebook_path" },
    NotebookRead: { field: "notebook_path" },
    LS: { field: "path" },
    Glob: { field: "path", isSearch: true, isOptional: true, glob: "pattern" },
    Grep: { field: "path", isSearch: true, isOptional: true }
  },
  shells: {
    Bash: "command",
    Monitor: "command"
  },
  files: { read: "Read", write: "Write" }
}
