/**
 * What a client's request to run means: a prompt, results of the application's tools, answers to interrupts.
 *
 * A request carries the whole conversation each time, and the answers to what the last run left open. This picks
 * out what is new. Everything else is listed with the reason why it was ignored.
 */
import { isSlashCommand, type Prompt } from "../../model/Command.ts"
import type { Answer, Question, Request } from "../../model/Request.ts"
import type { Message } from "../Message.ts"
import type { RunAgentInput } from "../RunInput.ts"
import {
  describeContext,
  describeInstruction,
  describeState,
  InstructionsTold,
  instructionPrint,
  nothingTold
} from "./Background.ts"
import type { Divergence } from "./Divergence.ts"
import { type Ignored, ignoredOf } from "./Ignored.ts"
import { type Sorted, sortMessages } from "./Messages.ts"
import { type GivenAnswer, readResume } from "./Resume.ts"
import { rememberIds, type Thread } from "./Thread.ts"

/** What the agent waits for. */
export interface OpenRequests {
  readonly requests: ReadonlyArray<Request>
  /**
   * The ids of the calls of the application's tools that were announced and have no result, including those that no
   * request is open for: agents ask for one after the other, the client answers all at once (docs/wire/claude-code.md
   * §7).
   */
  readonly toolCallIds?: ReadonlyArray<string>
}

/** The result of a call of one of the application's tools. */
export interface GivenResult {
  readonly toolCallId: string
  readonly answer: Answer
}

/** What a request means. Give the answers and results first: they belong to the turn that waits. */
export interface Inbound {
  /** What to remember for the next request. */
  readonly thread: Thread
  /** What to send, when the person or the application said something new. */
  readonly prompt?: Prompt
  /** The answers to open requests, by the request's id: of people, and of the application's tools. */
  readonly answers: ReadonlyArray<GivenAnswer>
  /** The results of announced calls that no request is open for. */
  readonly results: ReadonlyArray<GivenResult>
  /** The messages that the agent is told of now, in order. */
  readonly heard: ReadonlyArray<Message>
  readonly ignored: ReadonlyArray<Ignored>
  /** Where the conversation goes back to before the prompt. */
  readonly branch?: Divergence
}

/**
 * What a request means, given what is known and what is open. The same request a second time means nothing new.
 * `divergence`: where its messages differ from the conversation ({@link divergenceOf}). An answer is one to the
 * conversation as it is: a request that brings one never goes back. To dismiss a question is none: clients run only
 * when they say something to every question that is open, so that is how a person goes back behind one.
 */
export const readInput = (
  thread: Thread,
  input: RunAgentInput,
  open: OpenRequests = { requests: [] },
  divergence?: Divergence
): Inbound => {
  const questions = open.requests.filter(isQuestion)
  const resumed = readResume(input, questions, thread.answered)
  const byCall = new Map(open.requests.flatMap((each) => (each.kind === "page_tool" ? [[each.call, each.id]] : [])))
  const sorted = sortMessages(thread, input.messages, {
    waiting: new Set([...byCall.keys(), ...(open.toolCallIds ?? [])]),
    asked: new Set(questions.flatMap((each) => (each.kind === "form" ? [] : [each.call])))
  })
  const isAnswer = ({ answer }: GivenAnswer): boolean => answer.type !== "dismissed"
  const branch = sorted.results.size === 0 && !resumed.answers.some(isAnswer) ? divergence : undefined
  // An agent that goes back has not been told what it was told since.
  const spoken =
    branch === undefined
      ? speak(thread, input, sorted)
      : speak({ ...thread, told: nothingTold }, input, { ...sorted, users: branch.said })
  const repeated = new Set(branch?.said.map(({ id }) => id))
  const unheard = new Set(spoken.ignored.map((each) => ("messageId" in each ? each.messageId : undefined)))
  const heard =
    branch === undefined ? sorted.heard : [...sorted.heard.filter(({ role }) => isInstruction(role)), ...branch.said]
  const given = [...sorted.results].map(([toolCallId, answer]) => ({ toolCallId, answer, id: byCall.get(toolCallId) }))
  return {
    thread: {
      known: rememberIds(thread.known, sorted.known),
      answered: rememberIds(
        thread.answered,
        resumed.answers.map(({ id }) => id)
      ),
      told: spoken.told
    },
    ...(spoken.prompt !== undefined && { prompt: spoken.prompt }),
    answers: [...resumed.answers, ...given.flatMap(({ answer, id }) => (id === undefined ? [] : [{ id, answer }]))],
    results: given.flatMap(({ answer, id, toolCallId }) => (id === undefined ? [{ toolCallId, answer }] : [])),
    heard: heard.filter(({ id, role }) => !(isInstruction(role) && unheard.has(id))),
    ignored: [...resumed.ignored, ...sorted.ignored, ...spoken.ignored].filter(
      (each) => !("messageId" in each && repeated.has(each.messageId))
    ),
    ...(branch !== undefined && { branch })
  }
}

const isInstruction = (role: Message["role"]): boolean => role === "system" || role === "developer"

const isQuestion = (request: Request): request is Question => request.kind !== "page_tool"

interface Spoken {
  readonly told: Thread["told"]
  readonly prompt?: Prompt
  readonly ignored: ReadonlyArray<Ignored>
}

const speak = (thread: Thread, { context = [], state }: RunAgentInput, { instructions, users }: Sorted): Spoken => {
  const said = users.map(({ content, id }) => ({ id, content }))
  const isTrigger = said.length === 0 && instructions.some(({ fresh }) => fresh)
  const ignored: Array<Ignored> = []
  // Nothing may precede a slash command: it would not be one any more.
  const silent = (said.length === 0 && !isTrigger) || isSlashCommand(said)
  let told = thread.told
  const instructed = new InstructionsTold(told)
  const asides: Array<string> = []
  const tell = ([next, text]: readonly [Thread["told"], string | undefined]) => {
    told = next
    if (text !== undefined) asides.push(text)
  }
  for (const { fresh, known, message } of instructions) {
    const print = instructionPrint(message)
    // With nothing else to say, an application that says the same again means it.
    const repeated = instructed.has(print) && !(isTrigger && fresh)
    if (!repeated && !silent) {
      instructed.add(print)
      asides.push(describeInstruction(message))
    } else ignored.push(ignoredOf(repeated ? (known ? "known" : "told") : "waiting", { messageId: message.id }))
  }
  told = { ...told, instructions: instructed.prints }
  if (!silent) {
    tell(describeContext(told, context))
    tell(describeState(told, state))
  }
  const aside = asides.join("\n\n")
  if (said.length === 0 && aside === "") return { told, ignored }
  return { told, ignored, prompt: { type: "prompt", said, ...(aside !== "" && { aside }) } }
}
