/** What the forms of the dialog have in common: a question, and how it is answered. */
import type { Interrupt } from "@copilotkit/react-core/v2"

/** What a form is given. */
export interface QuestionProps {
  readonly interrupt: Interrupt
  readonly answer: (payload: unknown) => void
}
