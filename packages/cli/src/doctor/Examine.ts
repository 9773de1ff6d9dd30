/** What `agentwire doctor` does: examines the machine, and says what was found. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure } from "../Failure.ts"
import { progressBar } from "../ProgressBar.ts"
import { stopSignal } from "../serve/StopSignal.ts"
import { checks, runChecks } from "./Doctor.ts"
import { doctorText } from "./DoctorText.ts"
import type { DoctorReport } from "./Finding.ts"
import { machine } from "./Machine.ts"
import type { DoctorOptions } from "./Surroundings.ts"

/** Looks at everything, and says what was found. */
export const examine = async (options: DoctorOptions, isJson: boolean, console: Console): Promise<ExitCode> => {
  const report = await examined(options, console)
  await console.out(isJson ? JSON.stringify(report) : doctorText(report, checks, console.paint))
  return report.ok ? 0 : 1
}

const examined = async (options: DoctorOptions, console: Console): Promise<DoctorReport> => {
  const stop = stopSignal((code) => process.exit(code))
  const bar = progressBar(checks.length, console.progress)
  try {
    const exit = await Effect.runPromiseExit(
      Effect.flatMap(machine(options, process.env), (here) =>
        runChecks(here, { onStart: ({ title }) => bar.start(title), onEnd: ({ title }) => bar.end(title) })
      ),
      { signal: stop.signal }
    )
    if (Exit.isSuccess(exit)) return exit.value
    if (stop.signal.aborted) throw new Failure("Stopped before everything was checked.")
    return await Effect.runPromise(exit)
  } finally {
    stop.forget()
  }
}
