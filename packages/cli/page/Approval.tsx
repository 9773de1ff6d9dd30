/**
 * What the agent asks, as a dialog: may a tool run, is the plan good, which option, and the forms of MCP servers. The
 * answers are those `metadata.kind` and `responseSchema` of the interrupt ask for.
 */
import type { Interrupt } from "@copilotkit/react-core/v2"
import { useInterrupt } from "@copilotkit/react-core/v2"
import { useState } from "react"
import { noteAnswer } from "./Answers.ts"
import { ChoiceForm } from "./ChoiceForm.tsx"
import { ElicitationForm } from "./ElicitationForm.tsx"
import { PermissionForm } from "./PermissionForm.tsx"
import { PlanForm } from "./PlanForm.tsx"
import { QuestionDialog } from "./QuestionDialog.tsx"
import type { QuestionProps } from "./QuestionForm.ts"

const forms: Readonly<Record<string, (props: QuestionProps) => React.ReactNode>> = {
  permission: PermissionForm,
  plan: PlanForm,
  choice: ChoiceForm,
  form: ElicitationForm
}

/** The dialog, while the agent waits for answers; it must be under CopilotKit's provider. */
export const useApprovals = () =>
  useInterrupt({
    renderInChat: false,
    render: ({ interrupts, resolve }) => <Approvals {...{ interrupts, resolve }} />
  })

interface ApprovalsProps {
  readonly interrupts: ReadonlyArray<Interrupt>
  readonly resolve: (payload: unknown, interruptId: string) => Promise<unknown>
}

/** Several questions come one after the other: CopilotKit sends the answers when it has all of them. */
const Approvals = ({ interrupts, resolve }: ApprovalsProps) => {
  const [answered, setAnswered] = useState<ReadonlyArray<string>>([])
  const interrupt = interrupts.find(({ id }) => !answered.includes(id))
  if (interrupt === undefined) return null
  const answer = (payload: unknown): void => {
    noteAnswer(interrupt.toolCallId)
    setAnswered([...answered, interrupt.id])
    // What goes wrong with the run is told by the run.
    resolve(payload, interrupt.id).catch(() => undefined)
  }
  const kind = String(interrupt.metadata?.["kind"] ?? "permission")
  const Form = forms[kind] ?? PermissionForm
  return (
    <QuestionDialog key={interrupt.id} labelledBy="approval-title" describedBy="approval-about">
      {interrupts.length > 1 && (
        <p className="approval-count">
          Question {answered.length + 1} of {interrupts.length}
        </p>
      )}
      <Form interrupt={interrupt} answer={answer} />
    </QuestionDialog>
  )
}
