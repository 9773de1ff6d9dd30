/**
 * A transcript as the messages of a client that read it all.
 */
import type { Transcript, TranscriptEntry } from "../../model/Transcript.ts"
import type { AguiEvent } from "../Event.ts"
import { foldEvents } from "../History.ts"
import type { Message, UserMessage } from "../Message.ts"
import { taskActivity } from "./Activity.ts"
import { endEvents, type GrowingItem, growthEvent, resultEvent, startEvents } from "./Item.ts"

/** The type of the activity in place of messages that were left out. Pages that do not know it show nothing. */
export const leftOutActivity = "agentwire.messages_left_out"

/**
 * The messages of a client that has read it all. Where some were left out, an activity comes first that says how many;
 * `before`: what they can be asked for with, where somebody gives them.
 */
export const messagesOf = ({ entries, omitted }: Transcript, before?: string): ReadonlyArray<Message> => {
  const { messages } = foldEvents(entries.flatMap(eventsOf))
  if (omitted === 0) return messages
  const note: Message = {
    id: leftOutActivity,
    role: "activity",
    activityType: leftOutActivity,
    content: { messages: omitted, state: false, ...(before !== undefined && { before }) }
  }
  return [note, ...messages]
}

const eventsOf = (entry: TranscriptEntry): ReadonlyArray<AguiEvent> => {
  const { id, lane } = entry
  const tag = lane ?? undefined
  switch (entry.kind) {
    case "text":
    case "thought":
      return itemEvents(id, { kind: entry.kind }, entry.text, tag, entry)
    case "call":
      return itemEvents(id, entry, entry.arguments, tag, entry)
    case "result":
      return [resultEvent(id, entry, tag)]
    case "prompt":
      return [bringing({ id, role: "user", content: entry.content })]
    case "task":
      return [{ type: "ACTIVITY_SNAPSHOT", messageId: id, activityType: taskActivity, content: entry.content }]
  }
}

const itemEvents = (
  id: string,
  item: GrowingItem,
  text: string,
  tag: string | undefined,
  ending: { readonly signature?: string; readonly abandoned?: boolean }
): ReadonlyArray<AguiEvent> => [
  ...startEvents(id, item, tag),
  ...(text === "" ? [] : [growthEvent({ kind: item.kind, lane: null, tag }, id, text)]),
  ...endEvents({ kind: item.kind, tag }, id, ending)
]

/** The event that brings a message of the person: what a run is asked for with. */
const bringing = (message: UserMessage): AguiEvent => ({
  type: "RUN_STARTED",
  threadId: "",
  runId: "",
  input: { threadId: "", runId: "", messages: [message], tools: [], context: [], state: {}, forwardedProps: {} }
})
