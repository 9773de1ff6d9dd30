/** `agentwire replay --as host` drives real CLIs with the tapes of their versions. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findTape, installCli, loadTape, scenarios, startModel, Variables } from "@agentwire/fixtures"
import { afterAll, describe, expect, it } from "vitest"
import { agentwire, start } from "../../packages/cli/test/replay/agentwire.ts"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"

const root = mkdtempSync(join(tmpdir(), "agentwire-ashost-"))
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))

/**
 * How long a CLI that does what it did may be silent: it starts, answers and ends in its own time, however busy the
 * machine is. One that waits for something that never comes need not be waited for as long.
 */
const patient = "100000"

/** Drives the real CLI with the tape of a scenario, its model playing the script of another one where given. */
const drive = async (version: string, name: string, played = name, idleLimit = patient) => {
  const entry = findTape({ scenario: name, version })
  const scenario = scenarios.find((candidate) => candidate.name === played)
  if (entry === undefined || scenario === undefined) throw new Error(`there is no tape of ${name}`)
  const folder = mkdtempSync(join(root, "x-"))
  const variables = new Variables()
  for (const part of ["home", "project", "tmp"]) {
    mkdirSync(join(folder, part))
    variables.set(part, join(folder, part))
  }
  const model = await startModel({ script: scenario.model, variables })
  const cli = await installCli(version)
  const replay = ["replay", entry.file, "--as", "host", "--idle-limit", idleLimit]
  const command = [...agentwire, ...replay, "--", cli.program, ...cli.args] as const
  try {
    return await start(
      [...command, ...loadTape(entry).header.argv],
      {
        PATH: process.env["PATH"],
        HOME: join(folder, "home"),
        TMPDIR: join(folder, "tmp"),
        ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
        ANTHROPIC_BASE_URL: model.url,
        DISABLE_TELEMETRY: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        ...scenario.cli?.env
      },
      join(folder, "project")
    ).ended
  } finally {
    await model.close()
  }
}

describe.concurrent("agentwire replay --as host", () => {
  // The last three are parts of the others.
  it.each(
    firstOf(5, [
      ["2.1.37", "tool_approved"],
      ["2.1.325", "tool_denied"],
      ["2.1.325", "interrupt_midstream"],
      ["2.1.325", "subagent_foreground"],
      ["2.1.325", "hooks"],
      ["2.1.325", "tool_approved"],
      ["2.1.325", "multi_turn_3"],
      ["2.1.325", "plain_text"]
    ] as const)
  )("finds that %s still does in %s what it did", async (version, name) => {
    expect(await drive(version, name)).toMatchObject({ out: "The CLI said what the tape has.\n", err: "", code: 0 })
  })
  it("says what differs when the CLI does something else", async () => {
    const { code, err, out } = await drive("2.1.325", "tool_denied", "plain_text", "5000")
    expect({ code, err }).toEqual({ code: 1, err: "" })
    expect(out).toContain("agent stdout control_request/can_use_tool, did not come")
  })

  it("answers what the tape does not know, says so, and does not wait for ever", async () => {
    const entry = findTape({ scenario: "plain_text", version: "2.1.325" })
    if (entry === undefined) throw new Error("no such tape")
    const stubborn = `
      console.log('{"type":"control_request","request_id":"q","request":{"subtype":"telepathy"}}')
      process.stdin.on("data", (data) => /no answer to this/.test(data) && process.exit(0))`
    const command = [
      ...agentwire,
      "replay",
      entry.file,
      "--as",
      "host",
      "--",
      process.execPath,
      "-e",
      stubborn
    ] as const
    const { code, out } = await start(command).ended
    expect(code).toBe(1)
    expect(out).toContain('The CLI asked what the tape has no answer to: {"type":"control_request","request_id":"q"')
  })

  it("cannot, when there is no such program", async () => {
    const entry = findTape({ scenario: "plain_text", version: "2.1.325" })
    if (entry === undefined) throw new Error("no such tape")
    const { code, err, out } = await start([...agentwire, "replay", entry.file, "--as", "host", "--", "/no/claude"])
      .ended
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toMatch(/^Cannot start \/no\/claude: .*ENOENT/)
  })
})
