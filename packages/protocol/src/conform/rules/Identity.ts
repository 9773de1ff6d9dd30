/**
 * Identity: the ids of thread, run and messages agree wherever they are said again.
 */
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks, MessageKind, Stream } from "../Stream.ts"

/** The rules of identity. */
export const identityRules = rulesOf("identity", {
  "AGUI-IDENTITY-001": {
    level: "error",
    requirement: "RUN_STARTED carries the threadId of the request.",
    spec: "1.0 basic/run-input#identity"
  },
  "AGUI-IDENTITY-002": {
    level: "error",
    requirement: "The last run of the stream, the requested one, carries the runId of the request.",
    spec: "1.0 basic/run-input#identity"
  },
  "AGUI-IDENTITY-003": {
    level: "error",
    requirement: "RUN_FINISHED carries the runId of its RUN_STARTED.",
    spec: "1.0 basic/run-input#identity"
  },
  "AGUI-IDENTITY-004": {
    level: "error",
    requirement: "RUN_FINISHED carries the threadId of its RUN_STARTED.",
    spec: "1.0 basic/run-input#identity"
  },
  "AGUI-IDENTITY-005": {
    level: "error",
    requirement: "All runs of a stream carry one threadId.",
    spec: "1.0 basic/run-input#identity"
  },
  "AGUI-IDENTITY-006": {
    level: "warning",
    requirement: "Text, reasoning and the results of tools do not share ids: clients append one to the other.",
    spec: "client 1.0.0 defaultApplyEvents (content ends up in the wrong message)"
  }
})

/** Says when a message that is started has the id of a message of another kind, which a client would write into. */
export const checkMessageKind = (id: string, kind: MessageKind, stream: Stream): void => {
  const other = stream.kinds.get(id)
  if (other === undefined || other === "activity" || words[other] === words[kind]) return
  stream.report(
    identityRules["AGUI-IDENTITY-006"],
    `Message ${quote(id)} is ${words[other]} already, and ${words[kind]} is started under its id.`
  )
}

const words: Readonly<Record<MessageKind, string>> = {
  assistant: "a text message",
  other: "a text message",
  tool: "the result of a tool",
  reasoning: "a reasoning message",
  activity: "an activity"
}

/** Looks at the ids of runs. */
export const identityChecks: Checks = {
  on: {
    RUN_STARTED: (event, stream) => {
      const { runId, threadId } = event
      if (typeof threadId !== "string" || typeof runId !== "string") return
      const asked = stream.input?.threadId
      if (asked !== undefined) {
        if (asked !== threadId)
          stream.report(
            identityRules["AGUI-IDENTITY-001"],
            `RUN_STARTED says thread ${quote(threadId)}, the request said ${quote(asked)}.`
          )
      } else if (stream.firstThreadId !== undefined && stream.firstThreadId !== threadId)
        stream.report(
          identityRules["AGUI-IDENTITY-005"],
          `RUN_STARTED says thread ${quote(threadId)}, the run before it said ${quote(stream.firstThreadId)}.`
        )
      stream.firstThreadId ??= threadId
    },
    RUN_FINISHED: (event, stream) => {
      const { runId, threadId } = event
      if (typeof runId === "string" && stream.runId !== undefined && runId !== stream.runId)
        stream.report(
          identityRules["AGUI-IDENTITY-003"],
          `RUN_FINISHED says run ${quote(runId)}, RUN_STARTED said ${quote(stream.runId)}.`
        )
      if (typeof threadId === "string" && stream.threadId !== undefined && threadId !== stream.threadId)
        stream.report(
          identityRules["AGUI-IDENTITY-004"],
          `RUN_FINISHED says thread ${quote(threadId)}, RUN_STARTED said ${quote(stream.threadId)}.`
        )
    }
  },
  end: (stream) => {
    const asked = stream.input?.runId
    if (asked !== undefined && stream.runId !== undefined && stream.runId !== asked)
      stream.reportAt(
        identityRules["AGUI-IDENTITY-002"],
        stream.runStartedAt,
        stream.runStarted,
        `The last run of the stream is ${quote(stream.runId)}, the request asked for ${quote(asked)}.`
      )
  }
}
