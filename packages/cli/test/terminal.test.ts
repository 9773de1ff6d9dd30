/**
 * Nothing that others wrote steers a terminal. Every command is run on a real one (a pty, which `script` opens) with
 * poison in whatever it reads: tapes, sessions, events, names of files, arguments, the environment. What comes out has
 * line feeds, tabs and our own colours, and nothing else that a terminal would act upon.
 */
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { writeTapeFile } from "@agentwire/fixtures"
import type { Tape } from "@agentwire/protocol"
import { afterAll, describe, expect, it } from "vitest"
import { history as historyCommand } from "../src/commands/history.ts"
import { commands } from "../src/commands/index.ts"
import { tape as tapeCommand } from "../src/commands/tape.ts"
import { agentwireCommand } from "./AgentwireCommand.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-terminal-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A title, the clipboard, a link, DCS, a colour of ours, a cleared screen, C1, bidi, what is not seen, separators, a backspace, a return. */
const poison: string = [
  "\u001b]0;owned\u0007\u001b]52;c;eA==\u0007\u001b]8;;x:y\u001b\\\u001bP$q\u001b\\\u001b[31mFORGED\u001b[39m",
  "\u001b[2J\u009b1m\u009d0;x\u009c\u0090q\u009c\u202e\u2066\u200f\u061c\u200b\u2060\ufeff\u{e0041}\u2028\u007f\b\rx"
].join("")

const dirty = (name: string): string => `${poison}${name}`

const file = (name: string, text: string): string => {
  const path = join(folder, dirty(name))
  writeFileSync(path, text)
  return path
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`

/** A session in which every string that may be anything is poison; JSON leaves C1 and bidi as they are. */
const messages = [
  { type: poison, [poison]: poison },
  { type: "system", subtype: poison },
  { type: "keep_alive", [poison]: poison },
  {
    type: "assistant",
    message: {
      id: poison,
      type: "message",
      role: "assistant",
      model: poison,
      content: [
        { type: "text", text: poison },
        { type: "tool_use", id: poison, name: poison, input: { [poison]: poison } }
      ],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 }
    },
    parent_tool_use_id: null,
    session_id: poison,
    uuid: poison
  },
  { type: "assistant", message: poison }
]

const session = file("session.ndjson", `${messages.map(line).join("")}${poison}\n{${poison}}\n`)

const frames = (more: string): ReadonlyArray<Tape.Frame> => [
  { _tag: "Open", wait: 0, url: poison, headers: { [poison]: poison } },
  { _tag: "Marker", wait: 0, text: poison },
  ...messages.map(
    (one): Tape.Frame => ({ _tag: "Data", wait: 0, from: "agent", channel: "stdout", data: line({ ...one, more }) })
  ),
  { _tag: "Data", wait: 0, from: "agent", channel: "stdout", data: `${poison}\n` },
  { _tag: "Data", wait: 0, from: "agent", channel: "stderr", data: `${poison}${more}\n` },
  { _tag: "Close", wait: 0, from: "agent", channel: "ws", ws: { code: 1000, reason: poison } }
]

const tapeOf = (name: string, more: ReadonlyArray<Tape.Frame>): string => {
  const path = join(folder, dirty(name))
  const header: Tape.TapeHeader = {
    tape: 1,
    agentwire: poison,
    runtime: { name: poison as Tape.TapeHeader["runtime"]["name"], version: poison },
    transport: "stdio",
    argv: [poison],
    startedAt: poison,
    redacted: [poison],
    scenario: poison
  }
  writeTapeFile(path, { header, frames: [...frames(name), ...more] })
  return path
}

const host: Tape.Frame = { _tag: "Data", wait: 0, from: "host", channel: "stdin", data: line({ type: poison }) }
const exit: Tape.Frame = { _tag: "Exit", wait: 0, code: 0, signal: null }
const one = tapeOf("one.tape", [exit])
const other = tapeOf("other.tape", [host, exit])
const events = file(
  "events.ndjson",
  [
    { type: "RUN_STARTED", threadId: poison, runId: poison },
    { type: "TEXT_MESSAGE_CONTENT", messageId: poison, delta: poison },
    { type: poison, [poison]: poison },
    poison
  ]
    .map(line)
    .join("")
)
const report = file(
  "report.json",
  line({ rule: poison, level: "error", index: 0, message: poison, excerpt: poison, prefix: 1, file: poison }) +
    line({ summary: { verdict: "fail", errors: 1, warnings: 0, infos: 0 }, target: poison, files: [] })
)
const policy = file("policy.json", JSON.stringify({ version: 1, default: "ask", [poison]: poison }))
const rules = file(
  "rules.json",
  JSON.stringify({ version: 1, default: "ask", rules: [{ tool: "Bash", action: "deny", reason: poison }] })
)
const scenario = file("scenario.json", JSON.stringify({ name: poison, model: { replies: [{ kind: poison }] } }))
/** A session file that says poison wherever something may be said, in a folder of projects. */
const projects = join(folder, dirty("projects"))
mkdirSync(join(projects, "-p"), { recursive: true })
const keptFile = join(projects, "-p", "poisoned.jsonl")
const keptLine = (uuid: string, parentUuid: string | null, more: object): string =>
  line({
    uuid,
    parentUuid,
    isSidechain: false,
    sessionId: poison,
    cwd: poison,
    version: poison,
    gitBranch: poison,
    ...more
  })
const said = (content: unknown): object => ({ type: "user", message: { role: "user", content } })
writeFileSync(
  keptFile,
  [
    keptLine("u1", null, said(poison)),
    keptLine("u2", "u1", { ...(messages[3] ?? {}), uuid: "u2" }),
    keptLine("u3", "u2", said([{ type: "tool_result", tool_use_id: poison, content: poison, is_error: true }])),
    keptLine(poison, "u1", said(poison)),
    keptLine("u5", "u3", said(poison)),
    line({ type: "custom-title", customTitle: poison }),
    `${poison}\n`,
    `{${poison}`
  ].join("")
)
const nobody = join(folder, dirty("nobody"))
const tapes = join(folder, dirty("tapes"))
mkdirSync(tapes)

/** What each command is run with. A command that is not here fails the test. */
const cases: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  "app-server": [
    ["--cwd", nobody],
    ["--listen", poison],
    ["--replay", nobody],
    ["--listen", `unix://${poison}`, "--replay", tapes]
  ],
  completions: [[]],
  conform: [
    [events],
    [events, "--json"],
    [events, "--source", session],
    ["--merge", report],
    ["--merge", `${poison}=${report}`, "--json"],
    [session],
    [one],
    [nobody],
    ["--list", "--only", poison],
    ["--cli", nobody]
  ],
  decode: [[session], [session, "--json"], [one, "--from", "both"], [nobody]],
  doctor: [
    ["--cli", nobody],
    ["--cli", nobody, "--json"]
  ],
  drift: [["--cli", nobody]],
  help: [[]],
  history: [
    ["list", "--projects", projects],
    ["list", "--projects", projects, "--json"],
    ["list", "--projects", nobody],
    ["list", "--projects", projects, "--before", poison],
    ["show", keptFile],
    ["show", keptFile, "--json"],
    ["show", keptFile, "--branch", poison],
    ["show", "poisoned", "--projects", projects, "--limit", "1"],
    ["show", poison, "--projects", projects],
    ["show", join(nobody, "x.jsonl")],
    ["export", keptFile],
    ["export", keptFile, "--format", "json"],
    ["export", keptFile, "--format", "tape"],
    ["export", keptFile, "--format", poison],
    ["export", keptFile, "-o", join(folder, dirty("out.md"))],
    ["export", keptFile, "-o", join(folder, dirty("out.md")), "--json"]
  ],
  model: [
    ["--scenario", scenario],
    ["--scenario", nobody]
  ],
  policy: [
    ["check", policy],
    ["check", policy, "--json"],
    ["check", nobody],
    ["test", rules, "--command", poison],
    ["test", rules, "--tool", poison, "--json"]
  ],
  record: [
    ["-o", join(folder, dirty("no folder"), "\n", "x.tape"), "--", nobody],
    ["-o", folder, "--redact", `(${poison}`, "--", "true"]
  ],
  replay: [
    [one],
    [one, "--", "--version"],
    [other],
    [one, "--as", "host", "--idle-limit", "10", "--", process.execPath, "-e", `console.log(${JSON.stringify(poison)})`],
    [one, "--as", "host", "--idle-limit", "10", "--json", "--", "true"],
    [session],
    [nobody]
  ],
  gateway: [
    ["--extensions", nobody],
    ["--link", `tcp://${poison}`]
  ],
  runtime: [
    ["--cwd", nobody],
    ["--link", `tcp://${poison}`],
    ["--replay", nobody]
  ],
  status: [
    ["--data", nobody],
    ["--link", nobody],
    ["--link", nobody, "--json"]
  ],
  serve: [
    ["--replay", one, "--port", "0", "--policy", nobody],
    ["--replay", tapes],
    ["--replay", nobody],
    ["--cwd", nobody],
    ["--demo", "--token", poison, "--host", poison]
  ],
  tape: [
    ["info", one, session, nobody],
    ["info", one, "--json"],
    ["cat", one],
    ["cat", one, "--json"],
    ["verify", one, events],
    ["verify", other, "--json"],
    ["diff", one, other],
    ["diff", one, other, "--json"],
    ["redact", other, "-o", join(folder, dirty("out.tape"))],
    ["redact", other, "--json", "-o", join(folder, dirty("out.tape"))],
    ["redact", one, "--redact", `(${poison}`]
  ],
  translate: [
    [session],
    [session, "--format", "sse"],
    [one, "--messages"],
    [one, "--out-dir", join(folder, dirty("out"))],
    [one, "--out-dir", join(folder, dirty("out")), "--json"],
    [one, "--out-dir", join(session, "below")]
  ]
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** What takes the process it is in with it, or reads its standard input. */
const needsProcess = ([name]: ReadonlyArray<string>): boolean => name === "replay" || name === "record"

const environment = { ...process.env, TERM: "xterm-256color", AGENTWIRE_TOKEN: "", NO_COLOR: "", CLAUDE_PATH: nobody }

/** Runs a shell script on a terminal that changes nothing of what is written to it. */
const onTerminal = (name: string, script: string): ChildProcessByStdio<null, Readable, null> => {
  const path = join(folder, name)
  writeFileSync(path, `stty -opost -echo\n${script}\ntrue\n`)
  return spawn("script", ["-qec", `sh ${quote(path)}`, "/dev/null"], {
    env: environment,
    stdio: ["ignore", "pipe", "ignore"]
  })
}

const textOf = async (child: ChildProcessByStdio<null, Readable, null>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const driver = [
  process.execPath,
  "--import",
  pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href,
  "--conditions=agentwire-source",
  fileURLToPath(new URL("./terminal/Driver.ts", import.meta.url))
]

/** What each command line writes to a terminal: most of them in one process, because starting one takes longest. */
const written = async (lines: ReadonlyArray<ReadonlyArray<string>>): Promise<ReadonlyArray<string>> => {
  const [alone, together] = [lines.filter(needsProcess), lines.filter((line) => !needsProcess(line))]
  const list = join(folder, "lines.json")
  writeFileSync(list, JSON.stringify(together))
  const words = (command: ReadonlyArray<string>): string => `${command.map(quote).join(" ")} </dev/null`
  const [driven = "", ...others] = await Promise.all([
    textOf(onTerminal("driver.sh", words([...driver, list]))),
    ...alone.map((line, index) => textOf(onTerminal(`alone-${index}.sh`, words([...agentwireCommand, ...line]))))
  ])
  const parts = driven.split(/^=== \d+\n/m).slice(1)
  expect(parts).toHaveLength(together.length)
  return lines.map((line) =>
    needsProcess(line) ? (others[alone.indexOf(line)] ?? "") : (parts[together.indexOf(line)] ?? "")
  )
}

/** Every command line there is to try. */
const lines: ReadonlyArray<ReadonlyArray<string>> = [
  [poison],
  [`--${poison}`],
  ...Object.keys(commands).flatMap((name) =>
    [...(cases[name] ?? []), [`--${poison}`], [poison]].map((args) => [name, ...args])
  )
]

/** Our colours, and what takes a progress line away. */
const escapeCharacter = "\u001b"
const ours = new RegExp(`${escapeCharacter}\\[(?:0|1|2|22|31|32|33|39)m|\r${escapeCharacter}\\[K`, "g")
const steering = /[^\P{Cc}\n\t]|[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}\ufffd]/gu

const expectHarmless = (text: string, args: ReadonlyArray<string>): void => {
  // The poison has a colour of ours, too: it may be seen, but not felt.
  expect(text).not.toContain("\u001b[31mFORGED")
  const left = text.replace(ours, "")
  const at = left.search(steering)
  const around = at === -1 ? "" : JSON.stringify(left.slice(Math.max(0, at - 200), at + 100))
  expect({ args, around }).toEqual({ args, around: "" })
}

describe("on a terminal", () => {
  it("every command and every action is put to the test", () => {
    expect(Object.keys(cases).sort()).toEqual(Object.keys(commands).sort())
    for (const { choices = [], name } of [tapeCommand, historyCommand])
      expect([...new Set(cases[name]?.map(([action]) => action))].sort()).toEqual([...choices].sort())
  })

  it("every command shows poison for what it is", async () => {
    const texts = await written(lines)
    for (const [index, text] of texts.entries()) expectHarmless(text, lines[index] ?? [])
    // It did come out.
    for (const name of Object.keys(commands))
      expect({ name, text: texts.filter((_, index) => lines[index]?.[0] === name).join("") }).toMatchObject({
        text: expect.stringContaining("\\u001b")
      })
    // JSON still says what it said.
    const json = texts[lines.findIndex(([name, , flag]) => name === "decode" && flag === "--json")] ?? ""
    expect(JSON.parse(json)).toMatchObject({ file: session, unknown: [{ type: poison }, { subtype: poison }] })
  })

  it("what is piped on is not touched", async () => {
    const [node, ...args] = agentwireCommand
    const { stdout } = await promisify(execFile)(node, [...args, "tape", "cat", one, "--json"], { encoding: "utf8" })
    expect(stdout).toContain(line({ ...messages[0], more: "one.tape" }))
  })

  it("a server logs what strangers send it harmlessly", async () => {
    const pid = join(folder, "pid")
    const serve = [...agentwireCommand, "serve", "--replay", one, "--port", "0", "--token", "0123456789abcdef"]
    const child = onTerminal("serve.sh", `echo $$ > ${quote(pid)}; exec ${serve.map(quote).join(" ")} </dev/null`)
    let text = ""
    const url = await new Promise<string>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8")
        const [, found] = /Listens at {2}(http:\S+)/.exec(text) ?? []
        if (found !== undefined) resolve(found)
      })
    })
    for (const threadId of [poison, "t"]) {
      const answer = await fetch(url, {
        method: "POST",
        headers: { authorization: "Bearer 0123456789abcdef", "content-type": "application/json" },
        body: JSON.stringify({
          threadId,
          runId: poison,
          messages: [{ id: poison, role: "user", content: poison }],
          tools: [],
          context: [],
          state: {},
          forwardedProps: {}
        })
      })
      await answer.text()
    }
    const closed = new Promise((resolve) => child.once("close", resolve))
    process.kill(Number(readFileSync(pid, "utf8")), "SIGTERM")
    await closed
    expect(text).toContain("request refused")
    expectHarmless(text, serve)
  })
})
