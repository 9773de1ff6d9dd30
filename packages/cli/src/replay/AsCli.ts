/**
 * Stands in for the recorded program: reads what a host writes to standard input, and says on standard output
 * and standard error what the tape has, with the tape's exit code.
 */
import { once } from "node:events"
import { closeSync } from "node:fs"
import { type Readable, Writable } from "node:stream"
import * as Tape from "@agentwire/protocol/tape"
import { Framer, type Line } from "@agentwire/protocol/wire"
import { visible } from "../Paint.ts"
import { runtimes } from "../runtime/Runtimes.ts"
import { type Ending, Player, type PlayOptions } from "./Player.ts"
import { describeMissed } from "./Words.ts"

/** The process a replay is. */
export interface Wires {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Closes a channel for good. */
  readonly shut: (channel: Tape.Channel) => void
  /** Tells of signals that ask to end. */
  readonly onSignal: (listener: (signal: "SIGINT" | "SIGTERM") => void) => void
}

/** The wires of this process. */
export const processWires = (): Wires => ({
  stdin: process.stdin,
  stdout: shown(process.stdout),
  stderr: shown(process.stderr),
  // Ending Node's own streams leaves their descriptors open, and the reader would wait.
  shut: (channel) => {
    if (channel === "stdout") closeSync(1)
    if (channel === "stderr") closeSync(2)
  },
  onSignal: (listener) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => listener(signal))
  }
})

/** On a terminal, what is said is shown as it may be there: JSON still says the same. */
const shown = (stream: NodeJS.WriteStream): Writable => {
  if (stream.isTTY !== true) return stream
  const decoder = new TextDecoder()
  return new Writable({
    write: (bytes: Uint8Array, _, done) => {
      stream.write(visible(decoder.decode(bytes, { stream: true })), done)
    }
  })
}

/** What the shell calls an end by a signal; the CLI ends so when it is asked to. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const

/** Plays the agent's side of a tape on these wires until it ends. */
export const replayAsCli = async (tape: Tape.Tape, options: PlayOptions, wires: Wires): Promise<Ending> => {
  const player = new Player(Tape.scriptOf(tape.frames, tape.header.runtime.name), options, {
    write: (channel, bytes) => write(channel === "stderr" ? wires.stderr : wires.stdout, bytes),
    shut: wires.shut
  })
  // A tape of a WebSocket plays here, too: this connection never drops, and its end is the end.
  const overWs = tape.header.transport === "ws"
  if (overWs) for (const { _tag } of tape.frames) if (_tag === "Open") player.receive({ _tag: "Reopened" })
  const framer = new Framer()
  let staying: NodeJS.Timeout | undefined
  const take = (lines: ReadonlyArray<Line>) => {
    for (const { text } of lines) player.receive({ _tag: "Line", text })
  }
  wires.stdin.on("data", (chunk: Buffer) => take(framer.push(chunk)))
  wires.stdin.on("end", () => {
    take(framer.end())
    player.receive({ _tag: "End" })
    if (overWs) player.receive({ _tag: "Signal" })
    // What is left is a signal: without input, only the process is there to wait for it.
    if (player.awaitedCue?._tag === "HearSignal") staying = setInterval(() => {}, 60_000)
    else player.end({ ...fine, ...unasked(player) })
  })
  wires.onSignal((signal) => {
    player.skipWaits()
    player.receive({ _tag: "Signal" })
    player.end({ ...fine, ...unasked(player), code: signalCodes[signal] })
  })
  // A host that reads no more is gone.
  const gone = once(wires.stdout, "error").then(([error]): Ending => {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return { code: 0, signal: null }
    throw error
  })
  return Promise.race([player.ended, gone]).finally(() => clearInterval(staying))
}

/** How a replay ends of which something was never asked for: found something. */
export const unasked = (player: Player): Pick<Ending, "code" | "words"> | undefined => {
  const words = describeMissed(player.missedLines)
  return words === undefined ? undefined : { code: 1, words }
}

const fine: Ending = { code: 0, signal: null }

const write = (stream: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

/** The ids on the tape's command line, each with the one on this command line. */
export const pairIds = (
  taped: ReadonlyArray<string>,
  now: ReadonlyArray<string>,
  sessionFlags: ReadonlyArray<string> = runtimes.claude.sessionFlags
): ReadonlyArray<readonly [string, string]> =>
  sessionFlags.flatMap((flag) => {
    const then = flagValue(taped, flag)
    const today = flagValue(now, flag)
    return then === undefined || today === undefined ? [] : [[then, today] as const]
  })

const flagValue = (args: ReadonlyArray<string>, flag: string): string | undefined => {
  const joined = args.find((arg) => arg.startsWith(`${flag}=`))
  if (joined !== undefined) return joined.slice(flag.length + 1)
  const at = args.indexOf(flag)
  const value = at === -1 ? undefined : args[at + 1]
  return value?.startsWith("-") === true ? undefined : value
}
