/** Small programs that stand in for the CLI, each with one fault, and ways to look at what they leave behind. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

/** A folder for a test, removed with its scope. */
export const scratch = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "agentwire-bridge-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
)

/** Writes a script and gives its path. */
export const writeScript = (folder: string, name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text, { mode: 0o755 })
  return file
}

/** A script as a program under guard. */
export const nodeCommand = (folder: string, text: string, env: Readonly<Record<string, string>> = {}) => ({
  program: process.execPath,
  args: [writeScript(folder, "fake.cjs", text)],
  cwd: folder,
  env: { PATH: process.env["PATH"] ?? "", ...env }
})

/** Whether a process is there and not only waiting to be noticed. */
export const isAlive = (pid: number): boolean => {
  const state =
    process.platform === "linux" ? stateOnLinux(pid) : ps("pid=,stat=").find(([id]) => Number(id) === pid)?.[1]
  return state !== undefined && !state.startsWith("Z")
}

/** Tests ask many times over, and `ps` is a process each time. The name before the state may have anything in it. */
const stateOnLinux = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)
  } catch {
    return undefined // it is gone
  }
}

/** The processes of a group that are not zombies. */
export const groupOf = (pgid: number): ReadonlyArray<number> =>
  ps("pid=,pgid=,stat=").flatMap(([pid, group, state]) =>
    Number(group) === pgid && state?.startsWith("Z") === false ? [Number(pid)] : []
  )

const ps = (columns: string): ReadonlyArray<ReadonlyArray<string>> =>
  execFileSync("ps", ["-A", "-o", columns], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))

/** Waits until something holds. The limit is there to end a hang, and long: a busy machine takes its time. */
export const eventually = (holds: () => boolean, seconds = 60): Effect.Effect<void, Error> =>
  Effect.gen(function* () {
    while (!holds()) yield* Effect.sleep("50 millis")
  }).pipe(
    Effect.timeoutOrElse({
      duration: `${seconds} seconds`,
      orElse: () => Effect.fail(new Error(`not within ${seconds} s: ${holds}`))
    })
  )

/** The processes whose working folder this is: those of an agent that was launched there, Bash commands included. */
export const livingIn = (folder: string): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder ? [Number(pid)] : []
    } catch {
      return [] // it ended, or is somebody else's
    }
  })
