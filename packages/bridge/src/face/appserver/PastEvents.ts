/**
 * What was said in a thread before it had events of its own, as the events that would have told it: a turn for each prompt.
 */
import type * as Model from "@agentwire/protocol/model"

/** An event, and when it happened. */
interface Timed {
  readonly at: number
  readonly event: Model.Event
}

/** The events of what was said. Nobody knows any more when it was. */
export const eventsOf = (entries: ReadonlyArray<Model.TranscriptEntry>, at: number): ReadonlyArray<Timed> => {
  const events: Array<Model.Event> = []
  let isOpen = false
  let before: Model.TranscriptEntry["kind"] | undefined
  for (const entry of entries) {
    // A sub-agent's own words are in the result of its call.
    if (entry.lane !== null) continue
    if (entry.kind === "prompt" && before !== "prompt" && isOpen) events.push(ended)
    if (!isOpen || (entry.kind === "prompt" && before !== "prompt")) events.push(started)
    isOpen = true
    before = entry.kind
    events.push(...tellings(entry))
  }
  if (isOpen) events.push(ended)
  return events.map((event) => ({ at, event }))
}

const started: Model.Event = { type: "turn_started", cause: "prompt" }
const ended: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }

const tellings = (entry: Model.TranscriptEntry): ReadonlyArray<Model.Event> => {
  const on = { lane: entry.lane, id: entry.id }
  switch (entry.kind) {
    case "prompt":
      return [{ type: "item_started", ...on, item: { kind: "prompt", content: entry.content } }]
    case "text":
    case "thought":
      return [
        { type: "item_started", ...on, item: { kind: entry.kind } },
        { type: "item_grew", ...on, delta: entry.text },
        { type: "item_ended", ...on }
      ]
    case "call":
      return [
        {
          type: "item_started",
          ...on,
          item: { kind: "call", tool: entry.tool, action: entry.action, parent: entry.parent }
        },
        { type: "item_grew", ...on, delta: entry.arguments },
        { type: "item_ended", ...on }
      ]
    case "result":
      return [{ type: "call_answered", ...on, content: entry.content, failed: entry.failed }]
    case "task":
      return [
        { type: "item_started", ...on, item: { kind: "task", content: entry.content } },
        { type: "item_ended", ...on }
      ]
  }
}
