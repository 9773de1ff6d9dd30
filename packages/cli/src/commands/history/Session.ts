/** Finds and reads a session for a command, or says why it cannot be. */
import { basename, resolve } from "node:path"
import {
  findSession,
  projectsFolder,
  type ReadSession,
  readSession,
  type SessionPlace,
  type TranscriptFailed
} from "@agentwire/bridge/claude"
import { Claude, Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { Input } from "../../Command.ts"
import { Failure, UsageFailure } from "../../Failure.ts"
import { chunksOf } from "../../InputFile.ts"
import { type Limits, limitsOf, sizeWords } from "../../Limits.ts"

const { sessionBranches, sessionEvents, totalUsage, usageByModel } = Claude.Transcript

/** What is held of a session unless an option says otherwise: people have sessions of 100,000 messages. */
const defaultMaxBytes = 256 * 1024 * 1024

/** An entry of a conversation, and when it was said. */
export interface TimedEntry {
  /** Counted from 1. */
  readonly position: number
  /** ISO 8601; null when it is not known. */
  readonly at: string | null
  readonly entry: Model.TranscriptEntry
}

/** Another conversation of the same file. */
export interface OtherBranch {
  /** The uuid of its last message. */
  readonly leaf: string
  /** When that was said. */
  readonly at: string | null
}

/** A conversation of a session, read. */
export interface Conversation extends ReadSession {
  readonly file: string
  readonly entries: ReadonlyArray<TimedEntry>
  readonly branches: ReadonlyArray<OtherBranch>
  readonly usage: Model.Usage
  /** What each model has spent. */
  readonly models: Readonly<Record<string, Model.Usage>>
}

/** The folder of all projects that a command line means. */
export const projectsOf = ({ values }: Input): string =>
  typeof values["projects"] === "string" ? resolve(values["projects"]) : projectsFolder()

/** The conversation that a command line means. Throws a {@link Failure} that says what to do when there is none. */
export const conversationOf = async (name: string, input: Input): Promise<Conversation> => {
  const limits = { ...limitsOf(input), ...(input.values["max-size"] === undefined && { maxBytes: defaultMaxBytes }) }
  const { branch } = input.values
  const place = await placeOf(name, input)
  const read = await attempt(readSession(place, { ...limits, read: (file) => chunksOf(file) }), input, limits)
  const { session } = read
  const others = sessionBranches(session).flatMap(({ leaf }) => session.tree.nodes[leaf] ?? [])
  const leaf = typeof branch === "string" ? leafOf(session, branch) : undefined
  return {
    ...read,
    file: place.file,
    entries: entriesOf(sessionEvents(session, leaf === undefined ? {} : { leaf })),
    branches: others.map(({ at, uuid }) => ({ leaf: uuid, at: isoOf(at) })),
    usage: totalUsage(session.usage.values()),
    models: Object.fromEntries(usageByModel(session.usage.values()))
  }
}

/** A file by its path, or a session by its id. */
const placeOf = async (name: string, input: Input): Promise<Pick<SessionPlace, "file" | "sessionId">> => {
  if (name === "") throw new UsageFailure("A session has an id, or a file.")
  if (/[\\/]|\.jsonl(?:\.gz)?$|\.gz$/.test(name))
    return { file: name, sessionId: basename(name).replace(/(?:\.jsonl)?(?:\.gz)?$/, "") }
  return attempt(findSession(projectsOf(input), name), input)
}

/** The last message of a branch, by the beginning of its uuid. */
const leafOf = (session: Claude.Transcript.TranscriptSession, branch: string): string => {
  const found = session.tree.nodes.filter(({ uuid }) => branch !== "" && uuid.startsWith(branch))
  const [first, ...more] = found
  if (first !== undefined && (more.length === 0 || first.uuid === branch)) return first.uuid
  throw new Failure(
    first === undefined
      ? `There is no message ${branch} in session ${session.sessionId}. Without --branch, history show names the branches.`
      : `${found.length} messages begin with ${branch}. Give more of the uuid.`
  )
}

const entriesOf = (events: ReadonlyArray<Claude.Transcript.TimedEvent>): ReadonlyArray<TimedEntry> => {
  const times = new Map<string, number>()
  for (const { at, event } of events) {
    if (event.type === "item_started" && !times.has(event.id)) times.set(event.id, at)
    if (event.type === "call_answered") times.set(`result ${event.id}`, at)
  }
  return Model.transcriptOf(events.map(({ event }) => event)).entries.map((entry, index) => ({
    position: index + 1,
    at: isoOf(times.get(entry.kind === "result" ? `result ${entry.id}` : entry.id)),
    entry
  }))
}

/** A time for JSON; null when it is not known, or no time. */
export const isoOf = (at: number | undefined): string | null =>
  at === undefined || at === 0 || Number.isNaN(new Date(at).getTime()) ? null : new Date(at).toISOString()

/** Does something with session files, and turns what is wrong into a sentence with what to do. */
export const attempt = async <A>(
  effect: Effect.Effect<A, TranscriptFailed>,
  input: Input,
  limits?: Limits
): Promise<A> => {
  const exit = await Effect.runPromiseExit(Effect.result(effect))
  if (Exit.isFailure(exit)) throw exit.cause
  const result = exit.value
  if (Result.isSuccess(result)) return result.success
  throw failureOf(result.failure, input, limits)
}

const failureOf = (failed: TranscriptFailed, input: Input, limits?: Limits): Failure => {
  if (failed.cause instanceof Failure) return failed.cause
  const words = (message: string): Failure => new Failure(message, { cause: failed })
  switch (failed.code) {
    case "TRANSCRIPT_NOT_FOUND":
      return words(
        failed.path === projectsOf(input)
          ? `There is no folder ${failed.path}: Claude Code has kept no sessions there. Name another with --projects, or set CLAUDE_CONFIG_DIR.`
          : `${failed.message} \`agentwire history list\` shows which there are; --projects names another folder.`
      )
    case "TRANSCRIPT_TOO_LARGE":
      return words(
        `${failed.path} is more than is held in memory: over ${sizeWords(limits?.maxBytes ?? 0)}. If you trust it, raise the limit with --max-size.`
      )
    default:
      return words(failed.message)
  }
}
