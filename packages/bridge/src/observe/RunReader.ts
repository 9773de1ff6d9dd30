/**
 * The runs of a session, from its events: that one begins, that it says something, and how it ends.
 *
 * A thread has one run at a time. Every run that begins has one end here, also where events were missed or the session
 * was closed in the middle.
 */
import type { Agui } from "@agentwire/protocol"

/** What happened to a run. Times are in milliseconds since 1970. */
export type RunNote =
  | { readonly _tag: "Started"; readonly runId: string; readonly at: number }
  | { readonly _tag: "Spoke"; readonly runId: string; readonly startedAt: number; readonly at: number }
  | {
      readonly _tag: "Ended"
      readonly runId: string
      readonly startedAt: number
      readonly at: number
      readonly outcome: RunOutcome
      /** The code of `RUN_ERROR`. */
      readonly code: string | undefined
      readonly events: number
      readonly usage: ReadonlyArray<Agui.TokenUsage>
      /** The calls that the application has to answer. */
      readonly pendingToolCallIds: ReadonlyArray<string>
    }

/** How a run ended. `cut`: the session ended first. `unknown`: its end was missed. */
export type RunOutcome = "success" | "interrupt" | "cancelled" | "error" | "cut" | "unknown"

interface OpenRun {
  readonly runId: string
  readonly startedAt: number
  events: number
}

/** Reads the runs of one session. */
export class RunReader {
  #open: OpenRun | undefined

  /** What an event, read at a time, says about runs. */
  read(event: Agui.AguiEvent, at: number): ReadonlyArray<RunNote> {
    switch (event.type) {
      case "RUN_STARTED": {
        const lost = this.#end("unknown", at)
        this.#open = { runId: event.runId, startedAt: at, events: 1 }
        return [...lost, { _tag: "Started", runId: event.runId, at }]
      }
      case "RUN_FINISHED": {
        const pendingToolCallIds = event.outcome?.type === "success" ? (event.outcome.pendingToolCallIds ?? []) : []
        const { usage = [] } = event
        return this.#ended(event.runId, at, { outcome: event.outcome?.type ?? "success", usage, pendingToolCallIds })
      }
      case "RUN_ERROR": {
        const { code, usage = [] } = event
        return this.#ended("", at, { outcome: "error", code, usage })
      }
      default: {
        const run = this.#open
        if (run === undefined) return []
        run.events++
        const { runId, startedAt } = run
        return run.events === 2 ? [{ _tag: "Spoke", runId, startedAt, at }] : []
      }
    }
  }

  /** The session is over. */
  end(at: number): ReadonlyArray<RunNote> {
    return this.#end("cut", at)
  }

  /** The run that ends, whose start may have been missed. */
  #ended(runId: string, at: number, how: Ending): ReadonlyArray<RunNote> {
    const start: ReadonlyArray<RunNote> = this.#open === undefined ? [{ _tag: "Started", runId, at }] : []
    this.#open ??= { runId, startedAt: at, events: 0 }
    this.#open.events++
    return [...start, ...this.#end(how.outcome, at, how)]
  }

  #end(outcome: RunOutcome, at: number, how: Partial<Ending> = {}): ReadonlyArray<RunNote> {
    const run = this.#open
    this.#open = undefined
    if (run === undefined) return []
    const { code, pendingToolCallIds = [], usage = [] } = how
    return [{ _tag: "Ended", ...run, at, outcome, code, usage, pendingToolCallIds }]
  }
}

interface Ending {
  readonly outcome: RunOutcome
  readonly code?: string | undefined
  readonly usage: ReadonlyArray<Agui.TokenUsage>
  readonly pendingToolCallIds?: ReadonlyArray<string>
}
