/**
 * Transcripts as agents leave them: several lanes speak at a time, calls hang on texts or on nothing that was said, and
 * results come when they come.
 */
import type { Model } from "@agentwire/protocol"
import * as fc from "fast-check"

/** What happens next. Numbers choose among what is there. */
type Step =
  | { readonly do: "prompt" | "text" | "thought" | "task"; readonly lane: Model.Lane; readonly size: number }
  /** A call hangs on one of the last messages of anybody, or is the first of a message without a text. */
  | { readonly do: "call"; readonly lane: Model.Lane; readonly on: number | undefined }
  | { readonly do: "result"; readonly of: number; readonly size: number }

const lane = fc.constantFrom<Model.Lane>(null, null, "a", "b")
const size = fc.nat(40)

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("prompt", "text", "text", "thought", "task"), lane, size })
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("call" as const), lane, on: fc.option(fc.nat(5), { nil: undefined }) })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("result" as const), of: fc.nat(100), size }) }
)

const entriesOf = (steps: ReadonlyArray<Step>): ReadonlyArray<Model.TranscriptEntry> => {
  const entries: Array<Model.TranscriptEntry> = []
  /** The messages that calls may hang on, and the calls without a result. */
  const [messages, open]: [Array<string>, Array<string>] = [[], []]
  for (const [n, step] of steps.entries()) {
    switch (step.do) {
      case "prompt":
        entries.push({ id: `p${n}`, lane: null, kind: "prompt", content: "?".repeat(step.size) })
        break
      case "task":
        entries.push({ id: `k${n}`, lane: step.lane, kind: "task", content: { step: n } })
        break
      case "text":
      case "thought":
        entries.push({ id: `m${n}`, lane: step.lane, kind: step.do, text: "ü".repeat(step.size) })
        if (step.do === "text") messages.push(`m${n}`)
        break
      case "call": {
        const parent = step.on === undefined ? undefined : messages.at(-1 - step.on)
        if (parent === undefined) messages.push(`n${n}`)
        open.push(`c${n}`)
        entries.push({
          id: `c${n}`,
          lane: step.lane,
          kind: "call",
          tool: "Bash",
          action: "command",
          parent: parent ?? `n${n}`,
          arguments: `{"n":${n}}`
        })
        break
      }
      case "result": {
        const [id] = open.splice(step.of % Math.max(1, open.length), 1)
        if (id !== undefined)
          entries.push({ id, lane: null, kind: "result", content: "!".repeat(step.size), failed: step.size % 7 === 0 })
      }
    }
  }
  return entries
}

/** The entries of a transcript. */
export const transcriptEntries = (maxLength = 60): fc.Arbitrary<ReadonlyArray<Model.TranscriptEntry>> =>
  fc.array(step, { maxLength, size: "max" }).map(entriesOf)
