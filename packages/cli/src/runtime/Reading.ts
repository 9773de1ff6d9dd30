/** How the lines of a wire are read, in words that fit the wires of all runtimes. */
import type { DecodedPayload, Drift, Invalid, Oddity, Unknown } from "@agentwire/protocol/codec"
import type * as Tape from "@agentwire/protocol/tape"
import type { FramerOptions } from "@agentwire/protocol/wire"

/** A message of any runtime that can be read. */
export interface AnyKnown {
  readonly _tag: "Known"
  readonly line: number
  readonly name: string
  readonly message: unknown
  readonly odd?: ReadonlyArray<Oddity>
  readonly raw?: unknown
}

/** What a line of any runtime turns out to be. */
export type AnyDecoded = AnyKnown | Unknown | Invalid

/** An answer whose question is known, held against what it should be. */
export interface Answered {
  /** `response to initialize` */
  readonly name: string
  readonly payload: DecodedPayload<unknown>
  readonly drift: () => ReadonlyArray<Drift>
}

/** Hears the lines of a session, in their order. */
export interface Listener {
  /** Takes a line of a speaker, undefined where the file does not say whose it is. Gives what it answers. */
  readonly take: (decoded: AnyDecoded, from: Tape.Speaker | undefined) => Answered | undefined
}

/** The push form of a codec. */
export interface AnyDecoder {
  readonly push: (chunk: Uint8Array) => ReadonlyArray<AnyDecoded>
  readonly end: () => ReadonlyArray<AnyDecoded>
}

/** The codec of a wire, and what its answers are held against. */
export interface Reading {
  readonly decodeLine: (text: string) => AnyDecoded
  readonly decoder: (options: FramerOptions) => AnyDecoder
  readonly drift: (message: unknown) => ReadonlyArray<Drift>
  readonly listener: () => Listener
}
