/**
 * Why a request fails, in Codex's words where clients read them: they tell a thread that is gone from one that is busy by
 * nothing else. Every error of Codex has one code (docs/wire/codex.md §3.3).
 */
import { errorCodes, Refusal } from "@agentwire/protocol/jsonrpc"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { SessionRefused } from "../../session/Sessions.ts"

/** A refusal with the one code that there is. `data.code` is stable, where there is one: see docs/errors.md. */
export const refuse = (message: string, code?: string): Refusal =>
  new Refusal({ code: errorCodes.invalidRequest, message, ...(code !== undefined && { data: { code } }) })

/** The refusals of Codex, word for word. */
export const refusals = {
  notInitialized: refuse("Not initialized"),
  alreadyInitialized: refuse("Already initialized"),
  experimental: (method: string) => refuse(`${method} requires experimentalApi capability`),
  unknownMethod: (method: string, known: ReadonlyArray<string>) =>
    refuse(
      `Invalid request: unknown variant \`${method}\`, expected one of ${known.map((name) => `\`${name}\``).join(", ")}`
    ),
  unsupported: (method: string) =>
    refuse(`${method} is not supported here: docs/app-server.md says which methods are`, "METHOD_UNSUPPORTED"),
  noRollout: (threadId: string) => refuse(`no rollout found for thread id ${threadId}`),
  notFound: (threadId: string) => refuse(`thread not found: ${threadId}`),
  notLoaded: (threadId: string) => refuse(`thread not loaded: ${threadId}`),
  archived: (threadId: string) =>
    refuse(`session ${threadId} is archived. Run \`codex unarchive ${threadId}\` to unarchive it first.`),
  otherTurn: (expected: string, found: string) =>
    refuse(`expected active turn id \`${expected}\` but found \`${found}\``),
  nothingToSteer: refuse("no active turn to steer"),
  nothingToInterrupt: refuse("no active turn to interrupt"),
  noTurn: (turnId: string) => refuse(`turn not found: ${turnId}`)
} as const

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Params that do not fit their method: what is missing by its name, as Codex says it, and else the place. */
export const badParams = (params: unknown, { issue }: Schema.SchemaError): Refusal => {
  if (params === undefined) return refuse("Invalid request: missing field `params`")
  const [first] = format(issue).issues
  const path = (first?.path ?? []).map((segment) => String(typeof segment === "object" ? segment.key : segment))
  const name = path.at(-1)
  const message = first?.message ?? "not what is taken"
  if (name !== undefined && /missing key/i.test(message)) return refuse(`Invalid request: missing field \`${name}\``)
  return refuse(`Invalid request: ${name === undefined ? "" : `\`${path.join(".")}\`: `}${message}`)
}

/** A session that cannot be had, or a thread that cannot be written. */
export const sessionRefused = ({ code, message }: Pick<SessionRefused | LogFailed, "code" | "message">): Refusal =>
  refuse(message, code)
