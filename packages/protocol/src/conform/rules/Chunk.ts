/**
 * Chunks: the shorthand that opens, extends and closes without saying so. Clients expand it before all other rules, and
 * so does {@link Lanes}: one open item a lane, where a lane is the subagent a chunk is attributed to.
 */
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Heard, Owner, Stream } from "../Stream.ts"

const clients = "client 1.0.0 transformChunks; client 0.0.59 transformChunks"

/** The rules of chunks. */
export const chunkRules = rulesOf("chunk", {
  "AGUI-CHUNK-001": {
    level: "error",
    requirement: "The first TEXT_MESSAGE_CHUNK of a message has a messageId.",
    spec: `1.0 basic/patterns/streaming#the-first-chunk; ${clients}`
  },
  "AGUI-CHUNK-002": {
    level: "error",
    requirement: "The first TOOL_CALL_CHUNK of a call has a toolCallId.",
    spec: `1.0 basic/patterns/streaming#the-first-chunk; ${clients}`
  },
  "AGUI-CHUNK-003": {
    level: "error",
    requirement: "The first TOOL_CALL_CHUNK of a call has a toolCallName.",
    spec: `1.0 basic/patterns/streaming#the-first-chunk; ${clients}`
  },
  "AGUI-CHUNK-004": {
    level: "error",
    requirement: "The first REASONING_MESSAGE_CHUNK of a message has a messageId.",
    spec: `1.0 basic/patterns/streaming#the-first-chunk; ${clients}`
  },
  "AGUI-CHUNK-005": {
    level: "error",
    requirement: "A chunk that repeats role, name, toolCallName or parentMessageId says what the first one said.",
    spec: "1.0 basic/patterns/streaming#continuation-chunks; client 1.0.0 transformChunks",
    dialects: ["1.0"]
  },
  "AGUI-CHUNK-006": {
    level: "error",
    requirement: "A chunk that names an open item is attributed as that item.",
    spec: `1.0 events/subagents#ownership; ${clients}`
  },
  "AGUI-CHUNK-007": {
    level: "error",
    requirement: "A chunk without id and attribution continues one item: the agent's own, or the only one.",
    spec: `1.0 basic/patterns/streaming#closing-a-chunk-stream; ${clients}`
  },
  "AGUI-CHUNK-008": {
    level: "error",
    requirement: "An item that chunks are writing is not started again explicitly: the two forms do not mix.",
    spec: "1.0 basic/patterns/streaming#the-chunked-form"
  }
})

/** An event that a chunk stands for, or that the end of one stands for. */
export type Expanded =
  | Heard<"TEXT_MESSAGE_START">
  | Heard<"TEXT_MESSAGE_CONTENT">
  | Heard<"TEXT_MESSAGE_END">
  | Heard<"TOOL_CALL_START">
  | Heard<"TOOL_CALL_ARGS">
  | Heard<"TOOL_CALL_END">
  | Heard<"REASONING_MESSAGE_START">
  | Heard<"REASONING_MESSAGE_CONTENT">
  | Heard<"REASONING_MESSAGE_END">

type Kind = "text" | "tool" | "reasoning"

interface Pending {
  readonly kind: Kind
  readonly id: string
  readonly tag: Owner
  /** What the first chunk said or left out, which later ones may repeat. */
  readonly said: Readonly<Record<string, string | undefined>>
}

/** A chunk of any kind. */
export type Chunk = Heard<"TEXT_MESSAGE_CHUNK" | "TOOL_CALL_CHUNK" | "REASONING_MESSAGE_CHUNK">

const kinds = {
  TEXT_MESSAGE_CHUNK: { kind: "text", first: "AGUI-CHUNK-001", what: "text message" },
  TOOL_CALL_CHUNK: { kind: "tool", first: "AGUI-CHUNK-002", what: "tool call" },
  REASONING_MESSAGE_CHUNK: { kind: "reasoning", first: "AGUI-CHUNK-004", what: "reasoning message" }
} as const

const starts: Readonly<Record<string, Kind>> = {
  TEXT_MESSAGE_START: "text",
  TOOL_CALL_START: "tool",
  REASONING_MESSAGE_START: "reasoning"
}

/** Events that leave open chunks alone. All others close the chunk of their own lane, or of all lanes. */
const aside: ReadonlySet<string> = new Set([
  "RAW",
  "ACTIVITY_SNAPSHOT",
  "ACTIVITY_DELTA",
  "REASONING_ENCRYPTED_VALUE",
  "SUBAGENT_STARTED"
])

const ofTheRun: ReadonlySet<string> = new Set(["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT"])

/** The chunks that are open, a lane each. */
export class Lanes {
  private readonly lanes = new Map<Owner, Pending>()

  /** Says when an item that chunks are writing is started explicitly. Pieces and ends of it are other rules' breaches. */
  checkMixing(type: string, id: unknown, stream: Stream): void {
    if (this.lanes.size === 0) return
    const kind = starts[type]
    if (kind === undefined) return
    for (const pending of this.lanes.values())
      if (pending.kind === kind && pending.id === id)
        stream.report(chunkRules["AGUI-CHUNK-008"], `${type} of ${quote(id)}, which chunks are writing.`)
  }

  /** The events that end what an event of a type ends, before that event. */
  closeBefore(type: string, tag: Owner): ReadonlyArray<Expanded> {
    if (this.lanes.size === 0 || aside.has(type)) return []
    if (ofTheRun.has(type)) return [...this.lanes.keys()].flatMap((lane) => this.close(lane))
    return this.close(tag)
  }

  /** The events a chunk stands for. None when a rule is broken, which is reported. */
  expand(chunk: Chunk, stream: Stream): ReadonlyArray<Expanded> {
    const { first, kind, what } = kinds[chunk.type]
    const id = chunk.type === "TOOL_CALL_CHUNK" ? chunk.toolCallId : chunk.messageId
    const found = this.laneOf(kind, what, id, chunk.subagentRunId, stream)
    if (found === undefined) return []
    const open = this.lanes.get(found.lane)
    if (open?.kind === kind && (id === undefined || id === open.id)) {
      checkRepeats(chunk, open, what, stream)
      return [contentOf(open, chunk.delta ?? "", chunk.subagentRunId ?? open.tag)]
    }
    const closing = this.close(found.lane)
    if (id === undefined) {
      stream.report(chunkRules[first], `${chunk.type} continues nothing and has no id.`)
      return closing
    }
    if (chunk.type === "TOOL_CALL_CHUNK" && chunk.toolCallName === undefined) {
      stream.report(chunkRules["AGUI-CHUNK-003"], `TOOL_CALL_CHUNK opens call ${quote(id)} without a toolCallName.`)
      return closing
    }
    const pending: Pending = { kind, id, tag: chunk.subagentRunId, said: saidBy(chunk) }
    this.lanes.set(found.lane, pending)
    return [...closing, startOf(pending), contentOf(pending, chunk.delta ?? "", pending.tag)]
  }

  private close(lane: Owner): ReadonlyArray<Expanded> {
    const pending = this.lanes.get(lane)
    if (pending === undefined) return []
    this.lanes.delete(lane)
    return [endOf(pending)]
  }

  private laneOf(
    kind: Kind,
    what: string,
    id: string | undefined,
    tag: Owner,
    stream: Stream
  ): { readonly lane: Owner } | undefined {
    if (id !== undefined) {
      for (const [lane, pending] of this.lanes) {
        if (pending.kind !== kind || pending.id !== id) continue
        if (tag === undefined || tag === lane) return { lane }
        stream.report(
          chunkRules["AGUI-CHUNK-006"],
          `The chunk continues ${what} ${quote(id)} and is attributed to ${quote(tag)}, which did not open it.`
        )
        return undefined
      }
      return { lane: tag }
    }
    if (tag !== undefined) return { lane: tag }
    if (this.lanes.get(undefined)?.kind === kind) return { lane: undefined }
    const candidates = [...this.lanes].filter(([, pending]) => pending.kind === kind)
    const [only] = candidates
    if (candidates.length <= 1) return { lane: only?.[0] }
    stream.report(
      chunkRules["AGUI-CHUNK-007"],
      `The chunk has neither an id nor a subagentRunId, and ${candidates.length} subagents have a ${what} open.`
    )
    return undefined
  }
}

const saidBy = (chunk: Chunk): Pending["said"] => {
  switch (chunk.type) {
    case "TEXT_MESSAGE_CHUNK":
      return { role: chunk.role ?? "assistant", name: chunk.name }
    case "TOOL_CALL_CHUNK":
      return { toolCallName: chunk.toolCallName, parentMessageId: chunk.parentMessageId ?? undefined }
    case "REASONING_MESSAGE_CHUNK":
      return {}
  }
}

const checkRepeats = (chunk: Chunk, open: Pending, what: string, stream: Stream): void => {
  for (const [field, value] of Object.entries(open.said)) {
    const repeated: unknown = Reflect.get(chunk, field)
    if (repeated !== undefined && repeated !== null && repeated !== value)
      stream.report(
        chunkRules["AGUI-CHUNK-005"],
        `The chunk continues ${what} ${quote(open.id)} with ${field} ${quote(repeated)}; the first one said ${value === undefined ? "none" : quote(value)}.`
      )
  }
}

const tagged = (tag: Owner) => (tag === undefined ? {} : { subagentRunId: tag })

const startOf = ({ id, kind, said, tag }: Pending): Expanded => {
  switch (kind) {
    case "text":
      return {
        type: "TEXT_MESSAGE_START",
        messageId: id,
        role: said["role"] as "assistant",
        ...(said["name"] === undefined ? {} : { name: said["name"] }),
        ...tagged(tag)
      }
    case "tool":
      return {
        type: "TOOL_CALL_START",
        toolCallId: id,
        toolCallName: said["toolCallName"] ?? "",
        ...(said["parentMessageId"] === undefined ? {} : { parentMessageId: said["parentMessageId"] }),
        ...tagged(tag)
      }
    case "reasoning":
      return { type: "REASONING_MESSAGE_START", messageId: id, role: "reasoning", ...tagged(tag) }
  }
}

const contentOf = ({ id, kind }: Pending, delta: string, tag: Owner): Expanded => {
  switch (kind) {
    case "text":
      return { type: "TEXT_MESSAGE_CONTENT", messageId: id, delta, ...tagged(tag) }
    case "tool":
      return { type: "TOOL_CALL_ARGS", toolCallId: id, delta, ...tagged(tag) }
    case "reasoning":
      return { type: "REASONING_MESSAGE_CONTENT", messageId: id, delta, ...tagged(tag) }
  }
}

const endOf = ({ id, kind, tag }: Pending): Expanded => {
  switch (kind) {
    case "text":
      return { type: "TEXT_MESSAGE_END", messageId: id, ...tagged(tag) }
    case "tool":
      return { type: "TOOL_CALL_END", toolCallId: id, ...tagged(tag) }
    case "reasoning":
      return { type: "REASONING_MESSAGE_END", messageId: id, ...tagged(tag) }
  }
}
