/** Which rules count: `--only`, `--skip`, and the file of expected failures. */
import { Conform } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { run } from "../run.ts"
import { broken, doubtful, folder, good, ndjson, report } from "./streams.ts"

const { file } = folder()

const both = ndjson([...broken, ...doubtful])

/** The rules that something breaks. */
const brokenRules = async (events: string): Promise<ReadonlyArray<string>> => [
  ...new Set((await report(["-"], events)).findings.map(({ rule }) => String(rule)))
]

describe("--only and --skip", () => {
  it("part the findings in two", async () => {
    const all = await report(["-"], both)
    const rules = await brokenRules(both)
    expect(rules.length).toBeGreaterThan(1)
    for (const rule of rules) {
      const only = await report(["-", "--only", rule], both)
      const skip = await report(["-", "--skip", rule.toLowerCase()], both)
      expect(only.findings.every((finding) => finding["rule"] === rule)).toBe(true)
      expect(skip.findings.some((finding) => finding["rule"] === rule)).toBe(false)
      expect(only.findings.length + skip.findings.length).toBe(all.findings.length)
    }
  })

  it("take wildcards and lists", async () => {
    const rules = await brokenRules(both)
    expect((await report(["-", "--skip", "AGUI-*"], both)).rows).toHaveLength(1)
    expect((await report(["-", "--only", "*"], both)).findings).toEqual((await report(["-"], both)).findings)
    expect((await report(["-", "--skip", rules.join(", ")], both)).code).toBe(0)
    expect((await report(["-", ...rules.flatMap((rule) => ["--skip", rule])], both)).code).toBe(0)
  })

  it.each(["--only", "--skip"])("%s refuses what fits nothing", async (option) => {
    const { code, err, out } = await run(["conform", "-", option, "AGUI-NOSUCH-*"], both)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(`${option} AGUI-NOSUCH-* fits no rule. \`agentwire conform --list\` has them all.`)
  })
})

describe("--expected-failures", () => {
  const expecting = async (entries: string, events = both, name = "events.ndjson") => {
    const list = file("expected.txt", entries)
    return { ...(await report([file(name, events), "--expected-failures", list])), list }
  }

  it("lets what it lists fail", async () => {
    const rules = await brokenRules(both)
    const { code, err, findings, last } = await expecting(`# known\n\n${rules.join("  # why\n")}\n`)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    expect(last).toMatchObject({
      summary: { verdict: "pass", errors: 0, warnings: 0, infos: 0 },
      expected: findings.length
    })
    expect(findings.every(({ expected }) => expected === true)).toBe(true)
  })

  it("leaves the others as they are", async () => {
    const [first = "", ...others] = await brokenRules(both)
    const { findings } = await expecting(first)
    const counting = findings.filter(({ expected }) => expected === undefined).map(({ rule }) => rule)
    expect(new Set(counting)).toEqual(new Set(others))
  })

  it("fails on an entry that no longer fails, and says which line to take out", async () => {
    const [rule = ""] = await brokenRules(both)
    const { code, findings, list } = await expecting(`# old\n${rule}\n`, ndjson(good))
    expect(code).toBe(1)
    expect(findings).toEqual([
      expect.objectContaining({
        file: list,
        line: 2,
        rule: "EXPECTED-001",
        level: "error",
        message: `"${rule}" no longer fails: take the line out.`
      })
    ])
  })

  it("takes a file, alone or with a rule, with wildcards and blanks in its name", async () => {
    const [rule = ""] = await brokenRules(both)
    expect((await expecting("events.ndjson")).code).toBe(0)
    expect((await expecting("./ev*.ndjson AGUI-*")).code).toBe(0)
    expect((await expecting(`my events.ndjson ${rule}\nmy events.ndjson`, both, "my events.ndjson")).code).toBe(0)
    expect((await expecting("vents.ndjson")).code).toBe(1)
  })

  it("only says of an entry that names nothing here that it was not put to the test", async () => {
    const { code, err, rows } = await expecting("other.ndjson\nLIVE-001\nother.ndjson AGUI-RUN-*", ndjson(good))
    expect({ code, rows: rows.length }).toEqual({ code: 0, rows: 1 })
    expect(err).toContain('expected.txt line 1: "other.ndjson" was not put to the test.')
    expect(err).toContain('expected.txt line 2: "LIVE-001" was not put to the test.')
    expect(err).toContain('expected.txt line 3: "other.ndjson AGUI-RUN-*" was not put to the test.')
  })

  it("does not call out of date what --skip leaves out", async () => {
    const [rule = ""] = await brokenRules(both)
    const list = file("expected.txt", rule)
    expect((await report(["-", "--skip", rule, "--expected-failures", list], ndjson(good))).code).toBe(0)
  })

  it.each(["AGUI-NOSUCH-001", "events.ndjson AGUI-NOSUCH-*"])(
    "refuses a rule that does not exist: %s",
    async (entry) => {
      const { code, err, out } = await expecting(`# one\n${entry}`)
      expect({ code, out }).toEqual({ code: 2, out: "" })
      expect(err).toMatch(/expected\.txt line 2: there is no rule AGUI-NOSUCH-/)
    }
  )
})

describe("--list", () => {
  it("has every rule and scenario, for people and for programs", async () => {
    const text = await run(["conform", "--list"])
    const { code, rows } = await report(["--list"])
    expect({ code, text: text.code }).toEqual({ code: 0, text: 0 })
    const ids = rows.map(({ rule, scenario }) => String(rule ?? scenario))
    expect(ids).toEqual(expect.arrayContaining([...Conform.rules.map(({ id }) => id), "LIVE-001"]))
    for (const id of ids) expect(text.out).toContain(id)
  })

  it("leaves out what the other options do", async () => {
    const { rows } = await report(["--list", "--only", "AGUI-RUN-*", "--dialect", "1.0"])
    const rules = rows.filter((row) => "rule" in row)
    expect(rules.length).toBeGreaterThan(0)
    expect(rules).toHaveLength(rows.length)
    expect(rules.every(({ family, rule }) => family === "run" && String(rule).startsWith("AGUI-RUN-"))).toBe(true)
  })
})
