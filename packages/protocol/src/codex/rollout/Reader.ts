/**
 * Reads a rollout from bytes in any chunking. A last line without its `\n` is what Codex was writing when it was killed,
 * or is writing now. Lines that cannot be read are counted, and the first of them are named.
 */
import { fieldsIn, listIn, textIn } from "../../wire/Fields.ts"
import { Framer, type FramerOptions, type Line } from "../../wire/Framer.ts"
import { type KnownRolloutLine, rolloutCodec } from "./Line.ts"

/** A line, and when it was written, in milliseconds since 1970. */
export interface RolloutLine {
  readonly at: number
  /** Its number in the thread; its place in the file where it has none. */
  readonly ordinal: number
  readonly said: KnownRolloutLine
}

/** What a rollout says about its thread. */
export interface RolloutFacts {
  readonly threadId: string | undefined
  /** The thread whose sub-agent this is. */
  readonly parent: string | undefined
  /** It is no conversation of anybody's: what Codex does for a thread by itself, such as `review`. */
  readonly errand: string | undefined
  /** Where its beginning is: in a file of this thread, up to a number. */
  readonly base: { readonly threadId: string; readonly until: number } | undefined
  readonly forkedFrom: string | undefined
  readonly cwd: string | undefined
  readonly version: string | undefined
  readonly provider: string | undefined
  /** The model that was asked last. */
  readonly model: string | undefined
  /** The first prompt, on one line. */
  readonly title: string | undefined
  readonly createdAt: number | undefined
  /** When the last message was said. */
  readonly activeAt: number | undefined
}

/** What a rollout has. */
export interface RolloutFile {
  readonly lines: ReadonlyArray<RolloutLine>
  readonly facts: RolloutFacts
  /** How many lines are of a type that no schema knows. */
  readonly unknown: number
  /** How many lines cannot be read, and the first of these. */
  readonly unread: number
  readonly unreadLines: ReadonlyArray<{ readonly line: number; readonly message: string }>
  /** The file ends in the middle of a line. */
  readonly isTorn: boolean
}

const namedUnread = 20
/** What a line takes besides its text, about. */
const lineBytes = 200
const titleLength = 200

/** What the beginning of a line may look like. */
const isCut = new Set<string>(["NOT_JSON", "NOT_UTF8", "NOT_OBJECT"])

type Draft = { -readonly [K in keyof RolloutFacts]: RolloutFacts[K] }

/** Takes the bytes of a rollout. */
export class RolloutReader {
  readonly #framer: Framer
  readonly #lines: Array<RolloutLine> = []
  readonly #unreadLines: Array<{ readonly line: number; readonly message: string }> = []
  readonly #facts: Draft = {
    threadId: undefined,
    parent: undefined,
    errand: undefined,
    base: undefined,
    forkedFrom: undefined,
    cwd: undefined,
    version: undefined,
    provider: undefined,
    model: undefined,
    title: undefined,
    createdAt: undefined,
    activeAt: undefined
  }
  #held = 0
  #unknown = 0
  #unread = 0

  constructor(options?: FramerOptions) {
    this.#framer = new Framer(options)
  }

  /** About how many bytes of memory the lines take that are kept. */
  get held(): number {
    return this.#held
  }

  /** What is known by now: titles, times and folders are near the beginning. */
  get facts(): RolloutFacts {
    return this.#facts
  }

  /** The next bytes. */
  push(chunk: Uint8Array): void {
    for (const line of this.#framer.push(chunk)) this.#add(line, false)
  }

  /** No more bytes come. */
  end(): RolloutFile {
    let isTorn = false
    for (const line of this.#framer.end()) isTorn = !this.#add(line, true)
    return {
      lines: this.#lines,
      facts: this.#facts,
      unknown: this.#unknown,
      unread: this.#unread,
      unreadLines: this.#unreadLines,
      isTorn
    }
  }

  /** Whether a line could be read. The last one may be cut. */
  #add(line: Line, isLast: boolean): boolean {
    const decoded = rolloutCodec.decodeFramed(line)
    if (decoded === undefined) return true
    if (decoded._tag === "Invalid") {
      if (isLast && isCut.has(decoded.error.code)) return false
      this.#unread++
      if (this.#unreadLines.length < namedUnread)
        this.#unreadLines.push({ line: decoded.line, message: decoded.error.message })
      return true
    }
    if (decoded._tag === "Unknown") {
      this.#unknown++
      return true
    }
    const { ordinal, timestamp } = decoded.message
    const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
    const known = Number.isNaN(at) ? (this.#lines.at(-1)?.at ?? 0) : at
    this.#note(decoded, known)
    // What the model is told of the world is most of a rollout, and nothing that anybody said.
    if (decoded.name === "world_state") return true
    this.#lines.push({ at: known, ordinal: ordinal ?? this.#lines.length, said: decoded })
    this.#held += lineBytes + (line._tag === "Text" ? line.text.length : 0)
    return true
  }

  #note(said: KnownRolloutLine, at: number): void {
    const facts = this.#facts
    switch (said.name) {
      case "session_meta": {
        // A fork of earlier versions begins with its own, and repeats that of the thread it is from.
        if (facts.threadId !== undefined) return
        const { cli_version, cwd, forked_from_id, history_base, id, model_provider, parent_thread_id, timestamp } =
          said.message.payload
        const began = Date.parse(timestamp ?? "")
        facts.threadId = id
        facts.parent = parent_thread_id ?? undefined
        facts.errand = textIn(fieldsIn(fieldsIn(said.message.payload)["source"])["subagent"])
        facts.forkedFrom = forked_from_id ?? undefined
        if (history_base) facts.base = { threadId: history_base.thread_id, until: history_base.end_ordinal_exclusive }
        facts.cwd = cwd ?? undefined
        facts.version = cli_version ?? undefined
        facts.provider = model_provider ?? undefined
        facts.createdAt = Number.isNaN(began) ? at : began
        return
      }
      case "turn_context":
        facts.model = said.message.payload.model ?? facts.model
        return
      case "event_msg/user_message":
        facts.title ??= onOneLine(said.message.payload.message)
        facts.activeAt = at
        return
      case "event_msg/item_completed": {
        const item = fieldsIn(said.message.payload.item)
        facts.activeAt = at
        if (item["type"] === "UserMessage")
          facts.title ??= onOneLine(
            listIn(item["content"])
              .map((part) => textIn(fieldsIn(part)["text"]) ?? "")
              .join(" ")
          )
        return
      }
      case "response_item/message":
        if (said.message.payload.role === "assistant") facts.activeAt = at
        return
    }
  }
}

const onOneLine = (words: string): string | undefined => {
  const line = words
    .slice(0, 8 * titleLength)
    .replaceAll(/\s+/g, " ")
    .trim()
  return line === "" ? undefined : Array.from(line).slice(0, titleLength).join("")
}

/** Reads a rollout that is in memory. */
export const readRollout = (bytes: Uint8Array, options?: FramerOptions): RolloutFile => {
  const reader = new RolloutReader(options)
  reader.push(bytes)
  return reader.end()
}
