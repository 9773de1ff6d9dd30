/**
 * Telling the agent what it has lost with a bridge: once, before the first prompt that can bring it.
 */
import { isSlashCommand, type Prompt, type TranscriptEntry } from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { CutWords } from "../../session/Runtime.ts"
import { findLostWords, type KeptPlace } from "./LostWords.ts"

/** What a conversation may have to tell again. */
export interface RetellingParts {
  /** What was said last, where the bridge before was killed. */
  readonly cut: Effect.Effect<CutWords> | undefined
  /** Where the CLI keeps its sessions; undefined where nobody can know what it has. */
  readonly projects: string | undefined
  readonly sessionId: () => KeptPlace["sessionId"]
}

/** Tells the agent what it has lost. */
export interface Retelling {
  /** A prompt, with what has to be told before it. */
  readonly before: (prompt: Prompt) => Effect.Effect<Prompt>
  /** The conversation is elsewhere: there is nothing to be told any more. */
  readonly drop: () => void
}

/** What is told again, if anything has to be. */
export const makeRetelling = ({ cut, projects, sessionId }: RetellingParts): Retelling => {
  let isDue = cut !== undefined && projects !== undefined
  return {
    before: (prompt) =>
      Effect.gen(function* () {
        // Nothing may stand before a slash command: it would not be one any more.
        if (!isDue || cut === undefined || projects === undefined || isSlashCommand(prompt.said)) return prompt
        isDue = false
        const lost = yield* findLostWords({ projects, sessionId: sessionId() }, yield* cut)
        if (lost.length === 0) return prompt
        const { aside } = prompt
        return { ...prompt, aside: [describeLost(lost), ...(aside === undefined ? [] : [aside])].join("\n\n") }
      }),
    drop: () => {
      isDue = false
    }
  }
}

const opening =
  "The program between you and the person was ended before you had kept what follows, so that you do not remember it. It was " +
  "said before the message below, and the person sees it. It is told for you to know, not to be answered."

/** What the agent is told of what it has lost. Of much the end is told. */
export const describeLost = (lost: ReadonlyArray<TranscriptEntry>): string => {
  let room = maxCharacters
  const told: Array<string> = []
  for (const piece of lost.map(describe).reverse()) {
    room -= piece.length
    if (room < 0) {
      told.unshift("(What came before is left out.)")
      break
    }
    told.unshift(piece)
  }
  return `<interrupted_turn>\n${escaped([opening, ...told].join("\n\n"))}\n</interrupted_turn>`
}

/** How much is told, and of one piece. */
const maxCharacters = 20_000
const maxPiece = 4000

const describe = (entry: TranscriptEntry): string => {
  switch (entry.kind) {
    case "prompt":
      return `The person: ${shortened(wordsOf(entry.content))}`
    case "text":
      return `You: ${shortened(entry.text)}`
    case "call":
      return `You called ${entry.tool}: ${shortened(entry.arguments)}`
    case "result":
      return `${entry.failed ? "That failed" : "Its result"}: ${shortened(wordsOf(entry.content))}`
    default:
      return ""
  }
}

const wordsOf = (content: Extract<TranscriptEntry, { kind: "prompt" }>["content"]): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n")

const shortened = (text: string): string => (text.length <= maxPiece ? text : `${text.slice(0, maxPiece)} […]`)

/** Nothing that was said ends the piece and goes on as if it were somebody else. */
const escaped = (text: string): string => text.replaceAll(/<(?=\s*\/?\s*interrupted_turn)/gi, "&lt;")
