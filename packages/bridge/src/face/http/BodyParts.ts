/**
 * Reads the JSON of a body as it comes, so that no step takes long and nothing is built that is too much.
 *
 * What may be very large in a body is the conversation: the list `messages` of a run, at the top or in the `body` of an
 * envelope. That list is parsed a few messages at a time, as they arrive; all the rest of a body is one part, parsed at
 * the end. A message, and the rest, may be as large as can be parsed in a moment, and are refused before they are parsed
 * when they are larger. In what pieces the bytes come changes nothing, neither the value nor what is wrong with it.
 */
import { isRecord, JsonScan } from "@agentwire/protocol/wire"

/** How much the JSON of a body may be. */
export interface BodyBounds {
  /** How deep lists and objects may nest. */
  readonly maxDepth: number
  /** How many values there may be, those in lists and objects included. */
  readonly maxValues: number
  /** How many characters a part may have: one message, or all that is not in the messages. */
  readonly maxPartLength: number
  /** How many values a part may have. */
  readonly maxPartValues: number
}

/** What is wrong with a body. Of two things that are too much the first counts, and either before what is not JSON. */
export type BodyFault = "TOO_DEEP" | "TOO_MANY_VALUES" | "PART_TOO_LARGE" | "BAD_JSON"

/** The value of a body, or what is wrong with it. */
export type ReadBody =
  | { readonly isRead: true; readonly value: unknown }
  | { readonly isRead: false; readonly fault: BodyFault }

/** How much of the messages is parsed at once, unless one message is more. */
export interface GroupSize {
  readonly length: number
  readonly values: number
}

/** What takes less than a few milliseconds. */
const defaultGroup: GroupSize = { length: 65_536, values: 2000 }

const [comma, colon, openList, closeList] = [0x2c, 0x3a, 0x5b, 0x5d]

/** The longest text that may say `messages`, each letter escaped. */
const longestKey = 100

/** A list of messages that is being read. */
interface OpenList {
  /** In how many lists and objects its messages are. */
  readonly level: number
  readonly messages: Array<unknown>
  /** Where it begins in the body, and how many values there were before. */
  readonly begin: Place
  /** The text that was not parsed yet, and where it begins. */
  texts: Array<string>
  group: Place
}

/** A place in a body: how many characters and values there are before it. */
interface Place {
  readonly length: number
  readonly values: number
}

const nowhere: Place = { length: 0, values: 0 }

/** Reads one body. */
export class BodyParts {
  /** How often something was parsed, and the most that was parsed at once, in characters. */
  readonly parsed = { times: 0, longest: 0 }
  readonly #bounds: BodyBounds
  readonly #groupSize: GroupSize
  readonly #scan = new JsonScan()
  /** The body without its messages: in their place is the number of their list. */
  readonly #rest: Array<string> = []
  readonly #lists: Array<ReadonlyArray<unknown>> = []
  /** The bytes of a character that has not ended. */
  #unfinished = new Uint8Array()
  #list: OpenList | undefined
  /** Where the part begins. For the rest of the body, that is what the lists before have of it. */
  #part: Place = nowhere
  /** How much is in lists that were read. */
  #listed: Place = nowhere
  #length = 0
  /** The beginning of what was said since the last mark, what that was, and the keys of the two outer levels. */
  #word = ""
  #mark = 0
  #keys: readonly [outer: string | undefined, inner: string | undefined] = [undefined, undefined]
  #isBad = false

  constructor(bounds: BodyBounds, group: GroupSize = defaultGroup) {
    this.#bounds = bounds
    this.#groupSize = group
    this.#scan.maxDepth = bounds.maxDepth
    this.#beginPart(nowhere)
  }

  /** Takes the next bytes. What is too much is said at once, and nothing more is to be pushed then. */
  push(bytes: Uint8Array): BodyFault | undefined {
    return this.#read(this.#decoded(bytes, false))
  }

  /** What the body is, when all bytes are there. */
  end(): ReadBody {
    const fault = this.#read(this.#decoded(new Uint8Array(), true))
    if (fault !== undefined) return { isRead: false, fault }
    const value = this.#isBad ? undefined : this.#parse(this.#rest)
    if (value === undefined) return { isRead: false, fault: "BAD_JSON" }
    this.#putBack(value)
    if (isRecord(value)) this.#putBack(value["body"])
    return { isRead: true, value }
  }

  /** The text of the next bytes. What is not UTF-8 is bad; whether it is also too much is still to be seen. */
  #decoded(bytes: Uint8Array, isEnd: boolean): string {
    const all = this.#unfinished.length === 0 ? bytes : Buffer.concat([this.#unfinished, bytes])
    const length = isEnd ? all.length : all.length - unfinishedIn(all)
    this.#unfinished = Uint8Array.from(all.subarray(length))
    const text = textOf(all.subarray(0, length))
    this.#isBad ||= !text.isUtf8
    return this.#length === 0 && text.text.startsWith("\ufeff") ? text.text.slice(1) : text.text
  }

  #read(text: string): BodyFault | undefined {
    const scan = this.#scan
    let from = 0
    let word = 0
    for (let at = 0; ; at++) {
      at = scan.seek(text, at, this.#list?.level ?? 2)
      if (this.#length + at - this.#part.length > this.#bounds.maxPartLength) return "PART_TOO_LARGE"
      const mark = text.charCodeAt(at)
      if (scan.isBeyond && !this.#endsMessage(mark)) return this.#excess()
      if (at === text.length) break
      if (this.#list !== undefined) from = this.#markInList(this.#list, text, from, at, mark)
      else {
        if (mark === colon) this.#hear(text.slice(word, at))
        from = this.#markInRest(text, from, at, mark)
      }
      this.#mark = mark
      this.#word = ""
      word = at + 1
    }
    this.#hear(text.slice(word))
    this.#keep(text.slice(from))
    this.#length += text.length
    return undefined
  }

  /** Whether a mark is the comma behind a message, which counts with the message and is not in it. */
  #endsMessage(mark: number): boolean {
    const { depth, deepest, values } = this.#scan
    const { maxDepth, maxValues } = this.#bounds
    return mark === comma && depth === this.#list?.level && values < maxValues && deepest <= maxDepth
  }

  #excess(): BodyFault {
    if (this.#scan.deepest > this.#bounds.maxDepth) return "TOO_DEEP"
    return this.#scan.values >= this.#bounds.maxValues ? "TOO_MANY_VALUES" : "PART_TOO_LARGE"
  }

  #hear(text: string): void {
    const next = this.#word === "" ? text.trimStart() : text
    this.#word = (this.#word + next.slice(0, longestKey)).slice(0, longestKey)
  }

  #keep(text: string): void {
    if (!this.#isBad) (this.#list?.texts ?? this.#rest).push(text)
  }

  /** Notes a mark outside of messages. Gives from where on the text is not kept yet. */
  #markInRest(text: string, from: number, at: number, mark: number): number {
    const { depth, values } = this.#scan
    const [outer, inner] = this.#keys
    if (mark === openList && this.#mark === colon) {
      const isMessages = depth === 2 ? outer === "messages" : depth === 3 && outer === "body" && inner === "messages"
      if (!isMessages) return from
      this.#keep(`${text.slice(from, at)}[${this.#lists.length}]`)
      const begin = { length: this.#length + at + 1, values }
      this.#list = { level: depth, messages: [], begin, texts: [], group: begin }
      this.#lists.push(this.#list.messages)
      this.#beginPart(begin)
      return at + 1
    }
    if (mark === colon && depth === 1) this.#keys = [keyOf(this.#word), undefined]
    else if (mark === colon && depth === 2) this.#keys = [outer, keyOf(this.#word)]
    return from
  }

  /** Notes a mark in a list of messages. Gives from where on the text is not kept yet. */
  #markInList(list: OpenList, text: string, from: number, at: number, mark: number): number {
    const { depth, values } = this.#scan
    const here = { length: this.#length + at + 1, values }
    if (depth < list.level) {
      this.#keep(text.slice(from, at))
      // A list that begins with this group may be empty; no other group may.
      this.#parseGroup(list, list.group === list.begin)
      this.#isBad ||= mark !== closeList
      this.#list = undefined
      this.#listed = {
        length: this.#listed.length + here.length - list.begin.length,
        values: this.#listed.values + values - list.begin.values
      }
      this.#beginPart(this.#listed)
      return at + 1
    }
    if (mark !== comma || depth > list.level) return from
    this.#beginPart(here)
    const size = this.#groupSize
    const isFull = here.length - list.group.length > size.length || values - list.group.values > size.values
    if (!isFull) return from
    this.#keep(text.slice(from, at))
    this.#parseGroup(list, false)
    list.group = here
    return at + 1
  }

  #beginPart(part: Place): void {
    this.#part = part
    const { maxPartValues, maxValues } = this.#bounds
    this.#scan.maxValues = Math.min(maxValues, part.values + maxPartValues) - 1
  }

  #parseGroup(list: OpenList, mayBeEmpty: boolean): void {
    const { texts } = list
    list.texts = []
    this.#isBad ||= !mayBeEmpty && texts.every((text) => text.trim() === "")
    const messages = this.#isBad ? undefined : this.#parse(["[", ...texts, "]"])
    if (Array.isArray(messages)) for (const message of messages) list.messages.push(message)
  }

  /** The value of a text; undefined, which JSON cannot express, when it is not JSON. */
  #parse(texts: ReadonlyArray<string>): unknown {
    try {
      const text = texts.join("")
      this.parsed.times++
      this.parsed.longest = Math.max(this.parsed.longest, text.length)
      return JSON.parse(text)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      this.#isBad = true
      return undefined
    }
  }

  /** Puts messages back where the number of their list is. */
  #putBack(value: unknown): void {
    if (!isRecord(value) || !Array.isArray(value["messages"])) return
    const messages = this.#lists[Number(value["messages"][0])]
    if (messages !== undefined) value["messages"] = messages
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })

const textOf = (bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } => {
  try {
    return { text: strict.decode(bytes), isUtf8: true }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { text: lenient.decode(bytes), isUtf8: false }
  }
}

/** How many bytes at the end may be the beginning of a character. */
const unfinishedIn = (bytes: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >> 6 !== 0b10) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1) ? back : 0
  }
  return 0
}

/** What a key says, as it is written; undefined when it is none, or too long to be one of those that matter. */
const keyOf = (word: string): string | undefined => {
  const key = word.trimEnd()
  if (!key.includes("\\")) return /^"[^"]*"$/.test(key) ? key.slice(1, -1) : undefined
  try {
    return String(JSON.parse(key))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
