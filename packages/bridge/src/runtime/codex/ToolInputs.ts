/**
 * What the fields of Codex's requests mean, for policies. One table.
 *
 * Codex has no tool that reads files: it runs commands. A rule about `read` is about the files that commands read.
 * Names are those of the app-server's items (`commandExecution`, `fileChange`; codex-cli 0.166), of its older requests
 * (`execCommandApproval`, `applyPatchApproval`), and of the tools that the model calls (`shell`, `exec_command`,
 * `apply_patch`).
 */
import type { Likewise, ToolInputs } from "../../policy/ToolInputs.ts"

const alike = (tools: ReadonlyArray<string>, what: Likewise): Readonly<Record<string, Likewise>> =>
  Object.fromEntries(tools.map((tool) => [tool, what]))

/** The inputs of Codex's tools, for policies. */
export const codexToolInputs: ToolInputs = {
  paths: {
    read: { field: "path" },
    imageView: { field: "path" },
    view_image: { field: "path" },
    fileChange: { field: "changes", isPatch: true },
    applyPatchApproval: { field: "fileChanges", isPatch: true },
    apply_patch: { field: "input", isPatch: true }
  },
  shells: {
    commandExecution: "command",
    execCommandApproval: "command",
    shell: "command",
    local_shell: "command",
    shell_command: "command",
    exec_command: "cmd"
  },
  folders: {
    commandExecution: "cwd",
    execCommandApproval: "cwd",
    shell: "workdir",
    local_shell: "working_directory",
    shell_command: "workdir",
    exec_command: "workdir"
  },
  files: { read: "read", write: "fileChange" },
  // One policy for both agents: what is said about Claude Code's tools is said about what Codex does likewise. A patch may
  // make files as well as change them, so whoever allows `Edit` alone has not allowed it.
  likewise: {
    ...alike(["read", "imageView", "view_image"], {
      any: ["Read", "NotebookRead", "LS", "Glob", "Grep"],
      all: "Read"
    }),
    ...alike(["fileChange", "applyPatchApproval", "apply_patch"], {
      any: ["Write", "Edit", "MultiEdit"],
      all: "Write"
    }),
    ...alike(["commandExecution", "execCommandApproval", "shell", "local_shell", "shell_command", "exec_command"], {
      any: ["Bash"],
      all: "Bash"
    })
  }
}
