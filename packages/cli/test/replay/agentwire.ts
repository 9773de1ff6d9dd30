/** Runs `agentwire` in a process of its own, for what only a process shows: bytes, ends, exit codes. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"

export { agentwireCommand as agentwire } from "../AgentwireCommand.ts"

/** What a process did. */
export interface Ended {
  readonly out: string
  readonly err: string
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Starts a program and gathers what it says. */
export const start = (
  [program, ...args]: readonly [string, ...ReadonlyArray<string>],
  env: NodeJS.ProcessEnv = process.env,
  cwd?: string
): { readonly child: ChildProcessWithoutNullStreams; readonly ended: Promise<Ended> } => {
  const child = spawn(program, args, { env, cwd })
  let out = ""
  let err = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text
  })
  // It may end before it has read everything.
  child.stdin.on("error", () => undefined)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, signal) => resolve({ out, err, code, signal }))
  })
  return { child, ended }
}
