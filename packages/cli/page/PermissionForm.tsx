/** May a tool run? Allow, edit and allow, allow from now on, or deny and say why. */
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import type { Interrupt } from "@copilotkit/react-core/v2"
import { useContext, useId, useState } from "react"
import { AgentContext, takesEdits } from "./Agents.ts"
import { Json } from "./Json.tsx"
import { changesIn, Patch } from "./Patch.tsx"
import type { QuestionProps } from "./QuestionForm.ts"
import { moreToAllow, rememberedBy } from "./Suggestions.ts"

type Mode = "ask" | "edit" | "deny"

/** The form for a permission. */
export const PermissionForm = ({ answer, interrupt }: QuestionProps) => {
  const { metadata = {} } = interrupt
  const input = JSON.stringify(metadata["input"] ?? {}, null, 2)
  const [mode, setMode] = useState<Mode>("ask")
  const [edited, setEdited] = useState(input)
  const [reason, setReason] = useState("")
  const field = useId()
  const rules = rememberedBy(metadata["remember"])
  const offersAlways = rules.length > 0 && takesAlways(interrupt.responseSchema)
  const changes = changesIn(metadata["input"])
  const isEditable = takesEdits(useContext(AgentContext))
  const wrong = mode === "edit" ? editProblem(edited) : undefined
  const [question, ...detail] = (interrupt.message ?? "").split("\n")
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (mode === "edit" && wrong === undefined) answer({ approved: true, editedArgs: JSON.parse(edited) })
        if (mode === "deny") answer({ approved: false, ...(reason.trim() !== "" && { reason: reason.trim() }) })
      }}
    >
      <h2 id="approval-title">{question === "" ? `May the agent use ${metadata["toolName"]}?` : question}</h2>
      {mode === "ask" && (
        <>
          {typeof metadata["description"] === "string" && <p>{metadata["description"]}</p>}
          {typeof metadata["decisionReason"] === "string" && <p className="quiet">{metadata["decisionReason"]}</p>}
          {changes.length > 0 && (
            <div id="approval-about">
              <Patch changes={changes} />
            </div>
          )}
          {changes.length === 0 && detail.length > 0 && (
            <pre className="approval-detail" id="approval-about">
              {detail.join("\n")}
            </pre>
          )}
          <details className="approval-input" open={changes.length === 0 && hasMore(metadata["input"])}>
            <summary>All arguments</summary>
            <Json text={input} />
          </details>
          {offersAlways && (
            <p className="quiet" id={`${field}-always`}>
              Always, in this session: {rules.join("; ")}
            </p>
          )}
          <div className="actions">
            <button type="button" className="primary" onClick={() => answer({ approved: true })}>
              Allow
            </button>
            {isEditable && (
              <button type="button" onClick={() => setMode("edit")}>
                Edit and allow…
              </button>
            )}
            {offersAlways && (
              <button
                type="button"
                aria-describedby={`${field}-always`}
                onClick={() => answer({ approved: true, always: true })}
              >
                Always allow
              </button>
            )}
            {moreToAllow(metadata["suggestions"]).map(({ label, suggestion }) => (
              <button
                key={label}
                type="button"
                onClick={() => answer({ approved: true, updatedPermissions: [suggestion] })}
              >
                {label}
              </button>
            ))}
            <button type="button" className="danger" onClick={() => setMode("deny")}>
              Deny…
            </button>
          </div>
        </>
      )}
      {mode === "edit" && (
        <>
          <label htmlFor={field}>Arguments, as JSON</label>
          <textarea
            id={field}
            className="code"
            rows={Math.min(16, edited.split("\n").length + 1)}
            value={edited}
            spellCheck={false}
            aria-invalid={wrong !== undefined}
            aria-describedby={`${field}-wrong`}
            // biome-ignore lint/a11y/noAutofocus: the button that led here is gone
            autoFocus
            onChange={(event) => setEdited(event.target.value)}
          />
          <p id={`${field}-wrong`} className="wrong" role="status">
            {wrong}
          </p>
          <div className="actions">
            <button type="submit" className="primary" disabled={wrong !== undefined}>
              Allow with these
            </button>
            <BackButton onBack={() => setMode("ask")} />
          </div>
        </>
      )}
      {mode === "deny" && (
        <>
          <label htmlFor={field}>Why not? The agent is told.</label>
          <input
            id={field}
            value={reason}
            placeholder="Optional"
            // biome-ignore lint/a11y/noAutofocus: the button that led here is gone
            autoFocus
            onChange={(event) => setReason(event.target.value)}
          />
          <div className="actions">
            <button type="submit" className="danger">
              Deny
            </button>
            <BackButton onBack={() => setMode("ask")} />
          </div>
        </>
      )}
    </form>
  )
}

/** Leads back to the question as it was when it came: with the focus on the dialog, not on a button. */
const BackButton = ({ onBack }: { readonly onBack: () => void }) => (
  <button
    type="button"
    onClick={({ currentTarget }) => {
      currentTarget.closest("dialog")?.focus()
      onBack()
    }}
  >
    Back
  </button>
)

/** Whether the answer may be for all of the session. */
const takesAlways = (schema: Interrupt["responseSchema"]): boolean => {
  const properties = schema?.["properties"]
  return isRecord(properties) && Object.hasOwn(properties, "always")
}

const told = ["command", "cwd", "description", "file_path", "notebook_path", "path", "url", "query", "skill"]

/** Whether the arguments say more than the question does. */
const hasMore = (input: unknown): boolean => Object.keys(input ?? {}).some((key) => !told.includes(key))

const editProblem = (text: string): string | undefined => {
  const value = parseJson(text)
  if (value === undefined) return jsonProblem(text)
  return isRecord(value) ? undefined : "The arguments must be a JSON object, in braces."
}

const jsonProblem = (text: string): string => {
  try {
    JSON.parse(text)
    return ""
  } catch (error) {
    return `Not JSON yet: ${error instanceof Error ? error.message : String(error)}`
  }
}
