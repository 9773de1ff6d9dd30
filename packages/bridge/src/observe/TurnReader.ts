/**
 * The turns of a session, from its events: that one begins, that it says something, and how it ends.
 *
 * A thread has one turn at a time. Every turn that begins has one end here, even where events were missed or the
 * session was closed in the middle.
 */
import type * as Model from "@agentwire/protocol/model"
import type { LogEntry } from "../log/EventLog.ts"

/** What happened to a turn. Times are in milliseconds since 1970. */
export type TurnNote =
  | { readonly _tag: "Started"; readonly runId: string; readonly at: number }
  | { readonly _tag: "Spoke"; readonly runId: string; readonly startedAt: number; readonly at: number }
  | {
      readonly _tag: "Ended"
      readonly runId: string
      readonly startedAt: number
      readonly at: number
      readonly outcome: TurnEnd
      /** Why it failed, or which limit it reached. */
      readonly code: string | undefined
      readonly events: number
      readonly usage: Model.Usage | undefined
      readonly model: string | undefined
    }

/** How a turn ended. `limited`: at a limit. `cut`: the session ended first. `unknown`: its end was missed. */
export type TurnEnd = "success" | "cancelled" | "limited" | "error" | "cut" | "unknown"

interface OpenTurn {
  readonly runId: string
  readonly startedAt: number
  events: number
}

const ends = { completed: "success", cancelled: "cancelled", limited: "limited", failed: "error" } as const

/** Reads the turns of one session. */
export class TurnReader {
  #open: OpenTurn | undefined

  /** What an entry says about turns. */
  read({ at, before, event }: LogEntry): ReadonlyArray<TurnNote> {
    switch (event.type) {
      case "turn_started": {
        const lost = this.#end("unknown", at)
        const runId = event.ticket ?? `turn ${before.turns + 1}`
        this.#open = { runId, startedAt: at, events: 1 }
        return [...lost, { _tag: "Started", runId, at }]
      }
      case "turn_ended": {
        const { model, outcome, usage } = event
        const runId = before.turn?.ticket ?? `turn ${before.turns}`
        const start: ReadonlyArray<TurnNote> = this.#open === undefined ? [{ _tag: "Started", runId, at }] : []
        this.#open ??= { runId, startedAt: at, events: 0 }
        this.#open.events++
        const code = "code" in outcome ? outcome.code : undefined
        return [...start, ...this.#end(ends[outcome.type], at, { code, usage, model })]
      }
      default: {
        const turn = this.#open
        if (turn === undefined || isPrompt(event)) return []
        turn.events++
        const { runId, startedAt } = turn
        return turn.events === 2 ? [{ _tag: "Spoke", runId, startedAt, at }] : []
      }
    }
  }

  /** The session is over. */
  end(at: number): ReadonlyArray<TurnNote> {
    return this.#end("cut", at)
  }

  #end(
    outcome: TurnEnd,
    at: number,
    how: Pick<Extract<TurnNote, { _tag: "Ended" }>, "code" | "usage" | "model"> = {
      code: undefined,
      usage: undefined,
      model: undefined
    }
  ): ReadonlyArray<TurnNote> {
    const turn = this.#open
    this.#open = undefined
    return turn === undefined ? [] : [{ _tag: "Ended", ...turn, at, outcome, ...how }]
  }
}

/** What the person said is not a sign of the agent. */
const isPrompt = (event: Model.Event): boolean => event.type === "item_started" && event.item.kind === "prompt"
