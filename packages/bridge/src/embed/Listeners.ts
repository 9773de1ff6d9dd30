/**
 * Who listens to a `Bridge`, and what they are told. A listener that breaks does not break the bridge, nor the others.
 */
import type * as Agui from "@agentwire/protocol/agui"
import type * as Claude from "@agentwire/protocol/claude"
import type { SessionStatus } from "../session/Session.ts"
import type { Approval } from "./Approval.ts"

/** An event of a session. */
export interface SessionEvent {
  readonly threadId: string
  /** Its number in the session; `events()` continues after it with `from: seq + 1`. */
  readonly seq: number
  readonly event: Agui.AguiEvent
}

/** What a bridge tells, by name. */
export interface BridgeEvents {
  /** An AG-UI event of a session. */
  readonly event: SessionEvent
  /** A message of an agent, as it is on the wire; `decodeLine` of `@agentwire/protocol/claude` knows its type. */
  readonly message: { readonly threadId: string; readonly line: string; readonly message: unknown }
  /** The status of a session has changed. */
  readonly status: { readonly threadId: string; readonly status: SessionStatus }
  /** An agent asks whether it may use a tool, or asks a person something. */
  readonly approval: Approval
  /** What an agent said about itself at the beginning of a turn: its tools, model, commands and MCP servers. */
  readonly init: { readonly threadId: string; readonly init: Claude.SystemInit }
  /** A session was opened, or has ended. */
  readonly session: { readonly threadId: string; readonly state: "opened" | "closed" }
  /** A listener or a hook threw, or its promise was rejected. Without a listener for this, the process is warned. */
  readonly error: { readonly error: unknown; readonly during: string }
}

/** The name of something a bridge tells. */
export type BridgeEventName = keyof BridgeEvents

/** Hears what a bridge tells. */
export type Listener<N extends BridgeEventName> = (told: BridgeEvents[N]) => unknown

/** Who listens. */
export class Listeners {
  readonly #all: { readonly [N in BridgeEventName]: Set<Listener<N>> } = {
    event: new Set(),
    message: new Set(),
    status: new Set(),
    approval: new Set(),
    init: new Set(),
    session: new Set(),
    error: new Set()
  }

  /** Adds a listener; the returned function removes it. */
  on<N extends BridgeEventName>(name: N, listener: Listener<N>): () => void {
    // Wrapped, so that the same function may listen twice and each can be removed.
    const own: Listener<N> = (told) => listener(told)
    const listeners: Set<Listener<N>> = this.#all[name]
    listeners.add(own)
    return () => void listeners.delete(own)
  }

  /** Whether anybody listens. */
  has(name: BridgeEventName): boolean {
    return this.#all[name].size > 0
  }

  /** Tells everybody who listens. */
  notify<N extends BridgeEventName>(name: N, told: BridgeEvents[N]): void {
    const listeners: ReadonlySet<Listener<N>> = this.#all[name]
    for (const listener of [...listeners]) {
      try {
        const answer = listener(told)
        if (answer instanceof Promise) answer.catch((error: unknown) => this.failed(name, error))
      } catch (error) {
        this.failed(name, error)
      }
    }
  }

  /** Tells that something of the program failed: a listener, by what it listens to, unless it is said what. */
  failed(during: string, error: unknown, who = `A listener for "${during}" of a bridge`): void {
    if (during !== "error" && this.has("error")) this.notify("error", { error, during })
    else {
      const what = error instanceof Error ? error.message : String(error)
      process.emitWarning(`${who} failed: ${what}`, "AgentwireWarning")
    }
  }
}
