/** Several runs side by side: what each made of each file or scenario. */
import type { Run, Subject } from "../Subject.ts"

/** A row of the matrix: one file or scenario. */
export interface MatrixRow {
  readonly name: string
  readonly title: string | undefined
  /** What each run made of it; undefined where it was not run. */
  readonly cells: ReadonlyArray<Subject | undefined>
}

/** The files and scenarios of all runs, in the order they first come. */
export const matrixRows = (runs: ReadonlyArray<Run>): ReadonlyArray<MatrixRow> => {
  const columns = runs.map(({ subjects }) => new Map(subjects.map((subject) => [subject.name, subject])))
  const names = new Set(runs.flatMap(({ subjects }) => subjects.map(({ name }) => name)))
  return [...names].map((name) => {
    const cells = columns.map((column) => column.get(name))
    return { name, title: cells.find((cell) => cell?.title !== undefined)?.title, cells }
  })
}
