/** What `--json` writes, command by command: these keys are what programs rely on, and the help names them all. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { findTape, loadKeptSession, writeTapeFile } from "@agentwire/fixtures"
import { isRecord } from "@agentwire/protocol/wire"
import { afterAll, describe, expect, it } from "vitest"
import { commands } from "../src/commands/index.ts"
import { broken, good, ndjson } from "./conform/streams.ts"
import { run } from "./run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-json-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const tape = findTape({ version: "2.1.325", scenario: "plain_text" })?.file ?? ""
const other = findTape({ version: "2.1.325", scenario: "tool_approved" })?.file ?? ""
const secretTape = join(folder, "secret.tape")
writeTapeFile(secretTape, {
  header: {
    tape: 1,
    agentwire: "0.0.0",
    runtime: { name: "claude-code" },
    transport: "stdio",
    argv: [],
    startedAt: "2026-01-01T00:00:00Z",
    redacted: []
  },
  frames: [
    { _tag: "Data", wait: 0, from: "agent", channel: "stdout", data: '"sk-ant-api03-AbCdEfGhIjKlMnOp0123456789"\n' }
  ]
})
const session = file("session.ndjson", '{"type":"telepathy"}\nno JSON\n')
const answer = file("answer.ndjson", ndjson(broken))
const report = file("report.json", (await run(["conform", file("good.ndjson", ndjson(good)), "--json"])).out)
const projects = join(folder, "projects")
const [session325] = loadKeptSession({ scenario: "plain_text", version: "2.1.325" }).files
const kept = join(projects, session325?.path ?? "")
mkdirSync(dirname(kept), { recursive: true })
writeFileSync(kept, session325?.bytes ?? "")
const policy = file("policy.json", '{"version":1,"default":"ask"}')
/** A CLI that says nothing and ends when its input does. */
const mute = file("mute.mjs", "process.stdin.resume()")

/** The command line, its exit code, and the keys of each line. A name with a dot is a key within. */
type Shape = readonly [args: ReadonlyArray<string>, code: number, ...lines: ReadonlyArray<ReadonlyArray<string>>]

const shapes: ReadonlyArray<Shape> = [
  [
    ["decode", session, "--json"],
    2,
    [
      "file",
      "lines",
      "known",
      "unknown",
      "unknown.line",
      "unknown.type",
      "invalid",
      "invalid.line",
      "invalid.error",
      "drift"
    ]
  ],
  [
    ["tape", "info", secretTape, "--json"],
    0,
    [
      ...["file", "tape", "agentwire", "runtime", "runtime.name", "transport", "argv", "startedAt", "redacted"],
      ...[
        "durationMs",
        "complete",
        "hash",
        "wrong",
        "frames",
        "frames.agent stdout",
        "messages",
        "messages.agent (invalid)"
      ]
    ]
  ],
  [
    ["tape", "verify", secretTape, "--json"],
    1,
    [
      "file",
      "frames",
      "faults",
      "faults.where",
      "faults.fault",
      "lookedFor",
      "lookedFor.kinds",
      "lookedFor.rules",
      "lookedFor.patterns"
    ]
  ],
  [["tape", "diff", tape, tape, "--json"], 0, ["left", "right", "differences"]],
  [
    ["tape", "redact", secretTape, "--json", "-o", join(folder, "clean.tape")],
    0,
    ["file", "output", "replaced", "replaced.api-key"]
  ],
  [
    ["translate", session, tape, "--json", "--out-dir", join(folder, "agui")],
    1,
    ["file", "output", "lines", "unknown", "invalid", "example", "example.line", "example.error"],
    ["file", "output", "lines", "unknown", "invalid"]
  ],
  [
    ["conform", answer, "--json"],
    1,
    ["file", "rule", "level", "index", "message", "excerpt", "prefix", "line"],
    [
      ...["summary", "summary.verdict", "summary.errors", "summary.warnings", "summary.infos", "agentwire"],
      ...["files", "files.file", "files.verdict", "files.errors", "files.warnings", "files.infos", "files.events"]
    ]
  ],
  [
    ["conform", "--merge", report, "--json"],
    0,
    [
      ...["runs", "subjects", "subjects.name", "subjects.verdicts"],
      ...["summary", "summary.verdict", "summary.errors", "summary.warnings", "summary.infos", "agentwire"]
    ]
  ],
  [
    ["conform", "--list", "--json", "--only", "AGUI-RUN-001"],
    0,
    ["rule", "family", "dialects", "level", "requirement", "spec"]
  ],
  [["conform", "--list", "--json", "--only", "LIVE-001"], 0, ["scenario", "title"]],
  [
    ["history", "list", "--projects", projects, "--json"],
    0,
    [
      ...["runtime", "sessionId", "title", "titleBy", "cwd", "gitBranch", "model", "version", "createdAt", "activeAt"],
      ...["modifiedAt", "bytes", "file"]
    ],
    ["more"]
  ],
  [
    ["history", "show", kept, "--limit", "1", "--json"],
    0,
    [
      ...[
        "runtime",
        "sessionId",
        "title",
        "titleBy",
        "cwd",
        "gitBranch",
        "model",
        "version",
        "createdAt",
        "activeAt",
        "file"
      ],
      ...["usage", "models", "branches", "entries", "unread", "torn", "more"]
    ],
    ["position", "at", "entry"]
  ],
  [
    ["history", "export", kept, "--format", "markdown", "-o", join(folder, "kept.md"), "--json"],
    0,
    ["output", "format", "entries"]
  ],
  [["policy", "check", policy, "--json"], 0, ["file", "ok", "rules", "modes", "problems"]],
  [
    ["policy", "test", policy, "--command", "ls", "--json"],
    1,
    ["decision", "reason", "parts", "doubts", "fallback", "use"]
  ],
  [
    ["replay", tape, "--as", "host", "--idle-limit", "20", "--json", "--", process.execPath, mute],
    1,
    ["same", "differences", "unknown", "killed"]
  ]
]

/** Its keys, and those of what is in it where that has one name for all. */
const keysOf = (line: unknown): ReadonlyArray<string> =>
  isRecord(line)
    ? Object.entries(line).flatMap(([key, value]) => {
        const inner = Array.isArray(value) ? value[0] : value
        return [key, ...(isRecord(inner) ? Object.keys(inner).map((each) => `${key}.${each}`) : [])]
      })
    : []

/** What is compared as far as the shape above tells. */
const toldOf = (keys: ReadonlyArray<string>, wanted: ReadonlyArray<string>): ReadonlyArray<string> =>
  keys.filter((key) => !key.includes(".") || wanted.some((each) => each.startsWith(`${key.split(".")[0]}.`)))

describe("--json", () => {
  const rows = shapes.map(([args, code, ...lines]) => ({ args, code, lines, name: args.join(" ") }))
  it.each(rows)("$name writes one object a line", async ({ args, code, lines }) => {
    const ran = await run(args)
    expect(ran.code).toBe(code)
    const written: ReadonlyArray<unknown> = ran.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(written.map((line, at) => toldOf(keysOf(line), lines[at] ?? []).toSorted())).toEqual(
      lines.map((keys) => [...keys].sort())
    )
    const { out: help } = await run(["help", args[0] ?? ""])
    for (const key of lines.flat().filter((each) => !each.includes("."))) expect(help).toContain(`"${key}"`)
  })

  it("is there wherever a result is more than one value", async () => {
    const all = await Promise.all(
      Object.entries(commands).map(async ([name, { load }]) => [name, await load()] as const)
    )
    // record prints one address or one path; completions and help are for a shell and for people.
    expect(all.filter(([, { options }]) => options["json"] === undefined).map(([name]) => name)).toEqual([
      "record",
      "completions",
      "help"
    ])
  })

  it("tells how two tapes differ, and on which frames", async () => {
    const { code, out } = await run(["tape", "diff", tape, other, "--json"])
    const { differences } = JSON.parse(out)
    expect(code).toBe(1)
    expect(new Set(differences.map(({ _tag }: { readonly _tag: string }) => _tag))).toContain("OnlyRight")
  })
})
