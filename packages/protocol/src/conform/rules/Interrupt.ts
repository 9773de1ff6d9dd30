/**
 * Interrupts: what a run that stopped to ask says, and how the run that resumes takes up the call.
 */
import { isRecord } from "../../wire/Json.ts"
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks, Stream } from "../Stream.ts"

/** The rules of interrupts. */
export const interruptRules = rulesOf("interrupt", {
  "AGUI-INTERRUPT-001": {
    level: "error",
    requirement: "Each interrupt of a run has an id of its own.",
    spec: "1.0 basic/patterns/interrupt-resume#interrupting"
  },
  "AGUI-INTERRUPT-002": {
    level: "warning",
    requirement: "The toolCallId of an interrupt names an existing call.",
    spec: "1.0 basic/patterns/interrupt-resume#interrupting"
  },
  "AGUI-INTERRUPT-003": {
    level: "error",
    requirement: "A success carries no interrupts: clients drop them and read the run as done.",
    spec: "1.0 basic/patterns/interrupt-resume#error-handling",
    dialects: ["1.0"]
  },
  "AGUI-INTERRUPT-004": {
    level: "error",
    requirement: "A run that stops on a call of the application's own tool ends as a success, not as an interrupt.",
    spec: "1.0 events/tool-calls#frontend-tools"
  },
  "AGUI-INTERRUPT-005": {
    level: "warning",
    requirement: "A run that resumes answers the call it stopped for, and does not start it again.",
    spec: "docs/concepts/interrupts (tool-bound interrupts)"
  }
})

/** Says when a resumed run starts a call again that the conversation holds. */
export const checkReemitted = (id: string, stream: Stream): void => {
  if (stream.input?.resumes === true && stream.rememberedCalls.has(id) && !stream.closedCalls.has(id))
    stream.report(
      interruptRules["AGUI-INTERRUPT-005"],
      `Call ${quote(id)} of the conversation is started again; its arguments are appended to those it has.`
    )
}

const checkToolCall = (interrupt: string, id: string, stream: Stream): void => {
  const call = stream.calls.get(id) ?? stream.closedCalls.get(id)
  if (call === undefined) {
    if (stream.historyKnown && !stream.rememberedCalls.has(id))
      stream.report(
        interruptRules["AGUI-INTERRUPT-002"],
        `Interrupt ${quote(interrupt)} names call ${quote(id)}, which is not there.`
      )
  } else if (stream.frontendTools.has(call.name))
    stream.report(
      interruptRules["AGUI-INTERRUPT-004"],
      `Interrupt ${quote(interrupt)} asks about call ${quote(id)} of the application's own tool ${quote(call.name)}.`
    )
}

/** Looks at the interrupts a run ends with. */
export const interruptChecks: Checks = {
  on: {
    RUN_FINISHED: ({ outcome }, stream) => {
      if (!isRecord(outcome)) return
      if (outcome.type === "success" && "interrupts" in outcome)
        stream.report(interruptRules["AGUI-INTERRUPT-003"], "The outcome is success and carries interrupts.")
      if (outcome.type !== "interrupt") return
      const ids = new Set<string>()
      for (const { id, toolCallId } of outcome.interrupts) {
        if (ids.has(id)) stream.report(interruptRules["AGUI-INTERRUPT-001"], `Two interrupts are ${quote(id)}.`)
        ids.add(id)
        if (toolCallId !== undefined) checkToolCall(id, toolCallId, stream)
      }
    }
  }
}
