/**
 * What tapes have to know of a runtime's lines: which of them ask and which answer, what ends a turn, which are pieces of
 * one text. Replay, comparison and redaction are the same for all of them and read this.
 *
 * Where ids are numbers that both sides count for themselves, a line is compared with names in their place that say whose
 * they are: see {@link RuntimeLines.named}. Everything below is given such values.
 */
import type { Speaker } from "../Tape.ts"

/** A piece of a text that a line carries. */
export interface DeltaPiece {
  /** The text that it is of. */
  readonly key: string
  /** Where in the line the piece is. */
  readonly path: ReadonlyArray<string>
  readonly text: string
}

/** What a line means for the texts that are streamed in pieces. */
export interface StreamPlace {
  /** Whose texts end with this line: what their keys begin with. */
  readonly ends: ReadonlyArray<string>
  /** The text that it has a piece of, where the piece is, and whether the pieces are JSON together. */
  readonly piece?: {
    readonly key: string
    readonly isAt: (path: ReadonlyArray<string>) => boolean
    readonly place: (field: string) => string
    readonly isJson: (field: string) => boolean
  }
}

/** The lines of one runtime. */
export interface RuntimeLines {
  /** A line as it is compared. */
  readonly named: (value: unknown, from: Speaker) => unknown
  /** A recorded line with the ids of now in the place of those that have such names. Every other byte stays. */
  readonly renumbered: (line: string, from: Speaker, nowOf: (name: string) => string | undefined) => string
  /** What a line is, as finely as its place in a session needs. */
  readonly kindOf: (value: unknown) => string
  /** What a line is, for people. */
  readonly nameOf: (value: Readonly<Record<string, unknown>>) => string
  /** Lines whose order among the others is chance: what they are called. */
  readonly apart: (value: unknown) => string | undefined
  /** Whether it is chance that a line comes at all, because a later one says the whole of it: not compared. */
  readonly isByChance: (value: unknown) => boolean
  /** The id of the question that a line asks. */
  readonly askedBy: (value: unknown) => string | undefined
  /** The id of the question that a line answers. */
  readonly answeredBy: (value: unknown) => string | undefined
  /** The ids that a line of the host invents. */
  readonly inventedBy: (value: unknown) => ReadonlyArray<string>
  readonly endsTurn: (value: unknown) => boolean
  /** What is answered to a question, as it came, that the tape has no answer to. */
  readonly refusal: (asked: unknown) => unknown
  /** The piece of a text that a line is, where pieces are compared as one. */
  readonly deltaOf: (value: Readonly<Record<string, unknown>>) => DeltaPiece | undefined
  /** Whether what is said after this line is of other texts, whatever it is called. */
  readonly isEdge: (value: Readonly<Record<string, unknown>>) => boolean
  /** What a line means for the texts that are streamed; undefined where it means nothing. */
  readonly streamOf: (value: Readonly<Record<string, unknown>>) => StreamPlace | undefined
}

/** What is told whom it asks and cannot be answered. */
export const noAnswer = "The tape has no answer to this."
