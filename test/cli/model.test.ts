/** `agentwire model` behind the real CLI. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, expect, it } from "vitest"
import { agentwire, start } from "../../packages/cli/test/replay/agentwire.ts"
import { cliOfTheSdk } from "./RealCli.ts"

const home = mkdtempSync(join(tmpdir(), "agentwire-model-"))
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))

const greeting = {
  name: "greeting",
  model: {
    replies: [
      { kind: "error", status: 529, type: "overloaded_error", message: "Overloaded" },
      { kind: "message", writeBytes: 3, blocks: [{ kind: "text", deltas: ["Grüße ", "日本 ", "😀"] }] }
    ]
  }
}

it("plays a scenario to it until Ctrl-C", async () => {
  const scenario = join(home, "greeting.json")
  writeFileSync(scenario, JSON.stringify(greeting))
  const { child, ended } = start([...agentwire, "model", "--scenario", scenario])
  const url = await new Promise<string>((resolve) =>
    child.stdout.on("data", (text) => resolve(/ANTHROPIC_BASE_URL=(\S+)/.exec(text)?.[1] ?? ""))
  )
  const running = promisify(execFile)(cliOfTheSdk(), ["-p", "Hi"], {
    cwd: home,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      ANTHROPIC_API_KEY: "dummy",
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
    }
  })
  running.child.stdin?.end()
  expect((await running).stdout.trim()).toBe("Grüße 日本 😀")
  child.kill("SIGINT")
  const { code, err } = await ended
  expect(code).toBe(0)
  expect(err).toMatch(/Playing greeting\. Ctrl-C ends it\.\n\/v1\/messages {2}main, \d+ messages, streamed\n/)
})
