/** Loads reports that `--json` wrote, each as one run, to be put side by side. */
import { createReadStream, existsSync } from "node:fs"
import { gunzipped } from "@agentwire/fixtures"
import { Failure, fileFailure } from "../Failure.ts"
import { JsonReport } from "./report/ReadJson.ts"
import type { Run } from "./Subject.ts"

/** The runs of some reports, given as `FILE` or `NAME=FILE`. Throws a {@link Failure} for what is not a report. */
export const loadReports = async (args: ReadonlyArray<string>, strict: boolean): Promise<ReadonlyArray<Run>> => {
  const loaded: Array<{ readonly file: string; readonly run: Run }> = []
  for (const arg of args) {
    const { file, name } = split(arg)
    loaded.push({ file, run: await load(file, name, strict) })
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

const load = async (file: string, name: string | undefined, strict: boolean): Promise<Run> => {
  const report = new JsonReport(file)
  try {
    for await (const chunk of gunzipped(createReadStream(file, { highWaterMark: 1 << 18 }))) report.push(chunk)
  } catch (error) {
    throw error instanceof Failure ? error : fileFailure(file, error)
  }
  return report.end(name, strict)
}
