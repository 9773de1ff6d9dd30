/**
 * Takes the secrets out of a session while it is recorded: frames in, frames out, in order.
 *
 * A secret becomes a placeholder, `REDACTED_api-key_1`, the same one everywhere on the tape. Placeholders are made
 * of letters, digits, `_` and `-`, so JSON stays JSON, paths stay paths and lines stay lines, however deep in
 * strings within strings the secret was.
 *
 * A secret may be cut over several deltas of a content block, or over several chunks of a line or of stderr. Such
 * frames, and with them all that follow, are held until it is known that no secret reaches into what is still to
 * come; no more than `maxHeldFrames` and `maxHeldBytes`. Beyond that what can be settled is released.
 */
import { type Literal, literals, toEscaped, unescapeOnce } from "../wire/internal/JsonText.ts"
import { isRecord } from "../wire/Json.ts"
import { parseJson } from "../wire/ReadJson.ts"
import { streamPlace } from "./lines/index.ts"
import { applyEdits, type Edit, type Held, Pieces, Span } from "./Pieces.ts"
import { Names, optionOf } from "./StringNames.ts"
import { makeScanner, type Scanner, type Secret, type SecretOptions } from "./secret/Scanner.ts"
import type { DataFrame, Frame, TapeHeader } from "./Tape.ts"
import { bytesOf, payloadOf } from "./TapeCodec.ts"

/** A secret that was replaced. */
export interface Finding {
  readonly kind: string
  /** The rule by which it was found. */
  readonly rule: string
  /** What gave it away, in words that do not give it away again. */
  readonly because: string
  readonly placeholder: string
  /** The frame in which it begins, from 1; 0 for the header. */
  readonly frame: number
  /** Where in the frame: the channel, and in JSON the keys above it, `agent stdout message.content[].text`. */
  readonly place: string
}

/** What is redacted, and how much may be held. */
export interface RedactOptions extends SecretOptions {
  /** Default 1000. */
  readonly maxHeldFrames?: number
  /** Default 32 MiB. */
  readonly maxHeldBytes?: number
  /** Placeholders that stand for something already, such as those of a tape that is redacted again. */
  readonly taken?: Iterable<string>
  /** Called for every secret. */
  readonly onFound?: (finding: Finding) => void
}

/** Redacts a session. */
export interface Redactor {
  /** Takes a frame, and returns those that are ready. */
  readonly push: (frame: Frame) => Array<Frame>
  /** Returns all frames that are held. More may follow. */
  readonly end: () => Array<Frame>
  /** A header without secrets, that says what was looked for. */
  readonly header: (header: TapeHeader) => TapeHeader
  /** The kinds of secrets that are looked for. */
  readonly kinds: ReadonlyArray<string>
}

/** The token for each secret. */
class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #taken: ReadonlySet<string>

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  of({ kind, secret }: Secret): string {
    const known = this.#names.get(secret)
    if (known !== undefined) return known
    let name: string
    do {
      const count = (this.#counts.get(kind) ?? 0) + 1
      this.#counts.set(kind, count)
      name = `REDACTED_${kind}_${count}`
    } while (this.#taken.has(name))
    this.#names.set(secret, name)
    return name
  }
}

/** A text without its secrets. The text is what it says: JSON in it is found, but it is not a line of the wire. */
export const redactText = (text: string, options?: SecretOptions): string => {
  const names = new Placeholders()
  return applyEdits(
    text,
    makeScanner(options)
      .find(text)
      .map((secret) => ({ ...secret, text: names.of(secret) }))
  )
}

interface Entry extends Held {
  readonly frame: Frame
  readonly isBinary: boolean
}

interface Line {
  readonly span: Span
  text: string
}

/** A redactor for one tape. */
export const makeRedactor = (options: RedactOptions = {}): Redactor => new Redaction(options)

class Redaction implements Redactor {
  readonly kinds: ReadonlyArray<string>
  readonly #options: RedactOptions
  readonly #scanner: Scanner
  readonly #names: Placeholders
  readonly #queue: Array<Entry> = []
  /** Unfinished lines and texts that are not JSON, by speaker and channel. */
  readonly #lines = new Map<string, Line>()
  readonly #plain = new Map<string, Pieces>()
  /** Open content blocks, by speaker, channel, session, sub-agent and index. */
  readonly #blocks = new Map<string, Pieces>()
  #frame = 0
  #heldBytes = 0

  constructor(options: RedactOptions) {
    this.#options = options
    this.#scanner = makeScanner(options)
    this.#names = new Placeholders(options.taken)
    this.kinds = this.#scanner.kinds
  }

  readonly header = (header: TapeHeader): TapeHeader => ({
    ...header,
    argv: header.argv.map((text, index) =>
      this.#textOf(text, { frame: 0, place: `argv[${index}]` }, optionOf(header.argv[index - 1]))
    ),
    redacted: this.kinds
  })

  readonly push = (frame: Frame): Array<Frame> => {
    this.#frame++
    if (frame._tag === "Data") this.#data(frame)
    else {
      if (frame._tag === "Close") this.#endChannel(`${frame.from} ${frame.channel}`)
      this.#queue.push({
        frame: this.#other(frame),
        number: this.#frame,
        text: "",
        isBinary: false,
        edits: [],
        waiting: 0
      })
    }
    const { maxHeldBytes = 32 * 1024 * 1024, maxHeldFrames = 1000 } = this.#options
    const ready = this.#ready()
    if (this.#queue.length <= maxHeldFrames && this.#heldBytes <= maxHeldBytes) return ready
    for (const pieces of [...this.#blocks.values(), ...this.#plain.values()]) pieces.flush()
    ready.push(...this.#ready())
    return this.#queue.length <= maxHeldFrames && this.#heldBytes <= maxHeldBytes ? ready : [...ready, ...this.end()]
  }

  readonly end = (): Array<Frame> => {
    for (const key of [...this.#lines.keys()]) this.#endLine(key)
    for (const pieces of [...this.#blocks.values(), ...this.#plain.values()]) pieces.end()
    this.#blocks.clear()
    this.#plain.clear()
    return this.#ready()
  }

  #ready(): Array<Frame> {
    const count = this.#queue.findIndex(({ waiting }) => waiting > 0)
    return this.#queue.splice(0, count === -1 ? this.#queue.length : count).map((entry) => {
      this.#heldBytes -= entry.text.length
      return finish(entry)
    })
  }

  #data(frame: DataFrame): void {
    const isBinary = typeof frame.data !== "string"
    const text = typeof frame.data === "string" ? frame.data : atob(frame.data.base64)
    const entry: Entry = { frame, number: this.#frame, text, isBinary, edits: [], waiting: 0 }
    this.#queue.push(entry)
    this.#heldBytes += text.length
    const key = `${frame.from} ${frame.channel}`
    if (frame.channel === "stderr") {
      this.#addPlain(key, spanOf(entry, 0, text.length), text)
      return
    }
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf("\n", from)
      const to = newline === -1 ? text.length : newline + 1
      this.#addToLine(key, entry, from, to)
      // A WebSocket message is whole, with its newline or without.
      if (newline !== -1 || frame.channel === "ws") this.#endLine(key)
      from = to
    }
  }

  #addToLine(key: string, entry: Entry, from: number, to: number): void {
    let line = this.#lines.get(key)
    if (line === undefined) {
      line = { span: new Span(), text: "" }
      this.#lines.set(key, line)
    }
    line.span.add(entry, from, to - from)
    line.text += entry.text.slice(from, to)
    entry.waiting++
  }

  #endLine(key: string): void {
    const line = this.#lines.get(key)
    if (line === undefined) return
    this.#lines.delete(key)
    const value = parse(line.text)
    if (value === undefined) this.#addPlain(key, line.span, line.text)
    else {
      this.#endPlain(key)
      this.#json(key, line, value)
    }
    line.span.release()
  }

  #endChannel(key: string): void {
    this.#endLine(key)
    this.#endPlain(key)
    this.#endBlocks(`${key} `)
  }

  #addPlain(key: string, span: Span, text: string): void {
    let pieces = this.#plain.get(key)
    if (pieces === undefined) {
      pieces = this.#pieces(key, (found) => found.flatMap(keepingNewlines))
      this.#plain.set(key, pieces)
    }
    // Here a backslash is a backslash: what is written is what it says.
    pieces.add(span, 0, "", text)
  }

  #endPlain(key: string): void {
    this.#plain.get(key)?.end()
    this.#plain.delete(key)
  }

  #pieces(
    place: string,
    map: (edits: ReadonlyArray<Edit & { readonly original: string }>) => ReadonlyArray<Edit>
  ): Pieces {
    return new Pieces({
      edit: (text, frameOf) =>
        map(
          this.#edits(this.#scanner.find(text), (start) => ({ frame: frameOf(start), place })).map((edit) => ({
            ...edit,
            original: text
          }))
        ),
      settledLength: this.#scanner.settledLength,
      isPatient: !this.#scanner.isExact
    })
  }

  #json(key: string, line: Line, value: unknown): void {
    const stream = isRecord(value) ? streamPlace(value) : undefined
    for (const prefix of stream?.ends ?? []) this.#endBlocks(`${key} ${prefix}`)
    const piece = stream?.piece
    const isStreamed = ({ isKey, path }: Literal): boolean => piece !== undefined && !isKey && piece.isAt(path)
    const strings = this.#strings(line.text, isStreamed, (start) => line.span.frameAt(start), key)
    for (const edit of strings.edits) line.span.edit(edit)
    if (piece === undefined) return
    for (const { field, says, start, written } of strings.streamed)
      this.#block(`${key} ${piece.key}`, `${key} ${piece.place(field)}`, piece.isJson(field)).add(
        line.span,
        start,
        written,
        says
      )
  }

  /** The keys to a string, `message.content[].text`; one that may itself be a secret is left out. */
  #shownPath(path: ReadonlyArray<string>): string {
    const isPlain = (key: string) => /^[A-Za-z_$][\w$-]{0,39}$/.test(key) && this.#scanner.find(key).length === 0
    return path
      .map((key, index) => (key === "" ? "[]" : `${index === 0 ? "" : "."}${isPlain(key) ? key : "…"}`))
      .join("")
  }

  #block(key: string, place: string, isArguments: boolean): Pieces {
    const known = this.#blocks.get(key)
    if (known !== undefined) return known
    const block = isArguments
      ? new Pieces({
          edit: (text, frameOf) => this.#argumentEdits(text, frameOf, place),
          settledLength: this.#scanner.settledLength,
          isPatient: true
        })
      : this.#pieces(place, (edits) => edits)
    this.#blocks.set(key, block)
    return block
  }

  /** Arguments are JSON when they are whole; the whole message has them parsed, each string on its own. */
  #argumentEdits(text: string, frameOf: (at: number) => number, place: string): ReadonlyArray<Edit> {
    if (parse(text) === undefined)
      return this.#edits(this.#scanner.find(text), (start) => ({ frame: frameOf(start), place }))
    return this.#strings(text, () => false, frameOf, place).edits
  }

  /** What becomes of the strings of a JSON text; those that are streamed are not looked at here. */
  #strings(
    text: string,
    isStreamed: (literal: Literal) => boolean,
    frameOf: (at: number) => number,
    place: string
  ): { readonly edits: ReadonlyArray<Edit>; readonly streamed: ReadonlyArray<Streamed> } {
    const edits: Array<Edit> = []
    const streamed: Array<Streamed> = []
    const names = new Names()
    for (const literal of literals(text)) {
      const { end, isKey, path, start } = literal
      const written = text.slice(start, end)
      const says = unescapeOnce(written)
      const name = names.of(literal, says)
      if (isStreamed(literal)) streamed.push({ field: path.at(-1) ?? "", start, written, says })
      else {
        const found = isKey ? this.#scanner.find(says) : this.#scanner.findUnder(name, says)
        if (found.length === 0) continue
        const where = `${place} ${this.#shownPath(path)}`
        for (const edit of toEscaped(
          written,
          this.#edits(found, () => ({ frame: frameOf(start), place: where }))
        ))
          edits.push({ ...edit, start: start + edit.start, end: start + edit.end })
      }
    }
    return { edits, streamed }
  }

  #endBlocks(prefix: string): void {
    for (const [key, pieces] of this.#blocks) {
      if (!key.startsWith(prefix)) continue
      pieces.end()
      this.#blocks.delete(key)
    }
  }

  #edits(found: ReadonlyArray<Secret>, placeOf: (start: number) => Pick<Finding, "frame" | "place">): Array<Edit> {
    return found.map((secret) => {
      const { because, end, kind, rule, start } = secret
      const placeholder = this.#names.of(secret)
      this.#options.onFound?.({ kind, rule, because, placeholder, ...placeOf(start) })
      return { start, end, text: placeholder }
    })
  }

  #textOf(text: string, place: Pick<Finding, "frame" | "place">, key = ""): string {
    return applyEdits(
      text,
      this.#edits(this.#scanner.findUnder(key, text), () => place)
    )
  }

  #other(frame: Exclude<Frame, DataFrame>): Frame {
    const textOf = (text: string, place: string, key?: string) => this.#textOf(text, { frame: this.#frame, place }, key)
    switch (frame._tag) {
      case "Open":
        return {
          ...frame,
          url: textOf(frame.url, "url"),
          headers: Object.fromEntries(
            Object.entries(frame.headers).map(([name, value]) => [name, textOf(value, `headers.${name}`, name)])
          )
        }
      case "Marker":
        return { ...frame, text: textOf(frame.text, "marker") }
      case "Close":
        return frame.ws === undefined
          ? frame
          : { ...frame, ws: { ...frame.ws, reason: textOf(frame.ws.reason, "reason") } }
      case "Exit":
        return frame
    }
  }
}

/** A string of a delta, which is looked at together with those of its block. */
interface Streamed {
  readonly field: string
  readonly start: number
  readonly written: string
  readonly says: string
}

const spanOf = (entry: Entry, start: number, length: number): Span => {
  const span = new Span()
  span.add(entry, start, length)
  return span
}

const finish = ({ edits, frame, isBinary, text }: Entry): Frame => {
  if (frame._tag !== "Data" || edits.length === 0) return frame
  const edited = applyEdits(text, edits)
  return { ...frame, data: isBinary ? payloadOf(bytesOf({ base64: btoa(edited) })) : edited }
}

/** A line as JSON, when it is an object or a list: nothing else has strings worth looking at. */
const parse = (line: string): unknown => (/^\s*[{[]/.test(line) ? parseJson(line) : undefined)

/** A secret over several lines is taken out of each: the lines stay. */
const keepingNewlines = ({ end, original, start, text }: Edit & { readonly original: string }): Array<Edit> => {
  const edits: Array<Edit> = []
  let at = start
  for (const part of original.slice(start, end).split("\n")) {
    if (part !== "") edits.push({ start: at, end: at + part.length, text: edits.length === 0 ? text : "" })
    at += part.length + 1
  }
  return edits
}
