import { describe, expect, it } from "vitest"
import { checks } from "../../src/doctor/Doctor.ts"
import { doctorText } from "../../src/doctor/DoctorText.ts"
import { type Checked, reportOf } from "../../src/doctor/Finding.ts"
import { coloured, plain } from "../../src/Paint.ts"

const found: ReadonlyArray<Checked> = [
  { check: "node", status: "ok", found: "Node is fine." },
  { check: "cli", status: "problem", found: "There is none.", advice: "Install it." },
  { check: "port", status: "warning", found: "Taken.", advice: "Choose another." },
  { check: "round-trip", status: "skipped", found: "Not tried." }
]

describe("the report for people", () => {
  it("has a line for each check, and advice below it", () => {
    const lines = doctorText(reportOf(found), checks, plain).split("\n")
    expect(lines).toHaveLength(found.length + 2 + 2)
    expect(lines[0]).toMatch(/^ok +Node +Node is fine\.$/)
    expect(lines[1]).toMatch(/^problem +Claude Code +There is none\.$/)
    expect(lines[2]?.indexOf("Install it.")).toBe(lines[1]?.indexOf("There is none."))
    expect(lines.at(-1)).toBe("1 problem, 1 warning.")
  })

  it("says so when all is well", () => {
    expect(doctorText(reportOf(found.slice(0, 1)), checks, plain)).toContain("Everything is in order.")
  })

  it("is the same with colours, but for the colours", () => {
    const painted = doctorText(reportOf(found), checks, coloured)
    expect(painted).toContain("\u001b[31mproblem")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(painted.replace(/\u001b\[\d+m/g, "")).toBe(doctorText(reportOf(found), checks, plain))
  })
})
