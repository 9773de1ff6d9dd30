/** What the soak tells its bridge process, and what it is answered. Both travel as JSON between the processes. */
import type { LoggedRun } from "./RunLedger.ts"

/**
 * What a thread's agents are: tapes inside the bridge, processes that replay tapes, or the real CLI.
 */
export type AgentKind = "tape" | "process" | "cli"

/** A thread, and the agents it gets. */
export interface Plan {
  readonly threadId: string
  readonly mark: string
  readonly kind: AgentKind
  /** The files of the tapes inside the bridge: one for each start, in turn. */
  readonly tapes: ReadonlyArray<string>
  /** The program of the others. */
  readonly program: string
  readonly env: Readonly<Record<string, string>>
}

/** What the log of a thread was found to be. */
export interface LogReport {
  readonly runs: ReadonlyArray<LoggedRun>
  readonly objections: ReadonlyArray<string>
  readonly events: number
  readonly own: number
  /** Its last events. */
  readonly evidence: ReadonlyArray<unknown>
}

/** What the bridge process is told to do, and with what it answers. */
export interface Orders {
  /** Makes a thread known, opens it, and reads its log from then on. */
  readonly open: { readonly order: Plan; readonly answer: null }
  /** Ends the agent of a thread that is inside the bridge. Whether there was one. */
  readonly endAgent: { readonly order: string; readonly answer: boolean }
  readonly report: { readonly order: string; readonly answer: LogReport }
  /** Removes a thread. What its log was. */
  readonly remove: { readonly order: string; readonly answer: LogReport }
  /** Collects garbage. Bytes of the heap afterwards, and what was logged as an error since the last time. */
  readonly collect: {
    readonly order: null
    readonly answer: { readonly heapUsed: number; readonly errors: ReadonlyArray<string> }
  }
}

/** The name of an order. */
export type OrderName = keyof Orders

/** An order on its way. */
export interface Sent<N extends OrderName = OrderName> {
  readonly id: number
  readonly name: N
  readonly order: Orders[N]["order"]
}

/** An answer on its way. */
export interface Answered {
  readonly id: number
  readonly value?: unknown
  /** Why the order could not be carried out. */
  readonly failure?: string
}

/** What a bridge process is started with. */
export interface BridgeSetting {
  readonly project: string
  /** The folder that threads are kept in. */
  readonly data: string
  readonly token: string
}
