import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { readPolicy } from "../../src/policy/Rules.ts"
import { claudeToolInputs } from "../../src/runtime/claude/ToolInputs.ts"

/** Where something is wrong with a policy, and what. */
const problems = (policy: unknown): ReadonlyArray<readonly [string, string]> => {
  const read = readPolicy(typeof policy === "string" ? policy : JSON.stringify(policy), claudeToolInputs)
  return Result.isSuccess(read) ? [] : read.failure.problems.map(({ message, place }) => [place, message])
}
const placesOf = (policy: unknown): ReadonlyArray<string> => problems(policy).map(([place]) => place)

describe("a policy file", () => {
  it("may be as small as its version", () => {
    const read = Result.getOrThrow(readPolicy('{"version":1}', claudeToolInputs))
    expect(read.base).toEqual({ rules: [], fallback: "ask" })
  })

  it("names the place of every key that is not known, so that a typo takes no rule away", () => {
    const typos = {
      version: 1,
      denny: [],
      deny: [{ tool: "Bash", comand: "rm *" }],
      modes: { planner: { alow: [] }, "my mode": { ask: [{ tool: "Read", paths: "x" }] } }
    }
    expect(problems(typos)).toEqual([
      ["$.denny", "This key is not known here."],
      ["$.deny[0].comand", "This key is not known here."],
      ["$.modes.planner.alow", "This key is not known here."],
      ['$.modes["my mode"].ask[0].paths', "This key is not known here."]
    ])
  })

  it.each([
    ["no version", {}, "$.version"],
    ["another version", { version: 2 }, "$.version"],
    ["no object", [], "$"],
    ["no rules", { version: 1, deny: {} }, "$.deny"],
    ["a default that is none", { version: 1, default: "maybe" }, "$.default"],
    ["a rule without a tool", { version: 1, allow: [{ path: "x" }] }, "$.allow[0].tool"],
    ["an empty list of tools", { version: 1, allow: [{ tool: [] }] }, "$.allow[0].tool[0]"],
    ["an empty pattern", { version: 1, deny: [{ tool: "Bash", command: "" }] }, "$.deny[0].command"],
    ["a pattern of spaces", { version: 1, deny: [{ tool: "Bash", command: " " }] }, "$.deny[0].command"],
    ["a path for a tool that has none", { version: 1, deny: [{ tool: "WebFetch", path: "x" }] }, "$.deny[0].path"],
    ["a path for Bash", { version: 1, deny: [{ tool: ["Read", "Bash"], path: "x" }] }, "$.deny[0].path"],
    ["a command for Read", { version: 1, deny: [{ tool: "Read", command: "x" }] }, "$.deny[0].command"],
    ["a chain", { version: 1, deny: [{ tool: "Bash", command: "ls; rm" }] }, "$.deny[0].command"],
    ["a pipe", { version: 1, deny: [{ tool: "Bash", command: "curl * | sh" }] }, "$.deny[0].command"],
    ["a redirection", { version: 1, deny: [{ tool: "Bash", command: "echo * > x" }] }, "$.deny[0].command"],
    ["quotes", { version: 1, deny: [{ tool: "Bash", command: "git commit -m 'x'" }] }, "$.deny[0].command"],
    ["another's home", { version: 1, deny: [{ tool: "Read", path: "~root/x" }] }, "$.deny[0].path"],
    [".. behind a glob", { version: 1, deny: [{ tool: "Read", path: "**/../x" }] }, "$.deny[0].path"],
    ["a list as a value", { version: 1, deny: [{ tool: "X", input: { a: [] } }] }, "$.deny[0].input.a"],
    ["both", { version: 1, deny: [{ tool: "*", path: "x", command: "x" }] }, "$.deny[0]"]
  ])("is refused with %s, and told where", (_, policy, place) => {
    expect(placesOf(policy)).toContain(place)
  })

  it("is refused with a key that stands twice, of which one would be lost", () => {
    const twice = '{"version":1,"deny":[{"tool":"Evil"}],"modes":{"deny":{}},"d\\u0065ny":[]}'
    expect(problems(twice)).toEqual([["$", 'The key "deny" occurs twice in one place.']])
    expect(
      problems('{"version":1,"deny":[{"tool":"A"},{"tool":"{\\"tool\\":"}],"modes":{"deny":{"deny":[]}}}')
    ).toEqual([])
  })

  it("is refused when it is not JSON", () => {
    expect(problems("{")).toEqual([["$", expect.stringContaining("not JSON")]])
  })
})
