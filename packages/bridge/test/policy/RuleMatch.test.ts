import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { type CallPart, callParts } from "../../src/policy/CallParts.ts"
import { makeDisk } from "../../src/policy/RealPath.ts"
import {
  allowsByOption,
  hasFileRules,
  isMentionedIn,
  matchRule,
  type ReadyRule,
  readyRules
} from "../../src/policy/RuleMatch.ts"
import { type RuleSet, readPolicy } from "../../src/policy/Rules.ts"
import { claudeToolInputs } from "../../src/runtime/claude/ToolInputs.ts"

const cwd = "/work/project"

const rulesOf = (policy: object): RuleSet => {
  const read = readPolicy(JSON.stringify({ version: 1, ...policy }), claudeToolInputs)
  if (Result.isFailure(read)) throw new Error(JSON.stringify(read.failure))
  return read.success.base
}

/** The only rule of a policy, ready. */
const ready = async (policy: object): Promise<ReadyRule> => {
  const [rule] = await readyRules(rulesOf(policy), cwd, makeDisk())
  if (rule === undefined) throw new Error("no rule")
  return rule
}

const partsOf = async (toolName: string, input: Readonly<Record<string, unknown>>): Promise<ReadonlyArray<CallPart>> =>
  (await callParts({ toolName, input, cwd, mode: undefined }, claudeToolInputs, makeDisk(), true)).parts

const bash = (command: string) => partsOf("Bash", { command })

/** How the only rule of a policy matches the parts of a shell text, by what they are. */
const matches = async (policy: object, command: string) => {
  const rule = await ready(policy)
  return Object.fromEntries((await bash(command)).map((part) => [part.what, matchRule(rule, part)]))
}

describe("a rule", () => {
  it("is about the tools that it names, or whose names are like it", async () => {
    const [part] = await partsOf("mcp__db__query", { sql: "drop" })
    for (const [tool, match] of [
      ["mcp__db__query", "yes"],
      ["mcp__db__*", "yes"],
      ["*", "yes"],
      ["mcp__other__*", "no"]
    ] as const)
      expect(part && matchRule(await ready({ deny: [{ tool }] }), part)).toBe(match)
  })

  it("wants the fields of the input that it names", async () => {
    const rule = await ready({ deny: [{ tool: "Fetch", input: { url: "https://*.example/*", depth: 2 } }] })
    const match = async (input: Readonly<Record<string, unknown>>) => {
      const [part] = await partsOf("Fetch", input)
      return part && matchRule(rule, part)
    }
    expect(await match({ url: "https://a.example/x", depth: 2 })).toBe("yes")
    expect(await match({ url: "https://a.example/x", depth: "2" })).toBe("no")
    expect(await match({ url: "https://a.example/x" })).toBe("no")
    expect(await match({ url: ["https://a.example/x"], depth: 2 })).toBe("maybe")
  })

  it("about a command fits the commands of a text, and perhaps those that are not known yet", async () => {
    const rule = { deny: [{ tool: "Bash", command: "rm *" }] }
    expect(await matches(rule, "ls; rm x")).toMatchObject({ ls: "no", "rm x": "yes" })
    expect(await matches(rule, "$cmd x")).toMatchObject({ "$cmd x": "maybe" })
    expect(matchRule(await ready(rule), { what: "Bash", tool: "Bash", input: {} })).toBe("no")
  })

  it("about a path fits what leads there, and perhaps what may", async () => {
    const rule = { deny: [{ tool: ["Read", "Write"], path: "secret/**" }] }
    expect(await matches(rule, "cat secret/a other")).toMatchObject({ "read secret/a": "yes", "read other": "no" })
    expect(await matches(rule, "cat $x > secret/b")).toMatchObject({ "read $x": "maybe", "write secret/b": "yes" })
    // Whether `cd` succeeds is not known, so either folder is only possible, or meant.
    expect(await matches(rule, "cd secret; cat a")).toMatchObject({ "read a": "yes" })
    expect(await matches(rule, "cd other; cat secret/a")).toMatchObject({ "read secret/a": "maybe" })
  })

  it("that allows a path allows it only if every place is below", async () => {
    const rule = { allow: [{ tool: "Write", path: "out/**" }] }
    expect(await matches(rule, "echo x > out/a")).toMatchObject({ "write out/a": "yes" })
    expect(await matches(rule, "echo x > out/../a")).toMatchObject({ "write out/../a": "no" })
  })

  it("does not allow arguments, which need no leave, and refuses them only where it is about files", async () => {
    const text = "cat secret/a"
    expect(await matches({ allow: [{ tool: "Read" }] }, text)).toMatchObject({ "read secret/a": "no" })
    expect(await matches({ deny: [{ tool: "Read" }] }, text)).toMatchObject({ "read secret/a": "no" })
    expect(await matches({ deny: [{ tool: "Read", path: "secret/**" }] }, text)).toMatchObject({
      "read secret/a": "yes"
    })
  })

  it("may fit any word of a program that is not known, read or written", async () => {
    const rule = { deny: [{ tool: "Write", path: "secret/**" }] }
    expect(await matches(rule, "frob secret/a")).toMatchObject({ "open secret/a": "maybe" })
  })
})

describe("a policy", () => {
  it("has rules about files where it refuses some to the tools for files", () => {
    const has = (policy: object) => hasFileRules(rulesOf(policy), claudeToolInputs)
    expect(has({ deny: [{ tool: "Read", path: ".env" }] })).toBe(true)
    expect(has({ ask: [{ tool: "*", input: { file_path: "*.pem" } }] })).toBe(true)
    expect(has({ allow: [{ tool: "Read", path: "src/**" }] })).toBe(false)
    expect(has({ deny: [{ tool: "Read" }] })).toBe(false)
    expect(has({ deny: [{ tool: "Bash", command: "rm *" }] })).toBe(false)
  })
})

describe("a command among the words of another", () => {
  it("is mentioned where a rule refuses it, and the other may run it", async () => {
    const mentioned = async (policy: object, text: string) => {
      const [part] = await bash(text)
      return part !== undefined && isMentionedIn(await ready(policy), part)
    }
    const deny = { deny: [{ tool: "Bash", command: "rm *" }] }
    expect(await mentioned(deny, "somewrapper rm x")).toBe(true)
    expect(await mentioned(deny, "somewrapper ls x")).toBe(false)
    // It reads, and runs nothing.
    expect(await mentioned(deny, "echo rm x")).toBe(false)
    expect(await mentioned({ allow: [{ tool: "Bash", command: "rm *" }] }, "somewrapper rm x")).toBe(false)
  })
})

describe("an option that makes a reader write", () => {
  it("is allowed by a rule that names it", async () => {
    const allowed = async (policy: object) => {
      const written = (await bash("sed -i p a")).find(({ tool }) => tool === "Write")
      return written !== undefined && allowsByOption(await ready(policy), written)
    }
    expect(await allowed({ allow: [{ tool: "Bash", command: "sed -i *" }] })).toBe(true)
    expect(await allowed({ allow: [{ tool: "Bash", command: "sed *" }] })).toBe(false)
    expect(await allowed({ allow: [{ tool: "Bash" }] })).toBe(false)
    expect(await allowed({ ask: [{ tool: "Bash", command: "sed -i *" }] })).toBe(false)
  })
})
