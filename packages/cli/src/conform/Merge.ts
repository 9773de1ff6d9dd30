/** Loads reports that `--json` wrote, each as one run, to be put side by side. */
import { existsSync } from "node:fs"
import { chunksOf } from "../InputFile.ts"
import { Held, type Limits } from "../Limits.ts"
import { JsonReport } from "./report/ReadJson.ts"
import type { Run } from "./Subject.ts"

/** The runs of some reports, given as `FILE` or `NAME=FILE`. Throws a {@link Failure} for what is not a report. */
export const loadReports = async (
  args: ReadonlyArray<string>,
  strict: boolean,
  limits: Limits
): Promise<ReadonlyArray<Run>> => {
  const loaded: Array<{ readonly file: string; readonly run: Run }> = []
  for (const arg of args) {
    const { file, name } = split(arg)
    loaded.push({ file, run: await load(file, name, strict, limits) })
  }
  // Two reports of one target are told apart by their files.
  return loaded.map(({ file, run }) =>
    loaded.some((other) => other.run !== run && other.run.name === run.name)
      ? { ...run, name: `${run.name} (${file})` }
      : run
  )
}

const split = (arg: string): { readonly file: string; readonly name: string | undefined } => {
  const at = arg.indexOf("=")
  if (at <= 0 || existsSync(arg)) return { file: arg, name: undefined }
  return { file: arg.slice(at + 1), name: arg.slice(0, at) }
}

const load = async (file: string, name: string | undefined, strict: boolean, limits: Limits): Promise<Run> => {
  const report = new JsonReport(file, limits)
  const held = new Held(file, limits)
  for await (const chunk of chunksOf(file)) {
    held.add(chunk.length)
    report.push(chunk)
  }
  return report.end(name, strict)
}
