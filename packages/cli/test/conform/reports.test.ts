/** The report files: each is valid in its format, says what `--json` says, and survives hostile content. */
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { Conform } from "@agentwire/protocol"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { sarif } from "../../src/conform/report/Sarif.ts"
import { run } from "../run.ts"
import { type Element, elements, parseMarkup, textOf } from "./markup.ts"
import { sarifSchema } from "./sarifSchema.ts"
import { broken, doubtful, folder, good, ndjson, report, runOf } from "./streams.ts"

const { file, path } = folder()

/** What a page, an XML file or a terminal would trip over. */
const hostile =
  "\u0007\u001b[31m]]>\"'&amp;</pre></script><script>alert(1)</script><img src=x onerror=alert(1)>\ud800\ufffe\u202e"

const hostileEvents = runOf({ type: "TEXT_MESSAGE_CONTENT", messageId: hostile, delta: hostile })

const files = {
  good: file("good.ndjson", ndjson(good)),
  doubtful: file("doubtful.ndjson", ndjson(doubtful)),
  broken: file("broken.ndjson", ndjson(broken)),
  hostile: file("<script>alert('name')&\".ndjson", ndjson(hostileEvents)),
  missing: path("missing.ndjson")
}

const all = Object.values(files)

const write = async (format: "junit" | "sarif" | "html", args: ReadonlyArray<string> = all): Promise<string> => {
  const name = path(`made/here/report.${format}`)
  await run(["conform", ...args, `--${format}`, name])
  return readFileSync(name, "utf8")
}

const named = (root: Element, name: string): ReadonlyArray<Element> =>
  elements(root).filter((element) => element.name === name)

/** Without what XML cannot hold. */
const ascii = (text: string): string => text.replace(/[^\x20-\x7e]/g, "")

describe("--junit", () => {
  it("is well-formed XML with counts that are right", async () => {
    const root = parseMarkup(await write("junit"))
    expect(root.name).toBe("testsuites")
    const expected = { tests: "5", failures: "2", errors: "1" }
    expect(root.attributes).toMatchObject(expected)
    const [suite, ...others] = named(root, "testsuite")
    expect(others).toEqual([])
    expect(suite?.attributes).toMatchObject({ ...expected, skipped: "0", time: "0.000" })
    const cases = named(root, "testcase")
    expect(cases.map(({ attributes }) => attributes["name"])).toEqual(all)
    for (const { attributes, children } of cases) {
      expect(Object.keys(attributes).sort()).toEqual(["classname", "name", "time"])
      const order = children.flatMap((child) => (typeof child === "string" ? [] : [child.name]))
      // The schema that Jenkins publishes wants the outcome first, and one only.
      expect(order.join(" ")).toMatch(/^(failure|error|skipped)? ?(system-out)?$/)
    }
    expect(named(root, "failure").length).toBe(2)
    expect(named(root, "error")[0]?.attributes["message"]).toContain("there is no such file")
  })

  it("has each finding where it belongs: what fails in the failure, the rest beside it", async () => {
    const root = parseMarkup(await write("junit"))
    const { findings } = await report(all)
    for (const { file, level, message } of findings) {
      const testcase = named(root, "testcase").find(({ attributes }) => attributes["name"] === file)
      const [place] = testcase === undefined ? [] : named(testcase, level === "error" ? "failure" : "system-out")
      expect(ascii(place === undefined ? "" : textOf(place))).toContain(ascii(String(message)))
    }
  })

  it("fails on warnings when they are to fail", async () => {
    const root = parseMarkup(await write("junit", [files.doubtful, "--strict"]))
    expect(root.attributes).toMatchObject({ tests: "1", failures: "1" })
    const { findings } = await report([files.doubtful])
    const [failure] = named(root, "failure")
    for (const { message } of findings) expect(failure === undefined ? "" : textOf(failure)).toContain(String(message))
  })

  it("has what is expected beside the failure, not in it", async () => {
    const both = file(
      "both.ndjson",
      ndjson([...broken.slice(0, 2), { type: "TOOL_CALL_END", toolCallId: "c" }, ...broken.slice(2)])
    )
    const rules = [...new Set((await report([both])).findings.map(({ rule }) => String(rule)))]
    expect(rules.length).toBeGreaterThan(1)
    const [known = "", other = ""] = rules
    const root = parseMarkup(await write("junit", [both, "--expected-failures", file("known.txt", known)]))
    const texts = ["failure", "system-out"].map((name) => named(root, name).map(textOf).join())
    expect(texts[0]).toContain(other)
    expect(texts[0]).not.toContain(known)
    expect(texts[1]).toContain(`error ${known}`)
    expect(texts[1]).toContain("(expected)")
  })
})

describe("--sarif", () => {
  const validate = new Ajv({ strict: true, allErrors: true }).compile(sarifSchema)
  const written = async (...args: Parameters<typeof write>) => JSON.parse(await write(...args))

  it("is SARIF 2.1.0, whatever was found", async () => {
    for (const args of [all, [files.good], [files.doubtful, "--strict"]]) {
      const log = await written("sarif", args)
      expect(validate(log), JSON.stringify(validate.errors)).toBe(true)
    }
    expect(validate({ version: "2.1.0", runs: [{}] })).toBe(false)
  })

  it("describes every rule, and every result points to its own", async () => {
    const [{ results, tool }] = (await written("sarif")).runs
    const { rules } = tool.driver
    expect(rules.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(Conform.rules.map(({ id }) => id)))
    expect(new Set(rules.map(({ id }: { id: string }) => id)).size).toBe(rules.length)
    expect(results.length).toBeGreaterThan(0)
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex].id).toBe(ruleId)
  })

  it("has what --json has, at the file and line", async () => {
    const [{ invocations, results }] = (await written("sarif")).runs
    const { findings } = await report(all)
    const facts = results.map((result: Record<string, never>) => {
      const { level, locations, message, ruleId } = result as Record<string, { text: string }>
      const [{ physicalLocation }] = locations as unknown as [
        { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }
      ]
      const { artifactLocation, region } = physicalLocation
      return { ruleId, level, text: message?.text, uri: artifactLocation.uri, line: region.startLine }
    })
    const wanted = findings.map(({ file, level, line, message, rule }) => ({
      ruleId: rule,
      level: level === "info" ? "note" : level,
      text: message,
      uri: pathToFileURL(String(file)).href,
      line: line ?? 1
    }))
    const order = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
    expect(facts.sort(order)).toEqual(wanted.sort(order))
    expect(invocations).toMatchObject([
      { executionSuccessful: false, toolExecutionNotifications: [{ level: "error" }] }
    ])
  })

  it.each([
    ["recorded/my #1 ä.sse", "recorded/my%20%231%20%C3%A4.sse"],
    ["recorded\\a.sse", "recorded/a.sse"],
    ["-", "stdin"]
  ])("names the file %s as a URI", (name, uri) => {
    const finding = { rule: "AGUI-RUN-001", level: "error", index: 0, message: "m", excerpt: "", prefix: 1 } as const
    const rules = [{ rule: finding.rule, level: finding.level, count: 1, expected: 0, samples: [finding] }]
    const counts = { errors: 1, warnings: 0, infos: 0, expected: 0 }
    const log = JSON.parse(
      sarif([{ name: "run", subjects: [{ kind: "file", name, verdict: "fail", ...counts, rules, wire: [] }] }])
    )
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true)
    expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation).toEqual({ uri })
  })

  it("suppresses what is expected", async () => {
    const expected = file("expected.txt", "broken.ndjson")
    const [{ results }] = (await written("sarif", [files.broken, "--expected-failures", expected])).runs
    expect(results.length).toBeGreaterThan(0)
    for (const { suppressions } of results) expect(suppressions).toMatchObject([{ kind: "external" }])
  })
})

describe("--html", () => {
  it("is well-formed, and no content of a stranger becomes markup", async () => {
    const page = await write("html")
    const root = parseMarkup(page)
    const plain = await write("html", [files.good, files.doubtful, files.broken])
    const kinds = (element: Element) => new Set(elements(element).map(({ name }) => name))
    expect(kinds(root)).toEqual(kinds(parseMarkup(plain)))
    expect([...kinds(root)]).not.toEqual(expect.arrayContaining(["script"]))
    expect([...kinds(root)]).not.toEqual(expect.arrayContaining(["img"]))
    const attributes = new Set(elements(root).flatMap((element) => Object.keys(element.attributes)))
    expect([...attributes].filter((name) => name.startsWith("on") || name === "style")).toEqual([])
    expect(textOf(root)).toContain("<script>alert(1)</script>")
  })

  it("asks nobody for anything", async () => {
    const page = await write("html")
    const root = parseMarkup(page)
    for (const { attributes, name } of elements(root)) {
      expect(Object.keys(attributes)).not.toEqual(expect.arrayContaining(["src"]))
      expect(["link", "iframe", "object", "embed", "form", "base"]).not.toContain(name)
      if ("href" in attributes) expect(attributes["href"]).toMatch(/^#s\d+$/)
    }
    const [style] = named(root, "style")
    expect(style === undefined ? "" : textOf(style)).not.toMatch(/url\(|@import|expression/)
    const policy = named(root, "meta").find(({ attributes }) => "http-equiv" in attributes)
    expect(policy?.attributes["content"]).toBe("default-src 'none'; style-src 'unsafe-inline'")
  })

  it("has a row for each file, its verdict, its findings and its wire log", async () => {
    const root = parseMarkup(await write("html"))
    const [body] = named(root, "tbody")
    const rows = body === undefined ? [] : named(body, "tr").map(textOf)
    const verdicts = ["pass", "warn", "fail", "fail", "fail"]
    expect(rows).toHaveLength(verdicts.length)
    verdicts.forEach((verdict, index) => {
      expect(rows[index]).toContain(verdict)
    })
    const sections = named(root, "section")
    expect(sections).toHaveLength(all.length)
    for (const link of named(root, "a")) {
      const id = link.attributes["href"]?.slice(1)
      expect(elements(root).filter(({ attributes }) => attributes["id"] === id)).toHaveLength(1)
    }
    const { findings } = await report([files.broken])
    const text = sections[2] === undefined ? "" : textOf(sections[2])
    for (const { message, rule } of findings) {
      expect(text).toContain(String(rule))
      expect(text).toContain(String(message))
    }
    for (const event of broken) expect(text).toContain(JSON.stringify(event))
  })
})

describe("report files", () => {
  it("can be had all at once, beside the report on standard output", async () => {
    const names = ["a.xml", "a.sarif", "a.html"].map(path)
    const [junit = "", sarif = "", html = ""] = names
    const { code, last } = await report([files.broken, "--junit", junit, "--sarif", sarif, "--html", html])
    expect({ code, last }).toMatchObject({ code: 1, last: { summary: { verdict: "fail" } } })
    for (const name of names) expect(readFileSync(name, "utf8")).toContain("broken.ndjson")
  })

  it("that cannot be written are said before anything is read", async () => {
    const { code, err, out } = await run(["conform", files.good, "--html", `${files.good}/page.html`])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toMatch(/^Cannot write .*page\.html: /)
  })
})
