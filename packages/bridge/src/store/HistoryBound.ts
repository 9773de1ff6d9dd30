/**
 * Keeps a conversation within a size, by leaving out its oldest messages.
 *
 * What was left out is told by an activity in their place: pages that do not know it show nothing, and clients do
 * not send activities back, so the agent never hears of it.
 */
import type { Agui } from "@agentwire/protocol"

/** The type of the activity that stands where messages were left out. */
export const leftOutActivity = "agentwire.messages_left_out"

/** What the activity that stands where messages were left out says. */
export interface LeftOut {
  /** How many messages are gone, in all. */
  readonly messages: number
  /** The shared state was too big by itself and is gone, too. */
  readonly state: boolean
}

/**
 * The conversation in at most so many bytes of JSON, not counting the note and the commas. A tool's result goes with
 * the call it belongs to: clients do not take one alone.
 */
export const boundHistory = ({ messages, state }: Agui.History, maxBytes: number): Agui.History => {
  const stateBytes = bytesOf(state)
  const stateFits = stateBytes <= maxBytes
  const kept = lastMessages(messages, stateFits ? maxBytes - stateBytes : maxBytes)
  if (stateFits && kept.length === messages.length) return { messages, state }
  const before = messages.find(isNote)
  const said = kept.filter((message) => !isNote(message))
  const gone = messages.filter((message) => !isNote(message)).length - said.length
  const leftOut: LeftOut = {
    messages: gone + countOf(before),
    state: !stateFits || before?.content["state"] === true
  }
  const note: Agui.ActivityMessage = {
    id: before?.id ?? leftOutActivity,
    role: "activity",
    activityType: leftOutActivity,
    content: { ...leftOut }
  }
  return { messages: [note, ...said], state: stateFits ? state : {} }
}

const lastMessages = (messages: ReadonlyArray<Agui.Message>, maxBytes: number): ReadonlyArray<Agui.Message> => {
  let left = maxBytes
  const from = messages.findLastIndex((message) => {
    left -= bytesOf(message)
    return left < 0
  })
  if (from === -1) return messages
  const kept = messages.slice(from + 1)
  const cut = new Set(messages.slice(0, from + 1).flatMap(callsOf))
  return kept.filter((message) => message.role !== "tool" || !cut.has(message.toolCallId))
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "")

const callsOf = (message: Agui.Message): ReadonlyArray<string> =>
  message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : []

const isNote = (message: Agui.Message): message is Agui.ActivityMessage =>
  message.role === "activity" && message.activityType === leftOutActivity

const countOf = (note: Agui.ActivityMessage | undefined): number => {
  const count = note?.content["messages"]
  return typeof count === "number" ? count : 0
}
