/**
 * What a call does, with what it does it to: the file it reads, the words it searches for, the command it runs. The
 * model says which kind of thing a call is; this is what people want to see of it.
 */

/** One thing that a call does. A shell command may do several. */
export type CallAction =
  | { readonly type: "read" | "write" | "edit" | "delete"; readonly path: string }
  /** Lists files: those of a folder, or those whose names fit a pattern. */
  | { readonly type: "list"; readonly path?: string; readonly pattern?: string }
  /** Looks for words in files; without a path, in the folder it works in. */
  | { readonly type: "search"; readonly pattern?: string; readonly path?: string }
  /** Runs a command that nobody could tell more about. */
  | { readonly type: "command"; readonly command: string }
  /** Asks the web: for an address, or for words. */
  | { readonly type: "fetch"; readonly target: string }
  /** Gives work to a sub-agent. */
  | { readonly type: "agent"; readonly name?: string; readonly task?: string }
  /** Asks a person. */
  | { readonly type: "question"; readonly question?: string }
  | { readonly type: "other" }

/** The action of a type. */
export type CallActionOf<T extends CallAction["type"]> = Extract<CallAction, { readonly type: T }>

/** An object without the keys whose values are undefined. */
export const given = <A extends Readonly<Record<string, string | undefined>>>(
  fields: A
): { readonly [K in keyof A]?: string } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof A]?: string
  }
