/**
 * Subagents: invocations begin and end once, and whoever opened something continues it.
 */
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks, Owner, Owners, Stream } from "../Stream.ts"

const clients = "client 1.0.0 verifyEvents; client 0.0.59 verifyEvents"

/** The rules of subagents. */
export const subagentRules = rulesOf("subagent", {
  "AGUI-SUBAGENT-001": {
    level: "error",
    requirement: "SUBAGENT_STARTED does not name an invocation that is active.",
    spec: `1.0 events/subagents#lifecycle; ${clients}`
  },
  "AGUI-SUBAGENT-002": {
    level: "error",
    requirement: "SUBAGENT_STARTED does not name an invocation that ended in this run: an id is for one invocation.",
    spec: `1.0 events/subagents#attribution; ${clients}`
  },
  "AGUI-SUBAGENT-003": {
    level: "error",
    requirement: "parentSubagentRunId names an invocation that was announced in this run.",
    spec: `1.0 events/subagents#nesting-and-parallelism; ${clients}`
  },
  "AGUI-SUBAGENT-004": {
    level: "error",
    requirement: "SUBAGENT_FINISHED and SUBAGENT_ERROR name an active invocation.",
    spec: `1.0 events/subagents#lifecycle; ${clients}`
  },
  "AGUI-SUBAGENT-005": {
    level: "error",
    requirement: "RUN_FINISHED does not come while an invocation is active.",
    spec: `1.0 events/subagents#termination; ${clients}`
  },
  "AGUI-SUBAGENT-006": {
    level: "error",
    requirement: "What continues or reopens something carries the subagentRunId of what opened it, or none.",
    spec: `1.0 events/subagents#ownership; ${clients}`
  },
  "AGUI-SUBAGENT-007": {
    level: "error",
    requirement: "A tool call belongs to the subagent of the message that carries it.",
    spec: `1.0 events/subagents#ownership; ${clients}`
  },
  "AGUI-SUBAGENT-008": {
    level: "error",
    requirement: "An invocation that is announced is announced before any event attributed to it.",
    spec: "1.0 events/subagents#lifecycle"
  },
  "AGUI-SUBAGENT-009": {
    level: "info",
    requirement: "A producer that can announce its subagents does; attributing events without it is legal.",
    spec: "1.0 events/subagents#lifecycle"
  },
  "AGUI-SUBAGENT-010": {
    level: "error",
    requirement: "subagentRunId is left out, not null, on events that are not attributed either.",
    spec: "client 0.0.59 verifyEvents",
    dialects: ["0.0"]
  },
  "AGUI-SUBAGENT-011": {
    level: "error",
    requirement: "SUBAGENT_FINISHED has an outcome the schema describes, and only a suspended one has interruptIds.",
    spec: "1.0 events/subagents#lifecycle",
    dialects: ["1.0"]
  }
})

const named = (owner: Owner): string => (owner === undefined ? "the agent itself" : `subagent ${quote(owner)}`)

/** Whether the tag of an event agrees with the owner of what it continues. An absent tag agrees with all. */
export const agreesWithOwner = (type: string, tag: Owner, kind: keyof Owners, id: string, stream: Stream): boolean => {
  if (tag === undefined) return true
  const owners = stream.owners[kind]
  if (!owners.has(id) || owners.get(id) === tag) return true
  stream.report(
    subagentRules["AGUI-SUBAGENT-006"],
    `${type} of ${quote(id)} is attributed to ${named(tag)}, it was opened by ${named(owners.get(id))}.`
  )
  return false
}

/** Records who opened something, unless it is known: the first one stands. */
export const recordOwner = (kind: keyof Owners, id: string, tag: Owner, stream: Stream): void => {
  if (!stream.owners[kind].has(id)) stream.owners[kind].set(id, tag)
}

/** Records who a call belongs to; says when that is not who its message belongs to. */
export const checkCallOwner = ({ parentMessageId, subagentRunId, toolCallId }: CallStart, stream: Stream): void => {
  const { message, toolCall } = stream.owners
  const inherits = parentMessageId !== undefined && message.has(parentMessageId)
  const parentOwner = inherits ? message.get(parentMessageId) : undefined
  if (inherits && subagentRunId !== undefined && subagentRunId !== parentOwner) {
    stream.report(
      subagentRules["AGUI-SUBAGENT-007"],
      `Call ${quote(toolCallId)} is attributed to ${named(subagentRunId)}, its message ${quote(parentMessageId)} to ${named(parentOwner)}.`
    )
    return
  }
  if (!agreesWithOwner("TOOL_CALL_START", subagentRunId, "toolCall", toolCallId, stream)) return
  if (toolCall.has(toolCallId) && subagentRunId === undefined && inherits && parentOwner !== toolCall.get(toolCallId)) {
    stream.report(
      subagentRules["AGUI-SUBAGENT-007"],
      `Call ${quote(toolCallId)} belongs to ${named(toolCall.get(toolCallId))}, its message ${quote(parentMessageId)} to ${named(parentOwner)}.`
    )
    return
  }
  recordOwner("toolCall", toolCallId, subagentRunId ?? parentOwner, stream)
}

interface CallStart {
  readonly toolCallId: string
  readonly parentMessageId?: string | undefined
  readonly subagentRunId?: string | undefined
}

/** Takes note that an event is attributed, for when the invocation is announced late or never. */
export const noteTag = (tag: unknown, stream: Stream): void => {
  if (tag === null) stream.report(subagentRules["AGUI-SUBAGENT-010"], "subagentRunId is null.")
  if (typeof tag !== "string" || stream.subagents.has(tag) || stream.closedSubagents.has(tag)) return
  if (stream.taggedSubagents.has(tag)) return
  stream.taggedSubagents.set(tag, true)
  stream.reportOnce(
    subagentRules["AGUI-SUBAGENT-009"],
    "",
    `An event is attributed to subagent ${quote(tag)}, which no SUBAGENT_STARTED announced.`
  )
}

const close = (type: string, id: string, stream: Stream): void => {
  if (stream.subagents.delete(id)) stream.closedSubagents.set(id, true)
  else stream.report(subagentRules["AGUI-SUBAGENT-004"], `${type} of ${quote(id)}, which is not active.`)
}

/** Looks at the lifecycle of subagents, and at the owners that activities, results, snapshots and echoes establish. */
export const subagentChecks: Checks = {
  on: {
    SUBAGENT_STARTED: ({ parentSubagentRunId: parent, subagentRunId: id }, stream) => {
      if (stream.subagents.has(id)) {
        stream.report(subagentRules["AGUI-SUBAGENT-001"], `Subagent ${quote(id)} is active already.`)
        return
      }
      if (stream.closedSubagents.has(id)) {
        stream.report(subagentRules["AGUI-SUBAGENT-002"], `Subagent ${quote(id)} has ended in this run already.`)
        return
      }
      if (stream.taggedSubagents.has(id))
        stream.report(
          subagentRules["AGUI-SUBAGENT-008"],
          `Subagent ${quote(id)} is announced after events that are attributed to it.`
        )
      if (parent !== undefined && !stream.subagents.has(parent) && !stream.closedSubagents.has(parent))
        stream.report(
          subagentRules["AGUI-SUBAGENT-003"],
          `Subagent ${quote(id)} names parent ${quote(parent)}, which was not announced in this run.`
        )
      stream.subagents.add(id)
    },
    SUBAGENT_FINISHED: ({ outcome, subagentRunId }, stream) => {
      if (outcome?.type === "success" && "interruptIds" in outcome)
        stream.report(
          subagentRules["AGUI-SUBAGENT-011"],
          `Subagent ${quote(subagentRunId)} ends as a success and names interrupts.`
        )
      close("SUBAGENT_FINISHED", subagentRunId, stream)
    },
    SUBAGENT_ERROR: ({ subagentRunId }, stream) => close("SUBAGENT_ERROR", subagentRunId, stream),
    RUN_STARTED: ({ input }, stream) => seedOwners(input?.messages, false, stream),
    MESSAGES_SNAPSHOT: ({ messages }, stream) => seedOwners(messages, true, stream),
    RUN_FINISHED: (_event, stream) => {
      if (stream.subagents.size > 0)
        stream.report(
          subagentRules["AGUI-SUBAGENT-005"],
          `RUN_FINISHED while subagents are active: ${[...stream.subagents].slice(0, 5).map(quote).join(", ")}.`
        )
    }
  }
}

/** The owners a restated conversation establishes: a snapshot's replace those known, an echo's do not. */
const seedOwners = (messages: unknown, replace: boolean, stream: Stream): void => {
  if (!Array.isArray(messages)) return
  for (const { id, role, subagentRunId, toolCalls } of messages as ReadonlyArray<Seed>) {
    const owners =
      role === "reasoning"
        ? stream.owners.reasoning
        : role === "activity"
          ? stream.owners.activity
          : stream.owners.message
    if (replace || !owners.has(id)) owners.set(id, subagentRunId)
    for (const call of toolCalls ?? [])
      if (replace || !stream.owners.toolCall.has(call.id)) stream.owners.toolCall.set(call.id, subagentRunId)
  }
}

/** What of a message matters here. Its schema was checked. */
interface Seed {
  readonly id: string
  readonly role: string
  readonly subagentRunId?: string
  readonly toolCalls?: ReadonlyArray<{ readonly id: string }>
}
