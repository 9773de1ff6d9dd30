/** A problem in the page: what happened, what the server said, what to do. */
import type { ReactNode } from "react"
import type { Problem } from "./Problem.ts"

/** A problem, with buttons for what can be done at once. */
export const ProblemCard = ({ children, problem }: { readonly problem: Problem; readonly children?: ReactNode }) => (
  <div className="problem" role="alert" data-code={problem.code}>
    <h3>{problem.title}</h3>
    {problem.detail !== "" && <pre>{problem.detail}</pre>}
    <p>{problem.advice}</p>
    {children !== undefined && <div className="actions">{children}</div>}
  </div>
)
