/** Why a command could not do its work, in words for the person who typed it. */

/** An expected failure: shown as one paragraph, without a stack trace, and exit code 2. */
export class Failure extends Error {
  override readonly name = "Failure"
}

/** A command line that cannot be understood: shown with a pointer to the help. */
export class UsageFailure extends Failure {}

/** Says what went wrong with a file, from what the operating system said. */
export const fileFailure = (file: string, error: unknown): Failure => {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined
  const reason = (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error))
  return new Failure(`Cannot read ${file}: ${reason}.`, { cause: error })
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder, not a file",
  EACCES: "you are not allowed to",
  ENOTDIR: "part of the path is not a folder",
  EMFILE: "too many files are open"
}

/** An error as one paragraph; with its stack trace when asked. */
export const describe = (error: unknown, debug: boolean): string => {
  const stack = debug && error instanceof Error ? `\n\n${error.stack}` : ""
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof UsageFailure) return `${message} Try \`agentwire --help\`.${stack}`
  if (error instanceof Failure) return `${message}${stack}`
  return `agentwire ran into an error it did not expect: ${message}. This is a bug; \`--debug\` shows where.${stack}`
}
