/**
 * Tells a conversation of a session file as events of the model: each line is what the CLI had said of it on its wire,
 * and goes through the same fold. So ids, results, sub-agents and notices are those of the wire.
 *
 * What the wire has and a file has not is made up from what follows: a turn ends before the next prompt, or where the
 * file ends.
 */
import type { Said } from "../../model/Command.ts"
import type { Event, SessionInfo, TurnOutcome } from "../../model/Event.ts"
import { noUsage, type Usage } from "../../model/Usage.ts"
import type { Known } from "../Codec.ts"
import { anchorLine } from "../fold/Anchored.ts"
import { foldMessage, foldPrompt } from "../fold/Fold.ts"
import { spentIn } from "../fold/Spending.ts"
import { type FoldOptions, type FoldState, initialFold } from "../fold/State.ts"
import { closeSubagent } from "../fold/Subagent.ts"
import { endTurn, openTurn } from "../fold/Turn.ts"
import type { TranscriptAgent } from "./Agents.ts"
import type { AssistantLine, UserLine } from "./Line.ts"
import type { SaidLine, TranscriptNode } from "./Node.ts"
import { SessionDescription } from "./SessionDescription.ts"
import { TurnEnding } from "./TurnEnding.ts"
import type { MessageUsage } from "./Usage.ts"
import { commandIn, outputIn, queuedWordsOf, type UserWords, wordsOf } from "./UserWords.ts"
import type { WovenLine } from "./Weave.ts"
import {
  apiErrorMessage,
  assistantMessage,
  boundaryMessage,
  noticeMessage,
  outputMessage,
  userMessage
} from "./WireLine.ts"

/** An event, and when it happened, in milliseconds since 1970. */
export interface TimedEvent {
  readonly at: number
  readonly event: Event
}

/** Something that happens in a conversation, as the wire would have it. */
export type Moment =
  /** The host sends a prompt. `isQueued`: it did so while a tool ran, and the model has it with the result of that. */
  | { readonly type: "prompt"; readonly said: Said; readonly isQueued: boolean }
  /** The agent begins to work. */
  | { readonly type: "turn_started"; readonly info: SessionInfo }
  /** The agent says something. */
  | { readonly type: "message"; readonly message: Known["message"] }
  /** A sub-agent in the background is done. */
  | { readonly type: "agent_ended"; readonly agent: string; readonly lane: string }
  | { readonly type: "turn_ended"; readonly outcome: TurnOutcome; readonly usage: Usage }

/** Is told what happens, and when, in milliseconds since 1970. */
export type Observe = (moment: Moment, at: number) => void

/** What is told besides the lines. */
export interface TellOptions extends Omit<FoldOptions, "replayWindow"> {
  readonly sessionId: string
  /** What each message of the API has spent. */
  readonly usage: ReadonlyMap<string, MessageUsage>
}

/** The events of some lines, in their order. */
export const tellLines = (
  lines: Iterable<WovenLine>,
  options: TellOptions,
  observe: Observe = () => {}
): ReadonlyArray<TimedEvent> => {
  const teller = new Teller(options, observe)
  for (const line of lines) teller.tell(line)
  return teller.end()
}

type InformationalLine = Extract<SaidLine, { readonly name: "system/informational" }>["message"]
type Prompt = Extract<UserWords, { readonly kind: "prompt" }>

class Teller {
  readonly #options: TellOptions
  readonly #observe: Observe
  readonly #events: Array<TimedEvent> = []
  readonly #session: SessionDescription
  #ending = new TurnEnding()
  #state: FoldState
  #at = 0

  constructor(options: TellOptions, observe: Observe) {
    this.#options = options
    this.#observe = observe
    this.#session = new SessionDescription(options.sessionId)
    this.#state = initialFold(options)
  }

  /** Tells a line. */
  tell({ agent, at, isLast, node }: WovenLine): void {
    this.#at = at
    const { said } = node
    if (said !== undefined) {
      if (agent === undefined) this.#main(node, said)
      else this.#agent(agent, said)
    }
    if (agent !== undefined && isLast) this.#endAgent(agent, node)
  }

  /** All that was told, when no more lines come. */
  end(): ReadonlyArray<TimedEvent> {
    this.#endTurn("session")
    return this.#events
  }

  #main(node: TranscriptNode, said: SaidLine): void {
    if (said.name === "assistant" && isFiller(said.message)) return
    this.#line(node, said)
    this.#ending.note(said)
  }

  #line(node: TranscriptNode, said: SaidLine): void {
    switch (said.name) {
      case "assistant":
        this.#answer(said.message)
        break
      case "user":
        this.#user(said.message)
        break
      case "attachment/queued_command": {
        const words = queuedWordsOf(said.message)
        // In the middle of a turn: the model has it with the results of tools.
        if (words.kind === "prompt") this.#prompt(words, true)
        break
      }
      case "system/compact_boundary":
        this.#fold(boundaryMessage(said.message))
        break
      case "system/local_command":
        this.#command(node, said.message.content)
        break
      case "system/api_error":
        this.#fold(apiErrorMessage(said.message))
        break
      case "system/informational":
        this.#inform(said.message)
        break
      case "system/model_fallback":
      case "system/model_refusal_fallback":
      case "system/model_refusal_no_fallback":
        this.#fold(noticeMessage(said.message))
        break
      default:
        // How the turn ends.
        break
    }
  }

  #answer(line: AssistantLine): void {
    if (this.#session.note(line) && this.#state.open) this.#introduce()
    this.#fold(assistantMessage(line, null, undefined, this.#options.usage.get(line.message.id ?? "")))
  }

  #user(line: UserLine): void {
    const words = wordsOf(line)
    switch (words.kind) {
      case "prompt":
        this.#session.note(line)
        this.#begin(words)
        this.#anchor(line, words)
        break
      case "output":
        this.#fold(outputMessage(line, words.text))
        break
      case "event":
        this.#endTurn("turn")
        this.#openTurn()
        this.#fold(userMessage(line, line.message.content, null))
        break
      default:
        this.#fold(userMessage(line, line.message.content, null))
    }
  }

  /** What a command printed, or the command itself where the CLI does not have it. */
  #command(node: TranscriptNode, content: string): void {
    const output = outputIn(content)
    if (output === undefined)
      this.#begin({ kind: "prompt", said: { id: node.uuid, content: commandIn(content) ?? content } })
    // The wire tells these without the lines at their end.
    else this.#fold(outputMessage(node, output.trim()))
  }

  /**
   * What a hook says that stops a turn before the model is asked is the answer: the `result` of the wire has it. Of a
   * prompt that a hook blocked no more than that is kept.
   */
  #inform(line: InformationalLine): void {
    if (isBlocked(line)) {
      this.#endTurn("turn")
      const [state, events] = foldPrompt(this.#state, [])
      this.#state = state
      this.#push(events)
      this.#startTurn()
    }
    this.#fold(line.preventContinuation === true ? outputMessage(line, line.content ?? "") : noticeMessage(line))
  }

  /** A prompt that begins a turn. */
  #begin(words: Prompt): void {
    this.#endTurn("turn")
    this.#prompt(words, false)
    this.#startTurn()
  }

  #prompt({ said }: Prompt, isQueued: boolean): void {
    this.#observe({ type: "prompt", said, isQueued }, this.#at)
    const [state, events] = foldPrompt(this.#state, [said])
    this.#state = state
    this.#push(events)
  }

  /** On the wire the agent is told the uuid of a prompt; it writes its line under that. */
  #anchor({ sessionId, uuid }: UserLine, { said }: Prompt): void {
    const out: Array<Event> = []
    anchorLine(this.#state, { uuid, session_id: sessionId }, said.id, out)
    this.#push(out)
  }

  #openTurn(): void {
    const out: Array<Event> = []
    this.#state = openTurn(this.#state, "agent", out)
    this.#push(out)
    this.#startTurn()
  }

  #startTurn(): void {
    const info = this.#session.info ?? { sessionId: this.#options.sessionId, model: "", cwd: "" }
    this.#observe({ type: "turn_started", info }, this.#at)
    this.#introduce()
  }

  #introduce(): void {
    const info = this.#session.info
    if (info !== undefined) this.#push([{ type: "session_changed", info }])
  }

  #agent({ description, lane, name }: TranscriptAgent, said: SaidLine): void {
    const hints = { name, description }
    if (said.name === "assistant") {
      const { message } = said
      if (!isFiller(message))
        this.#fold(assistantMessage(message, lane, hints, this.#options.usage.get(message.message.id ?? "")))
    } else if (said.name === "user") this.#fold(userMessage(said.message, said.message.message.content, lane, hints))
    else if (said.name === "attachment/queued_command")
      this.#fold(userMessage(said.message, said.message.attachment.prompt, lane, hints))
  }

  /** No more is told of an agent. One that was not in the background ends with the result of its call. */
  #endAgent({ id, lane }: TranscriptAgent, { said }: TranscriptNode): void {
    const isWaitedFor = this.#state.subagents.get(lane)?.background !== true && this.#state.calls.has(lane)
    const isDone = said?.name === "assistant" && said.message.message.stop_reason !== "tool_use"
    if (isWaitedFor || !isDone) return
    const out: Array<Event> = []
    this.#state = closeSubagent(this.#state, lane, { type: "completed" }, out)
    this.#observe({ type: "agent_ended", agent: id, lane }, this.#at)
    this.#push(out)
  }

  #endTurn(reach: "turn" | "session"): void {
    const { open, turn } = this.#state
    if (open || reach === "session") {
      const out: Array<Event> = []
      const spent = turn === undefined ? undefined : spentIn(turn)
      const outcome = this.#ending.outcome(turn)
      if (open) this.#observe({ type: "turn_ended", outcome, usage: spent ?? noUsage }, this.#at)
      this.#state = endTurn(this.#state, reach, outcome, spent, out)
      this.#push(out)
    }
    this.#ending = new TurnEnding()
  }

  #fold(message: Known): void {
    this.#observe({ type: "message", message: message.message }, this.#at)
    const [state, events] = foldMessage(this.#state, message)
    this.#state = state
    this.#push(events)
  }

  #push(events: ReadonlyArray<Event>): void {
    for (const event of events) this.#events.push({ at: this.#at, event })
  }
}

const isBlocked = ({ content = "", promptSubmitEnding }: InformationalLine): boolean =>
  promptSubmitEnding?.["promptKept"] === false || content.startsWith("UserPromptSubmit operation blocked by hook")

/**
 * What nobody said: an empty text, which the wire leaves out, and what the CLI puts between two prompts so that their
 * roles take turns.
 */
const isFiller = ({ message }: AssistantLine): boolean => {
  const [block, ...more] = message.content
  if (block?.type !== "text" || more.length > 0) return false
  return block.text === "" || (message.model === "<synthetic>" && block.text === "No response requested.")
}
