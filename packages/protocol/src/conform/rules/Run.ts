/**
 * Runs: how a stream begins and ends, and what may follow what. The gate every event passes before its own handlers.
 */
import type { EventType } from "../../agui/Event.ts"
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks, Stream } from "../Stream.ts"

/** The rules of runs. */
export const runRules = rulesOf("run", {
  "AGUI-RUN-001": {
    level: "error",
    requirement: "A stream begins with RUN_STARTED or RUN_ERROR.",
    spec: "1.0 events/lifecycle#the-run; client 1.0.0 verifyEvents; client 0.0.59 verifyEvents"
  },
  "AGUI-RUN-002": {
    level: "error",
    requirement: "Nothing but RUN_STARTED follows RUN_ERROR.",
    spec: "1.0 events/lifecycle#after-a-run-closes; client 1.0.0 verifyEvents; client 0.0.59 verifyEvents"
  },
  "AGUI-RUN-003": {
    level: "error",
    requirement: "Nothing but RUN_STARTED or RUN_ERROR follows RUN_FINISHED.",
    spec: "1.0 events/lifecycle#after-a-run-closes; client 1.0.0 verifyEvents; client 0.0.59 verifyEvents"
  },
  "AGUI-RUN-004": {
    level: "error",
    requirement: "RUN_STARTED does not come while a run is active.",
    spec: "1.0 events/lifecycle#several-runs-on-one-stream; client 1.0.0 verifyEvents; client 0.0.59 verifyEvents"
  },
  "AGUI-RUN-005": {
    level: "error",
    requirement:
      "A stream ends after RUN_FINISHED or RUN_ERROR; one that just stops is a truncated run without an outcome.",
    spec: "1.0 basic/transports#truncation"
  },
  "AGUI-RUN-006": {
    level: "error",
    requirement: "A stream that answers a run has events.",
    spec: "1.0 events/lifecycle#the-run"
  },
  "AGUI-RUN-007": {
    level: "warning",
    requirement: "A cancelled run has no result.",
    spec: "1.0 events/lifecycle#cancelled-runs",
    dialects: ["1.0"]
  },
  "AGUI-RUN-008": {
    level: "error",
    requirement:
      "RUN_FINISHED has an outcome the schema describes: clients drop any other and read the run as a success.",
    spec: "1.0 events/lifecycle#run_finished",
    dialects: ["1.0"]
  }
})

/** Whether an event may come now. It opens the run itself where an event came before any. */
export const passesRunGate = (type: EventType | "thinking", stream: Stream): boolean => {
  switch (stream.phase) {
    case "active":
      if (type === "RUN_STARTED")
        stream.report(runRules["AGUI-RUN-004"], `RUN_STARTED while run ${quote(stream.runId)} is active.`)
      return true
    case "none":
      if (type === "RUN_STARTED" || type === "RUN_ERROR") return true
      stream.report(runRules["AGUI-RUN-001"], `The stream begins with ${type}, not with RUN_STARTED.`)
      stream.beginRun(undefined, undefined)
      return true
    case "errored":
      if (type === "RUN_STARTED") return true
      return strays(runRules["AGUI-RUN-002"], `${type} after RUN_ERROR.`, stream)
    case "finished":
      if (type === "RUN_STARTED" || type === "RUN_ERROR") return true
      return strays(runRules["AGUI-RUN-003"], `${type} after RUN_FINISHED.`, stream)
  }
}

const strays = (rule: Parameters<Stream["report"]>[0], message: string, stream: Stream): false => {
  if (!stream.strayed) stream.report(rule, message)
  stream.strayed = true
  return false
}

/** Looks at what runs end with, and at how the stream ends. */
export const runChecks: Checks = {
  on: {
    RUN_FINISHED: (event, stream) => {
      if (event.outcome?.type === "cancelled" && event.result !== undefined)
        stream.report(runRules["AGUI-RUN-007"], `Run ${quote(event.runId)} was cancelled and has a result.`)
    }
  },
  end: (stream) => {
    if (stream.index < 0) stream.reportStream(runRules["AGUI-RUN-006"], "The stream has no events.")
    else if (stream.phase === "active")
      stream.reportStream(
        runRules["AGUI-RUN-005"],
        `The stream ends while run ${quote(stream.runId)} is active, without RUN_FINISHED or RUN_ERROR.`
      )
    else if (stream.phase === "none")
      stream.reportStream(runRules["AGUI-RUN-005"], "The stream ends without RUN_FINISHED or RUN_ERROR.")
  }
}
