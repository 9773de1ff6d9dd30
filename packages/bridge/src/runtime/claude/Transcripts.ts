/**
 * Sessions that Claude Code kept itself, read with all their sub-agents, within limits; and what a bridge needs to go on
 * with one that was started in a terminal.
 */
import { readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Transcript } from "@agentwire/protocol/claude"
import { type TranscriptEntry, transcriptOf } from "@agentwire/protocol/model"
import { defaultMaxLineBytes, parseJson } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { attempt, bytesOf, type FileBudget, readKeptFile, type TranscriptFailed } from "../kept/KeptFile.ts"
import { findSession, type SessionPlace } from "./SessionFolder.ts"

/** How much of a session is read. */
export interface TranscriptLimits {
  /** The longest line, in bytes; a longer one is left out. 64 MiB unless it says otherwise. */
  readonly maxLineBytes?: number
  /** About the most that is held in memory, in bytes. 256 MiB unless it says otherwise. */
  readonly maxBytes?: number
  /** The bytes of a file: from the disk, unless somebody reads it otherwise. */
  readonly read?: (file: string) => AsyncIterable<Uint8Array>
}

const defaultMaxBytes = 256 * 1024 * 1024

/** A session, and what could not be read of it. */
export interface ReadSession {
  readonly session: Transcript.TranscriptSession
  /** The session's own file. */
  readonly main: Transcript.TranscriptFile
}

/** Reads a session with its sub-agents. */
export const readSession = Effect.fn("readSession")(function* (
  { file, sessionId }: Pick<SessionPlace, "file" | "sessionId">,
  limits: TranscriptLimits = {}
): Effect.fn.Return<ReadSession, TranscriptFailed> {
  const maxBytes = limits.maxBytes ?? defaultMaxBytes
  const budget = { maxBytes, left: maxBytes }
  const main = yield* readFileOf(file, limits, budget)
  const agents = []
  for (const agent of yield* agentFilesOf(file, main.facts)) {
    const read = yield* readFileOf(agent.file, limits, budget)
    // Files beside the session's are of all sessions of the folder.
    if (agent.isOurs || read.facts.sessionId === sessionId)
      agents.push({ id: agent.id, file: read, meta: yield* metaOf(agent.file) })
  }
  return { session: Transcript.sessionOf({ sessionId, main, agents }), main }
})

const readFileOf = (
  file: string,
  { maxLineBytes = defaultMaxLineBytes, read }: TranscriptLimits,
  budget: FileBudget
): Effect.Effect<Transcript.TranscriptFile, TranscriptFailed> =>
  readKeptFile(file, () => new Transcript.TranscriptReader({ maxLineBytes }), budget, read)

interface AgentPlace {
  readonly id: string
  readonly file: string
  /** It is below the session's own folder. */
  readonly isOurs: boolean
}

const agentFile = /^agent-(?<id>[\w-]+)\.jsonl$/

/** The most files of sub-agents that are read of a session. */
const maxAgents = 5000

/** The files of a session's sub-agents: below its folder, and beside its file where 2.0.45 has them. */
const agentFilesOf = (
  file: string,
  facts: Transcript.TranscriptFacts
): Effect.Effect<ReadonlyArray<AgentPlace>, TranscriptFailed> =>
  attempt(file, async () => {
    const own = await agentsBelow(join(file.replace(/\.jsonl$/, ""), "subagents"), deepest)
    const beside = /^[01]\.|^2\.0\./.test(facts.version ?? "") ? await agentsBelow(dirname(file), 0) : []
    return [
      ...own.map((agent) => ({ ...agent, isOurs: true })),
      ...beside.map((agent) => ({ ...agent, isOurs: false }))
    ].slice(0, maxAgents)
  })

/** Workflows have folders of their own. */
const deepest = 4

const agentsBelow = async (folder: string, depth: number): Promise<ReadonlyArray<Omit<AgentPlace, "isOurs">>> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: Array<Omit<AgentPlace, "isOurs">> = []
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const id = entry.isFile() ? agentFile.exec(entry.name)?.groups?.["id"] : undefined
    if (id !== undefined) found.push({ id, file: join(folder, entry.name) })
    else if (entry.isDirectory() && depth > 0) found.push(...(await agentsBelow(join(folder, entry.name), depth - 1)))
    if (found.length > maxAgents) break
  }
  return found
}

const maxMetaBytes = 1 << 16

/** What the file beside an agent's says; undefined when there is none that can be read. */
const metaOf = (file: string): Effect.Effect<unknown> =>
  Effect.promise(async () => {
    const chunks: Array<Uint8Array> = []
    let bytes = 0
    try {
      for await (const chunk of bytesOf(file.replace(/\.jsonl$/, ".meta.json"))) {
        bytes += chunk.length
        if (bytes > maxMetaBytes) return undefined
        chunks.push(chunk)
      }
    } catch {
      return undefined
    }
    return parseJson(Buffer.concat(chunks).toString())
  })

/** A session that was started elsewhere, ready to be gone on with. */
export interface AdoptableSession {
  /** What `--resume` takes. */
  readonly providerSessionId: string
  /** The folder it was started in, where the CLI finds it again. */
  readonly cwd: string | undefined
  readonly title: string | undefined
  /** Who gave it its title. */
  readonly titleBy: Transcript.TitleSource | undefined
  readonly model: string | undefined
  /** How much the agent might do without asking, last. */
  readonly mode: string | undefined
  /** The version of the CLI that wrote to it last. */
  readonly version: string | undefined
  /** In milliseconds since 1970. */
  readonly createdAt: number | undefined
  /** When the last message was said. */
  readonly activeAt: number | undefined
  /** All that happened in its live conversation. Every turn has ended, and every item. Prompts have the CLI's uuids. */
  readonly events: ReadonlyArray<Transcript.TimedEvent>
  /** What was said in it. */
  readonly entries: ReadonlyArray<TranscriptEntry>
  /** How many other branches its file has. */
  readonly branches: number
}

/**
 * A session of the provider as a bridge adopts it. `id` may be the beginning of the session's id. The live conversation
 * is what the CLI resumes, and all that was said before a compaction.
 */
export const adoptSession = Effect.fn("adoptSession")(function* (
  projects: string,
  id: string,
  limits?: TranscriptLimits
): Effect.fn.Return<AdoptableSession, TranscriptFailed> {
  const place = yield* findSession(projects, id)
  const { session } = yield* readSession(place, limits)
  const events = Transcript.sessionEvents(session)
  const { activeAt, createdAt, cwd, mode, model, title, titleBy, version } = session.facts
  return {
    providerSessionId: place.sessionId,
    cwd,
    title,
    titleBy,
    model,
    mode,
    version,
    createdAt,
    activeAt,
    events,
    entries: transcriptOf(events.map(({ event }) => event)).entries,
    branches: Transcript.sessionBranches(session).length
  }
})
