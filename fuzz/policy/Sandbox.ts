/**
 * Where the real bash may run texts that nobody has read: empty folders, an empty environment, and a PATH that holds
 * nothing but programs that run others and stubs that only tell how they were called.
 *
 * Many texts are run by one driver, one after the other, each by a `bash -c` of its own in a folder of its own. What a
 * text starts holds a pipe, and the driver waits for the end of that. Nothing can write much, run long, or start many
 * processes, and root becomes nobody.
 */
import { spawn } from "node:child_process"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { asNobody, giveToNobody } from "./Nobody.ts"

/** What a text did. */
export interface Run {
  /** The calls of programs that are not real here, each as its words. */
  readonly calls: ReadonlyArray<ReadonlyArray<string>>
  /** The files it left in its folder. */
  readonly files: ReadonlyArray<string>
  /** It was ended because it took too long. */
  readonly isTimedOut: boolean
}

/** A place to run texts. */
export interface Sandbox {
  readonly run: (texts: ReadonlyArray<string>) => Promise<ReadonlyArray<Run>>
  /** Ends what runs, and removes the folder. */
  readonly close: () => void
}

/** Stubs that programs other than bash can start. Whatever else bash does not find tells of itself, too. */
const stubs = ["echo", "ls", "rm", "true"]

/** Real programs that run others. */
const real = ["bash", "env", "find", "nice", "nohup", "sh", "timeout", "xargs"]

const textMark = "\x1d"
const callMark = "\x1e"
const wordMark = "\x1f"
const timeLimit = 10_000

/** A text that tells of itself where all is well. */
const probe = "rm probe"

/** Tells of a call: one printf is one write, which others do not come between. */
const telling = (name: string, args: string, log: string): string =>
  `printf '%s\\037' "${callMark}${name}" ${args} >> ${log}`

/** Runs the texts it is given, each in the folder with its number. */
const driver = (log: string): string => `
ulimit -c 0 -f 256 -n 64 -t 1
ulimit -u 256 2>&-
at=0
for text
do
  printf '${textMark}%s' "$at" >> ${log}
  { cd "$at" && exec "$BASH" -c "$text" x 9>&1 > ../sink 2>&1 < ../empty; } | read -r nothing
  at=$((at + 1))
done
`

/** Makes a sandbox. */
export const makeSandbox = (): Sandbox => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-fuzz-"))
  const bin = join(folder, "bin")
  const work = join(folder, "work")
  const log = join(folder, "log")
  mkdirSync(bin)
  for (const name of stubs) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${telling(`\${0##*/}`, '"$@"', log)}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  for (const name of real) symlinkSync(`/usr/bin/${name}`, join(bin, name))
  chmodSync(folder, 0o755)
  const env = {
    PATH: bin,
    HOME: homedir(),
    LC_ALL: "C.UTF-8",
    FUNCNEST: "3",
    "BASH_FUNC_command_not_found_handle%%": `() {  local name=$1; shift; ${telling("$name", '"$@"', log)}\n}`
  }
  let end: () => void = () => undefined

  const runSome = (texts: ReadonlyArray<string>): Promise<ReadonlyArray<Run>> =>
    new Promise((resolve, reject) => {
      rmSync(work, { recursive: true, force: true })
      mkdirSync(work)
      for (const at of texts.keys()) {
        mkdirSync(join(work, String(at)))
        giveToNobody(join(work, String(at)))
      }
      for (const file of [log, join(work, "sink"), join(work, "empty")]) {
        writeFileSync(file, "")
        giveToNobody(file)
      }
      const child = spawn("/bin/bash", ["-c", driver(log), "driver", ...texts], {
        cwd: work,
        env,
        stdio: "ignore",
        detached: true,
        ...asNobody
      })
      let isTimedOut = false
      end = () => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
        } catch {
          // The group is gone.
        }
      }
      const timer = setTimeout(() => {
        isTimedOut = true
        end()
      }, timeLimit)
      child.on("error", reject)
      child.on("close", () => {
        clearTimeout(timer)
        end()
        const told = readFileSync(log, "utf8").split(textMark).slice(1)
        resolve(told.map((lines, at) => runOf(lines, join(work, String(at)), isTimedOut && at === told.length - 1)))
      })
    })

  const run = async (texts: ReadonlyArray<string>): Promise<ReadonlyArray<Run>> => {
    const runs: Array<Run> = []
    while (runs.length < texts.length) {
      const [first, ...others] = await runSome([probe, ...texts.slice(runs.length)])
      // Silence of a sandbox that runs nothing must not pass for innocence.
      if (first?.calls[0]?.join(" ") !== probe || others.length === 0) throw new Error("the sandbox runs nothing")
      runs.push(...others)
    }
    return runs
  }

  return {
    run,
    close: () => {
      end()
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

const runOf = (told: string, folder: string, isTimedOut: boolean): Run => {
  const [, ...calls] = told.split(callMark)
  return { calls: calls.map((call) => call.split(wordMark).slice(0, -1)), files: readdirSync(folder), isTimedOut }
}
