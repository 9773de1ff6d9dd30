/** What the fields of the tools' inputs mean: which is a path, which is a shell text. One table. */

/** What a tool does with a path. */
export interface PathField {
  readonly field: string
  /** Searches everything below. */
  readonly isSearch?: true
  /** The working folder, when the field is left out. */
  readonly isOptional?: true
  /** Another field with a glob that begins where the path ends. */
  readonly glob?: string
}

/** The field with the path, by tool. */
export const pathFields: Readonly<Record<string, PathField>> = {
  Read: { field: "file_path" },
  Write: { field: "file_path" },
  Edit: { field: "file_path" },
  MultiEdit: { field: "file_path" },
  NotebookEdit: { field: "notebook_path" },
  NotebookRead: { field: "notebook_path" },
  LS: { field: "path" },
  Glob: { field: "path", isSearch: true, isOptional: true, glob: "pattern" },
  Grep: { field: "path", isSearch: true, isOptional: true }
}

/** The field with the shell text, by tool. */
export const shellFields: Readonly<Record<string, string>> = {
  Bash: "command",
  Monitor: "command"
}
