/**
 * Reads a session file from bytes in any chunking, and keeps what of it is the conversation.
 *
 * A line without its `\n` at the end of the file is what a process was writing when it was killed, or is writing now:
 * when it is not whole it is no error. Lines that cannot be read are counted, and the first of them are named.
 */
import { Framer, type FramerOptions, type Line } from "../../wire/Framer.ts"
import { type FactsBuilder, makeFacts, type TranscriptFacts } from "./Facts.ts"
import { nodeOf, type TranscriptNode } from "./Node.ts"
import type { LastPromptLine } from "./SessionLine.ts"
import { type DecodedLine, transcriptCodec } from "./TranscriptCodec.ts"

/** A line that cannot be read. */
export interface UnreadLine {
  readonly line: number
  readonly message: string
}

/** The person went back, and has said nothing since. */
export interface Rewound {
  /** The line that says so. */
  readonly line: number
  /** The uuid of the last line that still counts; null when none does. */
  readonly leaf: string | null
}

/** What a session file has. */
export interface TranscriptFile {
  /** The lines of the conversation, in the order they were first written. */
  readonly nodes: ReadonlyArray<TranscriptNode>
  readonly facts: TranscriptFacts
  /** Where the person last went back to, if they did. */
  readonly rewound: Rewound | undefined
  /** How many lines there are. */
  readonly lines: number
  /** How many of them are of a type that no schema knows. */
  readonly unknown: number
  /** How many cannot be read, and the first of these. */
  readonly unread: number
  readonly unreadLines: ReadonlyArray<UnreadLine>
  /** The file ends in the middle of a line. */
  readonly isTorn: boolean
}

const namedUnread = 20

/** What a node takes besides its line, about. */
const nodeBytes = 400

/** Takes the bytes of a session file. */
export class TranscriptReader {
  readonly #framer: Framer
  readonly #nodes: Array<TranscriptNode> = []
  readonly #uuids = new Set<string>()
  readonly #facts: FactsBuilder = makeFacts()
  readonly #unreadLines: Array<UnreadLine> = []
  readonly #cuts = new Set<string>()
  #rewound: Rewound | undefined
  #held = 0
  #lines = 0
  #unknown = 0
  #unread = 0

  constructor(options?: FramerOptions) {
    this.#framer = new Framer(options)
  }

  /** About how many bytes of memory the lines take that are kept. */
  get held(): number {
    return this.#held
  }

  /** The next bytes. */
  push(chunk: Uint8Array): void {
    for (const line of this.#framer.push(chunk)) this.#add(line, false)
  }

  /** No more bytes come. */
  end(): TranscriptFile {
    let isTorn = false
    for (const line of this.#framer.end()) isTorn = !this.#add(line, true)
    return {
      nodes: this.#nodes,
      facts: this.#facts.facts(),
      rewound: this.#rewound,
      lines: this.#lines,
      unknown: this.#unknown,
      unread: this.#unread,
      unreadLines: this.#unreadLines,
      isTorn
    }
  }

  /** Whether a line could be read. The last one may be cut. */
  #add(line: Line, isLast: boolean): boolean {
    const decoded = transcriptCodec.decodeFramed(line)
    if (decoded === undefined) return true
    if (isLast && decoded._tag === "Invalid" && isCut.has(decoded.error.code)) return false
    this.#lines++
    if (decoded._tag === "Unknown") this.#unknown++
    if (decoded._tag === "Invalid") this.#note(decoded)
    this.#facts.add(decoded)
    if (decoded._tag === "Known" && decoded.name === "last-prompt") this.#rewind(decoded.line, decoded.message)
    const node = nodeOf(decoded, this.#nodes.length)
    // The same line written again: compactions and forks do so.
    if (node === undefined || this.#uuids.has(node.uuid)) return true
    this.#uuids.add(node.uuid)
    this.#nodes.push(node)
    this.#held += nodeBytes + (node.said !== undefined && line._tag === "Text" ? line.text.length : 0)
    return true
  }

  /** Each message is cut off once: the same line written again is not another way back. */
  #rewind(line: number, { cutUuid, leafUuid, rewound }: LastPromptLine): void {
    if (rewound !== true || this.#cuts.has(cutUuid ?? "")) return
    this.#cuts.add(cutUuid ?? "")
    this.#rewound = { line, leaf: leafUuid ?? null }
  }

  #note({ error, line }: Extract<DecodedLine, { readonly _tag: "Invalid" }>): void {
    this.#unread++
    if (this.#unreadLines.length < namedUnread) this.#unreadLines.push({ line, message: error.message })
  }
}

/** What the beginning of a line may look like. */
const isCut = new Set<string>(["NOT_JSON", "NOT_UTF8", "NOT_OBJECT"])

/** Reads a session file that is in memory. */
export const readTranscriptFile = (bytes: Uint8Array, options?: FramerOptions): TranscriptFile => {
  const reader = new TranscriptReader(options)
  reader.push(bytes)
  return reader.end()
}
