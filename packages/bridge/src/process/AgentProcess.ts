/**
 * The process of an agent as a resource: guarded, ended in stages, with the last lines of its stderr.
 */
import type { Readable } from "node:stream"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type AgentExit, LaunchFailed } from "./AgentLife.ts"
import type { AgentTap } from "./AgentTap.ts"
import { LastLines } from "./LastLines.ts"
import { type Guarded, type GuardedCommand, spawnGuarded } from "./OrphanWatchdog.ts"

/** How a process is treated. */
export interface ProcessOptions {
  /** How long each stage of the end may take, in milliseconds, before the next one. Default 2,000. */
  readonly graceMs?: number
  /** How many lines of stderr are kept. Default 100. */
  readonly stderrLines?: number
  /** Sees the raw bytes. */
  readonly tap?: AgentTap | undefined
}

/** The process of an agent. It is gone, with all it started, when its scope is closed. */
export interface AgentProcess extends Pick<Guarded, "stdin" | "stdout"> {
  readonly pid: number
  /** Waits until it and everything it started are gone. */
  readonly exit: Effect.Effect<AgentExit>
  /** How it ended, once it has. */
  readonly exited: () => AgentExit | undefined
  /** Calls back when it is gone. */
  readonly onExit: (call: () => void) => void
  /**
   * Gives the process up: unless it ends within the grace period, it is killed. The reason becomes the last line of its
   * stderr.
   */
  readonly giveUp: (why: string) => void
}

/** How long a pipe may stay open and silent after the end of its process: something out of reach holds it. */
const silenceMs = 500

/** How a process is first asked to end: what makes this kind of agent end by itself. */
export type EndRequest = "close-stdin" | "sigint" | "sigterm"

/** Starts the process of an agent. */
export const startProcess = (
  command: GuardedCommand,
  endRequest: EndRequest,
  { graceMs = 2000, stderrLines = 100, tap }: ProcessOptions = {}
): Effect.Effect<AgentProcess, LaunchFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Started, LaunchFailed>((resume) => {
      const failed = (cause: unknown) =>
        resume(
          Effect.fail(
            new LaunchFailed({
              code: "SPAWN_FAILED",
              message: `${command.program} cannot be started: ${cause instanceof Error ? cause.message : String(cause)}`
            })
          )
        )
      let guarded: Guarded
      try {
        // Arguments that are too many or have a NUL in them make spawn throw.
        guarded = spawnGuarded(command)
      } catch (cause) {
        failed(cause)
        return
      }
      const { child } = guarded
      child.once("error", failed)
      child.once("spawn", () => resume(Effect.succeed(watch(guarded, child.pid ?? 0, { graceMs, stderrLines, tap }))))
    }),
    ({ guarded, process }) => endProcess(guarded, process, endRequest, graceMs)
  ).pipe(Effect.map(({ process }) => process))

interface Started {
  readonly guarded: Guarded
  readonly process: AgentProcess
}

const watch = (guarded: Guarded, pid: number, { graceMs, stderrLines, tap }: Required<ProcessOptions>): Started => {
  const { child, stderr, stdin, stdout } = guarded
  const ended = Deferred.makeUnsafe<AgentExit>()
  const last = new LastLines(stderrLines)
  const calls: Array<() => void> = []
  let exited: AgentExit | undefined
  stderr.on("data", (chunk: Uint8Array) => {
    last.push(chunk)
    tap?.data("agent", "stderr", chunk)
  })
  for (const stream of [stderr, stdout, stdin]) {
    // A pipe that breaks is followed by the end of the process, and that is what counts.
    stream.on("error", () => undefined)
  }
  child.on("error", () => undefined)
  child.once("exit", (code, signal) => {
    guarded.killAll(() => {
      stdin.destroy()
      closeWhenSilent(stdout, () => undefined)
      closeWhenSilent(stderr, () => {
        exited = { code, signal, stderr: last.text }
        tap?.exit(exited)
        Deferred.doneUnsafe(ended, Effect.succeed(exited))
        for (const call of calls) call()
      })
    })
  })
  const onExit = (call: () => void) => {
    if (exited === undefined) calls.push(call)
    else call()
  }
  let givenUp = false
  const giveUp = (why: string) => {
    if (givenUp) return
    givenUp = true
    const timer = setTimeout(() => {
      last.push(Buffer.from(`\n${why}\n`))
      guarded.signal("SIGKILL")
    }, graceMs)
    child.once("exit", () => clearTimeout(timer))
    if (child.exitCode !== null || child.signalCode !== null) clearTimeout(timer)
  }
  const exit = Deferred.await(ended)
  return { guarded, process: { pid, stdin, stdout, exit, exited: () => exited, onExit, giveUp } }
}

/** Reads the pipe of a process that is gone to its end, or until nothing comes though somebody reads. */
const closeWhenSilent = (pipe: Readable, closed: () => void): void => {
  if (pipe.closed) {
    closed()
    return
  }
  let heard = true
  pipe.on("data", () => {
    heard = true
  })
  const timer = setInterval(() => {
    if (!heard && !pipe.isPaused()) pipe.destroy()
    heard = false
  }, silenceMs)
  pipe.once("close", () => {
    clearInterval(timer)
    closed()
  })
}

/** Its own end request, SIGTERM to its group, the guard's SIGKILL: each when the one before did not help in time. */
const endProcess = (
  guarded: Guarded,
  process: AgentProcess,
  endRequest: EndRequest,
  graceMs: number
): Effect.Effect<void> => {
  const endsWithin = Effect.interruptible(process.exit).pipe(
    Effect.timeoutOption(Duration.millis(graceMs)),
    Effect.map(Option.isSome)
  )
  return Effect.gen(function* () {
    if (endRequest === "close-stdin") {
      guarded.stdin.end()
      if (yield* endsWithin) return
    }
    if (endRequest === "sigint") {
      guarded.signal("SIGINT")
      if (yield* endsWithin) return
    }
    guarded.signal("SIGTERM")
    if (yield* endsWithin) return
    guarded.killAll(() => undefined)
    yield* process.exit
  }).pipe(
    // Nobody will read on: a full pipe would stay open for ever.
    Effect.andThen(Effect.sync(() => guarded.stdout.isPaused() && guarded.stdout.destroy())),
    Effect.asVoid
  )
}

/** How an agent ended, in a sentence, with what its stderr says about it. */
export const describeExit = (exit: AgentExit | undefined): string => {
  if (exit === undefined) return "The agent does not listen any more."
  const lines = exit.stderr.split("\n")
  // After an exception Node's last line is its own version.
  const words = lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? ""
  const how = exit.signal === null ? `with code ${exit.code}` : `by ${exit.signal}`
  return `The agent ended ${how}${words === "" ? "." : `: ${words}`}`
}
