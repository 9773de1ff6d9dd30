/** The order of threads and turns. */
import { fieldsIn, textIn } from "../../wire/Fields.ts"
import type { Connection } from "../Connection.ts"
import { checkLeftOpen } from "./Items.ts"
import { checkUnresolved } from "./Questions.ts"

type Fields = Readonly<Record<string, unknown>>

/** Judges the news that a thread has begun. */
export const threadStarted = (params: Fields, connection: Connection): void => {
  const id = textIn(fieldsIn(params["thread"])["id"])
  if (id !== undefined && isAwaited(connection, "thread/start", "thread/fork") && !connection.named.has(id))
    connection.report("APP-TURN-001", `The thread '${id}' is announced before the answer that names it.`)
}

/** Whether the client waits for the answer to one of these. */
const isAwaited = ({ asked }: Connection, ...methods: ReadonlyArray<string>): boolean =>
  [...asked.values()].flat().some(({ method }) => methods.includes(method))

/** Remembers what a thread does. */
export const statusChanged = (params: Fields, connection: Connection): void => {
  const id = textIn(params["threadId"])
  if (id !== undefined) connection.thread(id).status = textIn(fieldsIn(params["status"])["type"])
}

/** Judges the beginning of a turn. */
export const turnStarted = (params: Fields, connection: Connection): void => {
  const { id, rootTurnId } = fieldsIn(params["turn"])
  const [thread, turn, root] = [textIn(params["threadId"]), textIn(id), textIn(rootTurnId)]
  if (thread === undefined || turn === undefined) return
  const state = connection.thread(thread)
  if (state.turns.get(turn)?.isWhole === true) connection.report("APP-TURN-002", `The turn '${turn}' is started again.`)
  if (state.running !== undefined && state.running !== turn)
    connection.report("APP-TURN-004", `The turn '${turn}' begins while '${state.running}' runs.`)
  if (isAwaitedHere(connection, thread) && !connection.begun.has(turn))
    connection.report("APP-TURN-009", `The turn '${turn}' begins before turn/start is answered.`)
  if (state.turns.has(turn))
    connection.report("APP-TURN-005", `Something was said of the turn '${turn}' before it began.`)
  state.turns.set(turn, { isWhole: true, isOpen: true, root, items: new Map() })
  state.running = turn
}

/** Whether the client waits for the only turn it wants in a thread. */
const isAwaitedHere = ({ asked }: Connection, thread: string): boolean =>
  [...asked.values()].flat().some(({ method, params }) => method === "turn/start" && params["threadId"] === thread)

/** Judges the end of a turn. */
export const turnCompleted = (params: Fields, connection: Connection): void => {
  const { error, id, status } = fieldsIn(params["turn"])
  const [thread, turn] = [textIn(params["threadId"]), textIn(id)]
  if (thread === undefined || turn === undefined) return
  const state = connection.thread(thread)
  const about = connection.turn(thread, turn)
  if (!about.isOpen) connection.report("APP-TURN-003", `The turn '${turn}' is completed again.`)
  if (state.status === "active")
    connection.report("APP-TURN-007", `The turn '${turn}' is completed while the thread is active.`)
  if (status === "inProgress" || (status === "failed" && textIn(fieldsIn(error)["message"]) === undefined))
    connection.report("APP-TURN-008", `The turn '${turn}' is completed as ${status}, and says no more.`)
  checkUnresolved(thread, turn, connection)
  checkLeftOpen(turn, about, connection)
  about.isOpen = false
  const running = state.running === undefined ? undefined : state.turns.get(state.running)
  if (state.running === turn || running?.root === turn) state.running = undefined
}

/** Judges the turns that are left when the connection ends. */
export const checkRunning = (connection: Connection): void => {
  for (const { running } of connection.threads.values())
    if (running !== undefined) connection.report("APP-TURN-003", `The turn '${running}' was not completed.`)
}
