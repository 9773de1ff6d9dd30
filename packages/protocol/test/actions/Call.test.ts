/** What the tools of both runtimes do. Codex's arguments are its items, as docs/wire/codex.md has them. */
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { callActions, isFileRead } from "../../src/actions/Call.ts"
import type { CallAction } from "../../src/actions/CallAction.ts"

const bash = "/bin/bash -lc"

const cases: ReadonlyArray<readonly [string, unknown, ReadonlyArray<CallAction>]> = [
  ["Read", { file_path: "/a" }, [{ type: "read", path: "/a" }]],
  ["NotebookEdit", { notebook_path: "/n.ipynb" }, [{ type: "edit", path: "/n.ipynb" }]],
  ["Glob", { pattern: "**/*.ts", path: "src" }, [{ type: "list", path: "src", pattern: "**/*.ts" }]],
  ["Grep", { pattern: "x" }, [{ type: "search", pattern: "x" }]],
  ["Bash", { command: "cat a | grep b" }, [{ type: "read", path: "a" }]],
  ["WebFetch", { url: "https://a.example" }, [{ type: "fetch", target: "https://a.example" }]],
  ["Task", { subagent_type: "poet", description: "Rhyme" }, [{ type: "agent", name: "poet", task: "Rhyme" }]],
  ["AskUserQuestion", { questions: [{ question: "Which?" }] }, [{ type: "question", question: "Which?" }]],
  ["ToolSearch", { query: "x" }, [{ type: "other" }]],
  ["mcp__a__b", { path: "a" }, [{ type: "other" }]],
  [
    "commandExecution",
    { command: `${bash} 'cat a'`, commandActions: [{ type: "read", command: "cat a", name: "a", path: "/p/a" }] },
    [{ type: "read", path: "/p/a" }]
  ],
  [
    "commandExecution",
    {
      command: `${bash} 'rg x src'`,
      commandActions: [{ type: "search", command: "rg x src", query: "x", path: "src" }]
    },
    [{ type: "search", pattern: "x", path: "src" }]
  ],
  [
    "commandExecution",
    { command: `${bash} ls`, commandActions: [{ type: "listFiles", command: "ls", path: null }] },
    [{ type: "list" }]
  ],
  [
    "commandExecution",
    { command: `${bash} 'npm test'`, commandActions: [{ type: "unknown", command: "npm test" }] },
    [{ type: "command", command: "npm test" }]
  ],
  ["shell", { command: ["bash", "-lc", "cat 'a b'"] }, [{ type: "read", path: "a b" }]],
  [
    "fileChange",
    {
      changes: [
        { path: "a", kind: { type: "add" }, diff: "" },
        { path: "b", kind: { type: "update", move_path: null }, diff: "" },
        { path: "c", kind: { type: "delete" }, diff: "" }
      ]
    },
    [
      { type: "write", path: "a" },
      { type: "edit", path: "b" },
      { type: "delete", path: "c" }
    ]
  ],
  [
    "apply_patch",
    { input: "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** End Patch" },
    [
      { type: "write", path: "a" },
      { type: "edit", path: "b" }
    ]
  ],
  ["webSearch", { query: "words" }, [{ type: "fetch", target: "words" }]],
  ["imageView", { path: "/p.png" }, [{ type: "read", path: "/p.png" }]]
]

describe("callActions", () => {
  test.each(cases)("%s %j", (tool, input, actions) => {
    expect(callActions({ tool, arguments: JSON.stringify(input) })).toEqual(actions)
  })

  it("tells a tool that it does not know by its kind", () => {
    expect(callActions({ tool: "new", action: "read", arguments: '{"path":"a"}' })).toEqual([
      { type: "read", path: "a" }
    ])
  })

  it("does not take a tool of the application for one of the agent's", () => {
    expect(callActions({ tool: "Read", action: "page_tool", arguments: '{"file_path":"a"}' })).toEqual([
      { type: "other" }
    ])
  })

  it("does not throw, whatever the arguments are", () => {
    const names = fc.constantFrom(...new Set(cases.map(([tool]) => tool)))
    const keys = fc.constantFrom(
      "file_path",
      "path",
      "pattern",
      "command",
      "commandActions",
      "changes",
      "questions",
      "input"
    )
    const values = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.dictionary(fc.constantFrom("type", "path", "kind"), fc.jsonValue()))
    )
    const inputs = fc.dictionary(keys, values).map((input) => JSON.stringify(input))
    fc.assert(
      fc.property(names, fc.oneof(fc.string(), inputs), (tool, text) => {
        expect(callActions({ tool, arguments: text }).length).toBeGreaterThan(0)
      })
    )
  })
})

describe("isFileRead", () => {
  it("is for calls that only look", () => {
    expect(isFileRead(callActions({ tool: "Bash", arguments: '{"command":"ls | head"}' }))).toBe(true)
    expect(isFileRead(callActions({ tool: "Bash", arguments: '{"command":"cat a > b"}' }))).toBe(false)
    expect(isFileRead(callActions({ tool: "Bash", arguments: '{"command":"npm test"}' }))).toBe(false)
  })
})
