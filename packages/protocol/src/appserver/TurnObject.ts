/** A turn as the notifications of its beginning and its end have it: without its items, or with the newest message. */
import type { Turn, TurnError } from "../codex/generated/TurnState.ts"
import type { OpenTurn } from "./Cursor.ts"

/** How a turn ended. */
export interface TurnEnd {
  readonly status: "completed" | "interrupted" | "failed"
  readonly error: TurnError | null
}

const seconds = (at: number): number => Math.floor(at / 1000)

/** A turn that begins. */
export const startedTurn = ({ root, startedAt, turn }: OpenTurn): Turn => ({
  id: turn,
  rootTurnId: root,
  items: [],
  itemsView: "notLoaded",
  status: "inProgress",
  error: null,
  startedAt: startedAt === undefined ? null : seconds(startedAt),
  completedAt: null,
  durationMs: null
})

/** A turn that is over. Codex repeats the newest message of one that is completed, and nothing of any other. */
export const completedTurn = (open: OpenTurn, { error, status }: TurnEnd, at: number): Turn => {
  const said = status === "completed" ? open.said : undefined
  return {
    ...startedTurn(open),
    items: said === undefined ? [] : [said],
    itemsView: said === undefined ? "notLoaded" : "summary",
    status,
    error,
    completedAt: seconds(at),
    durationMs: open.startedAt === undefined ? null : Math.max(0, at - open.startedAt)
  }
}
