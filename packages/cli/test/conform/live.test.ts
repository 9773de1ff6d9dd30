/** What the command makes of a live run: the scenarios themselves are played elsewhere. */
import { readFileSync } from "node:fs"
import { Conform } from "@agentwire/protocol"
import { Ajv } from "ajv"
import { beforeEach, describe, expect, it, vi } from "vitest"
import type { LiveSelection } from "../../src/conform/live/index.ts"
import type { ScenarioResult } from "../../src/conform/ScenarioResult.ts"
import { run } from "../run.ts"
import { elements, parseMarkup, textOf } from "./markup.ts"
import { sarifSchema } from "./sarifSchema.ts"
import { broken, doubtful, folder, good, report } from "./streams.ts"

const played: Array<{ readonly target: unknown; readonly selection: LiveSelection }> = []
let failing = false

const result = (scenario: string, events: typeof good, more: Partial<ScenarioResult> = {}): ScenarioResult => {
  const { findings, verdict } = Conform.checkEvents(events)
  const wire = [{ dir: "sent", text: "POST /" } as const, { dir: "received", text: "200 <b>" } as const]
  return { scenario, title: `title of ${scenario}`, verdict, findings, wire, durationMs: 1500, ...more }
}

const results = (): ReadonlyArray<ScenarioResult> => [
  result("LIVE-001", good),
  result("LIVE-002", doubtful),
  ...(failing ? [result("LIVE-003", broken)] : []),
  result("LIVE-004", [], { verdict: "skip", findings: [], wire: [], reason: "the model called no tool" })
]

const play = async (target: unknown, selection: LiveSelection) => {
  played.push({ target, selection })
  const chosen = results().filter(({ scenario }) => selection.only?.includes(scenario) ?? true)
  for (const one of chosen) selection.onResult?.(one)
  return chosen
}

vi.mock("../../src/conform/live/index.ts", () => {
  const list = ["LIVE-001", "LIVE-002", "LIVE-003", "LIVE-004"].map((id) => ({ id, title: `title of ${id}` }))
  return { liveScenarios: list, cliScenarios: () => list, runLive: play, runCli: play }
})

beforeEach(() => {
  played.length = 0
  failing = false
})

const { file, path } = folder()
const url = "http://127.0.0.1:1/agent"

describe("a live server", () => {
  it("is played to as the options say", async () => {
    const options = ["--agent", "a", "--token", "secret", "--transport", "copilotkit-rest", "--timeout", "2.5"]
    const prompts = file("prompts.json", '{"LIVE-001":"Say hi."}')
    await run(["conform", url, ...options, "--prompts", prompts])
    expect(played).toEqual([
      {
        target: { url, agent: "a", token: "secret", transport: "copilotkit-rest" },
        selection: {
          timeoutMs: 2500,
          prompts: { "LIVE-001": "Say hi." },
          onStart: expect.any(Function),
          onResult: expect.any(Function),
          signal: expect.any(AbortSignal)
        }
      }
    ])
  })

  it("gets plain AG-UI, the agent called default and half a minute, unless told otherwise", async () => {
    await run(["conform", url])
    expect(played).toMatchObject([
      { target: { url, agent: "default", transport: "agui" }, selection: { timeoutMs: 30_000 } }
    ])
  })

  it("gives a line for each finding and scenario, and the summary", async () => {
    failing = true
    const { code, findings, last, rows } = await report([url])
    expect(code).toBe(1)
    expect(rows.filter((row) => "verdict" in row)).toEqual([
      expect.objectContaining({ scenario: "LIVE-001", title: "title of LIVE-001", verdict: "pass", durationMs: 1500 }),
      expect.objectContaining({ scenario: "LIVE-002", verdict: "warn" }),
      expect.objectContaining({ scenario: "LIVE-003", verdict: "fail" }),
      expect.objectContaining({ scenario: "LIVE-004", verdict: "skip", reason: "the model called no tool" })
    ])
    expect(rows.find((row) => row["scenario"] === "LIVE-001")).toMatchObject({ wire: results()[0]?.wire })
    const errors = Conform.checkEvents(broken).errors
    expect(findings.filter(({ level }) => level === "error").map(({ scenario }) => scenario)).toEqual(
      Array(errors).fill("LIVE-003")
    )
    expect(last).toMatchObject({ summary: { verdict: "fail", errors }, target: url })
  })

  it.each([
    [[], false, 0],
    [["--strict"], false, 1],
    [[], true, 1],
    [["--only", "LIVE-001"], true, 0],
    [["--skip", "LIVE-002,LIVE-003", "--strict"], true, 0],
    [["--skip", "AGUI-*", "--strict"], true, 0]
  ])("ends with its code: %j, failing: %j", async (options, fails, code) => {
    failing = fails
    expect((await run(["conform", url, ...options])).code).toBe(code)
    expect((await report([url, ...options])).code).toBe(code)
  })

  it("plays only the scenarios asked for, and all of them when rules are", async () => {
    await run(["conform", url, "--only", "live-00?", "--skip", "LIVE-003"])
    await run(["conform", url, "--only", "AGUI-RUN-*"])
    expect(played.map(({ selection }) => selection.only)).toEqual([["LIVE-001", "LIVE-002", "LIVE-004"], undefined])
    expect((await run(["conform", url, "--only", "LIVE-9*9"])).err).toContain("fits no rule and no scenario")
    expect((await run(["conform", url, "--skip", "*"])).err).toContain("leave no scenario")
  })

  it("keeps the rules of streams when scenarios are named by a pattern that fits other rules too", async () => {
    failing = true
    expect((await report([url, "--only", "LIVE-*"])).findings).toEqual((await report([url])).findings)
  })

  it("may be expected to fail, scenario by scenario", async () => {
    failing = true
    const expecting = async (entries: string) => report([url, "--expected-failures", file("expected", entries)])
    expect((await expecting("LIVE-003")).code).toBe(0)
    expect((await expecting("LIVE-003 AGUI-*")).code).toBe(0)
    expect((await expecting("LIVE-002")).code).toBe(1)
    const stale = await expecting("LIVE-003\nLIVE-001\nLIVE-004")
    expect(stale.code).toBe(1)
    expect(stale.findings.filter(({ rule }) => rule === "EXPECTED-001")).toMatchObject([{ line: 2 }])
    expect(stale.err).toContain('line 3: "LIVE-004" was not put to the test.')
  })

  it("shows a person what happened, the skipped ones included", async () => {
    failing = true
    const { out } = await run(["conform", url])
    expect(out).toContain("PASS LIVE-001 title of LIVE-001: nothing found, 1.5 s")
    expect(out).toMatch(/^FAIL LIVE-003 .*\n {2}error AGUI-/m)
    expect(out).toContain("SKIP LIVE-004 title of LIVE-004: 1.5 s\n  the model called no tool\n")
    expect(out.trim().split("\n").at(-1)).toContain("(1 pass, 1 warn, 1 fail, 1 skip)")
  })

  it("is in every kind of report", async () => {
    failing = true
    const [junit, sarif, html] = ["live.xml", "live.sarif", "live.html"].map(path)
    await run(["conform", url, "--junit", String(junit), "--sarif", String(sarif), "--html", String(html)])
    const cases = elements(parseMarkup(readFileSync(String(junit), "utf8"))).filter(({ name }) => name === "testcase")
    expect(cases.map(({ attributes }) => attributes)).toEqual(
      results().map(({ scenario, title }) => ({ classname: url, name: `${scenario} ${title}`, time: "1.500" }))
    )
    const [, , failed, skipped] = cases.map((one) => elements(one).map(({ name }) => name))
    expect(failed).toEqual(["testcase", "failure", "system-out"])
    expect(skipped).toEqual(["testcase", "skipped"])
    const log = JSON.parse(readFileSync(String(sarif), "utf8"))
    const validate = new Ajv({ strict: true }).compile(sarifSchema)
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true)
    expect(log.runs[0].results.at(-1).locations[0]).toEqual({
      physicalLocation: { artifactLocation: { uri: url } },
      logicalLocations: [{ name: "LIVE-003", kind: "scenario", fullyQualifiedName: "LIVE-003 title of LIVE-003" }]
    })
    const page = textOf(parseMarkup(readFileSync(String(html), "utf8")))
    for (const { scenario, title } of results()) expect(page).toContain(`${scenario} ${title}`)
    expect(page).toContain("the model called no tool")
    expect(page).toContain("200 <b>")
  })

  it("has no name and password of its URL in any report", async () => {
    const html = path("page.html")
    const { out } = await report(["http://me:hidden@127.0.0.1:1/agent?key=hidden", "--html", html])
    expect(out).not.toContain("hidden")
  })
})

describe("a scenario that fails without a finding", () => {
  it("counts, and is named by its id", async () => {
    const { checkScenario } = await import("../../src/conform/LiveCheck.ts")
    const options = { selection: { rule: () => true }, strict: false }
    const one = result("LIVE-005", good, { verdict: "fail", reason: "Nothing came back." })
    expect(checkScenario(one, options)).toMatchObject({
      subject: { verdict: "fail", errors: 1 },
      findings: [{ rule: "LIVE-005", level: "error", index: -1, message: "Nothing came back." }]
    })
  })
})

describe("a CLI", () => {
  it("is played to by its path", async () => {
    const { code, last } = await report(["--cli", "/usr/bin/claude", "--timeout", "9"])
    expect(code).toBe(0)
    expect(played).toMatchObject([
      { target: { path: "/usr/bin/claude", runtime: "claude" }, selection: { timeoutMs: 9000 } }
    ])
    expect(last).toMatchObject({ target: "/usr/bin/claude" })
  })

  it("is of the runtime that its name says, or the option", async () => {
    await report(["--cli", "codex"])
    await report(["--cli", "/opt/agent", "--runtime", "codex"])
    expect(played).toMatchObject([
      { target: { path: "codex", runtime: "codex" } },
      { target: { path: "/opt/agent", runtime: "codex" } }
    ])
  })
})
