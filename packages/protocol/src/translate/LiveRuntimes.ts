/**
 * What the live translator has to know of each runtime, as a table: how its lines are heard, which of them are pieces of a
 * text, what is remembered of a text that is open, and where its lines have what differs between them. The live
 * translator is the same for all of them.
 */
import { codec as claudeCodec } from "../claude/Codec.ts"
import { grownBlock } from "../claude/fold/Block.ts"
import { speakerOf } from "../claude/fold/Fields.ts"
import { withBlock } from "../claude/fold/Lane.ts"
import type { Recent } from "../claude/fold/Recent.ts"
import { afterDelta, type FoldState as ClaudeFold } from "../claude/fold/State.ts"
import { codec as codexCodec } from "../codex/Codec.ts"
import { Dialogue, type Heard } from "../codex/Dialogue.ts"
import { execCodec } from "../codex/Exec.ts"
import { grownSpeech } from "../codex/fold/Speech.ts"
import type { FoldState as CodexFold } from "../codex/fold/State.ts"
import type { Speaker } from "../tape/Tape.ts"
import type { Line } from "../wire/Framer.ts"
import type { LineKeys } from "./DeltaLine.ts"
import type { FoldStates, RuntimeMessages, RuntimeName } from "./Runtimes.ts"

/** A piece of a text, and which text that is. */
export interface Piece {
  /** The thread of the runtime, where one connection has several. */
  readonly thread: string
  /** The answer or the turn; undefined where the line does not say. */
  readonly turn: string | undefined
  /** The text's place in it, or its name. */
  readonly item: string | number
  readonly text: string
  /** The uuid of the line, where lines have one: what comes again has the same. */
  readonly uuid: string | undefined
}

/** A text of the main thread that is open, to which nothing but its next piece can matter. */
export interface OpenText<F> extends Pick<Piece, "thread" | "turn" | "item"> {
  /** The id of its item. */
  readonly id: string
  /** The lines that were seen, where they can come again. */
  readonly recent: Recent | undefined
  /** The fold when it has grown by a text, and these lines were seen. */
  readonly grown: (text: string, recent: Recent | undefined) => F
}

/** How a runtime is translated live. */
export interface LiveRuntime<F, M> {
  /** Hears the lines of a session, in their order; undefined for those that say nothing. */
  readonly listener: () => (line: Line, from: Speaker) => M | undefined
  /** The piece of a text that a message is; undefined when it is anything else. */
  readonly pieceOf: (message: M) => Piece | undefined
  /** The text that a message was a piece of, after the fold has taken it; undefined when it cannot be kept aside. */
  readonly openText: (fold: F, piece: Piece) => OpenText<F> | undefined
  /** Where its lines have what differs between the pieces of a text. */
  readonly keys: LineKeys
}

type Claude = LiveRuntime<FoldStates["claude"], RuntimeMessages["claude"]>
type Codex = LiveRuntime<FoldStates["codex"], RuntimeMessages["codex"]>
type CodexExec = LiveRuntime<FoldStates["codex-exec"], RuntimeMessages["codex-exec"]>

const claude: Claude = {
  // What the host says gives no events.
  listener: () => (line, from) => (from === "host" ? undefined : claudeCodec.decodeFramed(line)),
  pieceOf: (decoded) => {
    if (decoded._tag !== "Known" || decoded.name !== "stream_event/content_block_delta") return undefined
    const { api_message_id: reply, event, uuid } = decoded.message
    const { delta, index } = event
    return delta.type === "text_delta" && speakerOf(decoded.message) === null && typeof uuid === "string"
      ? { thread: "", turn: typeof reply === "string" ? reply : undefined, item: index, text: delta.text, uuid }
      : undefined
  },
  openText: (fold, { item, thread }) => {
    const reply = fold.main.current
    const block = typeof item === "number" ? reply?.blocks[item] : undefined
    if (typeof item !== "number" || reply === undefined || reply.stopped || block === undefined) return undefined
    if (block.kind !== "text" || !block.open || block.whole || block.half !== "" || block.again !== undefined)
      return undefined
    const grown = (text: string, recent: Recent | undefined): ClaudeFold => {
      const current = withBlock(reply, item, grownBlock(block, block.sent + text, ""))
      return afterDelta(fold, recent ?? fold.recent, { ...fold.main, current })
    }
    return { thread, turn: reply.id, item, id: block.id, recent: fold.recent, grown }
  },
  keys: { text: '"delta":{"type":"text_delta","text":"', stamp: '"uuid":"', stampKind: "uuid" }
}

const codex: Codex = {
  listener: () => {
    const dialogue = new Dialogue()
    return (line, from): Heard | undefined => {
      const decoded = codexCodec.decodeFramed(line)
      return decoded && dialogue.heed(from === "host" ? "client" : "server", decoded)
    }
  },
  pieceOf: ({ decoded, from }) => {
    if (decoded._tag !== "Known" || from !== "server") return undefined
    if (decoded.name !== "item/agentMessage/delta" && decoded.name !== "item/plan/delta") return undefined
    const { delta: text, itemId: item, threadId: thread, turnId: turn } = decoded.message.params
    return { thread, turn, item, text, uuid: undefined }
  },
  openText: (fold, { item, thread, turn }) => {
    const speech = typeof item === "string" ? fold.speeches.get(item) : undefined
    if (thread !== fold.thread || fold.turn === undefined || speech === undefined) return undefined
    if (turn !== undefined && !fold.turn.ids.includes(turn)) return undefined
    if (speech.kind !== "text" || speech.thread !== thread || !speech.open || speech.half !== "" || speech.breaks)
      return undefined
    const grown = (text: string): CodexFold => grownSpeech(fold, speech, text)
    return { thread, turn, item, id: speech.id, recent: undefined, grown }
  },
  keys: { text: '"delta":"', stamp: '"emittedAtMs":', stampKind: "digits" }
}

const codexExec: CodexExec = {
  listener: () => (line, from) => (from === "host" ? undefined : execCodec.decodeFramed(line)),
  // It says all texts whole.
  pieceOf: () => undefined,
  openText: () => undefined,
  keys: codex.keys
}

/** The runtimes by their names. */
export const liveRuntimes: { readonly [R in RuntimeName]: LiveRuntime<FoldStates[R], RuntimeMessages[R]> } = {
  claude,
  codex,
  "codex-exec": codexExec
}
