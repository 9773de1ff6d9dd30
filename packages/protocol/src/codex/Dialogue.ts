/**
 * Both sides of a connection heard together, so that an answer is decoded as what it answers.
 *
 * Both sides count their requests in the same numbers, from 0 (§3.4), so an id means nothing without its side. Answers
 * come in any order, and a request whose id was used twice is answered twice (§3.2, §3.5).
 */
import type { RequestId } from "../jsonrpc/Message.ts"
import type { DecodedPayload } from "../wire/Codec.ts"
import type { Drift } from "../wire/Drift.ts"
import { type Decoded, decodeLine, decodeResult, drift, resultDrift } from "./Codec.ts"
import { type Answered, requests } from "./Message.ts"

/** Who speaks. */
export type Side = "client" | "server"

/** A line, heard beside the other side's. */
export interface Heard {
  readonly from: Side
  /** What the line is. The result of a response is decoded apart, because only the request says what it is. */
  readonly decoded: Decoded
  /** Of an answer: the method that it answers; undefined when nobody asked, or asked something unknown. */
  readonly answers: Answered | undefined
  /** Of a response whose request is known: its result. */
  readonly result: DecodedPayload<unknown> | undefined
}

/** How many requests are remembered of each side. Whoever leaves more of them open is not waiting for the oldest. */
const maxOpen = 10_000

/** How many requests of the same id are remembered. */
const maxAlike = 10

/** Hears a connection. */
export class Dialogue {
  readonly #open: Readonly<Record<Side, Map<RequestId, Array<string>>>> = { client: new Map(), server: new Map() }

  /** Decodes a line of one side. Never throws. */
  hear(from: Side, line: string, number?: number): Heard {
    return this.heed(from, decodeLine(line, number))
  }

  /** The same for a line that has been decoded already. */
  heed(from: Side, decoded: Decoded): Heard {
    const value = decoded._tag === "Known" ? decoded.message : decoded._tag === "Unknown" ? decoded.raw : undefined
    const nothing = { from, decoded, answers: undefined, result: undefined }
    const { id } = (value ?? {}) as Readonly<Record<string, unknown>>
    if (typeof id !== "string" && typeof id !== "number") return nothing
    const { method, result } = value as Readonly<Record<string, unknown>>
    if (typeof method === "string") {
      this.#remember(from, id, method)
      return nothing
    }
    if (decoded._tag !== "Known") return nothing
    const asked = this.#recall(from === "client" ? "server" : "client", id)
    if (asked === undefined || !isAnswered(asked)) return nothing
    return {
      from,
      decoded,
      answers: asked,
      result: decoded.name === "response" ? decodeResult(asked, result) : undefined
    }
  }

  #remember(side: Side, id: RequestId, method: string): void {
    const open = this.#open[side]
    open.set(id, [...(open.get(id) ?? []), method].slice(0, maxAlike))
    const [oldest] = open.keys()
    if (open.size > maxOpen && oldest !== undefined) open.delete(oldest)
  }

  #recall(side: Side, id: RequestId): string | undefined {
    const open = this.#open[side]
    const [method, ...others] = open.get(id) ?? []
    if (others.length > 0) open.set(id, others)
    else open.delete(id)
    return method
  }
}

const isAnswered = (method: string): method is Answered => Object.hasOwn(requests, method)

/** What a line that was heard has beyond the schemas, its result included. */
export const heardDrift = ({ answers, decoded, result }: Heard): ReadonlyArray<Drift> => {
  const value = decoded._tag === "Known" ? (decoded.raw ?? decoded.message) : decoded.raw
  const own = drift(value)
  if (answers === undefined || result === undefined) return own
  const raw = result._tag === "Known" ? (result.raw ?? result.value) : result.raw
  return [...own, ...resultDrift(answers, raw).map((each) => ({ ...each, path: each.path.replace("$", "$.result") }))]
}
