/**
 * The answers in a request: `resume`, and the form that CopilotKit had before interrupts were in the protocol.
 */
import * as Schema from "effect/Schema"
import type { Question } from "../../model/Request.ts"
import { decodePayload } from "../../wire/Codec.ts"
import { open, optional } from "../../wire/Open.ts"
import type { ResumeEntry, RunAgentInput } from "../RunInput.ts"
import { type ReadAnswer, readAnswer } from "./Answer.ts"
import { type Ignored, ignoredOf } from "./Ignored.ts"

/** The answer to the request of an id. */
export interface GivenAnswer extends ReadAnswer {
  readonly id: string
}

/** The answers in a request, and what was ignored. */
export interface Resumed {
  readonly answers: ReadonlyArray<GivenAnswer>
  readonly ignored: ReadonlyArray<Ignored>
}

/** Used as the id of an interrupt where the old form names none. */
export const oldResumePath = "forwardedProps.command.resume"

// docs/wire/ag-ui.md §4.5
const OldResume = open({
  command: open({ resume: Schema.Unknown, interruptEvent: optional(Schema.Unknown) })
})
const Identified = open({ id: Schema.String })

/** The answers to the open questions, one for each at most. `answered` are the ids of those that had one before. */
export const readResume = (
  { forwardedProps, resume = [] }: RunAgentInput,
  questions: ReadonlyArray<Question>,
  answered: ReadonlyArray<string>
): Resumed => {
  const done = new Set(answered)
  const answers: Array<GivenAnswer> = []
  const ignored: Array<Ignored> = []
  const read = (interruptId: string, entry: Pick<ResumeEntry, "status"> & { readonly payload?: unknown }) => {
    const question = questions.find(({ id }) => id === interruptId)
    if (done.has(interruptId)) ignored.push(ignoredOf("repeated-answer", { interruptId }))
    else if (question === undefined) ignored.push(ignoredOf("unknown-interrupt", { interruptId }))
    else {
      done.add(interruptId)
      answers.push({ id: interruptId, ...readAnswer(question, entry) })
    }
  }
  for (const entry of resume) read(entry.interruptId, entry)
  const old = decodePayload(OldResume, forwardedProps)
  if (old._tag === "Known" && Object.hasOwn(old.value.command, "resume")) {
    const shown = decodePayload(Identified, old.value.command.interruptEvent)
    const waiting = questions.filter(({ id }) => !done.has(id))
    const id = shown._tag === "Known" ? shown.value.id : waiting.length === 1 ? waiting[0]?.id : undefined
    if (id !== undefined) read(id, { status: "resolved", payload: old.value.command.resume })
    else
      ignored.push(
        ignoredOf(waiting.length === 0 ? "unknown-interrupt" : "ambiguous-answer", { interruptId: oldResumePath })
      )
  }
  return { answers, ignored }
}
