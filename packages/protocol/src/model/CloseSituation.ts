/**
 * The end of a conversation that was cut short: whatever ran the agent is gone, and nobody else will close what is open.
 *
 * Requests are closed, items abandoned, sub-agents and tasks ended, and the turn with them. After these events nothing
 * is open, so the next turn begins as on a new day, and readers who were in the middle of something see its end.
 */
import { type Event, incomplete, type TurnOutcome } from "./Event.ts"
import { applyToSituation, type Situation } from "./Situation.ts"
import { noUsage } from "./Usage.ts"

/** The events that close all that is open. `outcome` is how the turn ends, if one is in progress. */
export const closeSituation = (situation: Situation, outcome: TurnOutcome): ReadonlyArray<Event> => {
  const inTurn = situation.turn !== undefined
  const events: Array<Event> = [
    ...[...situation.requests].map(([id, { lane }]): Event => ({ type: "request_closed", lane, id, by: "ended" })),
    ...[...situation.items].flatMap(([id, { item, lane, phase }]): ReadonlyArray<Event> => {
      if (phase !== "growing") return []
      const end = { type: "item_ended" as const, lane, id }
      // Between turns nothing is said any more, so that the end begins nothing at a client.
      return [inTurn && item.kind !== "task" ? { ...end, abandoned: true } : end]
    }),
    ...[...situation.lanes.keys()].reverse().map((lane): Event => ({ type: "lane_closed", lane, outcome: incomplete })),
    ...(situation.reply === undefined || inTurn
      ? []
      : [{ type: "reply_ended" as const, lane: null, id: situation.reply }]),
    ...turnEnd(situation, outcome)
  ]
  return [...events, ...orphans(events.reduce(applyToSituation, situation))]
}

const turnEnd = ({ turn }: Situation, outcome: TurnOutcome): ReadonlyArray<Event> =>
  turn === undefined
    ? []
    : [
        {
          type: "turn_ended",
          outcome,
          ...(turn.spent !== noUsage && { usage: turn.spent }),
          ...(turn.provider !== undefined && { provider: turn.provider }),
          ...(turn.model !== undefined && { model: turn.model })
        }
      ]

/** What belongs to no turn and to no sub-agent. No runtime says such things, but a call waits for a result for ever. */
const orphans = ({ items }: Situation): ReadonlyArray<Event> =>
  [...items].map(([id, { item, lane }]) =>
    item.kind === "call"
      ? { type: "call_answered", lane, id, content: "Nobody is there to answer it.", failed: true }
      : { type: "item_ended", lane, id }
  )
