/**
 * What is said between the bridge and an extension. Values are JSON, as text: writing it is the work of whoever says it,
 * and nothing is shared.
 */

/** What an extension is asked. */
export type AskedName = "load" | "start" | "stop" | "method" | "source" | "page" | "health" | "event" | "alive"

/** What the bridge is asked. */
export type WantedName = "prompt" | "interrupt" | "get" | "set" | "delete" | "list"

/** An answer, of either side. */
export interface PortAnswer {
  readonly tag: "answer"
  readonly id: number
  readonly ok: boolean
  /** JSON; or why not, in words. */
  readonly value: string
  readonly code?: string | undefined
}

/** What the bridge says. */
export type ToExtension =
  | { readonly tag: "ask"; readonly id: number; readonly name: AskedName; readonly value: string }
  | PortAnswer
  /** It may tell so much more. */
  | { readonly tag: "room"; readonly count: number }

/** What an extension says. */
export type FromExtension =
  | { readonly tag: "ask"; readonly id: number; readonly name: WantedName; readonly value: string }
  | PortAnswer
  | { readonly tag: "emit"; readonly type: string; readonly value: string }
  | { readonly tag: "log"; readonly level: string; readonly message: string; readonly value: string }
  | { readonly tag: "on"; readonly id: number; readonly pattern: string }
  | { readonly tag: "off"; readonly id: number }
  /** So many events and lines of the log were dropped, for there was no room. */
  | { readonly tag: "dropped"; readonly events: number; readonly lines: number }

/** The extension's end of the line. */
export interface ExtensionEnd {
  readonly send: (message: FromExtension) => void
  readonly listen: (hear: (message: ToExtension) => void) => void
}

/** The bridge's end of the line. */
export interface BridgeEnd {
  readonly send: (message: ToExtension) => void
  /** Ends the extension, whatever it is doing, where it has a thread of its own. */
  readonly end: () => Promise<void>
  /** Whether it can be ended, and begun again. */
  readonly canEnd: boolean
}

/** What the bridge does about what it hears. */
export interface BridgeEars {
  /** What it says, unread: it may be anything. */
  readonly hear: (said: unknown) => void
  /** The extension is gone, and was not told to. */
  readonly gone: (why: string) => void
  /** What it writes to its standard streams. */
  readonly wrote: (text: string) => void
}

/** Begins an extension. */
export type OpenExtension = (ears: BridgeEars) => BridgeEnd
