/** Finds and reads a session for a command, of whichever agent, or says why it cannot be. */
import { basename, resolve } from "node:path"
import {
  findSession,
  projectsFolder,
  readSession,
  type SessionPlace,
  type TranscriptFailed
} from "@agentwire/bridge/claude"
import { findRollout, readRolloutOf, rolloutsFolder } from "@agentwire/bridge/codex"
import * as Claude from "@agentwire/protocol/claude"
import * as Codex from "@agentwire/protocol/codex"
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { Input } from "../../Command.ts"
import { Failure, UsageFailure } from "../../Failure.ts"
import { chunksOf } from "../../InputFile.ts"
import { type Limits, limitsOf, sizeWords } from "../../Limits.ts"
import { oneOf } from "../../OptionValue.ts"
import { keepers } from "./Words.ts"

const { sessionBranches, sessionEvents, totalUsage, usageByModel } = Claude.Transcript

/** What is held of a session unless an option says otherwise: people have sessions of 100,000 messages. */
const defaultMaxBytes = 256 * 1024 * 1024

/** An agent that keeps sessions. */
export type Keeper = (typeof keepers)[number]

/** What the agents are called. */
export const keeperNames: Readonly<Record<Keeper, string>> = { claude: "Claude Code", codex: "Codex" }

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

/** What is known about a session. */
export type SessionFacts = Partial<
  Pick<
    Claude.Transcript.TranscriptFacts,
    "title" | "titleBy" | "cwd" | "gitBranch" | "model" | "version" | "createdAt" | "activeAt"
  >
>

/** A conversation of a session, read. */
export interface Conversation {
  readonly runtime: Keeper
  readonly sessionId: string
  readonly facts: SessionFacts
  readonly file: string
  readonly entries: ReadonlyArray<TimedEntry>
  readonly branches: ReadonlyArray<OtherBranch>
  readonly usage: Model.Usage
  /** What each model has spent. */
  readonly models: Readonly<Record<string, Model.Usage>>
  /** How many lines could not be read, and where the first of these is. */
  readonly unread: number
  readonly firstUnread: number | undefined
  /** The file ends in the middle of a line. */
  readonly isTorn: boolean
  /** The session as a tape can be made of it; undefined where none can. */
  readonly taped: Claude.Transcript.TranscriptSession | undefined
}

/** The folder of all projects of Claude Code that a command line means. */
export const projectsOf = ({ values }: Input): string =>
  typeof values["projects"] === "string" ? resolve(values["projects"]) : projectsFolder()

/** The folder of all threads of Codex that a command line means. */
export const rolloutsOf = ({ values }: Input): string =>
  typeof values["rollouts"] === "string" ? resolve(values["rollouts"]) : rolloutsFolder()

/** The agents whose sessions a command line means: one, where it names that or its folder, or both. */
export const keepersOf = ({ values }: Input): ReadonlyArray<Keeper> => {
  const named = oneOf("runtime", keepers, values["runtime"])
  if (named !== undefined) return [named]
  if (values["projects"] !== undefined && values["rollouts"] === undefined) return ["claude"]
  return values["rollouts"] !== undefined && values["projects"] === undefined ? ["codex"] : keepers
}

/** The folder of an agent. */
export const folderOf = (keeper: Keeper, input: Input): string =>
  keeper === "claude" ? projectsOf(input) : rolloutsOf(input)

/** The conversation that a command line means. Throws a {@link Failure} that says what to do when there is none. */
export const conversationOf = async (name: string, input: Input): Promise<Conversation> => {
  const limits = { ...limitsOf(input), ...(input.values["max-size"] === undefined && { maxBytes: defaultMaxBytes }) }
  const { keeper, place } = await placeOf(name, input)
  return readers[keeper](place, input, limits)
}

type Reader = (place: Pick<SessionPlace, "file" | "sessionId">, input: Input, limits: Limits) => Promise<Conversation>

const readClaude: Reader = async (place, input, limits) => {
  const { branch } = input.values
  const { main, session } = await attempt(
    readSession(place, { ...limits, read: (file) => chunksOf(file) }),
    input,
    limits
  )
  const others = sessionBranches(session).flatMap(({ leaf }) => session.tree.nodes[leaf] ?? [])
  const leaf = typeof branch === "string" ? leafOf(session, branch) : undefined
  return {
    runtime: "claude",
    sessionId: session.sessionId,
    facts: session.facts,
    file: place.file,
    entries: entriesOf(sessionEvents(session, leaf === undefined ? {} : { leaf })),
    branches: others.map(({ at, uuid }) => ({ leaf: uuid, at: isoOf(at) })),
    usage: totalUsage(session.usage.values()),
    models: Object.fromEntries(usageByModel(session.usage.values())),
    unread: main.unread,
    firstUnread: main.unreadLines[0]?.line,
    isTorn: main.isTorn,
    taped: session
  }
}

const readCodex: Reader = async ({ file }, input, limits) => {
  if (input.values["branch"] !== undefined)
    throw new UsageFailure("Codex keeps each branch as a thread of its own: --branch is for sessions of Claude Code.")
  const reading = readRolloutOf({ file }, rolloutsOf(input), { ...limits, read: (path) => chunksOf(path) })
  const { main, session } = await attempt(reading, input, limits)
  const events = Codex.Rollout.rolloutEvents(session)
  const spent = events.flatMap(({ event }) =>
    event.type === "turn_ended" && event.usage !== undefined ? [{ model: event.model ?? "", usage: event.usage }] : []
  )
  const models = new Map<string, Model.Usage>()
  for (const { model, usage } of spent) models.set(model, Model.addUsage(models.get(model) ?? Model.noUsage, usage))
  const { title } = session.facts
  return {
    runtime: "codex",
    sessionId: session.threadId,
    facts: { ...session.facts, titleBy: title === undefined ? undefined : "prompt" },
    file,
    entries: entriesOf(events),
    branches: [],
    usage: [...models.values()].reduce(Model.addUsage, Model.noUsage),
    models: Object.fromEntries(models),
    unread: main.unread,
    firstUnread: main.unreadLines[0]?.line,
    isTorn: main.isTorn,
    taped: undefined
  }
}

const readers: Readonly<Record<Keeper, Reader>> = { claude: readClaude, codex: readCodex }

interface KeptPlace {
  readonly keeper: Keeper
  readonly place: Pick<SessionPlace, "file" | "sessionId">
}

/** A file by its path, or a session by its id. Codex's files say by their names that they are its. */
const placeOf = async (name: string, input: Input): Promise<KeptPlace> => {
  if (name === "") throw new UsageFailure("A session has an id, or a file.")
  if (/[\\/]|\.jsonl(?:\.gz)?$|\.gz$/.test(name)) {
    const named = basename(name)
    const keeper = oneOf("runtime", keepers, input.values["runtime"])
    const place = { file: name, sessionId: named.replace(/(?:\.jsonl)?(?:\.gz)?$/, "") }
    return { keeper: keeper ?? (named.startsWith("rollout-") ? "codex" : "claude"), place }
  }
  return findKept(name, input)
}

/** The session with an id, or the beginning of one, of any of the agents that are meant. */
export const findKept = async (id: string, input: Input): Promise<KeptPlace & { readonly modifiedAt: number }> => {
  const failures: Array<unknown> = []
  for (const keeper of keepersOf(input))
    try {
      if (keeper === "claude") {
        const place = await attempt(findSession(projectsOf(input), id), input)
        return { keeper, place, modifiedAt: place.modifiedAt }
      }
      const { file, modifiedAt, threadId } = await attempt(findRollout(rolloutsOf(input), id), input)
      return { keeper, place: { file, sessionId: threadId }, modifiedAt }
    } catch (error) {
      // Another agent may have it, unless several sessions of this one are meant.
      if (!(error instanceof Failure) || !isMissing(error)) throw error
      failures.push(error)
    }
  throw failures[0]
}

const isMissing = ({ cause }: Failure): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === "TRANSCRIPT_NOT_FOUND"

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

const entriesOf = (
  events: ReadonlyArray<{ readonly at: number; readonly event: Model.Event }>
): ReadonlyArray<TimedEntry> => {
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
        failed.path === rolloutsOf(input)
          ? `There is no folder ${failed.path}: Codex has kept no threads there. Name another with --rollouts, or set CODEX_HOME.`
          : failed.path === projectsOf(input)
            ? `There is no folder ${failed.path}: Claude Code has kept no sessions there. Name another with --projects, or set CLAUDE_CONFIG_DIR.`
            : `${failed.message} \`agentwire history list\` shows which there are; ${keepersOf(input)[0] === "codex" ? "--rollouts" : "--projects"} names another folder.`
      )
    case "TRANSCRIPT_TOO_LARGE":
      return words(
        `${failed.path} is more than is held in memory: over ${sizeWords(limits?.maxBytes ?? 0)}. If you trust it, raise the limit with --max-size.`
      )
    default:
      return words(failed.message)
  }
}
