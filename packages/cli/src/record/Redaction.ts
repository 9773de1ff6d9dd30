/**
 * What the recorder keeps off its tapes: what the redactor finds by itself, the values of environment variables
 * whose names look like secrets, and what the user named.
 */
import { homedir, userInfo } from "node:os"
import * as Tape from "@agentwire/protocol/tape"

/** What the user said about redaction. */
export interface RedactionChoice {
  /** Off: everything is kept. */
  readonly off: boolean
  /** Further patterns. */
  readonly patterns: ReadonlyArray<Tape.SecretPattern>
  /** Environment variables whose values are kept off the tape, whatever their names look like. */
  readonly variables: ReadonlyArray<string>
  /** Further values that are secret. */
  readonly values?: ReadonlyArray<string>
  /** Told of every secret that is replaced. */
  readonly onFound?: ((finding: Tape.Finding) => void) | undefined
}

/** What the recorder needs of a redactor. */
export type Redactor = Pick<Tape.Redactor, "push" | "end" | "header">

const secretName = /(_KEY|_TOKEN)$|SECRET|PASSWORD|PASSWD|CREDENTIAL/i

/** Shorter values (`1`, `true`) are not secrets, and replacing them would ruin the tape. */
const shortestSecret = 8

/** Addresses of people are found by themselves; everywhere else they are words. */
const isEmail = ({ kind }: Tape.Secret): boolean => kind === "email"

/** The values of the environment that must not be on a tape: by their names, and by what they look like. */
export const secretValues = (
  env: Readonly<Record<string, string | undefined>>,
  variables: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const named = variables.flatMap((name) => env[name] || [])
  const looking = Object.entries(env).flatMap(([name, value = ""]) => [
    ...(secretName.test(name) ? [value] : []),
    ...Tape.findSecrets(`${name}=${value}`).flatMap((found) => (isEmail(found) ? [] : [found.secret]))
  ])
  return [...new Set([...named, ...looking.filter(({ length }) => length >= shortestSecret)])]
}

/** The redactor for a choice. */
export const redactorFor = (
  { off, onFound, patterns, values = [], variables }: RedactionChoice,
  env: Readonly<Record<string, string | undefined>> = process.env
): Redactor => {
  if (off) return { push: (frame) => [frame], end: () => [], header: (header) => header }
  return Tape.makeRedactor({
    ...whoseTape(env),
    values: [...new Set([...values, ...secretValues(env, variables)])],
    patterns,
    ...(onFound !== undefined && { onFound })
  })
}

/** Whose names are kept off a tape. */
export const whoseTape = (
  env: Readonly<Record<string, string | undefined>> = process.env
): Pick<Tape.SecretOptions, "home" | "user"> => ({ home: env["HOME"] || homedir(), user: userName() })

/** Containers run under user ids that no user has; there is no name to hide then. */
const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return ""
  }
}
