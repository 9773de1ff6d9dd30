import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { writeExecutable } from "../src/Executable.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-executable-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe("an executable", () => {
  it("runs its command with its own arguments behind, whatever is in them, in an empty environment", () => {
    const show = join(folder, "it's a script.mjs")
    writeFileSync(show, "console.log(JSON.stringify(process.argv.slice(2)))")
    const file = writeExecutable(join(folder, "bin", "claude"), "shows", [process.execPath, show, "a b", "$HOME", "'"])
    const out = execFileSync(file, ["--flag", "c d", '"'], { env: {}, encoding: "utf8" })
    expect(JSON.parse(out)).toEqual(["a b", "$HOME", "'", "--flag", "c d", '"'])
  })

  it("that cannot be written is said to be so", () => {
    writeFileSync(join(folder, "file"), "")
    expect(() => writeExecutable(join(folder, "file", "claude"), "", [])).toThrow(/^Cannot write .*claude: /)
  })
})
