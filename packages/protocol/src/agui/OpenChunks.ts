/**
 * What `*_CHUNK` events begin, continue and end.
 *
 * A chunk without an id continues what its speaker has open, so this remembers what each has: at most one message
 * or call, begun by a chunk and ended by the speaker's next event of another kind. The rules are those of
 * `transformChunks` of `@ag-ui/client` 1.0.0. Those who read a conversation (`Chunks.ts`) and those who judge a stream
 * (`conform/rules/Chunk.ts`) go by them.
 */

/** A message or call that chunks began and that chunks may continue. */
export interface OpenChunk {
  readonly kind: "text" | "tool" | "reasoning"
  /** The message's id, or the call's. */
  readonly id: string
  /** Who speaks; absent for the agent itself. */
  readonly subagentRunId?: string
  /** What the first chunk said, which a later one may repeat and not change. */
  readonly opening: Readonly<Record<string, string | undefined>>
}

/** A chunk, as far as it matters here. */
export type AnyChunk = { readonly subagentRunId?: string; readonly delta?: string } & (
  | { readonly type: "TEXT_MESSAGE_CHUNK"; readonly messageId?: string; readonly role?: string; readonly name?: string }
  | {
      readonly type: "TOOL_CALL_CHUNK"
      readonly toolCallId?: string
      readonly toolCallName?: string
      readonly parentMessageId?: string | null
    }
  | { readonly type: "REASONING_MESSAGE_CHUNK"; readonly messageId?: string }
)

/** Why the client ends the run at a chunk. */
export type ChunkRefusal =
  /** It begins something, and has no id for it. */
  | "no-id"
  /** It begins a call, and does not name the tool. */
  | "no-name"
  /** It continues what somebody else began. */
  | "other-owner"
  /** It continues something, and several have something of the kind open. */
  | "ambiguous"

/** What a chunk does. */
export type ChunkStep =
  | {
      readonly _tag: "Continues"
      readonly item: OpenChunk
      /** What it says differently from the first chunk, at which the client 1.0.0 ends the run. */
      readonly changed: ReadonlyArray<string>
    }
  /** It begins an item in the place of what its speaker had open. */
  | { readonly _tag: "Begins"; readonly item: OpenChunk; readonly ended: OpenChunk | undefined }
  | { readonly _tag: "Refused"; readonly reason: ChunkRefusal; readonly ended: OpenChunk | undefined }

const kinds = { TEXT_MESSAGE_CHUNK: "text", TOOL_CALL_CHUNK: "tool", REASONING_MESSAGE_CHUNK: "reasoning" } as const

/** The id of what a chunk writes; undefined: it continues what is open. */
export const idOfChunk = (chunk: AnyChunk): string | undefined =>
  chunk.type === "TOOL_CALL_CHUNK" ? chunk.toolCallId : chunk.messageId

/** What a chunk does to what is open. */
export const stepOf = (open: ReadonlyArray<OpenChunk>, chunk: AnyChunk): ChunkStep => {
  const kind = kinds[chunk.type]
  const id = idOfChunk(chunk)
  const same = open.filter((each) => each.kind === kind)
  const speaker = speakerOf(same, chunk.subagentRunId, id)
  if (typeof speaker === "string") return { _tag: "Refused", reason: speaker, ended: undefined }
  const { owner } = speaker
  const current = open.find((each) => each.subagentRunId === owner)
  const opening = openingOf(chunk)
  if (current?.kind === kind && (id === undefined || id === current.id))
    return { _tag: "Continues", item: current, changed: changedIn(chunk, current) }
  if (id === undefined) return { _tag: "Refused", reason: "no-id", ended: current }
  if (chunk.type === "TOOL_CALL_CHUNK" && chunk.toolCallName === undefined)
    return { _tag: "Refused", reason: "no-name", ended: current }
  const item = { kind, id, opening, ...(owner !== undefined && { subagentRunId: owner }) }
  return { _tag: "Begins", item, ended: current }
}

/** What is open after something began in the place of something else. */
export const openAfter = (
  open: ReadonlyArray<OpenChunk>,
  { begun, ended }: { readonly begun?: OpenChunk; readonly ended: OpenChunk | undefined }
): ReadonlyArray<OpenChunk> => [...open.filter((each) => each !== ended), ...(begun === undefined ? [] : [begun])]

/** Who speaks in a chunk, or why nobody can tell. */
const speakerOf = (
  same: ReadonlyArray<OpenChunk>,
  tag: string | undefined,
  id: string | undefined
): { readonly owner: string | undefined } | ChunkRefusal => {
  if (id !== undefined) {
    const holder = same.find((each) => each.id === id)
    if (holder === undefined) return { owner: tag }
    return tag === undefined || tag === holder.subagentRunId ? { owner: holder.subagentRunId } : "other-owner"
  }
  if (tag !== undefined || same.some((each) => each.subagentRunId === undefined)) return { owner: tag }
  return same.length > 1 ? "ambiguous" : { owner: same[0]?.subagentRunId }
}

const openingOf = (chunk: AnyChunk): OpenChunk["opening"] => {
  switch (chunk.type) {
    case "TEXT_MESSAGE_CHUNK":
      return { role: chunk.role ?? "assistant", name: chunk.name }
    case "TOOL_CALL_CHUNK":
      return { toolCallName: chunk.toolCallName, parentMessageId: chunk.parentMessageId ?? undefined }
    case "REASONING_MESSAGE_CHUNK":
      return {}
  }
}

const changedIn = (chunk: AnyChunk, { opening }: OpenChunk): ReadonlyArray<string> =>
  Object.entries(opening).flatMap(([field, first]) => {
    const repeated: unknown = Reflect.get(chunk, field)
    return repeated === undefined || repeated === null || repeated === first ? [] : [field]
  })

/** What else a speaker may do while its message continues; SUBAGENT_STARTED speaks of somebody new. */
const bystanders: ReadonlySet<string> = new Set([
  "RAW",
  "ACTIVITY_SNAPSHOT",
  "ACTIVITY_DELTA",
  "REASONING_ENCRYPTED_VALUE",
  "SUBAGENT_STARTED"
])

/** What ends everybody's. */
const ofTheRun: ReadonlySet<string> = new Set(["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT"])

/** Whether an event that is no chunk ends an item that chunks write. */
export const endsChunk = (type: string, tag: string | undefined, item: OpenChunk): boolean =>
  ofTheRun.has(type) || (!bystanders.has(type) && tag === item.subagentRunId)
