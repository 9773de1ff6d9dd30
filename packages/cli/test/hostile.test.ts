/**
 * Files that mean harm, small: every command that reads files ends by itself, with 0, 1 or 2, says in a sentence what
 * is wrong, and shows no stack trace. `npm run hostile` is the same in full size, with the memory each takes.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { sweeping } from "../../fixtures/test/Sweep.ts"
import { commands } from "../src/commands/index.ts"
import { hostileCommands, hostileHistory } from "./hostile/Commands.ts"
import { hostileInputs } from "./hostile/Inputs.ts"
import { measure } from "./hostile/Measure.ts"
import { hostileProjects } from "./hostile/Projects.ts"
import { run } from "./run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-hostile-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What opens no file that a stranger may have written, and why. */
const others: Readonly<Record<string, string>> = {
  "app-server": "reads tapes and policies by the code of serve, which is given them",
  completions: "reads nothing",
  doctor: "reads the user's own settings",
  drift: "reads what a CLI says, as a recorder does",
  gateway: "reads extensions by the code of serve",
  help: "reads nothing",
  policy: "reads the user's own rules",
  record: "writes",
  runtime: "reads tapes and policies by the code of serve, which is given them",
  status: "reads what a runtime says that knows the secret"
}

describe("a hostile file", () => {
  it("is given to every command that reads one", () => {
    const read = hostileCommands.map(({ name }) => name.split(" ")[0] ?? "")
    expect([...new Set([...read, ...Object.keys(others)])].sort()).toEqual(Object.keys(commands).sort())
  })

  // A pipe that nobody writes to is waited for, and `replay` ends the process it is in: both are in `npm run hostile`.
  const inputs = hostileInputs.filter(({ name }) => name !== "pipe")
  const inProcess = hostileCommands.filter(({ name }) => name !== "replay")

  it.each(inputs.filter((_, index) => sweeping || index % 2 === 0))(
    "$name is harmless to all of them",
    async ({ make }) => {
      const file = make(folder, 20_000)
      for (const { args, name } of inProcess) {
        const { code, err } = await run(args(file, folder))
        expect({ name, code, err: err.slice(0, 300) }).toEqual({
          name,
          code: expect.toSatisfy((one: unknown) => one === 0 || one === 1 || one === 2),
          err: expect.not.stringMatching(/did not expect|\n\s+at /)
        })
        if (code === 2) expect({ name, said: err !== "" || name.startsWith("decode") }).toEqual({ name, said: true })
      }
    }
  )

  it.each(hostileProjects)("among the sessions of history is harmless: $name", async ({ make }) => {
    const projects = make(folder, 50_000)
    for (const { args, name } of hostileHistory) {
      const { code, err } = await run(args(projects, folder))
      expect({ name, code, err: err.slice(0, 300) }).toEqual({
        name,
        code: expect.toSatisfy((one: unknown) => one === 0 || one === 2),
        err: code === 0 ? "" : expect.stringMatching(/^[^\n]+\.\n$/)
      })
    }
  })

  it("of any size is read in a heap that could not hold it", async () => {
    const streaming = hostileCommands.filter(({ name }) => /^(?:decode|tape (?:info|cat|verify)|translate)$/.test(name))
    const file = hostileInputs.find(({ name }) => name === "tiny-messages.tape")?.make(folder, 8 << 20) ?? ""
    for (const { args, name } of streaming) {
      const { code, stderr } = await measure(args(file, folder), { seconds: 200, node: ["--max-old-space-size=64"] })
      expect({ name, code, stderr }).toEqual({
        name,
        code: expect.any(Number),
        stderr: expect.not.stringContaining("heap")
      })
    }
  })

  it("that is more than may be held is told by its name, its line and the option", async () => {
    const file = hostileInputs.find(({ name }) => name === "bomb-of-frames.tape.gz")?.make(folder, 20_000) ?? ""
    const { code, err } = await run(["tape", "diff", file, file, "--max-size", "2M"])
    expect(code).toBe(2)
    expect(err).toMatch(
      /^\S+bomb-of-frames\.tape\.gz is more than is held in memory: over 2 MiB at line \d+, .* --max-size\.\n$/
    )
    expect((await run(["tape", "diff", file, file])).code).toBe(0)
  })
})
