/**
 * Stands between a host and an agent that speak over stdin, stdout and stderr, so that neither notices.
 *
 * Bytes, ends, back-pressure, signals and the exit code go through unchanged. The agent stays in the recorder's
 * process group, so that whoever ends the group ends both.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { fstatSync } from "node:fs"
import { Socket } from "node:net"
import { constants } from "node:os"
import type { Readable, Writable } from "node:stream"
import { isatty } from "node:tty"
import { type Pump, startPump } from "./Pump.ts"
import type { Tap } from "./TapEvent.ts"

/** The recorder's own ends of the wire. */
export interface RecorderIo {
  /** `inherit` gives the agent our own stdin: a terminal must stay one. */
  readonly stdin: Readable | "inherit"
  readonly stdout: Writable
  /** Left open at the end: there may be something to say about the tape. */
  readonly stderr: Writable
}

/** How the agent's process ended. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Options of {@link recordProcess}. */
export interface RecordProcessOptions {
  readonly command: readonly [string, ...ReadonlyArray<string>]
  readonly io: RecorderIo
  readonly tap: Tap
  /** Whether a terminal sends its signals to the agent, too. */
  readonly terminal?: boolean
  /** How long output may stay away once the agent is gone and something else holds its stdout. Default 250 ms. */
  readonly lingerMs?: number
}

const forwarded: ReadonlyArray<NodeJS.Signals> = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"]

/** What a terminal sends to every process of its foreground group; forwarding it would send it twice. */
const fromTerminal = new Set<NodeJS.Signals>(["SIGINT", "SIGQUIT", "SIGHUP"])

/** Runs the agent to its end. Rejects only when it cannot be started. */
export const recordProcess = async (options: RecordProcessOptions): Promise<ProcessEnd> => {
  const { command, io, lingerMs = 250, tap, terminal = false } = options
  const [program, ...args] = command
  let child: ChildProcess | undefined
  const note = (signal: NodeJS.Signals) => tap({ _tag: "Marker", text: `signal ${signal}` })
  return withForwardedSignals(
    (signal) => child?.kill(signal),
    terminal,
    () => {
      child = spawn(program, args, { stdio: [io.stdin === "inherit" ? "inherit" : "pipe", "pipe", "pipe"] })
      return follow(child, io, tap, lingerMs)
    },
    note
  )
}

/** Passes the signals of this process on while something runs; those of a terminal reach the other by themselves. */
export const withForwardedSignals = async <A>(
  send: (signal: NodeJS.Signals) => void,
  terminal: boolean,
  run: () => Promise<A>,
  note: (signal: NodeJS.Signals) => void = () => undefined
): Promise<A> => {
  const listeners = forwarded.map((signal) => {
    const listener = () => {
      note(signal)
      if (!(terminal && fromTerminal.has(signal))) send(signal)
    }
    process.on(signal, listener)
    return () => process.off(signal, listener)
  })
  try {
    return await run()
  } finally {
    for (const remove of listeners) remove()
  }
}

const follow = async (child: ChildProcess, io: RecorderIo, tap: Tap, lingerMs: number): Promise<ProcessEnd> => {
  const exited = new Promise<ProcessEnd>((resolve, reject) => {
    child.once("exit", (code, signal) => resolve({ code, signal }))
    child.once("error", reject)
  })
  const pumps: Array<Pump> = []
  if (io.stdin !== "inherit" && child.stdin !== null) {
    startPump({
      source: io.stdin,
      sink: child.stdin,
      onData: (bytes) => tap({ _tag: "Data", from: "host", channel: "stdin", bytes }),
      onEnd: () => tap({ _tag: "Close", from: "host", channel: "stdin" }),
      onGone: () => undefined // the agent reads no more; its exit says the rest
    })
  } else tap({ _tag: "Marker", text: "stdin is a terminal and not on this tape" })
  for (const channel of ["stdout", "stderr"] as const) {
    const source = child[channel]
    if (source === null) continue
    pumps.push(
      startPump({
        source,
        sink: io[channel],
        endSink: channel === "stdout",
        onData: (bytes) => tap({ _tag: "Data", from: "agent", channel, bytes }),
        onEnd: () => tap({ _tag: "Close", from: "agent", channel }),
        onGone: () => tap({ _tag: "Marker", text: `the host reads ${channel} no more` })
      })
    )
  }
  const end = await exited
  await drained(pumps, lingerMs)
  tap({ _tag: "Exit", code: end.code, signal: end.signal })
  return end
}

/** Waits for the rest of the output, but not for a process the agent left behind with its stdout. */
const drained = async (pumps: ReadonlyArray<Pump>, lingerMs: number): Promise<void> => {
  const timer = setInterval(() => {
    for (const each of pumps) if (each.idleFor(lingerMs)) each.stop()
  }, 50)
  await Promise.all(pumps.map(({ done }) => done))
  clearInterval(timer)
}

/** The streams of this process, as a recorder needs them: an output that is a pipe can be closed early. */
export const processIo = (): RecorderIo => ({
  stdin: isatty(0) ? "inherit" : process.stdin,
  stdout: isPipe(1) ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout,
  stderr: process.stderr
})

/** Whether this process is run from a terminal. */
export const hasTerminal = (): boolean => [0, 1, 2].some((fd) => isatty(fd))

const isPipe = (fd: number): boolean => {
  const stat = fstatSync(fd)
  return stat.isFIFO() || stat.isSocket()
}

/**
 * Ends this process as the agent ended, by the same signal where it was one. A process with a write that never
 * comes back cannot end in the usual way (Node waits for its threads): it is killed.
 */
export const exitLike = async ({ code, signal }: ProcessEnd, stuck = false): Promise<never> => {
  if (stuck) process.kill(process.pid, "SIGKILL")
  if (signal !== null) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
    // Some signals cannot end Node (SIGPIPE), or not the first process of a container: a shell's number instead.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal])
}
