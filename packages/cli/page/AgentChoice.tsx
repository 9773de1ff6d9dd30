/** Which agent a new thread is with, where the bridge has several kinds. */
import { useContext, useId } from "react"
import { AgentContext, type ThreadAgent } from "./Agents.ts"

/** What the choice is given. */
export type AgentChoiceProps = Pick<ThreadAgent, "choices" | "choose" | "refusal">

/** The choice; nothing where there is none. */
export const AgentChoice = ({ choices, choose, refusal }: AgentChoiceProps) => {
  const { kind } = useContext(AgentContext)
  const name = useId()
  if (choices.length < 2 && refusal === undefined) return null
  return (
    <fieldset className="agents">
      <legend>Agent</legend>
      {choices.map((each) => (
        <label key={each.kind} className="agents-one">
          <input type="radio" name={name} checked={each.kind === kind} onChange={() => choose(each.kind)} />
          {each.name}
        </label>
      ))}
      {refusal !== undefined && (
        <p className="wrong" role="alert">
          {refusal}
        </p>
      )}
    </fieldset>
  )
}
