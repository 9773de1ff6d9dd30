/** Why a command could not do its work, in words for the person who typed it. */

import { escapeControls } from "./Paint.ts"

/** An expected failure: shown as one paragraph, without a stack trace, and exit code 2. */
export class Failure extends Error {
  override readonly name = "Failure"
}

/** A command line that cannot be understood: shown with a pointer to the help. */
export class UsageFailure extends Failure {}

/** Says why a file cannot be read, from what the operating system said. */
export const fileFailure = (file: string, error: unknown): Failure =>
  new Failure(`Cannot read ${escapeControls(file)}: ${reasonOf(error, { ENOENT: "there is no such file" })}.`, {
    cause: error
  })

/** Says why a file cannot be written, from what the operating system said. */
export const writeFailure = (file: string, error: unknown): Failure =>
  new Failure(`Cannot write ${escapeControls(file)}: ${reasonOf(error, { ENOENT: "its folder does not exist" })}.`, {
    cause: error
  })

const reasonOf = (error: unknown, own: Readonly<Record<string, string>>): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return own[code] ?? reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder, not a file",
  EACCES: "you are not allowed to",
  EPERM: "you are not allowed to",
  ENOTDIR: "part of the path is not a folder",
  // What making a folder says when there is a file of that name.
  EEXIST: "part of the path is not a folder",
  EROFS: "nothing can be written there",
  ENOSPC: "the disk is full",
  EMFILE: "too many files are open"
}

/** An error as one paragraph; with its stack trace when asked. `command` is whose help tells more. */
export const describe = (error: unknown, debug: boolean, command?: string): string => {
  const stack = debug && error instanceof Error ? `\n\n${error.stack}` : ""
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageFailure)
    return `${message} Try \`agentwire ${command === undefined ? "" : `${command} `}--help\`.${stack}`
  if (error instanceof Failure) return `${message}${stack}`
  return `agentwire ran into an error it did not expect: ${message}. This is a bug; \`--debug\` shows where.${stack}`
}
