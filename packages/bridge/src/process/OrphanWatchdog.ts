/**
 * Starts a program so that nothing of it outlives the bridge, not even after `kill -9`.
 *
 * The program runs in a session of its own. Beside it runs a watchdog, a few lines of POSIX shell that wait for
 * the end of a pipe only the bridge holds: when the bridge lets go or dies, the watchdog kills what is left, then
 * itself. The process group is not enough: Claude Code starts every Bash command in a session of its own (2.1.37
 * to 2.1.325), and a CLI that gets SIGKILL, or SIGTERM before 2.1.325, leaves it behind. So the program carries a
 * mark in its environment, which its children inherit and by which the watchdog finds them.
 *
 * Out of reach: a process that left its group and cleared its environment or changed its user; without `/proc`
 * (macOS), one that left its group and whose parent is gone; on Windows, all but the program itself, and that one
 * when the bridge is killed.
 */
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import type { Duplex, Readable, Writable } from "node:stream"

/** The environment variable that carries the marks of the agents a process belongs to, outermost first. */
export const markVariable = "AGENTWIRE_AGENT"

/**
 * `$0` is the mark, the rest is the command line; descriptor 3 is the pipe.
 *
 * The watchdog is forked twice, so that it is no child of the program, ignores what ends the group, and holds none
 * of the program's pipes. `$$` is the program's pid even there, and names its group; as long as the watchdog is in
 * the group, nobody else can get that number. Its own environment has no mark: a shell's `export` does not change
 * what `/proc` shows of it.
 */
const script = `
( (
  trap '' HUP INT TERM
  exec <&3 3<&- >/dev/null 2>&1
  cd /
  PATH="$PATH:/usr/bin:/bin"
  read -r end
  kill -STOP $$
  round=0
  while [ $round -lt 5 ]; do
    if [ -r /proc/self/environ ]; then
      found=$(grep -lsF -- "$0" /proc/[0-9]*/environ | tr -dc '0-9\\n')
    else
      found=$(ps -A -o pid= -o ppid= | awk -v top=$$ '
        { parent[$1] = $2 }
        END { for (p in parent) for (q = p; q > 1 && (q in parent); q = parent[q]) if (q == top) { print p; break } }')
    fi
    [ -n "$found" ] || break
    for pid in $found; do [ $pid = $$ ] || kill -KILL -$pid; kill -KILL $pid; done
    round=$((round + 1))
  done
  kill -KILL -$$
) & )
${markVariable}="\${${markVariable}:+$${markVariable}/}$0"
export ${markVariable}
exec "$@" 3<&-
`

/** A program to start. */
export interface GuardedCommand {
  /** Its absolute path. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A program under guard. Its three standard streams are pipes. */
export interface Guarded {
  readonly child: ChildProcess
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Sends a signal to the program and its group, if it still runs. */
  readonly signal: (name: NodeJS.Signals) => void
  /** Kills everything that is left. Calls back when it is done. */
  readonly killAll: (done: () => void) => void
}

/**
 * Starts a program under guard. What cannot be started makes `child` emit `error`, as with `spawn`; a program that
 * is not there or not executable makes it exit with 127 or 126.
 */
export const spawnGuarded = (command: GuardedCommand, platform: NodeJS.Platform = process.platform): Guarded =>
  platform === "win32" ? spawnPlain(command) : spawnWatched(command)

const spawnWatched = ({ args, cwd, env, program }: GuardedCommand): Guarded => {
  const options: SpawnOptions = { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe", "pipe"] }
  const child = spawn("/bin/sh", ["-c", script, randomUUID(), program, ...args], options)
  // Absent, like the other streams, when the process could not even be forked; `error` is emitted then.
  const lifeline = child.stdio[3] as Duplex | undefined
  // Nothing ever comes, but the end of the watchdog is only noticed by reading.
  lifeline?.resume().on("error", () => undefined)
  return {
    ...streamsOf(child),
    signal: (name) => {
      if (isAlive(child)) signalGroup(child, name)
    },
    killAll: (done) => {
      if (lifeline === undefined || lifeline.destroyed) done()
      else lifeline.once("close", done).end()
    }
  }
}

const spawnPlain = ({ args, cwd, env, program }: GuardedCommand): Guarded => {
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
  return {
    ...streamsOf(child),
    signal: (name) => void child.kill(name),
    killAll: (done) => {
      if (!isAlive(child)) return done()
      child.once("exit", done)
      child.kill("SIGKILL")
    }
  }
}

const streamsOf = (child: ChildProcess): Pick<Guarded, "child" | "stdin" | "stdout" | "stderr"> => ({
  child,
  stdin: child.stdin as Writable,
  stdout: child.stdout as Readable,
  stderr: child.stderr as Readable
})

const isAlive = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

const signalGroup = (child: ChildProcess, name: NodeJS.Signals): void => {
  try {
    process.kill(-(child.pid ?? 0), name)
  } catch (cause) {
    // ESRCH: it ended a moment ago. EPERM, on macOS, says the same of a group of zombies.
    if (!isGone(cause)) throw cause
  }
}

const isGone = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "ESRCH" || cause.code === "EPERM")
