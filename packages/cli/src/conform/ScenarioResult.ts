/** What one scenario of a live run came to: the record that the runners make and the reports read. */
import type { Conform } from "@agentwire/protocol"

/** One thing that went over the wire, as text. */
export interface WireEntry {
  readonly dir: "sent" | "received"
  readonly text: string
}

/** One scenario, played to one server or CLI. */
export interface ScenarioResult {
  /** The id of the scenario, as in `LIVE-007`. */
  readonly scenario: string
  readonly title: string
  readonly verdict: "pass" | "warn" | "fail" | "skip"
  /** Why it was skipped, or what the scenario expected and did not see. */
  readonly reason?: string
  readonly findings: ReadonlyArray<Conform.Finding>
  readonly wire: ReadonlyArray<WireEntry>
  readonly durationMs: number
}
