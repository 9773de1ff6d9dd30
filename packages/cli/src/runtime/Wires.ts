/**
 * How the lines of each runtime are read, a row for each of their wires: how its lines are known, its codec, and what an
 * answer is held against. Codex has two: `codex app-server` and `codex exec --json`.
 */
import { Claude, type Tape, type Translate } from "@agentwire/protocol"
import * as ClaudeWire from "@agentwire/protocol/claude"
import type { DecodedPayload, Drift, Invalid, Oddity, Unknown } from "@agentwire/protocol/codec"
import * as CodexWire from "@agentwire/protocol/codex"
import type { FramerOptions } from "@agentwire/protocol/wire"
import { type RuntimeKind, runtimeOfTape } from "./Runtimes.ts"

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

/** One wire. */
export interface Wire {
  readonly runtime: RuntimeKind
  /** Whether a line of NDJSON is one of its own, by its beginning. */
  readonly isLine: (start: string) => boolean
  /** Whether a tape of its runtime has it, by the arguments of the program. */
  readonly isTape: (argv: ReadonlyArray<string>) => boolean
  readonly decodeLine: (text: string) => AnyDecoded
  readonly decoder: (options: FramerOptions) => AnyDecoder
  readonly drift: (message: unknown) => ReadonlyArray<Drift>
  readonly listener: () => Listener
  /** The fold that translates it. */
  readonly fold: Translate.RuntimeName
}

/** How many unanswered requests are remembered. */
const maxAsked = 10_000

const claudeListener = (): Listener => {
  const asked = new Map<string, string>()
  return {
    take: (decoded) => {
      if (decoded._tag !== "Known") return undefined
      const { message } = decoded as ClaudeWire.Known
      if (message.type === "control_request") {
        asked.set(message.request_id, message.request.subtype)
        const [oldest] = asked.keys()
        if (asked.size > maxAsked && oldest !== undefined) asked.delete(oldest)
      }
      if (message.type !== "control_response" || message.response.subtype !== "success") return undefined
      const { request_id, response } = message.response
      const subtype = asked.get(request_id)
      if (subtype === undefined || !Claude.isControlSubtype(subtype)) return undefined
      return {
        name: `response to ${subtype}`,
        payload: ClaudeWire.decodeResponse(subtype, response),
        drift: () => ClaudeWire.responseDrift(subtype, response)
      }
    }
  }
}

const sides: Readonly<Record<Tape.Speaker, CodexWire.Side>> = { host: "client", agent: "server" }

/** Whose line it is that does not say so: requests and notifications tell, answers are the agent's unless it asked. */
const sidesOf = (decoded: AnyDecoded): ReadonlyArray<CodexWire.Side> => {
  const name = decoded._tag === "Known" ? decoded.name : decoded._tag === "Unknown" ? decoded.type : ""
  if (name === "response" || name === "response/error") return ["server", "client"]
  const isClient = Object.hasOwn(CodexWire.clientRequests, name) || Object.hasOwn(CodexWire.clientNotifications, name)
  return [isClient ? "client" : "server"]
}

/** Hears a line of Codex; where nobody says whose it is, it is the side's whose question it answers. */
export const hearCodex = (
  dialogue: CodexWire.Dialogue,
  decoded: AnyDecoded,
  from: Tape.Speaker | undefined
): CodexWire.Heard => {
  const [first, ...rest] = from === undefined ? sidesOf(decoded) : [sides[from]]
  const heard = dialogue.heed(first ?? "server", decoded as CodexWire.Decoded)
  if (heard.answers !== undefined) return heard
  const others = rest.map((side) => dialogue.heed(side, decoded as CodexWire.Decoded))
  return others.find(({ answers }) => answers !== undefined) ?? heard
}

const codexListener = (): Listener => {
  const dialogue = new CodexWire.Dialogue()
  return {
    take: (decoded, from) => {
      const { answers, result } = hearCodex(dialogue, decoded, from)
      if (answers === undefined || result === undefined) return undefined
      const raw = result._tag === "Known" ? (result.raw ?? result.value) : result.raw
      return { name: `response to ${answers}`, payload: result, drift: () => CodexWire.resultDrift(answers, raw) }
    }
  }
}

const execEvent = /^\s*\{\s*"type"\s*:\s*"(?:thread|turn|item)\./
const rpcKey = /^\s*\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:/

/** All of them. Claude Code's is the last, because it is what a line is taken for that nobody knows. */
export const wires: ReadonlyArray<Wire> = [
  {
    runtime: "codex",
    isLine: (start) => execEvent.test(start),
    isTape: (argv) => argv.includes("exec"),
    decodeLine: CodexWire.execCodec.decodeLine,
    decoder: CodexWire.execCodec.decoder,
    drift: CodexWire.execCodec.drift,
    listener: () => ({ take: () => undefined }),
    fold: "codex-exec"
  },
  {
    runtime: "codex",
    isLine: (start) => rpcKey.test(start),
    isTape: () => true,
    decodeLine: CodexWire.decodeLine,
    decoder: CodexWire.decoder,
    drift: CodexWire.drift,
    listener: codexListener,
    fold: "codex"
  },
  {
    runtime: "claude",
    isLine: (start) => /^\s*\{/.test(start),
    isTape: () => true,
    decodeLine: ClaudeWire.decodeLine,
    decoder: ClaudeWire.decoder,
    drift: ClaudeWire.drift,
    listener: claudeListener,
    fold: "claude"
  }
]

const last = (rows: ReadonlyArray<Wire>): Wire => {
  const row = rows.at(-1)
  if (row === undefined) throw new Error("There is a runtime without a wire.")
  return row
}

/** The wire of a tape. */
export const wireOfTape = (header: Pick<Tape.TapeHeader, "argv" | "runtime">): Wire => {
  const { kind } = runtimeOfTape(header)
  const rows = wires.filter(({ runtime }) => runtime === kind)
  return rows.find(({ isTape }) => isTape(header.argv)) ?? last(rows)
}

/** The wire of a file of NDJSON, by how its lines begin; undefined while none of them tells. */
export const wireOfLines = (starts: Iterable<string>, kind?: RuntimeKind): Wire | undefined => {
  const rows = wires.filter(({ runtime }) => kind === undefined || runtime === kind)
  for (const start of starts) {
    const found = rows.find(({ isLine }) => isLine(start))
    if (found !== undefined) return found
  }
  return undefined
}

/** What a file is taken for whose lines do not tell. */
export const wireOfNothing = (kind: RuntimeKind = "claude"): Wire =>
  last(wires.filter(({ runtime }) => runtime === kind))
