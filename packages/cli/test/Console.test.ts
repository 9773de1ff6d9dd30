import { spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { agentwireArgs } from "./AgentwireCommand.ts"

const example = fileURLToPath(new URL("../../../examples/tool_approved.ndjson", import.meta.url))

describe("the console of the process", () => {
  it("ends quietly when the reader of its output went away", async () => {
    const child = spawn(process.execPath, [...agentwireArgs, "decode", "--json", ...Array(50).fill(example)], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    child.stdout.destroy()
    let err = ""
    child.stderr.on("data", (chunk) => {
      err += chunk
    })
    const code = await new Promise((resolve) => child.on("close", resolve))
    expect({ code, err }).toEqual({ code: 0, err: "" })
  })

  it.runIf(existsSync("/dev/full"))("says in a sentence that the output cannot be written", () => {
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", '"$0" "$@" > /dev/full', process.execPath, ...agentwireArgs, "--version"],
      {
        encoding: "utf8"
      }
    )
    expect(status).toBe(2)
    expect(stderr).toMatch(/^Cannot write the output: .*ENOSPC.*\.\n$/)
  })
})
