/**
 * Messages snapshots, and what a client holds already: a snapshot replaces, streaming appends.
 */
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import { type Checks, type Stream, type Streamed, toolCallIds } from "../Stream.ts"

/** The rules of messages snapshots. */
export const messagesRules = rulesOf("messages", {
  "AGUI-MESSAGES-001": {
    level: "warning",
    requirement:
      "A message or call that is open when a MESSAGES_SNAPSHOT comes is in the snapshot: clients drop what is streamed to one that is not.",
    spec: "client 1.0.0 defaultApplyEvents (No message found)"
  },
  "AGUI-MESSAGES-002": {
    level: "warning",
    requirement: "The messages of a MESSAGES_SNAPSHOT have ids of their own: clients reconcile by id.",
    spec: "1.0 events/state#messages_snapshot"
  },
  "AGUI-MESSAGES-003": {
    level: "error",
    requirement: "History is restated by snapshots, not by streaming it again, which appends it to what is there.",
    spec: "1.0 events/lifecycle#several-runs-on-one-stream"
  }
})

/** Says once that what is streamed to an item a snapshot removed is lost. */
export const checkLost = (item: { lost: boolean }, what: string, delta: string, stream: Stream): void => {
  if (delta === "") return
  item.lost = false
  stream.report(
    messagesRules["AGUI-MESSAGES-001"],
    `The ${what} is lost: a MESSAGES_SNAPSHOT without it came while it was open.`
  )
}

/** Says when a message was streamed again, whole, that the client held when it was opened. */
export const checkRestated = (id: string, { assumed, hash, held, length }: Streamed, stream: Stream): void => {
  if (length === 0 || assumed || held === undefined) return
  if (held.length === length && held.hash === hash)
    stream.report(
      messagesRules["AGUI-MESSAGES-003"],
      `Message ${quote(id)} is streamed again with the text the client holds already, which doubles it.`
    )
}

/** Looks at messages snapshots. */
export const messagesChecks: Checks = {
  on: {
    RUN_STARTED: ({ input }, stream) => stream.remember(input?.messages),
    MESSAGES_SNAPSHOT: ({ messages }, stream) => {
      const ids = new Set<string>()
      const calls = new Set<string>()
      let reasons = false
      for (const message of messages) {
        if (ids.has(message.id))
          stream.report(messagesRules["AGUI-MESSAGES-002"], `The snapshot has two messages ${quote(message.id)}.`)
        ids.add(message.id)
        if (message.role === "reasoning") reasons = true
        for (const id of toolCallIds(message)) calls.add(id)
      }
      for (const [id, text] of stream.texts) if (!ids.has(id)) text.lost = true
      for (const [id, call] of stream.calls) if (!calls.has(id)) call.lost = true
      // Clients keep reasoning a snapshot leaves out, unless the snapshot has some.
      if (reasons) for (const [id, thought] of stream.thoughts) if (!ids.has(id)) thought.lost = true
      stream.remember(messages)
    }
  }
}
