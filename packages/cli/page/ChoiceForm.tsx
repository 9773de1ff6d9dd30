/** The questions of AskUserQuestion: options to choose from, and room for an answer of one's own. */
import { useId, useState } from "react"
import type { QuestionProps } from "./QuestionForm.ts"

interface Choice {
  readonly question: string
  readonly header?: string
  readonly multiSelect?: boolean
  readonly options?: ReadonlyArray<{ readonly label: string; readonly description?: string }>
}

interface Picked {
  readonly labels: ReadonlyArray<string>
  readonly other: string
}

const nothing: Picked = { labels: [], other: "" }

/** The form for questions. */
export const ChoiceForm = ({ answer, interrupt }: QuestionProps) => {
  const { questions = [] } = (interrupt.metadata?.["input"] ?? {}) as { readonly questions?: ReadonlyArray<Choice> }
  const [picked, setPicked] = useState<Readonly<Record<string, Picked>>>({})
  const answers = Object.fromEntries(
    questions.map(({ multiSelect, question }) => {
      const { labels, other } = picked[question] ?? nothing
      const all = other.trim() === "" ? labels : multiSelect === true ? [...labels, other.trim()] : [other.trim()]
      return [question, multiSelect === true ? all : (all[0] ?? "")]
    })
  )
  const isComplete = Object.values(answers).every((given) => given.length > 0)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) answer({ answers })
      }}
    >
      <h2 id="approval-title">{questions.length === 1 ? "The agent has a question" : "The agent has questions"}</h2>
      {questions.map((choice) => (
        <Question
          key={choice.question}
          choice={choice}
          picked={picked[choice.question] ?? nothing}
          pick={(next) => setPicked({ ...picked, [choice.question]: next })}
        />
      ))}
      <div className="actions">
        <button type="submit" className="primary" disabled={!isComplete}>
          Answer
        </button>
        <button type="button" onClick={() => answer({ approved: false })}>
          Do not answer
        </button>
      </div>
    </form>
  )
}

interface QuestionFieldProps {
  readonly choice: Choice
  readonly picked: Picked
  readonly pick: (picked: Picked) => void
}

const Question = ({ choice: { multiSelect = false, options = [], question }, pick, picked }: QuestionFieldProps) => {
  const name = useId()
  const toggle = (label: string): void => {
    const { labels, other } = picked
    if (!multiSelect) pick({ labels: [label], other: "" })
    else pick({ labels: labels.includes(label) ? labels.filter((one) => one !== label) : [...labels, label], other })
  }
  return (
    <fieldset>
      <legend>{question}</legend>
      {options.map(({ description, label }) => (
        <label key={label} className="option">
          <input
            type={multiSelect ? "checkbox" : "radio"}
            name={name}
            checked={picked.labels.includes(label)}
            onChange={() => toggle(label)}
          />
          <span className="option-words">
            <strong>{label}</strong>
            {description !== undefined && <small>{description}</small>}
          </span>
        </label>
      ))}
      <label className="option-other">
        <span>Something else</span>
        <input
          value={picked.other}
          onChange={(event) => pick({ labels: multiSelect ? picked.labels : [], other: event.target.value })}
        />
      </label>
    </fieldset>
  )
}
