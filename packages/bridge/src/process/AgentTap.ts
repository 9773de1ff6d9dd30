/**
 * Something that sees the raw bytes between the bridge and an agent, such as a recorder. It only watches: it must not
 * throw, and nothing waits for it.
 */
import type { AgentExit } from "./AgentLife.ts"

/** Sees one process. */
export interface AgentTap {
  readonly data: (from: "agent" | "host", channel: "stdin" | "stdout" | "stderr" | "ws", bytes: Uint8Array) => void
  /** The agent has connected its WebSocket, or has connected it again. Its token is not among the headers. */
  readonly open?: (url: string, headers: Readonly<Record<string, string>>) => void
  readonly exit: (exit: AgentExit) => void
}

/** What is known of a process when it starts. */
export interface TappedProcess {
  readonly version: string
  readonly transport: "stdio" | "ws"
  readonly argv: ReadonlyArray<string>
}
