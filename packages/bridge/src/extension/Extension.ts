/**
 * What an extension is, for those who write one: an object with a name, that is started with a context and then asked.
 *
 * It adds methods and events, answers prompts that come from elsewhere (`sourceRoutes`), and may have web pages. What it
 * gives back travels as JSON. How to write one is in docs/extensions.md.
 */

/** Something that happened: to a session (`session.turn_ended`), or what an extension tells (`voice.spoken`). */
export interface ExtensionEvent {
  readonly type: string
  readonly payload: unknown
}

/** Writes lines into the log of the bridge, under the name of the extension. */
export interface ExtensionLog {
  readonly debug: (message: string, facts?: Readonly<Record<string, unknown>>) => void
  readonly info: (message: string, facts?: Readonly<Record<string, unknown>>) => void
  readonly warn: (message: string, facts?: Readonly<Record<string, unknown>>) => void
  readonly error: (message: string, facts?: Readonly<Record<string, unknown>>) => void
}

/** What an extension keeps: JSON by key, which outlives a restart where the bridge keeps anything. */
export interface ExtensionStore {
  readonly get: (key: string) => Promise<unknown>
  /** The key has letters, digits, `.`, `_` and `-`. */
  readonly set: (key: string, value: unknown) => Promise<void>
  readonly delete: (key: string) => Promise<void>
  /** All of it, by its keys, in the order of those. */
  readonly list: () => Promise<ReadonlyArray<{ readonly key: string; readonly value: unknown }>>
}

/** A prompt that an extension gives to a session. */
export interface ExtensionPrompt {
  /** What the person says: text, or parts as in the management API. */
  readonly content: unknown
  /** The session; it is made when there is none. A new one when it is left out. */
  readonly threadId?: string
  /**
   * Where it comes from, such as `imessage/42`: the answer is given to `handleSourceResponse` of the extension whose
   * `sourceRoutes` has the part before the slash. Without it nobody is told.
   */
  readonly source?: string
  /** A name for the prompt: one that is known is not given again. Made up when it is left out. */
  readonly id?: string
  /** Where the agent works, when the session is made. */
  readonly cwd?: string
  /** What the session is for, to the policy, when it is made. */
  readonly mode?: string
  /** Options of the agent, when the session is made. */
  readonly agent?: Readonly<Record<string, unknown>>
}

/** A prompt that a session has accepted. */
export interface PromptAccepted {
  readonly id: string
  readonly threadId: string
}

/** The answer to a prompt with a source. It may come again after a restart: `id` tells. */
export interface SourceResponse {
  readonly type: "source_response"
  /** Of the prompt. */
  readonly id: string
  readonly source: string
  readonly threadId: string
  readonly outcome: "completed" | "cancelled" | "limited" | "failed"
  /** What the agent said last. */
  readonly text: string
  /** Why it was limited, or failed. */
  readonly code?: string
  readonly message?: string
  /** How often it was given before, and not taken. */
  readonly attempt: number
}

/** A request for a web page of an extension. */
export interface PageRequest {
  readonly method: string
  /** What follows `/ext/<id>`; begins with a slash. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Without those that let the caller in. */
  readonly headers: Readonly<Record<string, string>>
  /** As JSON. */
  readonly body?: unknown
}

/** A web page. Either a text or JSON. */
export interface PageAnswer {
  /** Default 200. */
  readonly status?: number
  /** `content-type` and others that say nothing about the connection and nobody's access. */
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
  readonly json?: unknown
}

/** How an extension says it is. */
export interface ExtensionSaid {
  readonly ok: boolean
  readonly details?: Readonly<Record<string, unknown>>
}

/** What an extension is given when it starts. */
export interface ExtensionContext {
  /** What its owner configured. */
  readonly config: unknown
  readonly log: ExtensionLog
  /** Calls back for events whose type fits: `session.*`, `*`, or a name. The returned function ends that. */
  readonly on: (pattern: string, handler: (event: ExtensionEvent) => unknown) => () => void
  /** Tells an event, one of those in `events`. False: there are too many, and it was dropped. */
  readonly emit: (type: string, payload: unknown) => boolean
  /** Gives a prompt to a session. Done when it is accepted and kept. */
  readonly prompt: (prompt: ExtensionPrompt) => Promise<PromptAccepted>
  /** Stops the turn that is open in a session. True when there was one. */
  readonly interrupt: (threadId: string) => Promise<boolean>
  readonly store: ExtensionStore
}

/** An extension. */
export interface Extension {
  /** Lower-case letters, digits and dashes. Its pages are at `/ext/<id>`. */
  readonly id: string
  /** What people call it. */
  readonly name: string
  /** Its methods, each `<id>.<name>`. */
  readonly methods?: ReadonlyArray<string>
  /** The events it tells, each `<id>.<name>`. */
  readonly events?: ReadonlyArray<string>
  /** What the sources of its prompts begin with: the part before the slash. */
  readonly sourceRoutes?: ReadonlyArray<string>
  /** A folder of files that are its web pages: an absolute path, or a `file:` URL. */
  readonly pages?: string
  readonly start?: (context: ExtensionContext) => unknown
  readonly stop?: () => unknown
  readonly handleMethod?: (method: string, params: Readonly<Record<string, unknown>>) => unknown
  readonly handleSourceResponse?: (source: string, response: SourceResponse) => unknown
  readonly handlePage?: (request: PageRequest) => PageAnswer | Promise<PageAnswer>
  readonly health?: () => ExtensionSaid | Promise<ExtensionSaid>
}

/** What the module of an extension has as its default: the extension, or what makes it of its configuration. */
export type ExtensionExport = Extension | ((config: unknown) => Extension | Promise<Extension>)
