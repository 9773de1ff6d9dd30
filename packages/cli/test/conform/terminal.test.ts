/** The report at a terminal. */
import { Conform } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { renderSubject } from "../../src/conform/report/Terminal.ts"
import { coloured } from "../../src/Paint.ts"
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

  it("has the colours of the console", async () => {
    expect((await run(["conform", "-"], ndjson(broken), coloured)).out).toContain("\u001b[31mFAIL\u001b[39m")
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
})
