/**
 * A thread of Codex as its rollouts tell it: its own file, the files that its beginning is in when it was forked or has gone
 * back, and those of its sub-agents. Nothing here reads a disk.
 */
import { type Transcript, transcriptOf } from "../../model/Transcript.ts"
import type { RolloutFacts, RolloutFile, RolloutLine } from "./Reader.ts"
import { type TimedEvent, type ToldLine, tellRollout } from "./Tell.ts"

/** A thread, put together. Make one with {@link rolloutSession}. */
export interface RolloutSession {
  readonly threadId: string
  readonly facts: RolloutFacts & { readonly threadId: string }
  /** All lines, in the order they were written. */
  readonly lines: ReadonlyArray<ToldLine>
  /** A file that has the beginning of the thread was not given. */
  readonly isHeadless: boolean
}

/** Which file of a thread has its end: when it goes back, Codex begins another one. */
export const newestOf = <F extends { readonly facts: Pick<RolloutFacts, "createdAt"> }>(
  files: ReadonlyArray<F>
): F | undefined =>
  files.reduce<F | undefined>(
    (newest, file) =>
      newest === undefined || (file.facts.createdAt ?? 0) >= (newest.facts.createdAt ?? 0) ? file : newest,
    undefined
  )

/** The thread whose end is in a file. `others`: files that may have its beginning, or be those of its sub-agents. */
export const rolloutSession = (
  main: RolloutFile,
  others: ReadonlyArray<RolloutFile> = []
): RolloutSession | undefined => {
  const { threadId } = main.facts
  if (threadId === undefined) return undefined
  const { isHeadless, lines, title } = withBeginning(main, others, new Set())
  const told = lines.map((line) => ({ ...line, thread: threadId }))
  const agents = agentsOf(threadId, others).flatMap(({ facts: { threadId: thread = "" }, lines }) =>
    lines.map((line) => ({ ...line, thread }))
  )
  // Sorting is stable: what was written in the same millisecond stays in its order.
  const all = agents.length === 0 ? told : [...told, ...agents].sort((a, b) => a.at - b.at)
  return { threadId, facts: { ...main.facts, threadId, title: main.facts.title ?? title }, lines: all, isHeadless }
}

interface Chain {
  readonly lines: ReadonlyArray<RolloutLine>
  readonly isHeadless: boolean
  /** Its own first prompt; where it has none, that of what it is a fork of. */
  readonly title: string | undefined
}

const withBeginning = (
  file: RolloutFile,
  others: ReadonlyArray<RolloutFile>,
  seen: ReadonlySet<RolloutFile>
): Chain => {
  const { base, createdAt = 0, title } = file.facts
  if (base === undefined) return { lines: file.lines, isHeadless: false, title }
  const known = new Set([...seen, file])
  const older = others.filter(
    (other) => !known.has(other) && other.facts.threadId === base.threadId && (other.facts.createdAt ?? 0) <= createdAt
  )
  const before = newestOf(older)
  if (before === undefined) return { lines: file.lines, isHeadless: true, title }
  const { isHeadless, lines, title: first } = withBeginning(before, others, known)
  const told = [...lines.filter(({ ordinal }) => ordinal < base.until), ...file.lines]
  return { lines: told, isHeadless, title: title ?? first }
}

const agentsOf = (threadId: string, others: ReadonlyArray<RolloutFile>): ReadonlyArray<RolloutFile> => {
  const family = new Set([threadId])
  const found = new Set<RolloutFile>()
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const other of others) {
      const { errand, parent, threadId: id } = other.facts
      if (id === undefined || errand !== undefined || parent === undefined || !family.has(parent)) continue
      family.add(id)
      found.add(other)
    }
  }
  return [...found]
}

/** A thread as events of the model, from its beginning. */
export const rolloutEvents = ({ facts, lines }: RolloutSession): ReadonlyArray<TimedEvent> => tellRollout(facts, lines)

/** What was said in a thread. */
export const rolloutTranscript = (session: RolloutSession): Transcript =>
  transcriptOf(rolloutEvents(session).map(({ event }) => event))
