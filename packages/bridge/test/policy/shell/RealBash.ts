/**
 * What the real bash runs: scripts in an empty folder, with a PATH of stubs that only tell how they were called.
 *
 * Everything a script starts holds the pipe on which the stubs tell, so its end is the end of all of them.
 */
import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { asNobody, giveFolderToNobody } from "../../../../../fuzz/policy/Nobody.ts"

/** The names of the stubs. */
const stubs = ["alpha", "beta", "gamma"] as const

/** Real programs that run others. */
const real = ["bash", "cat", "env", "find", "nice", "nohup", "sh", "timeout", "xargs"]

// One printf is one write, which others do not come between.
const stub = `#!/bin/sh
printf '%s\\037' "\x1e\${0##*/}" "$@" >&3
`

/** Fills a folder with the stubs. */
export const makeStubs = (folder: string): void => {
  mkdirSync(join(folder, "bin"))
  mkdirSync(join(folder, "cwd"))
  for (const name of stubs) {
    writeFileSync(join(folder, "bin", name), stub)
    chmodSync(join(folder, "bin", name), 0o755)
  }
  for (const name of real) symlinkSync(`/usr/bin/${name}`, join(folder, "bin", name))
  giveFolderToNobody(folder)
}

/** The calls of stubs that a script makes, each as its words. */
export const runInBash = (folder: string, script: string): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["-c", script], {
      cwd: join(folder, "cwd"),
      // A function that calls itself ends there.
      env: { PATH: join(folder, "bin"), FUNCNEST: "3", LC_ALL: "C.UTF-8" },
      stdio: ["ignore", "ignore", "ignore", "pipe"],
      ...asNobody,
      detached: true
    })
    const kill = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    }
    const timer = setTimeout(kill, 10_000)
    let told = ""
    const pipe = child.stdio[3]
    if (pipe === null || pipe === undefined || !("on" in pipe)) throw new Error("no pipe")
    pipe.on("data", (chunk: Buffer) => {
      told += chunk.toString("utf8")
    })
    child.on("error", reject)
    child.on("close", () => {
      clearTimeout(timer)
      const calls = told.split("\x1e").filter((call) => call !== "")
      resolve(calls.map((call) => call.split("\x1f").slice(0, -1)))
    })
  })
