/** Nothing outlives its guard: not the program, not what it started in sessions of its own. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { markVariable, spawnGuarded } from "../../src/process/OrphanWatchdog.ts"
import { eventually, groupOf, isAlive, nodeCommand, scratch, writeScript } from "../FakeCli.ts"

/** Starts a program in its own session and one that cleared its environment, writes their pids, and stays. */
const parent = `
const { spawn } = require("node:child_process")
const { writeFileSync, renameSync } = require("node:fs")
const stay = ["-e", "setInterval(() => {}, 1000)"]
const apart = spawn(process.execPath, stay, { detached: true, stdio: "inherit" })
const bare = spawn("env", ["-i", process.execPath, ...stay], { stdio: "ignore" })
writeFileSync("pids.tmp", JSON.stringify([process.pid, apart.pid, bare.pid]))
renameSync("pids.tmp", "pids")
process.on("SIGTERM", () => {})
setInterval(() => {}, 1000)
`

const pidsIn = (folder: string): ReadonlyArray<number> => {
  const pids: unknown = JSON.parse(readFileSync(join(folder, "pids"), "utf8"))
  return Array.isArray(pids) ? pids.map(Number) : []
}

const released = (guarded: ReturnType<typeof spawnGuarded>) =>
  Effect.callback<void>((resume) => guarded.killAll(() => resume(Effect.void)))

describe("Guard", () => {
  it.live("passes streams, arguments and the exit code through, and keeps its pipe to itself", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const command = nodeCommand(
        folder,
        `process.stdin.on("data", (d) => process.stdout.write(d)).on("end", () => {
           const fs = require("node:fs")
           let third = "open"
           try { fs.fstatSync(3).isSocket() || (third = "other") } catch { third = "closed" }
           process.stderr.write(JSON.stringify({ args: process.argv.slice(2), third }))
           process.exitCode = 7
         })`
      )
      const odd = ["a b", "", "$HOME", "'\"", "-x", "é\n"]
      const guarded = spawnGuarded({ ...command, args: [...command.args, ...odd] })
      let [out, err] = ["", ""]
      guarded.stdout.on("data", (chunk) => {
        out += chunk
      })
      guarded.stderr.on("data", (chunk) => {
        err += chunk
      })
      guarded.stdin.end("hello")
      const code = yield* Effect.callback<number | null>((resume) => {
        guarded.child.once("exit", (code) => resume(Effect.succeed(code)))
      })
      yield* released(guarded)
      expect([code, out]).toEqual([7, "hello"])
      const said = JSON.parse(err)
      expect(said.args).toEqual(odd)
      expect(said.third).not.toBe("open")
      // A process closes its pipes a moment before it is gone.
      yield* eventually(() => groupOf(guarded.child.pid ?? 0).length === 0, 5)
    })
  )

  it.live("kills the group and what left it when it is released", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const guarded = spawnGuarded(nodeCommand(folder, parent))
      yield* eventually(() => existsSync(join(folder, "pids")))
      const pids = pidsIn(folder)
      expect(pids.map(isAlive)).toEqual([true, true, true])
      yield* released(guarded)
      yield* eventually(() => !pids.some(isAlive))
      // A process closes its pipes a moment before it is gone.
      yield* eventually(() => groupOf(guarded.child.pid ?? 0).length === 0, 5)
    })
  )

  it.live("kills what left the group when the program itself died first", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const guarded = spawnGuarded(nodeCommand(folder, parent))
      yield* eventually(() => existsSync(join(folder, "pids")))
      const [program = 0, apart = 0] = pidsIn(folder)
      process.kill(program, "SIGKILL")
      yield* eventually(() => !isAlive(program))
      expect(isAlive(apart)).toBe(true)
      yield* released(guarded)
      yield* eventually(() => !pidsIn(folder).some(isAlive))
    })
  )

  it.live("survives the group's SIGTERM itself", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const guarded = spawnGuarded(nodeCommand(folder, parent))
      yield* eventually(() => existsSync(join(folder, "pids")))
      guarded.signal("SIGTERM")
      yield* released(guarded)
      yield* eventually(() => !pidsIn(folder).some(isAlive))
    })
  )

  it.live("kills everything when the bridge is killed with -9", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const { args, env, program } = nodeCommand(folder, parent)
      const source = fileURLToPath(new URL("../../src/process/OrphanWatchdog.ts", import.meta.url))
      const bridge = writeScript(
        folder,
        "bridge.mts",
        `import { spawnGuarded } from ${JSON.stringify(source)}
         spawnGuarded(${JSON.stringify({ args, env, program, cwd: folder })})
         setInterval(() => {}, 1000)`
      )
      const child = spawn(process.execPath, ["--import", "tsx", bridge], { stdio: "ignore" })
      yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
      yield* eventually(() => existsSync(join(folder, "pids")), 30)
      const pids = pidsIn(folder)
      expect(pids.map(isAlive)).toEqual([true, true, true])
      child.kill("SIGKILL")
      yield* eventually(() => !pids.some(isAlive) && groupOf(pids[0] ?? 0).length === 0)
    })
  )

  it.live("adds its mark to those of the agents around it", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const show = `process.stdout.write(process.env.${markVariable} ?? "")`
      const guarded = spawnGuarded(nodeCommand(folder, show, { [markVariable]: "outer" }))
      let out = ""
      guarded.stdout.on("data", (chunk) => {
        out += chunk
      })
      yield* Effect.callback<void>((resume) => {
        guarded.child.once("close", () => resume(Effect.void))
        guarded.child.once("exit", () => guarded.killAll(() => undefined))
      })
      expect(out).toMatch(/^outer\/[0-9a-f-]{36}$/)
    })
  )
})
