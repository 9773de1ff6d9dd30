/**
 * Text messages: opened, extended and closed, each by its id.
 */
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import { type Checks, hashOf, hashSeed, kindOfRole, type Remembered, type Stream, type Streamed } from "../Stream.ts"
import { checkNotActivity } from "./Activity.ts"
import { checkMessageKind } from "./Identity.ts"
import { checkLost, checkRestated } from "./Messages.ts"
import { agreesWithOwner, recordOwner } from "./Subagent.ts"

const pattern = "1.0 basic/patterns/streaming#open-content-close; client 1.0.0 verifyEvents; client 0.0.59 verifyEvents"

/** The rules of text messages. */
export const textRules = rulesOf("text", {
  "AGUI-TEXT-001": {
    level: "error",
    requirement: "TEXT_MESSAGE_START does not name a message that is open.",
    spec: pattern
  },
  "AGUI-TEXT-002": {
    level: "error",
    requirement: "TEXT_MESSAGE_CONTENT names an open message.",
    spec: pattern
  },
  "AGUI-TEXT-003": {
    level: "error",
    requirement: "TEXT_MESSAGE_END names an open message.",
    spec: pattern
  },
  "AGUI-TEXT-004": {
    level: "error",
    requirement: "RUN_FINISHED does not come while a text message is open.",
    spec: pattern
  },
  "AGUI-TEXT-005": {
    level: "error",
    requirement: "A TEXT_MESSAGE_START that reopens a message says the same role and name.",
    spec: "1.0 events/text-messages#text_message_end"
  },
  "AGUI-TEXT-006": {
    level: "info",
    requirement: "A closed text message may be reopened; what follows is appended to what it had.",
    spec: "1.0 events/text-messages#text_message_end"
  }
})

/** What the client held under an id before this run. It is copied, or each message would hold the one before it. */
const heldBefore = (id: string, { closedTexts, remembered, run }: Stream): Remembered | undefined => {
  const closed = closedTexts.get(id)
  if (closed === undefined) return remembered.get(id)
  const { hash, length, name, role } = closed
  return closed.run === run ? undefined : { hash, length, name, role }
}

const opened = (id: string, role: string, name: string | undefined, assumed: boolean, stream: Stream): Streamed => ({
  assumed,
  role,
  name,
  run: stream.run,
  held: heldBefore(id, stream),
  lost: false,
  length: 0,
  hash: hashSeed
})

const textRoles: ReadonlySet<string> = new Set(["developer", "system", "assistant", "user"])

const checkReopening = (id: string, role: string, name: string | undefined, stream: Stream): void => {
  const closed = stream.closedTexts.get(id)
  if (closed?.assumed === true) return
  const before = closed ?? stream.remembered.get(id)
  // What is no text message at all is another rule's.
  if (before === undefined || !textRoles.has(before.role)) return
  if (before.role !== role || before.name !== name)
    stream.report(
      textRules["AGUI-TEXT-005"],
      `Message ${quote(id)} is reopened as ${describe(role, name)}; it was ${describe(before.role, before.name)}.`
    )
  // A chunk that was interrupted continues under its id: that is how the shorthand works.
  else if (!stream.expanding && closed?.run === stream.run)
    stream.reportOnce(
      textRules["AGUI-TEXT-006"],
      id,
      `Message ${quote(id)} is reopened; its text is appended to what it had.`
    )
}

const describe = (role: string, name: string | undefined): string =>
  name === undefined ? role : `${role} ${quote(name)}`

/** Looks at text messages. */
export const textChecks: Checks = {
  on: {
    TEXT_MESSAGE_START: ({ messageId: id, name, role = "assistant", subagentRunId }, stream) => {
      if (stream.texts.get(id)?.assumed === false) {
        stream.report(textRules["AGUI-TEXT-001"], `Message ${quote(id)} is open already.`)
        return
      }
      if (agreesWithOwner("TEXT_MESSAGE_START", subagentRunId, "message", id, stream)) {
        recordOwner("message", id, subagentRunId, stream)
        checkReopening(id, role, name, stream)
      }
      const kind = kindOfRole(role)
      checkMessageKind(id, kind, stream)
      checkNotActivity(id, "TEXT_MESSAGE_START", stream)
      if (!stream.kinds.has(id)) stream.kinds.set(id, kind)
      stream.texts.set(id, opened(id, role, name, false, stream))
    },
    TEXT_MESSAGE_CONTENT: ({ delta, messageId: id, subagentRunId }, stream) => {
      const text = stream.texts.get(id)
      if (text === undefined) {
        stream.report(textRules["AGUI-TEXT-002"], `Message ${quote(id)} is not open.`)
        stream.texts.set(id, opened(id, "assistant", undefined, true, stream))
        return
      }
      agreesWithOwner("TEXT_MESSAGE_CONTENT", subagentRunId, "message", id, stream)
      if (text.lost) checkLost(text, `text of message ${quote(id)}`, delta, stream)
      text.length += delta.length
      text.hash = hashOf(delta, text.hash)
    },
    TEXT_MESSAGE_END: ({ messageId: id, subagentRunId }, stream) => {
      const text = stream.texts.get(id)
      if (text === undefined) {
        stream.report(textRules["AGUI-TEXT-003"], `Message ${quote(id)} is not open.`)
        return
      }
      agreesWithOwner("TEXT_MESSAGE_END", subagentRunId, "message", id, stream)
      stream.texts.delete(id)
      checkRestated(id, text, stream)
      stream.closedTexts.set(id, text)
    },
    RUN_FINISHED: (_event, stream) => {
      const open = [...stream.texts].filter(([, text]) => !text.assumed).map(([id]) => quote(id))
      if (open.length > 0)
        stream.report(
          textRules["AGUI-TEXT-004"],
          `RUN_FINISHED while text messages are open: ${open.slice(0, 5).join(", ")}.`
        )
    }
  }
}
