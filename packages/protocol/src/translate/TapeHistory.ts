/**
 * The whole conversation of a session whose two sides are known: what the agent said, with the person's prompts in
 * their places.
 *
 * A prompt has its place where the CLI took it up, not where it was sent: a host may send three at once. One is
 * taken up when a turn begins (up to 2.1.37 one for each turn, later all that wait), or with the results of tools,
 * when the model is asked again (docs/wire/claude-code.md §5.23).
 */
import type { AguiEvent } from "../agui/Event.ts"
import { emptyHistory, foldEvents, type History } from "../agui/History.ts"
import type { UserMessage } from "../agui/Message.ts"
import type { Decoded } from "../claude/Codec.ts"
import { decoder } from "../claude/Codec.ts"
import { hostPrompt } from "../claude/command/HostPrompt.ts"
import { fact } from "../claude/Versions.ts"
import type { Speaker, Tape, TapeHeader } from "../tape/Tape.ts"
import { bytesOf } from "../tape/TapeCodec.ts"
import type { TranslateOptions } from "./Options.ts"
import { type FinishReason, finish, initialState, type State, step } from "./Translator.ts"

/** A message, and who sent it: the agent, where nothing is said. */
export type Said = Decoded & { readonly from?: Speaker }

/** A conversation so far. Make one with {@link emptyDialogue}. */
export interface Dialogue {
  readonly translation: State
  readonly history: History
  /** Prompts that the CLI has not taken up, oldest first. */
  readonly waiting: ReadonlyArray<UserMessage>
  /** How many of them were there when the last tool returned: the next question to the model has them. */
  readonly returned: number
  /** The API's id of the answer the main thread is giving. */
  readonly answer: string | undefined
  /** How many prompts there were. */
  readonly prompts: number
  /** The CLI's version, from the time it says so. */
  readonly version: string | undefined
}

/** A conversation that has not begun. */
export const emptyDialogue = (options: TranslateOptions): Dialogue => ({
  translation: initialState(options),
  history: emptyHistory,
  waiting: [],
  returned: 0,
  answer: undefined,
  prompts: 0,
  version: undefined
})

/** The conversation with a prompt that did not come as a `user` line, but as an argument of the command. */
export const withPrompt = (before: Dialogue, content: string): Dialogue =>
  queue(before, { id: nextId(before), role: "user", content })

/** The conversation after some more messages, in time that grows with their number. */
export const withMessages = (before: Dialogue, said: ReadonlyArray<Said>): Dialogue => {
  let next = before
  let events: Array<AguiEvent> = []
  const take = (count: number) => {
    if (count === 0 || next.waiting.length === 0) return
    next = takeUp(next, events, count)
    events = []
  }
  for (const one of said) {
    if (one.from === "host") {
      next = heardHost(next, one)
      continue
    }
    const version = versionOf(one)
    if (version !== undefined) next = { ...next, version }
    const answer = answerOf(one)
    if (answer !== undefined && answer !== next.answer) {
      take(next.returned)
      next = { ...next, answer, returned: 0 }
    }
    const [translation, given] = step(next.translation, one)
    next = { ...next, translation }
    for (const event of given) {
      if (event.type === "RUN_STARTED") take(mergesPrompts(next) ? next.waiting.length : 1)
      if (event.type === "TOOL_CALL_RESULT" && event.subagentRunId === undefined)
        next = { ...next, returned: next.waiting.length }
      events.push(event)
    }
  }
  return { ...next, history: foldEvents(events, next.history) }
}

/** All that was said, when no more messages come. */
export const historyOf = (before: Dialogue, reason?: FinishReason): History =>
  takeUp(before, finish(before.translation, reason), before.waiting.length).history

/** The whole conversation on a tape. */
export const tapeHistory = ({ frames, header }: Tape, options: TranslateOptions): History => {
  const decoders = { agent: decoder(), host: decoder() }
  const said: Array<Said> = []
  let reason: FinishReason = { type: "end" }
  for (const frame of frames) {
    if (frame._tag === "Exit") reason = { type: "exit", code: frame.code, signal: frame.signal }
    if (frame._tag !== "Data" || frame.channel === "stderr") continue
    for (const one of decoders[frame.from].push(bytesOf(frame.data))) said.push({ ...one, from: frame.from })
  }
  for (const from of ["host", "agent"] as const) for (const one of decoders[from].end()) said.push({ ...one, from })
  const argument = argumentPrompt(header)
  const begun = argument === undefined ? emptyDialogue(options) : withPrompt(emptyDialogue(options), argument)
  return historyOf(withMessages(begun, said), reason)
}

/**
 * The prompt among the arguments of the CLI, where there is one for sure: behind `-p`. With `stream-json` as the
 * input format the CLI does not read it (§2, measured over `--sdk-url`).
 */
export const argumentPrompt = ({ argv }: TapeHeader): string | undefined => {
  const format = argv.indexOf("--input-format")
  if (argv.includes("--input-format=stream-json") || (format !== -1 && argv[format + 1] === "stream-json"))
    return undefined
  const prompt = argv[argv.findIndex((arg) => arg === "-p" || arg === "--print") + 1]
  return argv.some((arg) => arg === "-p" || arg === "--print") && prompt?.startsWith("-") === false ? prompt : undefined
}

const heardHost = (before: Dialogue, decoded: Decoded): Dialogue => {
  if (decoded._tag !== "Known" || decoded.name !== "user") return before
  const prompt = hostPrompt(decoded.message, nextId(before))
  return prompt === undefined ? before : queue(before, { ...prompt, role: "user" })
}

const nextId = ({ prompts, translation }: Dialogue): string =>
  `${translation.writer.settings.threadId}:prompt:${prompts + 1}`

/** A prompt that is sent again under its uuid is skipped by the CLI (§5.25). */
const queue = (before: Dialogue, prompt: UserMessage): Dialogue => {
  const prompts = before.prompts + 1
  return [...before.waiting, ...before.history.messages].some(({ id }) => id === prompt.id)
    ? { ...before, prompts }
    : { ...before, prompts, waiting: [...before.waiting, prompt] }
}

const takeUp = (before: Dialogue, events: ReadonlyArray<AguiEvent>, count: number): Dialogue => {
  const history = foldEvents(events, before.history)
  return {
    ...before,
    history: { ...history, messages: [...history.messages, ...before.waiting.slice(0, count)] },
    waiting: before.waiting.slice(count),
    returned: Math.max(0, before.returned - count)
  }
}

const mergesPrompts = ({ version }: Dialogue): boolean =>
  version === undefined || fact("queuedPromptsMerged", version) !== false

const versionOf = (decoded: Decoded): string | undefined =>
  decoded._tag === "Known" && decoded.name === "system/init" ? decoded.message.claude_code_version : undefined

/** The API's id of the answer that a message of the main thread begins or belongs to. */
const answerOf = (decoded: Decoded): string | undefined => {
  if (decoded._tag !== "Known") return undefined
  if (decoded.name === "assistant")
    return decoded.message.parent_tool_use_id === null ? decoded.message.message.id : undefined
  return decoded.name === "stream_event/message_start" && decoded.message.parent_tool_use_id === null
    ? decoded.message.event.message.id
    : undefined
}
