/**
 * Reasoning: spans and messages, each opened and closed by its id; sealed values; the events from before 1.0.
 */
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import { type Checks, hashSeed, type Stream, type Streamed } from "../Stream.ts"
import { checkNotActivity } from "./Activity.ts"
import { checkMessageKind } from "./Identity.ts"
import { checkLost } from "./Messages.ts"
import { agreesWithOwner, recordOwner } from "./Subagent.ts"

const verified = "1.0 events/reasoning; client 1.0.0 verifyEvents"

/** The rules of reasoning. */
export const reasoningRules = rulesOf("reasoning", {
  "AGUI-REASONING-001": {
    level: "error",
    requirement: "REASONING_START does not name a span that is open.",
    spec: verified,
    dialects: ["1.0"]
  },
  "AGUI-REASONING-002": {
    level: "error",
    requirement: "REASONING_END names an open span.",
    spec: verified,
    dialects: ["1.0"]
  },
  "AGUI-REASONING-003": {
    level: "error",
    requirement: "REASONING_MESSAGE_START does not name a message that is open.",
    spec: verified,
    dialects: ["1.0"]
  },
  "AGUI-REASONING-004": {
    level: "error",
    requirement: "REASONING_MESSAGE_CONTENT names an open reasoning message.",
    spec: verified,
    dialects: ["1.0"]
  },
  "AGUI-REASONING-005": {
    level: "error",
    requirement: "REASONING_MESSAGE_END names an open reasoning message.",
    spec: verified,
    dialects: ["1.0"]
  },
  "AGUI-REASONING-006": {
    level: "error",
    requirement: "RUN_FINISHED does not come while a reasoning message is open.",
    spec: verified,
    dialects: ["1.0"]
  },
  "AGUI-REASONING-007": {
    level: "error",
    requirement: "RUN_FINISHED does not come while a reasoning span is open.",
    spec: verified,
    dialects: ["1.0"]
  },
  "AGUI-REASONING-008": {
    level: "warning",
    requirement:
      "REASONING_MESSAGE_CONTENT names a message that was started: clients drop what is streamed to any other.",
    spec: "client 0.0.59 defaultApplyEvents (No message found)",
    dialects: ["0.0"]
  },
  "AGUI-REASONING-009": {
    level: "warning",
    requirement:
      "Reasoning is sent as REASONING_*: 1.0 clients translate THINKING_* until 2027, 0.0 clients show nothing of it.",
    spec: "1.0 changelog (reasoning replaces thinking)"
  },
  "AGUI-REASONING-010": {
    level: "error",
    requirement: "THINKING_* nest: START, TEXT_MESSAGE_START, _CONTENT, _END, END.",
    spec: "client 0.0.59 verifyEvents",
    dialects: ["0.0"]
  },
  "AGUI-REASONING-011": {
    level: "warning",
    requirement: "REASONING_ENCRYPTED_VALUE names an existing message or call: clients drop it otherwise.",
    spec: "1.0 events/reasoning#error-handling"
  }
})

const opened = (assumed: boolean, run: number): Streamed => ({
  assumed,
  role: "reasoning",
  name: undefined,
  run,
  held: undefined,
  lost: false,
  length: 0,
  hash: hashSeed
})

/** Looks at reasoning. */
export const reasoningChecks: Checks = {
  on: {
    REASONING_START: ({ messageId: id, subagentRunId }, stream) => {
      if (stream.spans.has(id)) {
        stream.report(reasoningRules["AGUI-REASONING-001"], `Reasoning span ${quote(id)} is open already.`)
        if (stream.dialect === "1.0") return
      }
      if (agreesWithOwner("REASONING_START", subagentRunId, "reasoning", id, stream))
        recordOwner("reasoning", id, subagentRunId, stream)
      stream.spans.add(id)
    },
    REASONING_END: ({ messageId: id, subagentRunId }, stream) => {
      if (!stream.spans.has(id)) {
        stream.report(reasoningRules["AGUI-REASONING-002"], `Reasoning span ${quote(id)} is not open.`)
        if (stream.dialect === "1.0") return
      }
      agreesWithOwner("REASONING_END", subagentRunId, "reasoning", id, stream)
      stream.spans.delete(id)
    },
    REASONING_MESSAGE_START: ({ messageId: id, subagentRunId }, stream) => {
      if (stream.thoughts.get(id)?.assumed === false) {
        stream.report(reasoningRules["AGUI-REASONING-003"], `Reasoning message ${quote(id)} is open already.`)
        if (stream.dialect === "1.0") return
      }
      if (agreesWithOwner("REASONING_MESSAGE_START", subagentRunId, "reasoning", id, stream))
        recordOwner("reasoning", id, subagentRunId, stream)
      checkMessageKind(id, "reasoning", stream)
      checkNotActivity(id, "REASONING_MESSAGE_START", stream)
      if (!stream.kinds.has(id)) stream.kinds.set(id, "reasoning")
      stream.thoughts.set(id, opened(false, stream.run))
    },
    REASONING_MESSAGE_CONTENT: ({ delta, messageId: id, subagentRunId }, stream) => {
      const thought = stream.thoughts.get(id)
      if (thought === undefined) {
        stream.report(reasoningRules["AGUI-REASONING-004"], `Reasoning message ${quote(id)} is not open.`)
        // 0.0 clients append to any message they hold under the id.
        if (delta !== "" && !stream.kinds.has(id))
          stream.report(
            reasoningRules["AGUI-REASONING-008"],
            `Reasoning for message ${quote(id)} is lost: it was not started.`
          )
        agreesWithOwner("REASONING_MESSAGE_CONTENT", subagentRunId, "reasoning", id, stream)
        stream.thoughts.set(id, opened(true, stream.run))
        return
      }
      agreesWithOwner("REASONING_MESSAGE_CONTENT", subagentRunId, "reasoning", id, stream)
      if (thought.lost) checkLost(thought, `reasoning of message ${quote(id)}`, delta, stream)
    },
    REASONING_MESSAGE_END: ({ messageId: id, subagentRunId }, stream) => {
      const thought = stream.thoughts.get(id)
      if (thought === undefined)
        stream.report(reasoningRules["AGUI-REASONING-005"], `Reasoning message ${quote(id)} is not open.`)
      agreesWithOwner("REASONING_MESSAGE_END", subagentRunId, "reasoning", id, stream)
      stream.thoughts.delete(id)
    },
    REASONING_ENCRYPTED_VALUE: ({ entityId, subagentRunId, subtype }, stream) => {
      const kind = subtype === "tool-call" ? "toolCall" : stream.owners.message.has(entityId) ? "message" : "reasoning"
      agreesWithOwner("REASONING_ENCRYPTED_VALUE", subagentRunId, kind, entityId, stream)
      if (stream.historyKnown && !(subtype === "tool-call" ? knowsCall : knowsMessage)(entityId, stream))
        stream.report(
          reasoningRules["AGUI-REASONING-011"],
          `The sealed value names ${subtype} ${quote(entityId)}, which is not there.`
        )
    },
    RUN_FINISHED: (_event, stream) => {
      const open = [...stream.thoughts].filter(([, thought]) => !thought.assumed).map(([id]) => quote(id))
      if (open.length > 0)
        stream.report(
          reasoningRules["AGUI-REASONING-006"],
          `RUN_FINISHED while reasoning messages are open: ${open.slice(0, 5).join(", ")}.`
        )
      if (stream.spans.size > 0)
        stream.report(
          reasoningRules["AGUI-REASONING-007"],
          `RUN_FINISHED while reasoning spans are open: ${[...stream.spans].slice(0, 5).map(quote).join(", ")}.`
        )
    }
  }
}

const knowsMessage = (id: string, stream: Stream): boolean => {
  const kind = stream.kinds.get(id)
  return kind !== undefined && kind !== "activity"
}

const knowsCall = (id: string, stream: Stream): boolean =>
  stream.calls.has(id) || stream.closedCalls.has(id) || stream.rememberedCalls.has(id)

/** What {@link checkThinking} keeps of the events from before 1.0. */
export interface Thinking {
  step: boolean
  message: boolean
}

/** Looks at one of the reasoning events from before 1.0 as a 0.0 client does. */
export const checkThinking = (type: string, thinking: Thinking, stream: Stream): void => {
  const broken = (what: string) => stream.report(reasoningRules["AGUI-REASONING-010"], `${type} ${what}.`)
  switch (type) {
    case "THINKING_START":
      if (thinking.step) broken("while thinking is open already")
      thinking.step = true
      break
    case "THINKING_END":
      if (!thinking.step) broken("without THINKING_START")
      thinking.step = false
      break
    case "THINKING_TEXT_MESSAGE_START":
      if (!thinking.step) broken("without THINKING_START")
      else if (thinking.message) broken("while a thinking message is open already")
      thinking.message = true
      break
    case "THINKING_TEXT_MESSAGE_CONTENT":
      if (!thinking.message) broken("without THINKING_TEXT_MESSAGE_START")
      thinking.message = true
      break
    case "THINKING_TEXT_MESSAGE_END":
      if (!thinking.message) broken("without THINKING_TEXT_MESSAGE_START")
      thinking.message = false
      break
  }
}
