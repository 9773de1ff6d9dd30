/** Says what is wrong with a value, and where, in words a person can act on. */
import { mendValue } from "./Mend.ts"
import type { Problem } from "./Problem.ts"
import type { Shape } from "./Shape.ts"

/** The first thing that is wrong with a value that `Check` refused. */
export const firstProblem = (shape: Shape, value: unknown): Problem =>
  mendValue(shape, value).problems[0] ?? {
    path: [],
    pattern: [],
    message: "does not fit its schema",
    found: value,
    breaks: true
  }
