/** The examples of docs/policy.md are what the program says. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { claudeToolInputs } from "@agentwire/bridge/claude"
import { explainDecision, readPolicy } from "@agentwire/bridge/policy"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { decide } from "../../../../examples/policies/decide.ts"
import { run } from "../run.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const text = readFileSync(`${root}docs/policy.md`, "utf8")

const blocks = (language: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, body = ""]) => body)

/** The words of a line as it is typed: the examples quote with ' only. */
const wordsOf = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")

/** Files in the examples are named from the root. */
const fromRoot = (word: string): string => (word.startsWith("examples/") ? root + word : word)

const cells = (line: string): ReadonlyArray<string> => line.split("|").slice(1, -1)
const codes = (cell: string): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)
const patterns = text
  .split("\n")
  .filter((line) => line.startsWith("| `") && cells(line).length === 3)
  .map((line) => cells(line).map(codes))

describe("docs/policy.md", () => {
  it.each(blocks("json"))("has policies that are valid: %#", (block) => {
    expect(Result.isSuccess(readPolicy(block, claudeToolInputs))).toBe(true)
  })

  it.each(blocks("console").map((block) => block.split(/\n([\s\S]*)/)))(
    "says what is said by %s",
    async (line, said) => {
      const [, program, ...args] = wordsOf(line ?? "")
      expect(program).toBe("agentwire")
      const { out } = await run(args.map(fromRoot))
      expect(out.replaceAll(root, "")).toBe(said)
    }
  )

  it.each(patterns)("is right about the pattern %j", async ([pattern], fits = [], others = []) => {
    const rules = Result.getOrThrow(
      readPolicy(JSON.stringify({ version: 1, allow: [{ tool: "Bash", command: pattern }] }), claudeToolInputs)
    )
    const decide = async (command: string) =>
      (
        await Effect.runPromise(
          explainDecision(rules, { toolName: "Bash", input: { command }, cwd: root, mode: undefined })
        )
      ).decision
    for (const command of fits) expect(await decide(command)).toBe("allow")
    for (const command of others) expect(await decide(command)).toBe("ask")
  })

  it("shows a program that does what it says", async () => {
    expect(blocks("ts")).toEqual([readFileSync(`${root}examples/policies/decide.ts`, "utf8")])
    const { decision, parts } = await Effect.runPromise(decide)
    expect(decision._tag).toBe("Deny")
    expect(parts).toEqual(["allow: ls", "deny: sudo rm x", "deny: rm x"])
  })

  it("has examples of each kind", () => {
    expect([blocks("json").length, blocks("console").length, patterns.length]).toEqual([1, 7, 4])
  })
})
