/** The report at a terminal. */
import { Conform } from "@agentwire/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { coloured, harmless, paintFor, plain } from "../../src/conform/report/Paint.ts"
import { renderSubject } from "../../src/conform/report/Terminal.ts"
import { run } from "../run.ts"
import { broken, ndjson, report, runOf } from "./streams.ts"

const many = runOf(...Array.from({ length: 40 }, (_, at) => ({ type: "TEXT_MESSAGE_END", messageId: `m${at}` })))

describe("the report at a terminal", () => {
  it("names file, rule, requirement, place, message and event", async () => {
    const { out } = await run(["conform", "-"], ndjson(broken))
    const { findings } = await report(["-"], ndjson(broken))
    for (const { excerpt, message, rule } of findings) {
      const requirement = Conform.rules.find(({ id }) => id === rule)?.requirement
      expect(out).toContain(`error ${rule} ${requirement} [`)
      expect(out).toContain(`event 1 (line 2): ${message}\n      ${excerpt}\n`)
    }
    expect(out).toMatch(/^FAIL -: 1 error, 3 events\n/)
    expect(out).toMatch(/\n\nFAIL: 1 error \(1 fail\)\n$/)
  })

  it("shows the first findings of a rule, and how many more there are; JSON has all", async () => {
    const { findings } = await report(["-"], ndjson(many))
    const { out } = await run(["conform", "-"], ndjson(many))
    expect(findings).toHaveLength(40)
    expect(out.match(/event \d+ \(line \d+\)/g)).toHaveLength(5)
    expect(out).toContain("… and 35 more")
  })

  it("is coloured only where a person watches who does not mind", async () => {
    expect(paintFor(true, {})).toBe(coloured)
    expect(paintFor(true, { NO_COLOR: "" })).toBe(coloured)
    for (const quiet of [paintFor(false, {}), paintFor(true, { NO_COLOR: "1" }), paintFor(true, { TERM: "dumb" })]) {
      expect(quiet).toBe(plain)
    }
    expect((await run(["conform", "-"], ndjson(broken))).out).not.toContain("\u001b")
    const subject = {
      kind: "file",
      name: "f",
      verdict: "fail",
      errors: 1,
      warnings: 0,
      infos: 0,
      expected: 0,
      rules: [],
      wire: []
    } as const
    expect(renderSubject(subject, coloured)).toBe(
      "\u001b[31mFAIL\u001b[39m \u001b[1mf\u001b[22m\u001b[2m: 1 error\u001b[22m"
    )
  })

  it("cannot be steered by what is in a file", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(harmless(text)).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
      })
    )
    expect(harmless("\u001b]0;title\u0007 \u009b1m ü 😀")).toBe("\\u001b]0;title\\u0007 \\u009b1m ü 😀")
  })
})
