/** Reports side by side: `--merge`. */
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { run } from "../run.ts"
import { elements, parseMarkup, textOf } from "./markup.ts"
import { broken, doubtful, folder, good, ndjson, type Row, report } from "./streams.ts"

const { file, path } = folder()

const lines = (...rows: ReadonlyArray<Row>): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

const finding = {
  rule: "AGUI-RUN-001",
  level: "error",
  index: 0,
  message: "It <b>broke</b>.",
  excerpt: "{}",
  prefix: 1
}
const wire = [{ dir: "sent", text: "POST / <i>" }]
const summary = (verdict: string, errors: number) => ({ summary: { verdict, errors, warnings: 0, infos: 0 } })
const scenario = (id: string, verdict: string): Row => ({
  scenario: id,
  title: `about ${id}`,
  verdict,
  durationMs: 10,
  wire
})

const one = file(
  "one.json",
  lines(scenario("LIVE-001", "pass"), scenario("LIVE-002", "pass"), {
    ...summary("pass", 0),
    target: "http://one.test/"
  })
)
const two = file(
  "two.json",
  lines(
    { scenario: "LIVE-001", ...finding },
    scenario("LIVE-001", "fail"),
    { ...scenario("LIVE-003", "skip"), reason: "no tools" },
    { ...summary("fail", 1), target: "http://two.test/" }
  )
)

describe("--merge", () => {
  it("shows several servers side by side", async () => {
    const page = path("both.html")
    const { code, err, out } = await run(["conform", "--merge", one, two, "--html", page])
    expect({ code, err }).toEqual({ code: 1, err: "" })
    expect(out).toContain(
      [
        "                         http://one.test/  http://two.test/",
        "LIVE-001 about LIVE-001  pass              fail",
        "LIVE-002 about LIVE-002  pass              -",
        "LIVE-003 about LIVE-003  -                 skip"
      ].join("\n")
    )
    const root = parseMarkup(readFileSync(page, "utf8"))
    const table = elements(root).filter(({ name }) => name === "tr")
    const cells = table.map((row) => row.children.map((cell) => (typeof cell === "string" ? cell : textOf(cell))))
    expect(cells.map((row) => row.map((cell) => cell.trim()))).toEqual([
      ["Scenario", "http://one.test/pass nothing found", "http://two.test/fail 1 error"],
      ["LIVE-001 about LIVE-001", "pass", "fail 1 error"],
      ["LIVE-002 about LIVE-002", "pass", "not run"],
      ["LIVE-003 about LIVE-003", "not run", "skip"]
    ])
    expect(textOf(root)).toContain("It <b>broke</b>.")
    expect(textOf(root)).toContain("POST / <i>")
  })

  it("passes when all of them do", async () => {
    expect((await run(["conform", "--merge", one])).code).toBe(0)
  })

  it("takes names, and tells apart what has the same", async () => {
    const { out } = await run(["conform", "--merge", `mine=${one}`, `yours=${two}`])
    expect(out).toMatch(/^ +mine {2}yours$/m)
    const twice = await run(["conform", "--merge", one, file("again.json", readFileSync(one))])
    expect(twice.out).toContain(`http://one.test/ (${one})  http://one.test/ (${path("again.json")})`)
  })

  it("does not count what was expected", async () => {
    const expected = lines({ file: "a.sse", ...finding, expected: true }, summary("pass", 0))
    const { code, out } = await run(["conform", "--merge", file("expected.json", expected)])
    expect(code).toBe(0)
    expect(out).toContain("PASS: 1 expected")
  })

  it("takes a file whose own name has an equals sign", async () => {
    const name = file("a=b.json", readFileSync(one))
    expect((await run(["conform", "--merge", name])).out).toContain("http://one.test/\n")
  })

  it("gives back what was reported: findings, counts and verdicts", async () => {
    const zipped = gzipSync(
      ndjson([...broken, ...Array.from({ length: 20_000 }, (_, at) => ({ type: "RAW", event: at }))])
    )
    zipped.subarray(-8, -4).fill(255)
    const files = [
      file("damaged.gz", zipped),
      file("good.ndjson", ndjson(good)),
      file("doubtful.ndjson", ndjson(doubtful)),
      file("broken.ndjson", ndjson(broken)),
      path("missing.ndjson")
    ]
    const formats = ["junit", "sarif", "html"] as const
    const options = (name: string) => formats.flatMap((format) => [`--${format}`, path(`${name}.${format}`)])
    const { code, out } = await report([...files, ...options("direct")])
    expect(code).toBe(2)
    const merged = await run(["conform", "--merge", `recorded events=${file("files.json", out)}`, ...options("merged")])
    expect(merged.code).toBe(1)
    const read = (name: string, format: string) => readFileSync(path(`${name}.${format}`), "utf8")
    expect(JSON.parse(read("merged", "sarif"))).toEqual(JSON.parse(read("direct", "sarif")))
    // A JSON report has the findings of a file, not its events.
    const outcomes = (name: string) =>
      elements(parseMarkup(read(name, "junit")))
        .filter((element) => element.name !== "system-out")
        .map((element) => ({ ...element, children: /failure|error/.test(element.name) ? element.children : [] }))
    expect(outcomes("merged")).toEqual(outcomes("direct"))
  })

  it.each([
    ["events", ndjson(good), "line 1 is not of a report that `agentwire conform --json` wrote."],
    ["text", "hello\n", "line 1 is not of a report"],
    ["a report that was cut", lines({ file: "a", ...finding }), "is cut: its last line is not the summary"],
    ["nothing", "", "is cut"],
    ["a finding without a level", lines({ file: "a", ...finding, level: "bad" }), "line 1 is not of a report"]
  ])("refuses %s", async (_, content, words) => {
    const { code, err, out } = await run(["conform", "--merge", file("no.json", content)])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(words)
  })
})
