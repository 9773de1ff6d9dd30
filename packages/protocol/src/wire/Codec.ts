/**
 * Stage 2 of the codec: a line becomes a message.
 *
 * Parse, read the tag, look the member up, check it. The outcome is one of three, and a
 * stream never stops at a bad line:
 *
 * - `Known`: a message we have a schema for, and it can be read. The message is the parsed JSON
 *   itself: unknown keys, key order and all. Where a key is odd that the protocol can do without
 *   (`Essentials.ts`), the message lacks it and `odd` says so.
 * - `Unknown`: a type or subtype we have no schema for. Kept whole.
 * - `Invalid`: not JSON, or a known type whose essential fields are wrong.
 */
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type Catalog, type Member, makeCatalog, type SubtypePath } from "./Catalog.ts"
import { type Drift, driftOf } from "./Drift.ts"
import type { EssentialPaths, Need } from "./Essentials.ts"
import { type BrokenLine, Framer, type FramerOptions, type Line } from "./Framer.ts"
import { compileCheck } from "./internal/Check.ts"
import { firstProblem } from "./internal/Explain.ts"
import { renderPath } from "./internal/JsonPath.ts"
import { mendValue } from "./internal/Mend.ts"
import { mismatch, type Problem } from "./internal/Problem.ts"
import { shapeOf } from "./internal/Shape.ts"
import { isRecord } from "./Json.ts"
import { readJson } from "./ReadJson.ts"

/** A protocol's messages: their schemas by name, `type` or `type/subtype`. An interface is one, too. */
export type Messages<T> = { readonly [Name in keyof T]: Schema.Top }

/** Something about a message that does not fit its schema, and that it can be read without. */
export interface Oddity {
  /** JSON path of the value. */
  readonly path: string
  /** What was expected, and what was there. */
  readonly message: string
  /** What was there; undefined when it is missing. */
  readonly found: unknown
}

/** What is said of a message that can be read although it does not fit its schema. Absent from one that fits. */
export interface Odd {
  /**
   * What does not fit. It is left out of the message, which is a copy then. In that copy the structure holds: where
   * the schema has a list or an object there is one, even if it is empty; what may be null is null; a broken element of a
   * list is not there. But a string, a number or a boolean may be absent though its type promises it.
   */
  readonly odd?: ReadonlyArray<Oddity>
  /** The message as it came, where something is odd. */
  readonly raw?: unknown
}

/** A message we have a schema for, and it can be read. Its `name` tells which, and narrows `message`. */
export type Known<T extends Messages<T>> = {
  readonly [Name in keyof T]: Odd & {
    readonly _tag: "Known"
    /** The line's position in its stream, from 1. */
    readonly line: number
    /** `type` or `type/subtype`. */
    readonly name: Name
    readonly message: T[Name]["Type"]
  }
}[keyof T]

/** A message of a type or subtype we have no schema for. */
export interface Unknown {
  readonly _tag: "Unknown"
  readonly line: number
  readonly type: string
  /** Its subtype, where the type is known and the subtype is not. */
  readonly subtype: string | undefined
  /** The whole message as parsed. */
  readonly raw: unknown
}

/** A line that is not a message. */
export interface Invalid {
  readonly _tag: "Invalid"
  readonly line: number
  /** The line as it came; the value where there was no line. */
  readonly raw: unknown
  readonly error: DecodeError
}

/** What a line can turn out to be. */
export type Decoded<T extends Messages<T>> = Known<T> | Unknown | Invalid

/** Why a line is not a message. The codes are stable. */
export type DecodeErrorCode =
  /** Nothing but white space. Streams skip such lines. */
  | "EMPTY_LINE"
  /** Longer than the framer's limit; its content was dropped. */
  | "LINE_TOO_LONG"
  /** Bytes that are not UTF-8. */
  | "NOT_UTF8"
  /** `JSON.parse` refuses it. */
  | "NOT_JSON"
  /** JSON that nests deeper than programs can follow. */
  | "TOO_DEEP"
  /** JSON with so many values that they would fill the memory. */
  | "TOO_MANY_VALUES"
  /** JSON, but not an object. */
  | "NOT_OBJECT"
  /** An object without a `type`, or a type that has subtypes without a subtype. */
  | "NO_TYPE"
  /** A known message with an essential field that is missing or of the wrong type. */
  | "BAD_FIELD"

/** What is wrong with a line, where, in words. */
export interface DecodeError {
  readonly code: DecodeErrorCode
  /** JSON path of the offending value; `$` is the whole line. */
  readonly path: string
  readonly message: string
}

/** Decodes and encodes the messages of one protocol. */
export interface Codec<T extends Messages<T>> {
  /** The messages it knows. */
  readonly catalog: Catalog
  /** Decodes one line, with or without its `\n`. Never throws. */
  readonly decodeLine: (text: string, line?: number) => Decoded<T>
  /** Decodes what a framer gave; undefined for an empty line, which streams skip. */
  readonly decodeFramed: (line: Line) => Decoded<T> | undefined
  /** Decodes a value that has been parsed already. Never throws. */
  readonly decodeValue: (value: unknown) => Decoded<T>
  /** The push form: give it bytes as they come, take what they complete. */
  readonly decoder: (options?: FramerOptions) => Decoder<T>
  /** The pull form, over anything that yields chunks. */
  readonly decodeChunks: (chunks: Chunks, options?: FramerOptions) => AsyncGenerator<Decoded<T>, void>
  /** The Effect form. Keeps the chunking of its input. */
  readonly decodeStream: (
    options?: FramerOptions
  ) => <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) => Stream.Stream<Decoded<T>, E, R>
  /**
   * What a message has that the schemas do not name (keys, values, or its very type or subtype), and what is odd
   * about it, even when it is given the copy without the odd parts.
   */
  readonly drift: (message: unknown) => ReadonlyArray<Drift>
}

/** Bytes in any chunking: a Node stream, a `fetch` body, an array. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Takes bytes, gives messages. Empty lines are skipped. */
export interface Decoder<T extends Messages<T>> {
  /** What the lines that end in this chunk are. */
  readonly push: (chunk: Uint8Array) => Array<Decoded<T>>
  /** What the unfinished last line is, when there is one. */
  readonly end: () => Array<Decoded<T>>
}

/** The outcome for a value without a tag that should fit a schema. */
export type DecodedPayload<A> =
  | ({ readonly _tag: "Known"; readonly value: A } & Odd)
  | { readonly _tag: "Invalid"; readonly raw: unknown; readonly error: DecodeError }

/** Decodes a value that should fit a schema. `at` is where it was taken from, for what is said of it. Never throws. */
export const decodePayload = <A>(
  schema: Schema.Codec<A>,
  value: unknown,
  at: ReadonlyArray<string | number> = []
): DecodedPayload<A> => {
  if (compileCheck(schema)(value)) return { _tag: "Known", value: value as A }
  const { message, path } = firstProblem(shapeOf(schema.ast), value)
  return { _tag: "Invalid", raw: value, error: errorOf("BAD_FIELD", { message, path: [...at, ...path] }) }
}

/** Decodes a value that should fit a schema, of which only some keys are essential. Never throws. */
export const decodeTolerantly = <A>(schema: Schema.Codec<A>, need: Need, value: unknown): DecodedPayload<A> => {
  if (compileCheck(schema)(value)) return { _tag: "Known", value: value as A }
  const { problems, value: readable } = mendValue(shapeOf(schema.ast), value, need)
  const broken = problems.find(({ breaks }) => breaks)
  return broken === undefined && readable !== undefined
    ? { _tag: "Known", value: readable as A, odd: problems.map(oddity), raw: value }
    : { _tag: "Invalid", raw: value, error: errorOf("BAD_FIELD", broken ?? firstProblem(shapeOf(schema.ast), value)) }
}

const oddity = ({ found, message, path }: Problem): Oddity => ({ path: renderPath(path), message, found })

/** Writes a message as one line, `\n` included. */
export const encodeLine = (message: object): string => `${JSON.stringify(message)}\n`

/**
 * The codec of a protocol, from its messages by name (`type` or `type/subtype`), from where each type
 * that has subtypes keeps them, and from what each message cannot be read without. Without
 * `essentials` a message is known only when it fits its schema.
 */
export const makeCodec = <const T extends Messages<T>>(
  messages: T,
  subtypeAt?: Readonly<Record<string, SubtypePath>>,
  essentials?: { readonly [Name in keyof T]?: EssentialPaths }
): Codec<T> => {
  const catalog = makeCatalog(
    messages as Readonly<Record<string, Schema.Top>>,
    subtypeAt,
    essentials as Readonly<Record<string, EssentialPaths>> | undefined
  )
  return codecOf<T>(catalog)
}

/** How a message says what it is. */
export interface Tag {
  /** The key that should say it, for what is said of a message without one. */
  readonly key: string
  /** What it says it is; undefined when it does not say. */
  readonly typeOf: (value: Record<string, unknown>) => string | undefined
}

const typeTag: Tag = {
  key: "type",
  typeOf: ({ type }) => (typeof type === "string" ? type : undefined)
}

/** The codec of a catalog whose messages say otherwise than by `type` what they are. */
export const codecOf = <T extends Messages<T>>(catalog: Catalog, { key, typeOf }: Tag = typeTag): Codec<T> => {
  const decodeParsed = (value: unknown, line: number, raw: unknown): Decoded<T> => {
    if (!isRecord(value)) return invalid(line, raw, "NOT_OBJECT", problem([], mismatch("an object", value)))
    const type = typeOf(value)
    if (type === undefined) return invalid(line, raw, "NO_TYPE", problem([key], mismatch("a string", value[key])))
    const found = catalog.find(value, type)
    switch (found._tag) {
      case "Member": {
        const { check, name } = found.member
        return check(value)
          ? ({ _tag: "Known", line, name, message: value } as Known<T>)
          : misfit(found.member, value, line, raw)
      }
      case "Unlisted":
        return { _tag: "Unknown", line, type, subtype: found.subtype, raw: value }
      case "NoSubtype":
        return invalid(line, raw, "NO_TYPE", problem(found.path, mismatch("a string", found.value)), type)
    }
  }

  /** Only what fails its check comes here: a message that fits pays nothing for what others lack. */
  const misfit = ({ name, need, schema }: Member, value: unknown, line: number, raw: unknown): Decoded<T> => {
    const { problems, value: message } = mendValue(shapeOf(schema.ast), value, need)
    const broken = need === undefined ? problems[0] : problems.find(({ breaks }) => breaks)
    if (broken !== undefined) return invalid(line, raw, "BAD_FIELD", broken, name)
    if (isRecord(message)) origins.set(message, value)
    return { _tag: "Known", line, name, message, odd: problems.map(oddity), raw: value } as object as Known<T>
  }

  const decodeLine = (text: string, line = 1): Decoded<T> => {
    const read = readJson(text)
    return read.isRead
      ? decodeParsed(read.value, line, text)
      : invalid(line, text, read.code, problem([], read.message))
  }

  const decodeFramed = (line: Line): Decoded<T> | undefined => {
    if (line._tag === "Text" && line.text === "") return undefined
    const outcome = line._tag === "Text" ? decodeLine(line.text, line.number) : broken(line)
    return outcome._tag === "Invalid" && outcome.error.code === "EMPTY_LINE" ? undefined : outcome
  }

  const decodeLines = (lines: ReadonlyArray<Line>): Array<Decoded<T>> => {
    const outcomes: Array<Decoded<T>> = []
    for (const line of lines) {
      const outcome = decodeFramed(line)
      if (outcome !== undefined) outcomes.push(outcome)
    }
    return outcomes
  }

  const decoder = (options?: FramerOptions): Decoder<T> => {
    const framer = new Framer(options)
    return { push: (chunk) => decodeLines(framer.push(chunk)), end: () => decodeLines(framer.end()) }
  }

  return {
    catalog,
    decodeLine,
    decodeFramed,
    decodeValue: (value) => decodeParsed(value, 1, value),
    decoder,
    decodeChunks: async function* (chunks, options) {
      const { end, push } = decoder(options)
      for await (const chunk of chunks) yield* push(chunk)
      yield* end()
    },
    decodeStream: (options) =>
      Stream.mapAccumArray(
        () => decoder(options),
        (state, chunks: ReadonlyArray<Uint8Array>) => [state, chunks.flatMap((chunk) => state.push(chunk))] as const,
        { onHalt: (state) => state.end() }
      ),
    drift: (decoded) => {
      const message = isRecord(decoded) ? (origins.get(decoded) ?? decoded) : undefined
      const type = isRecord(message) ? typeOf(message) : undefined
      if (!isRecord(message) || type === undefined) return []
      const found = catalog.find(message, type)
      switch (found._tag) {
        case "Member":
          return driftOf(found.member.schema, message)
        case "Unlisted":
          return [{ path: renderPath(found.path), example: found.subtype ?? type }]
        case "NoSubtype":
          return []
      }
    }
  }
}

type Reason = Pick<Problem, "path" | "message">

const problem = (path: Problem["path"], message: string): Reason => ({ path, message })

/** The messages as they came of those that were odd: whoever asks for the drift of a message has the copy in hand. */
const origins = new WeakMap<object, unknown>()

const errorOf = (code: DecodeErrorCode, problem: Reason, name?: string): DecodeError => {
  const path = renderPath(problem.path)
  const message = `${name === undefined ? "" : `${name}: `}${path === "$" ? "" : `${path}: `}${problem.message}`
  return { code, path, message }
}

const invalid = (line: number, raw: unknown, code: DecodeErrorCode, problem: Reason, name?: string): Invalid => ({
  _tag: "Invalid",
  line,
  raw,
  error: errorOf(code, problem, name)
})

const broken = ({ bytes, number, reason, text }: BrokenLine): Invalid => {
  const message = {
    LINE_TOO_LONG: `the line is too long: ${bytes} bytes`,
    NOT_UTF8: "the line is not UTF-8; it is shown with U+FFFD where bytes were wrong"
  }[reason]
  return invalid(number, text, reason, problem([], message))
}
