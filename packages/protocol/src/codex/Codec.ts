/**
 * The codec of `codex app-server`: the same forms and outcomes as every codec here.
 *
 * A line of an answer is known as `response` or `response/error`. What is in a result depends on the request, which the
 * line does not name: `decodeResult` for whoever asked, `Dialogue.ts` for whoever hears both sides.
 */
import type * as Schema from "effect/Schema"
import { classify } from "../jsonrpc/Message.ts"
import { type Catalog, type Found, type Member, memberOf } from "../wire/Catalog.ts"
import * as Codec from "../wire/Codec.ts"
import { type Drift, driftOf } from "../wire/Drift.ts"
import { type EssentialPaths, needOf } from "../wire/Essentials.ts"
import { essentials, resultEssentials } from "./Essentials.ts"
import { type Answered, type Messages, messages, type ResultOf, requests } from "./Message.ts"

/** The codec's type. */
export type CodexCodec = Codec.Codec<Messages>

const members: ReadonlyMap<string, Member> = new Map(
  Object.entries<Schema.Top>(messages as Readonly<Record<keyof Messages, Schema.Top>>).map(([name, schema]) => {
    const paths: Readonly<Record<string, EssentialPaths>> = essentials
    return [name, memberOf(name, schema, needOf(paths[name] ?? []))]
  })
)

const rows: ReadonlyMap<string, Found> = new Map(
  [...members].map(([name, member]) => [name, { _tag: "Member", member }])
)

const unlisted: Found = { _tag: "Unlisted", subtype: undefined, path: ["method"] }

const catalog: Catalog = { members, find: (_, type) => rows.get(type) ?? unlisted }

/** An answer has no method; all else is told by it (§3.4). */
const typeOf = (value: Record<string, unknown>): string | undefined => {
  if (typeof value["method"] === "string") return value["method"]
  const kind = classify(value)
  if (kind._tag === "Response") return "response"
  if (kind._tag === "Failure") return "response/error"
  return undefined
}

/** All of the below in one value, for code that is generic in the protocol. */
export const codec: CodexCodec = Codec.codecOf<Messages>(catalog, { key: "method", typeOf })

/** What a line of codex's wire turns out to be. */
export type Decoded = Codec.Decoded<Messages>

/** A message of codex's wire that can be read; `name` tells which. */
export type Known = Codec.Known<Messages>

/** Decodes one line, with or without its `\n`. Never throws. */
export const decodeLine: CodexCodec["decodeLine"] = codec.decodeLine

/** Decodes a value that has been parsed already. Never throws. */
export const decodeValue: CodexCodec["decodeValue"] = codec.decodeValue

/** The push form: give it bytes as they come, take what they complete. */
export const decoder: CodexCodec["decoder"] = codec.decoder

/** The pull form, over anything that yields chunks of bytes. */
export const decodeChunks: CodexCodec["decodeChunks"] = codec.decodeChunks

/** The Effect form: a stream of bytes becomes a stream of outcomes. */
export const decodeStream: CodexCodec["decodeStream"] = codec.decodeStream

/** What a message has that the schemas do not name (keys, values, its very method), and what of it is odd. */
export const drift: CodexCodec["drift"] = codec.drift

const resultSchema = <M extends Answered>(method: M): Schema.Codec<ResultOf<M>> =>
  requests[method].result as unknown as Schema.Codec<ResultOf<M>>

/** Decodes the result of a request by its method. Never throws. */
export const decodeResult = <M extends Answered>(method: M, result: unknown): Codec.DecodedPayload<ResultOf<M>> =>
  Codec.decodeTolerantly(resultSchema(method), needOf(resultEssentials(method)), result)

/** What a result has that the schema of its method does not name, and what of it is odd. */
export const resultDrift = (method: Answered, result: unknown): ReadonlyArray<Drift> =>
  driftOf(requests[method].result, result)
