/** What the README shows is what runs. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { readRecording } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { withExamples } from "../scripts/readme.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
const examples = readdirSync(new URL("../examples/", import.meta.url)).filter((name) => name.endsWith(".ts"))

describe("the README", () => {
  it("shows the examples as they are (`npm run readme` puts them in)", () => {
    expect(withExamples(readme)).toBe(readme)
    for (const name of examples) expect(readme).toContain(`<!-- examples/${name} -->`)
  })

  it.each(examples)("shows in %s what it prints", (name) => {
    const file = `examples/${name}`
    const printed = execFileSync("npx", ["tsx", "--conditions=agentwire-source", file], { cwd: root, encoding: "utf8" })
    const promised = [
      ...readFileSync(new URL(`../${file}`, import.meta.url), "utf8").matchAll(/console\.log\(.*\) \/\/ (.*)/g)
    ]
    for (const [, comment = ""] of promised) if (!comment.startsWith("the same")) expect(printed).toContain(comment)
    expect(printed.trim()).not.toBe("")
  })

  it("names only scripts that exist", () => {
    const named = [...readme.matchAll(/npm run ([\w-]+)/g)].map(([, script]) => script)
    expect(named.length).toBeGreaterThan(3)
    for (const script of named) expect(manifest.scripts).toHaveProperty(String(script))
  })

  it("decodes a session that the real CLI wrote", () => {
    const recorded = readRecording("2.1.325").filter(
      ({ from, scenario }) => from === "cli" && scenario === "tool_approved"
    )
    const example = readFileSync(new URL("../examples/tool_approved.ndjson", import.meta.url), "utf8")
    expect(example).toBe(recorded.map(({ line }) => `${line}\n`).join(""))
  })
})
