/**
 * What is known of a thread besides what was said in it, and the workspaces that threads belong to.
 */
import * as Model from "@agentwire/protocol/model"
import * as Schema from "effect/Schema"

const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** A prompt that was accepted, and whose turn has not begun. */
export interface WaitingPrompt {
  /** The name that whoever said it gave the request. */
  readonly ticket: string
  readonly said: ReadonlyArray<Model.Said>
}

/** A prompt that was accepted, and whose turn has not begun. */
export const WaitingPrompt: Schema.Codec<WaitingPrompt> = Schema.Struct({
  ticket: Schema.String,
  said: Schema.Array(Schema.Struct({ id: Schema.String, content: Model.Content }))
})

const fields = {
  threadId: Schema.String,
  workspaceId: Schema.optionalKey(Schema.String),
  /** The folder the agent works in: the provider finds a conversation only from there. */
  cwd: Schema.String,
  /** The provider's id of the conversation. Absent until the provider has named it. */
  providerSessionId: Schema.optionalKey(Schema.String),
  title: Schema.optionalKey(Schema.String),
  /** Who named it: the first prompt, the provider, or a person. */
  titleBy: Schema.optionalKey(Schema.Literals(["prompt", "provider", "person"])),
  summary: Schema.optionalKey(Schema.String),
  /** What the thread is for, to the policy: it must not become another one by a restart. */
  mode: Schema.optionalKey(Schema.String),
  /** What was chosen about the agent, when the thread was created and later. */
  options: JsonObject,
  /** The MCP servers that were set later. */
  mcpServers: Schema.optionalKey(Schema.Unknown),
  /** The state that the application shares with the agent: any JSON. Lists of threads do not have it. */
  state: Schema.optionalKey(Schema.Unknown),
  /** The prompts that wait for their turn, in order; absent when none do. Lists of threads do not have them. */
  waiting: Schema.optionalKey(Schema.Array(WaitingPrompt)),
  /** The position in the transcript up to which a bridge was gone, last, before a turn had ended. Absent: none ever was. */
  cutAt: Schema.optionalKey(Schema.Finite),
  /** The position in the transcript at which a bridge was gone, last, without giving the thread back. Absent: none ever was. */
  leftAt: Schema.optionalKey(Schema.Finite),
  archived: Schema.Boolean,
  /** In milliseconds since 1970. */
  createdAt: Schema.Finite,
  /** When the last message was said; being looked at does not count. In milliseconds since 1970. */
  activeAt: Schema.Finite,
  /** It was begun elsewhere, in a terminal for example, and continued here. */
  adopted: Schema.optionalKey(Schema.Boolean),
  /** The thread that it was made of, with what was said there. */
  forkOf: Schema.optionalKey(Schema.String)
} as const

/** What is known of a thread. Keys of later versions are kept. */
export const StoredThread = Schema.StructWithRest(Schema.Struct(fields), [JsonObject])

/** What is known of a thread. */
export type StoredThread = Schema.Struct.Type<typeof fields>

/** What changes about a thread: keys with a value are replaced, keys that are `undefined` are taken away. */
export type ThreadChange = { readonly [K in keyof Omit<StoredThread, "threadId">]?: StoredThread[K] | undefined }

/** A thread with what has changed about it. */
export const changeThread = (thread: StoredThread, change: ThreadChange): StoredThread => {
  const changed: Record<string, unknown> = { ...thread }
  for (const [key, value] of Object.entries(change))
    if (value === undefined) delete changed[key]
    else changed[key] = value
  return changed as unknown as StoredThread
}

const workspaceFields = {
  id: Schema.String,
  name: Schema.String,
  folder: Schema.String,
  /** The thread that was in use last. */
  activeThreadId: Schema.optionalKey(Schema.String),
  /** In milliseconds since 1970. */
  createdAt: Schema.Finite
} as const

/** A folder that people work in, and what they call it. Keys of later versions are kept. */
export const Workspace = Schema.StructWithRest(Schema.Struct(workspaceFields), [JsonObject])

/** A folder that people work in, and what they call it. */
export type Workspace = Schema.Struct.Type<typeof workspaceFields>
