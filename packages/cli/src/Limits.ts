/**
 * How much of a file is read. What a stranger wrote can be made to fill the memory: a line without an end, or a small
 * gzip of something huge. Every limit is an option, with a default that a person's own recordings do not reach.
 */
import { defaultMaxLineBytes } from "@agentwire/protocol/wire"
import type { Input, Option } from "./Command.ts"
import { Failure } from "./Failure.ts"
import { size } from "./OptionValue.ts"

/** How much is read, in bytes. */
export interface Limits {
  /** The longest line. */
  readonly maxLineBytes: number
  /** The most that is held at one time, unzipped. */
  readonly maxBytes: number
}

const mebibyte = 1024 * 1024

/** What is held of a file unless an option says otherwise: 64 MiB, which may become ten times that while it is compared. */
export const defaultMaxBytes = 64 * mebibyte

/** The option of a command that reads lines. */
export const maxLineOption: Option = {
  type: "string",
  value: "SIZE",
  summary: "the longest line that is read, such as 128M (default 64M)"
}

/** The option of a command that holds a file in memory. */
export const maxSizeOption: Option = {
  type: "string",
  value: "SIZE",
  summary: "the most that is held, unzipped, such as 1G (default 64M)"
}

/** The limits where no option says otherwise. */
export const defaultLimits: Limits = { maxLineBytes: defaultMaxLineBytes, maxBytes: defaultMaxBytes }

/** The limits of a command line. */
export const limitsOf = ({ values }: Pick<Input, "values">): Limits => ({
  maxLineBytes: size("max-line", values["max-line"]) ?? defaultLimits.maxLineBytes,
  maxBytes: size("max-size", values["max-size"]) ?? defaultLimits.maxBytes
})

/** Counts what is held of one file. Throws a {@link Failure} once it is more than may be. */
export class Held {
  readonly #file: string
  readonly #maxBytes: number
  #bytes = 0

  constructor(file: string, { maxBytes }: Pick<Limits, "maxBytes">) {
    this.#file = file
    this.#maxBytes = maxBytes
  }

  /** So many bytes more. */
  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#maxBytes)
      throw new Failure(
        `${this.#file} is more than is held in memory: over ${sizeWords(this.#maxBytes)}, unzipped. If you trust it, raise the limit with --max-size.`
      )
  }
}

/** A size for people. */
export const sizeWords = (bytes: number): string =>
  bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`
