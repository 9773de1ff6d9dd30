/**
 * Drives a real CLI with the host's side of a tape, and keeps what was said on a tape of its own, for comparison:
 * does a new release still behave?
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Tape from "@agentwire/protocol/tape"
import { Framer, type Line } from "@agentwire/protocol/wire"
import { Failure } from "../Failure.ts"
import { goneFolders } from "./Folders.ts"

/** Options of {@link replayAsHost}. */
export interface AsHostOptions {
  readonly command: readonly [string, ...ReadonlyArray<string>]
  /** How long the CLI may be silent before the host continues, or ends it when it has said all. Default 10 s. */
  readonly quietMs?: number
}

/** What came of it. */
export interface Driven {
  /** What was said now. */
  readonly tape: Tape.Tape
  /** Questions of the CLI that the tape has no answer to. */
  readonly unknown: ReadonlyArray<string>
  /** The CLI did not end by itself. */
  readonly killed: boolean
}

/** Plays the host to a CLI that it starts, until the CLI ends. Rejects when it cannot be started. */
export const replayAsHost = async (tape: Tape.Tape, options: AsHostOptions): Promise<Driven> => {
  const { command, quietMs = 10_000 } = options
  const [program, ...args] = command
  const host = new Tape.HostReplay(tape.frames, tape.header.runtime.name)
  for (const folder of goneFolders(tape)) host.renamer.ids.bind(folder, process.cwd())
  const frames: Array<Tape.Frame> = []
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] })
  // Who ends us ends the CLI, and gets to hear how far it came.
  const onExit = () => child.kill("SIGKILL")
  const onSignal = (signal: NodeJS.Signals) => child.kill(signal)
  process.once("exit", onExit).on("SIGINT", onSignal).on("SIGTERM", onSignal)
  let killed = false

  const move = (moves: ReadonlyArray<Tape.HostMove>) => {
    for (const each of moves) {
      if (each._tag === "Send") {
        frames.push({ _tag: "Data", wait: 0, from: "host", channel: "stdin", data: `${each.line}\n` })
        child.stdin.write(`${each.line}\n`)
      } else if (each._tag === "End") {
        frames.push({ _tag: "Close", wait: 0, from: "host", channel: "stdin" })
        child.stdin.end()
      } else {
        frames.push({ _tag: "Marker", wait: 0, text: `signal ${each.signal}` })
        child.kill(each.signal as NodeJS.Signals)
      }
    }
  }

  // Silence is what a live agent answers with when it waits for something it did not wait for on the tape.
  const onQuiet = () => {
    if (!host.isOver) move(host.continueAfterSilence())
    else if (child.stdin.writable) move([{ _tag: "End" }])
    else {
      killed = true
      child.kill("SIGKILL")
    }
    quiet.refresh()
  }
  const quiet = setTimeout(onQuiet, quietMs)

  const framer = new Framer()
  const take = (lines: ReadonlyArray<Line>) => {
    for (const { text } of lines) {
      frames.push({ _tag: "Data", wait: 0, from: "agent", channel: "stdout", data: `${text}\n` })
      if (text.trim() !== "") move(host.receiveLine(text))
    }
  }
  child.stdout.on("data", (chunk: Buffer) => {
    quiet.refresh()
    take(framer.push(chunk))
  })
  child.stderr.on("data", (chunk: Buffer) => {
    frames.push({ _tag: "Data", wait: 0, from: "agent", channel: "stderr", data: Tape.payloadOf(chunk) })
  })
  // A CLI that has ended takes no more; that it ended is on the tape.
  child.stdin.on("error", () => undefined)
  try {
    const closed = new Promise<Pick<Tape.ExitFrame, "code" | "signal">>((resolve) => {
      child.once("close", (code, signal) => resolve({ code, signal }))
    })
    await once(child, "spawn")
    move(host.begin())
    const end = await closed
    take(framer.end())
    frames.push({ _tag: "Exit", wait: 0, ...end })
    return { tape: { header: { ...tape.header, argv: args }, frames }, unknown: host.unknownQuestions, killed }
  } catch (error) {
    throw new Failure(`Cannot start ${program}: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error
    })
  } finally {
    clearTimeout(quiet)
    process.off("exit", onExit).off("SIGINT", onSignal).off("SIGTERM", onSignal)
  }
}
