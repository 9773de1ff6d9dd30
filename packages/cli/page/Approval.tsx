/**
 * What the agent asks, as a dialog: may a tool run, is the plan good, which option, and the forms of MCP servers. The
 * answers are those `metadata.kind` and `responseSchema` of the interrupt ask for.
 */
import type { Interrupt } from "@copilotkit/react-core/v2"
import { useInterrupt } from "@copilotkit/react-core/v2"
import { useEffect, useRef, useState } from "react"
import { noteAnswer } from "./Answers.ts"
import { ChoiceForm } from "./ChoiceForm.tsx"
import { ElicitationForm } from "./ElicitationForm.tsx"
import { PermissionForm } from "./PermissionForm.tsx"
import { PlanForm } from "./PlanForm.tsx"

/** What a form of the dialog is given. */
export interface QuestionProps {
  readonly interrupt: Interrupt
  readonly answer: (payload: unknown) => void
}

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
    render: ({ cancel, interrupts, resolve }) => <Approvals {...{ cancel, interrupts, resolve }} />
  })

interface ApprovalsProps {
  readonly interrupts: ReadonlyArray<Interrupt>
  readonly resolve: (payload: unknown, interruptId: string) => Promise<unknown>
  readonly cancel: (interruptId: string) => Promise<unknown>
}

/** Several questions come one after the other: CopilotKit sends the answers when it has all of them. */
const Approvals = ({ cancel, interrupts, resolve }: ApprovalsProps) => {
  const [answered, setAnswered] = useState<ReadonlyArray<string>>([])
  const open = interrupts.filter(({ id }) => !answered.includes(id))
  const [interrupt] = open
  const dialog = useRef<HTMLDialogElement>(null)
  const id = interrupt?.id
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    shown?.querySelector<HTMLElement>("[data-first]")?.focus()
    return () => shown?.close()
  }, [id])
  if (interrupt === undefined) return null
  const settle = (send: () => Promise<unknown>): void => {
    noteAnswer(interrupt.toolCallId)
    setAnswered([...answered, interrupt.id])
    // What goes wrong with the run is told by the run.
    send().catch(() => undefined)
  }
  const kind = String(interrupt.metadata?.["kind"] ?? "permission")
  const Form = forms[kind] ?? PermissionForm
  return (
    <dialog
      className="approval"
      ref={dialog}
      key={interrupt.id}
      aria-labelledby="approval-title"
      onCancel={(event) => {
        event.preventDefault()
        settle(() => cancel(interrupt.id))
      }}
    >
      {interrupts.length > 1 && (
        <p className="approval-count">
          Question {answered.length + 1} of {interrupts.length}
        </p>
      )}
      <Form interrupt={interrupt} answer={(payload) => settle(() => resolve(payload, interrupt.id))} />
    </dialog>
  )
}
