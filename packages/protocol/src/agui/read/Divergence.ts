/**
 * How the messages of a request relate to the conversation as it is known: they continue it, or they differ from it, and
 * the conversation goes back to where they do.
 *
 * Only the end of the list counts: the last answer that it has, and what people say after it. Clients send less than
 * everything for many good reasons (a filter, a bounded snapshot, a new page, answers they do not keep, messages they
 * have not had yet), and none of them takes anything away from a conversation. Nor does the order in which they show it:
 * what they get later they put behind what they have, wherever it belongs. What was measured of real clients is in
 * docs/wire/ag-ui.md §4.8.
 */
import { type EntryPlace, isOnPath, type Origins, pathThrough } from "../../model/Branch.ts"
import type { TranscriptEntry } from "../../model/Transcript.ts"
import { isRecord } from "../../wire/Json.ts"
import type { Message, UserMessage } from "../Message.ts"
import { sessionStateKey } from "../SessionState.ts"
import { saysSomething, saysTheSame } from "./Words.ts"

/** An entry of the transcript in its place. */
export interface KnownEntry extends EntryPlace {
  readonly entry: TranscriptEntry
}

/** The conversation as it is known. */
export interface KnownConversation {
  /**
   * What was said, oldest first: all of it, or a part without gaps: from before the last answer in the request on, or, when
   * that is on another branch, from where that branch leaves the conversation.
   */
  readonly path: ReadonlyArray<KnownEntry>
  /** Whether that begins with the beginning. */
  readonly isWhole: boolean
  /** What other branches have by the ids in the request. */
  readonly elsewhere: ReadonlyArray<KnownEntry>
  /** Where each branch began. */
  readonly origins: Origins
  /**
   * Whether the client that asks has had an entry, or something else in its place that it lacks as well. Without that
   * nothing is missing from its list on purpose.
   */
  readonly hasHad: (entry: KnownEntry) => boolean
  /**
   * Whether whoever shows a prompt was sent the answer to it: for clients that do not say themselves what they have had. A
   * list that ends with such a prompt asks for another answer. Default: nobody knows.
   */
  readonly hasAnswerOf?: (prompt: KnownEntry, answer: KnownEntry) => boolean
  /** The client says that it sends all messages it has: {@link sendsAll}. Default: it may send less. */
  readonly sendsAll?: boolean
}

/**
 * Whether a client says that it sends all messages it has (`forwardedProps: { agentwire: { allMessages: true } }`). Then
 * the first message can be edited under a new id, too: otherwise a list of nothing but new messages continues.
 */
export const sendsAll = (forwardedProps: unknown): boolean => {
  const ours = isRecord(forwardedProps) ? forwardedProps[sessionStateKey] : undefined
  return isRecord(ours) && ours["allMessages"] === true
}

/** What a person did with the messages. */
export type BranchKind =
  /** Said something else in the place of an earlier message. */
  | "edit"
  /** Asked for another answer to the same message. */
  | "regenerate"
  /** Took away the end of the conversation, and went on. */
  | "cut"
  /** Went on with another branch. */
  | "switch"

/** The conversation goes back. */
export interface Divergence {
  readonly kind: BranchKind
  /** The entry after which it continues; undefined: before everything. */
  readonly after: KnownEntry | undefined
  /** All that people say after it, in order. */
  readonly said: ReadonlyArray<UserMessage>
}

/** Where a request differs from the conversation; undefined when it continues it. */
export const divergenceOf = (messages: ReadonlyArray<Message>, known: KnownConversation): Divergence | undefined => {
  const here = indexOf(known.path)
  const there = indexOf(known.elsewhere)
  const last = lastAnswer(messages, known.path, here)
  const other = lastAnswer(messages, known.elsewhere, there)
  if (last === -1 && other === -1) {
    const first = messages.findIndex((message) => message.role === "user" && find(here, message) !== undefined)
    const said = messages.flatMap((message) => (message.role === "user" ? (find(here, message) ?? []) : []))
    // Nothing of it is known: a client that has just come, or one that shows nothing of the conversation on purpose.
    const begin = said.length > 0 ? Math.min(...said) : known.sendsAll === true ? 0 : undefined
    const users = begin === undefined ? undefined : usersIn(messages.slice(Math.max(0, first)), here, there)
    return begin === undefined || users === undefined ? undefined : compare(messages, known, begin - 1, users, false)
  }
  const users = usersIn(messages.slice(Math.max(last, other) + 1), here, there)
  if (users === undefined) return undefined
  if (other > last) return switchOf(messages, other, users, known)
  const answers = messages.filter(isOfAgent).flatMap((message) => find(here, message) ?? [])
  return compare(messages, known, throughResults(known.path, Math.max(...answers)), users, true)
}

/**
 * What people say in some messages; undefined when there is an answer among them that goes by a name of the client's own:
 * which one it is cannot be told.
 */
const usersIn = (
  messages: ReadonlyArray<Message>,
  here: Index,
  there: Index
): ReadonlyArray<UserMessage> | undefined =>
  messages.some(
    (message) => message.role === "assistant" && (find(here, message) ?? find(there, message)) === undefined
  )
    ? undefined
    : messages.filter((message): message is UserMessage => message.role === "user" && saysSomething(message.content))

/** Compares what follows an entry of the path with what people say in the request. */
const compare = (
  messages: ReadonlyArray<Message>,
  { elsewhere, hasAnswerOf = () => false, hasHad, isWhole, path }: KnownConversation,
  at: number,
  users: ReadonlyArray<UserMessage>,
  keepsAnswers: boolean
): Divergence | undefined => {
  if (at < 0 && !isWhole) return undefined
  const { answer, prompts, words } = nextTurn(path, at + 1)
  const same = countSame(prompts, users)
  const branch = (kind: BranchKind): Divergence => ({ kind, after: path[at], said: users })
  const missing = prompts[same]
  if (missing !== undefined) {
    const instead = users[same]
    // Whoever knows the id of a message has had it, in these words or in those that it had before somebody changed them.
    // It may stand behind others, in an order of its client's own.
    if (users.some((user) => isEdited(user, missing.entry, elsewhere))) return branch("edit")
    if (instead === undefined || shows(messages, missing.entry, instead)) return undefined
    return hasHad(missing) ? branch("edit") : undefined
  }
  // Clients that show no calls have all there is when nothing but calls follows what they have.
  const lacking = same === 0 ? words : answer
  if (lacking === undefined || shows(messages, lacking.entry)) return undefined
  if (users.length > same) return keepsAnswers && hasHad(lacking) ? branch("cut") : undefined
  const last = prompts[same - 1]
  return last !== undefined && (hasHad(lacking) || hasAnswerOf(last, lacking)) ? branch("regenerate") : undefined
}

/**
 * The list ends with an answer of another branch. Whoever has had nothing of the conversation since that branch left it has
 * not heard that it went back, and is behind.
 */
const switchOf = (
  messages: ReadonlyArray<Message>,
  other: number,
  users: ReadonlyArray<UserMessage>,
  { elsewhere, hasHad, origins, path }: KnownConversation
): Divergence | undefined => {
  const after = elsewhere[find(indexOf(elsewhere), messages[other]) ?? -1]
  if (after === undefined || users.length === 0) return undefined
  const there = pathThrough(origins, after)
  const since = path.filter((known) => !isOnPath(there, known))
  if (since.some(({ entry }) => entry.kind !== "prompt" && shows(messages, entry))) return undefined
  const { answer, prompts } = nextTurn(since, 0)
  const instead = prompts[0] ?? answer
  return instead !== undefined && hasHad(instead) ? { kind: "switch", after, said: users } : undefined
}

/** Whether a message is a prompt in words that it never had. */
const isEdited = (
  user: UserMessage,
  { content, id }: Turn["prompts"][number]["entry"],
  elsewhere: ReadonlyArray<KnownEntry>
): boolean => user.id === id && !saysTheSame(user.content, content) && !wasSaid(user, elsewhere)

/** Whether a message was said in the same words before. */
const wasSaid = ({ content, id }: UserMessage, entries: ReadonlyArray<KnownEntry>): boolean =>
  entries.some(({ entry }) => entry.kind === "prompt" && entry.id === id && saysTheSame(content, entry.content))

/** Whether an entry is among some messages, besides one of them. */
const shows = (messages: ReadonlyArray<Message>, { id, kind }: TranscriptEntry, besides?: Message): boolean => {
  const key = keyOf(kind === "result", id)
  return messages.some((message) => message !== besides && entryKeys(message).includes(key))
}

interface Turn {
  /** What people said, one message after the other. */
  readonly prompts: ReadonlyArray<KnownEntry & { readonly entry: Extract<TranscriptEntry, { kind: "prompt" }> }>
  /** The first thing that the agent said or did after that. */
  readonly answer: KnownEntry | undefined
  /** The first thing that anybody said from then on. */
  readonly words: KnownEntry | undefined
}

/** What people said from an entry on, and what the agent answered. */
const nextTurn = (path: ReadonlyArray<KnownEntry>, from: number): Turn => {
  const prompts: Array<Turn["prompts"][number]> = []
  let answer: KnownEntry | undefined
  for (const known of path.slice(from)) {
    const { entry } = known
    if (entry.lane !== null) continue
    if (entry.kind === "prompt") {
      if (answer !== undefined) return { prompts, answer, words: known }
      prompts.push({ ...known, entry })
    } else if (entry.kind === "call") answer ??= known
    else if (entry.kind === "text" && entry.text !== "") return { prompts, answer: answer ?? known, words: known }
  }
  return { prompts, answer, words: undefined }
}

/** How many of the prompts people say again, in the same words. */
const countSame = (prompts: Turn["prompts"], users: ReadonlyArray<UserMessage>): number => {
  const differs = prompts.findIndex(({ entry }, index) => {
    const user = users[index]
    return user === undefined || user.id !== entry.id || !saysTheSame(user.content, entry.content)
  })
  return differs === -1 ? prompts.length : differs
}

/** The last of the results that belong to the calls up to an entry: a call and its result cannot be parted. */
const throughResults = (path: ReadonlyArray<KnownEntry>, at: number): number => {
  let through = at
  for (let next = at + 1; next < path.length; next++) {
    const entry = path[next]?.entry
    if (entry?.lane !== null || entry.kind === "task") continue
    if (entry.kind !== "result") break
    through = next
  }
  return through
}

/** The last message that the agent said on the main thread, as far as it is known. */
const lastAnswer = (messages: ReadonlyArray<Message>, entries: ReadonlyArray<KnownEntry>, index: Index): number =>
  messages.findLastIndex((message) => isOfAgent(message) && entries[find(index, message) ?? -1]?.entry.lane === null)

const isOfAgent = ({ role }: Message): boolean => role === "assistant" || role === "reasoning" || role === "tool"

type Index = ReadonlyMap<string, number>

const indexOf = (entries: ReadonlyArray<KnownEntry>): Index =>
  new Map(entries.map(({ entry }, index) => [keyOf(entry.kind === "result", entry.id), index]))

const keyOf = (isResult: boolean, id: string): string => (isResult ? `result ${id}` : `item ${id}`)

/** Where the last entry of a message is. */
const find = (index: Index, message: Message | undefined): number | undefined => {
  const found = entryKeys(message).flatMap((key) => index.get(key) ?? [])
  return found.length === 0 ? undefined : Math.max(...found)
}

/** A result is known by its call: applications give results ids of their own. */
const entryKeys = (message: Message | undefined): ReadonlyArray<string> => {
  switch (message?.role) {
    case "tool":
      return [keyOf(true, message.toolCallId)]
    case "assistant":
      return [message.id, ...(message.toolCalls ?? []).map(({ id }) => id)].map((id) => keyOf(false, id))
    case "user":
    case "reasoning":
      return [keyOf(false, message.id)]
    default:
      return []
  }
}

/** The ids by which the entries of messages are known. */
export const entryIds = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => [
  ...new Set(messages.flatMap((message) => entryKeys(message).map((key) => key.slice(key.indexOf(" ") + 1))))
]
