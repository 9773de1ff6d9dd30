/**
 * Law 8: bounded state. What is kept grows with what is open, not with the length of the session: after each repetition
 * of a session, with ids of its own, the state holds as many things as after the one before.
 */
import { decodeLine } from "@agentwire/protocol/claude"
import { fresh, type Law, optionsFor, type Session, uuidOf } from "./Translator.ts"

/** Law 8. */
export const boundedState: Law = (translator, session) => {
  if (leavesOpen(session)) return undefined
  let state = translator.initial(optionsFor(session))
  const sizes: Array<number> = []
  for (let round = 1; round <= 4; round++) {
    for (const line of renamed(session, round)) [state] = translator.step(state, decodeLine(line))
    sizes.push(sizeOf(state))
  }
  const [, second = 0, , fourth = 0] = sizes
  return fourth > second ? `the state grows: ${sizes.join(", ")}` : undefined
}

/**
 * Whether something is open at the end: then more is kept, rightly. A turn without a `result`, a task or a sub-agent
 * without its end.
 */
const leavesOpen = (session: Session): boolean => {
  const tasks = new Set<string>()
  let turn = false
  for (const [, { message, name }] of fresh(session))
    if (name === "system/task_started") tasks.add(message.task_id)
    else if (name === "user" && launched(message) !== undefined) tasks.add(launched(message) ?? "")
    else if (name === "system/task_notification") tasks.delete(message.task_id)
    else if (name === "system/init" || name === "assistant" || name === "stream_event/message_start") turn = true
    else if (name.startsWith("result/")) turn = false
  return turn || tasks.size > 0
}

/** The agent that a result says goes on in the background: on 2.1.37 nothing else tells of it. */
const launched = ({ tool_use_result: about }: { readonly tool_use_result?: unknown }): string | undefined => {
  const { agentId, status } = (typeof about === "object" && about !== null ? about : {}) as Record<string, unknown>
  return status === "async_launched" && typeof agentId === "string" ? agentId : undefined
}

/** Windows over the last ids: bounded by their size, which sessions here do not reach. A test of its own fills them. */
const windows = new Set(["recent", "answered"])

/** How many things a value holds, but for the windows. */
const sizeOf = (value: unknown, key = ""): number => {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || windows.has(key)) return 1
  const entries: Iterable<readonly [unknown, unknown]> =
    value instanceof Map ? value : value instanceof Set ? value.entries() : Object.entries(value)
  let size = 1
  for (const [name, inner] of entries) size += sizeOf(inner, typeof name === "string" ? name : "")
  return size
}

const idKey = /^(id|uuid|request_id|tool_use_id|parent_tool_use_id|task_id|agent_id|agentId|api_message_id)$/

/** The lines of a session with the ids of another. */
export const renamed = ({ messages, lines }: Session, round: number): ReadonlyArray<string> => {
  const rename = (key: string, value: unknown): unknown =>
    typeof value === "string" && idKey.test(key) ? `${value}~${round}` : value
  return lines.map((line, index) =>
    messages[index]?._tag === "Invalid" ? line : JSON.stringify(JSON.parse(line), rename)
  )
}

/** A session that comes again with the same uuids, as far as its messages have some. */
export const withUuids = (session: Session): ReadonlyArray<Session["messages"][number]> =>
  session.messages.filter((message) => uuidOf(message) !== undefined)
