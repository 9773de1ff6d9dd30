/**
 * What the fields of the tools' inputs mean, so that calls can be compared with paths and commands. Each kind of agent
 * has a table of its own, in its room under `runtime/`.
 */

/** What a tool does with a path. */
export interface PathField {
  readonly field: string
  /** Searches everything below. */
  readonly isSearch?: true
  /** The working folder, when the field is left out. */
  readonly isOptional?: true
  /** Another field with a glob that begins where the path ends. */
  readonly glob?: string
  /** The field is a patch: a text with the paths of several files, or a list or table of changes. */
  readonly isPatch?: true
}

/** The inputs of an agent's tools. */
export interface ToolInputs {
  /** The field with the path, by tool. */
  readonly paths: Readonly<Record<string, PathField>>
  /** The field with the shell text, or with the words of one command, by tool. Such a tool has no path. */
  readonly shells: Readonly<Record<string, string>>
  /** The field with the folder in which a shell text runs, by tool; without one it is that of the agent. */
  readonly folders?: Readonly<Record<string, string>>
  /** The tools that read and write files: what a shell text opens is judged like a call of one of them. */
  readonly files: { readonly read: string; readonly write: string }
  /** Tools of other agents that do the same as one of these, by this one's name: rules about those are about this, too. */
  readonly likewise?: Readonly<Record<string, Likewise>>
}

/** What tools of other agents do the same. */
export interface Likewise {
  /** Whoever denies one of them, or wants to be asked about it, means this tool as well. */
  readonly any: ReadonlyArray<string>
  /** Whoever allows this one of them allows this tool as well: it does no less. */
  readonly all: string
}
