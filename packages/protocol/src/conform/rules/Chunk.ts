/**
 * Chunks: the shorthand that opens, extends and closes without saying so. Clients expand it before all other rules, and
 * so does {@link Lanes}: one open item a lane, where a lane is the subagent a chunk is attributed to. What a chunk does
 * is in `agui/OpenChunks.ts`; here is what is wrong with it.
 */
import { contentOf, startOf } from "../../agui/Chunks.ts"
import { type ChunkRefusal, endsChunk, idOfChunk, type OpenChunk, openAfter, stepOf } from "../../agui/OpenChunks.ts"
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
  | ReturnType<typeof startOf>
  | Heard<"TEXT_MESSAGE_END">
  | Heard<"TOOL_CALL_END">
  | Heard<"REASONING_MESSAGE_END">

/** A chunk of any kind. */
export type Chunk = Heard<"TEXT_MESSAGE_CHUNK" | "TOOL_CALL_CHUNK" | "REASONING_MESSAGE_CHUNK">

const kinds = {
  TEXT_MESSAGE_CHUNK: { kind: "text", first: "AGUI-CHUNK-001", what: "text message" },
  TOOL_CALL_CHUNK: { kind: "tool", first: "AGUI-CHUNK-002", what: "tool call" },
  REASONING_MESSAGE_CHUNK: { kind: "reasoning", first: "AGUI-CHUNK-004", what: "reasoning message" }
} as const

const starts: Readonly<Record<string, OpenChunk["kind"]>> = {
  TEXT_MESSAGE_START: "text",
  TOOL_CALL_START: "tool",
  REASONING_MESSAGE_START: "reasoning"
}

/** The chunks that are open, a lane each. */
export class Lanes {
  private open: ReadonlyArray<OpenChunk> = []

  /** Says when an item that chunks are writing is started explicitly. Pieces and ends of it are other rules' breaches. */
  checkMixing(type: string, id: unknown, stream: Stream): void {
    if (this.open.length === 0) return
    const kind = starts[type]
    if (kind === undefined) return
    for (const item of this.open)
      if (item.kind === kind && item.id === id)
        stream.report(chunkRules["AGUI-CHUNK-008"], `${type} of ${quote(id)}, which chunks are writing.`)
  }

  /** The events that end what an event of a type ends, before that event. */
  closeBefore(type: string, tag: Owner): ReadonlyArray<Expanded> {
    if (this.open.length === 0) return []
    const ended = this.open.filter((item) => endsChunk(type, tag, item))
    if (ended.length === 0) return []
    this.open = this.open.filter((item) => !ended.includes(item))
    return ended.map(endOf)
  }

  /** The events a chunk stands for. None when a rule is broken, which is reported. */
  expand(chunk: Chunk, stream: Stream): ReadonlyArray<Expanded> {
    const step = stepOf(this.open, chunk)
    if (step._tag === "Continues") {
      this.reportChanges(chunk, step.item, step.changed, stream)
      return [contentOf(step.item, chunk.delta ?? "", tagged(chunk.subagentRunId ?? step.item.subagentRunId))]
    }
    if (step._tag === "Refused") this.reportRefusal(chunk, step.reason, stream)
    const { ended } = step
    const begun = step._tag === "Begins" ? { begun: step.item } : {}
    this.open = openAfter(this.open, { ...begun, ended })
    const closing = ended === undefined ? [] : [endOf(ended)]
    if (step._tag === "Refused") return closing
    const stamp = tagged(step.item.subagentRunId)
    return [...closing, startOf(step.item, stamp), contentOf(step.item, chunk.delta ?? "", stamp)]
  }

  private reportRefusal(chunk: Chunk, reason: ChunkRefusal, stream: Stream): void {
    const { first, kind, what } = kinds[chunk.type]
    const id = quote(idOfChunk(chunk))
    const several = this.open.filter((item) => item.kind === kind).length
    const reports = {
      "no-id": [first, `${chunk.type} continues nothing and has no id.`],
      "no-name": ["AGUI-CHUNK-003", `TOOL_CALL_CHUNK opens call ${id} without a toolCallName.`],
      "other-owner": [
        "AGUI-CHUNK-006",
        `The chunk continues ${what} ${id} and is attributed to ${quote(chunk.subagentRunId)}, which did not open it.`
      ],
      ambiguous: [
        "AGUI-CHUNK-007",
        `The chunk has neither an id nor a subagentRunId, and ${several} subagents have a ${what} open.`
      ]
    } as const
    const [rule, message] = reports[reason]
    stream.report(chunkRules[rule], message)
  }

  private reportChanges(
    chunk: Chunk,
    { id, opening }: OpenChunk,
    changed: ReadonlyArray<string>,
    stream: Stream
  ): void {
    for (const field of changed) {
      const first = opening[field]
      stream.report(
        chunkRules["AGUI-CHUNK-005"],
        `The chunk continues ${kinds[chunk.type].what} ${quote(id)} with ${field} ${quote(Reflect.get(chunk, field))}; the first one said ${first === undefined ? "none" : quote(first)}.`
      )
    }
  }
}

const tagged = (tag: Owner) => (tag === undefined ? {} : { subagentRunId: tag })

const endOf = ({ id, kind, subagentRunId }: OpenChunk): Expanded => {
  const tag = tagged(subagentRunId)
  switch (kind) {
    case "text":
      return { type: "TEXT_MESSAGE_END", messageId: id, ...tag }
    case "tool":
      return { type: "TOOL_CALL_END", toolCallId: id, ...tag }
    case "reasoning":
      return { type: "REASONING_MESSAGE_END", messageId: id, ...tag }
  }
}
