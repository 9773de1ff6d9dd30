import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { explainDecision } from "../../../src/policy/Explain.ts"
import { readPolicy } from "../../../src/policy/Rules.ts"
import { codexToolInputs } from "../../../src/runtime/codex/ToolInputs.ts"

const rules = Result.getOrThrow(
  readPolicy(
    JSON.stringify({
      version: 1,
      allow: [
        {
          tool: ["commandExecution", "execCommandApproval", "exec_command"],
          command: ["cat *", "ls *", "git log *", "echo *"]
        },
        { tool: ["fileChange", "apply_patch", "applyPatchApproval"], path: "src/**" }
      ],
      deny: [
        { tool: ["read", "fileChange", "apply_patch", "applyPatchApproval"], path: ["/**/.env", "/etc/**"] },
        { tool: "*", command: "rm *" }
      ]
    }),
    codexToolInputs
  )
)

const decision = (toolName: string, input: Record<string, unknown>) =>
  Effect.map(explainDecision(rules, { toolName, input, cwd: "/nowhere", mode: undefined }), (said) => said.decision)

const patch = (...lines: ReadonlyArray<string>): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")

/** The same text in all the shapes in which Codex asks about one. */
const shapes = (text: string): ReadonlyArray<readonly [string, Record<string, unknown>]> => [
  ["commandExecution", { command: text }],
  ["commandExecution", { command: `/bin/bash -lc '${text.replaceAll("'", "'\\''")}'` }],
  ["execCommandApproval", { command: ["bash", "-lc", text], cwd: "/nowhere" }],
  ["exec_command", { cmd: text, workdir: "." }]
]

describe("a policy that is written for Claude Code", () => {
  const decisionBy = (policy: object, toolName: string, input: Record<string, unknown>) =>
    Effect.gen(function* () {
      const read = yield* Effect.fromResult(readPolicy(JSON.stringify({ version: 1, ...policy }), codexToolInputs))
      const { decision } = yield* explainDecision(read, { toolName, input, cwd: "/nowhere", mode: undefined })
      return decision
    })

  const policy = {
    default: "ask",
    allow: [
      { tool: ["Read", "Glob", "Grep"], path: "**" },
      { tool: "Bash", command: ["ls *", "cat *"] },
      { tool: "Edit", path: "edited/**" },
      { tool: "Write", path: "written/**" }
    ],
    deny: [
      { tool: "Bash", command: "rm *" },
      { tool: ["Read", "Write", "Edit"], path: "/**/.env" }
    ]
  }

  it.effect.each([
    ["ls src", "allow"],
    ["cat a.txt", "allow"],
    ["cat .env", "deny"],
    ["ls; rm x", "deny"],
    ["npm test", "ask"]
  ] as const)("judges the command %j of Codex: %s", ([text, expected]) =>
    Effect.gen(function* () {
      for (const [tool, input] of shapes(text))
        assert.strictEqual(yield* decisionBy(policy, tool, input), expected, tool)
    })
  )

  it.effect.each([
    ["written/a.txt", "allow"],
    ["edited/a.txt", "ask"],
    ["written/.env", "deny"],
    ["a.txt", "ask"]
  ] as const)("judges a patch of %j: %s", ([path, expected]) =>
    Effect.gen(function* () {
      for (const [tool, input] of [
        ["fileChange", { changes: [{ path, kind: { type: "add" }, diff: "x\n" }] }],
        ["apply_patch", { input: patch(`*** Add File: ${path}`, "+x") }]
      ] as const)
        assert.strictEqual(yield* decisionBy(policy, tool, input), expected, tool)
    })
  )

  it.effect("means no tool of Codex by `Monitor`, nor by the name of one that Codex does not have", () =>
    Effect.gen(function* () {
      const allow = [{ tool: ["Monitor", "WebFetch"] }]
      assert.strictEqual(yield* decisionBy({ allow }, "commandExecution", { command: "ls" }), "ask")
    })
  )
})

describe("codexToolInputs, on commands", () => {
  it.effect.each([
    ["ls", "allow"],
    ["cat src/a.ts", "allow"],
    ["ls; rm x", "deny"],
    ["cat .env", "deny"],
    ["cat 'src/../.env'", "deny"],
    ["echo $(cat sub/.env)", "deny"],
    ["cat .e*", "ask"],
    ["cat $x", "ask"],
    ["git log --output=src/log", "allow"],
    ["git log --output=log", "ask"],
    ["git log --output=/etc/log", "deny"],
    ["echo x > src/x", "allow"],
    ["echo x > /etc/x", "deny"],
    ["apply_patch x", "ask"]
  ] as const)("says about %j in every shape: %s", ([text, expected]) =>
    Effect.gen(function* () {
      for (const [tool, input] of shapes(text)) assert.strictEqual(yield* decision(tool, input), expected, tool)
    })
  )

  it.effect.each([
    [["cat", ".env"], "deny"],
    [["cat", "a b;rm x"], "allow"],
    [["rm", "-rf", "x"], "deny"],
    [["bash", "-c", "ls", "name"], "allow"],
    [["apply_patch", patch("*** Add File: .env", "+x")], "deny"],
    [[], "ask"],
    [["ls", 1], "ask"],
    [{ 0: "ls" }, "ask"]
  ])("reads a list of words as one command: %j", ([command, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* decision("commandExecution", { command }), expected)
    })
  )

  it.effect("reads paths from the folder in which the command runs", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* decision("commandExecution", { command: "cat passwd", cwd: "/etc" }), "deny")
      assert.strictEqual(yield* decision("exec_command", { cmd: "echo x > y", workdir: "src" }), "allow")
      assert.strictEqual(yield* decision("commandExecution", { command: "ls", cwd: 1 }), "ask")
    })
  )
})

describe("codexToolInputs, on patches", () => {
  it.effect.each([
    ["apply_patch", { input: patch("*** Add File: src/a", "+x") }, "allow"],
    ["apply_patch", { input: patch("*** Update File: src/a", "@@", "-x", "+y", "*** Delete File: src/b") }, "allow"],
    ["apply_patch", { input: patch("*** Update File: src/a", "*** Move to: .env", "@@", "+y") }, "deny"],
    ["apply_patch", { input: patch("*** Add File: src/a", "+x", "*** Delete File: src/../sub/.env") }, "deny"],
    ["apply_patch", { input: patch("*** Add File: other", "+x") }, "ask"],
    ["apply_patch", { input: "*** Add File: src/a" }, "ask"],
    ["apply_patch", { input: patch("+x") }, "ask"],
    ["apply_patch", {}, "ask"],
    ["fileChange", { changes: [{ path: "src/a", kind: { type: "add" }, diff: "x" }] }, "allow"],
    ["fileChange", { changes: [{ path: "src/a", kind: { type: "update", move_path: "/etc/x" } }] }, "deny"],
    ["fileChange", { changes: [{ path: "src/a" }, { path: ".env" }] }, "deny"],
    ["fileChange", { changes: [{ path: "src/a" }, {}] }, "ask"],
    ["fileChange", { changes: [] }, "ask"],
    ["applyPatchApproval", { fileChanges: { "src/a": { type: "add" } } }, "allow"],
    ["applyPatchApproval", { fileChanges: { "src/a": { type: "update", move_path: "/nowhere/.env" } } }, "deny"],
    ["applyPatchApproval", { fileChanges: { "src/a": null } }, "ask"]
  ] as const)("says about %s %j: %s", ([tool, input, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* decision(tool, input), expected)
    })
  )
})
