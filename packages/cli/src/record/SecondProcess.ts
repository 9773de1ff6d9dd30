/**
 * Keeps the session and its tape in two processes, so that neither can harm the other.
 *
 * The recorder starts a second process that inherits its stdin, stdout and stderr and stands between host and agent;
 * what happens there comes back over a channel of its own and is redacted and written here. A long redaction delays no
 * byte, and a recorder that is killed leaves the session running: the other process holds the pipes of the host.
 */
import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { devNull } from "node:os"
import { ownCommand } from "../Executable.ts"
import { hasTerminal, type ProcessEnd, processIo, recordProcess, withForwardedSignals } from "./Recorder.ts"
import type { Tap } from "./TapEvent.ts"

/** The option that makes `agentwire record` the second process. Not for people. */
export const secondProcessOption = "between"

/** An event as the second process sends it: when it arrives is when it happened. */
type Told = { readonly _tag: "Told"; readonly event: Parameters<Tap>[0] }

/** How it ended, or why it could not start. */
type Ended =
  | { readonly _tag: "Ended"; readonly end: ProcessEnd }
  | { readonly _tag: "NotStarted"; readonly code: string; readonly message: string }

/** How much may wait for a recorder that does not keep up. Beyond it the tape is cut, not the session. */
const maxBacklogBytes = 128 * 1024 * 1024

/** Options of {@link recordInSecondProcess}. */
export interface SecondProcessOptions {
  readonly command: readonly [string, ...ReadonlyArray<string>]
  readonly tap: Tap
}

/** Runs the agent behind a second process, to its end. Rejects, with its code, when it cannot be started. */
export const recordInSecondProcess = async ({ command, tap }: SecondProcessOptions): Promise<ProcessEnd> => {
  const [node = process.execPath, ...again] = [...ownCommand(), "record", `--${secondProcessOption}`, "--", ...command]
  const between = spawn(node, again, {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    serialization: "advanced"
  })
  letGoOf(0, "r")
  letGoOf(1, "w")
  let ended: Ended | undefined
  between.on("message", (message: Told | Ended) => {
    if (message._tag === "Told") tap(message.event)
    else ended = message
  })
  const exited = new Promise<ProcessEnd>((resolve, reject) => {
    between.once("error", reject)
    // `close` comes after the last message.
    between.once("close", (code, signal) => resolve({ code, signal }))
  })
  const end = await withForwardedSignals(
    (signal) => between.kill(signal),
    hasTerminal(),
    () => exited
  )
  if (ended?._tag === "NotStarted") throw Object.assign(new Error(ended.message), { code: ended.code })
  return ended?.end ?? end
}

/** The host must see the end of a pipe when the other process closes it; so this one may not hold it, too. */
const letGoOf = (fd: 0 | 1, mode: "r" | "w"): void => {
  closeSync(fd)
  // The lowest free number is taken, so that nothing else ever stands where stdin and stdout were.
  openSync(devNull, mode)
}

/** Is the second process: stands between host and agent, and tells the recorder for as long as there is one. */
export const runSecondProcess = async (command: readonly [string, ...ReadonlyArray<string>]): Promise<ProcessEnd> => {
  let backlog = 0
  let cut = false
  const tell = (message: Told | Ended, bytes: number) =>
    new Promise<void>((resolve) => {
      if (!process.connected) return resolve()
      backlog += bytes
      // A recorder that is gone is not a failure of the session.
      process.send?.(message, () => {
        backlog -= bytes
        resolve()
      })
    })
  const tap: Tap = (event) => {
    if (cut) return
    const bytes = sizeOf(event)
    cut = backlog + bytes > maxBacklogBytes
    const told = cut ? ({ _tag: "Marker", text: "the tape stops here: the recorder is too slow" } as const) : event
    void tell({ _tag: "Told", event: told }, bytes)
  }
  process.on("disconnect", () => undefined) // without the channel the session continues, without its tape
  try {
    const end = await recordProcess({ command, io: processIo(), terminal: hasTerminal(), tap })
    await tell({ _tag: "Ended", end }, 0)
    return end
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    await tell({ _tag: "NotStarted", code, message: error instanceof Error ? error.message : String(error) }, 0)
    return { code: 126, signal: null }
  }
}

const sizeOf = (event: Parameters<Tap>[0]): number => (event._tag === "Data" ? event.bytes.length : 0)
