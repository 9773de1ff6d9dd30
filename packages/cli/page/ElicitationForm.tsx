/** A form of an MCP server, of the plain fields that MCP lets it have, or a page it wants to be visited. */
import { useId, useState } from "react"
import type { QuestionProps } from "./QuestionForm.ts"

interface Field {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<string>
  readonly default?: unknown
}

type Value = string | number | boolean

/** The form for an elicitation. */
export const ElicitationForm = ({ answer, interrupt }: QuestionProps) => {
  const { metadata = {}, responseSchema } = interrupt
  const { properties = {}, required = [] } = contentOf(responseSchema)
  const [values, setValues] = useState<Readonly<Record<string, Value>>>(() =>
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, { default: value, type }]) =>
        value !== undefined ? [[name, value as Value]] : type === "boolean" ? [[name, false]] : []
      )
    )
  )
  const url = typeof metadata["url"] === "string" ? metadata["url"] : undefined
  const isComplete = required.every((name) => values[name] !== undefined && values[name] !== "")
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) answer({ action: "accept", ...(url === undefined && { content: values }) })
      }}
    >
      <h2 id="approval-title">{String(metadata["title"] ?? `${metadata["server"] ?? "A server"} asks`)}</h2>
      <p className="approval-message" id="approval-about">
        {interrupt.message}
      </p>
      {url !== undefined && (
        <p>
          <a href={url} target="_blank" rel="noreferrer noopener">
            Open {url}
          </a>
        </p>
      )}
      {Object.entries(properties).map(([name, field]) => (
        <Input
          key={name}
          name={name}
          field={field}
          isRequired={required.includes(name)}
          value={values[name]}
          set={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <div className="actions">
        <button type="submit" className="primary" disabled={!isComplete}>
          {url === undefined ? "Send" : "Done"}
        </button>
        <button type="button" onClick={() => answer({ action: "decline" })}>
          Decline
        </button>
      </div>
    </form>
  )
}

interface InputProps {
  readonly name: string
  readonly field: Field
  readonly isRequired: boolean
  readonly value: Value | undefined
  readonly set: (value: Value) => void
}

const Input = ({ field, isRequired, name, set, value }: InputProps) => {
  const id = useId()
  const { description, enum: options, title = name, type } = field
  if (type === "boolean")
    return (
      <label className="option">
        <input type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} />
        <span className="option-words">{title}</span>
      </label>
    )
  const isNumber = type === "number" || type === "integer"
  return (
    <div className="field">
      <label htmlFor={id}>
        {title}
        {isRequired ? "" : " (optional)"}
      </label>
      {description !== undefined && <small>{description}</small>}
      {options === undefined ? (
        <input
          id={id}
          type={isNumber ? "number" : "text"}
          value={String(value ?? "")}
          onChange={({ target }) => set(isNumber ? target.valueAsNumber : target.value)}
        />
      ) : (
        <select id={id} value={String(value ?? "")} onChange={(event) => set(event.target.value)}>
          <option value="" />
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
    </div>
  )
}

interface Content {
  readonly properties?: Readonly<Record<string, Field>>
  readonly required?: ReadonlyArray<string>
}

const contentOf = (schema: unknown): Content => {
  const { properties } = (schema ?? {}) as { readonly properties?: { readonly content?: Content } }
  return properties?.content ?? {}
}
