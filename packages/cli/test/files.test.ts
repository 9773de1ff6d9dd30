/**
 * What the commands write: only its owner can read what was said in a session, whatever the umask is and whatever had
 * the name before; and nothing is ever written through a link that somebody put there.
 */
import { execFile, execFileSync, spawn } from "node:child_process"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { findTape } from "@agentwire/fixtures"
import { afterAll, describe, expect, it } from "vitest"
import { agentwireCommand } from "./AgentwireCommand.ts"
import { broken, ndjson } from "./conform/streams.ts"
import { run } from "./run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-files-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tape = findTape({ version: "2.1.325", scenario: "plain_text" })?.file ?? ""
const events = join(folder, "events.ndjson")
writeFileSync(events, ndjson(broken))

const kept = join(folder, "kept.jsonl")
writeFileSync(kept, '{"type":"user","uuid":"u","parentUuid":null,"message":{"role":"user","content":"Hi"}}\n')

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

interface Writer {
  readonly name: string
  /** The command line that writes a file. */
  readonly args: (file: string) => ReadonlyArray<string>
  /** What the file is called, below the folder that is given. */
  readonly file: string
  /** The modes of the file with umask 000, 022 and 077, and of a folder that is made for it. */
  readonly modes: readonly [open: string, usual: string, closed: string]
  readonly folderModes: readonly [open: string, usual: string, closed: string]
}

const onlyOwner = { modes: ["600", "600", "600"], folderModes: ["700", "700", "700"] } as const
const asUsual = { modes: ["666", "644", "600"], folderModes: ["777", "755", "700"] } as const
const script = { modes: ["755", "755", "700"], folderModes: ["777", "755", "700"] } as const

const writers: ReadonlyArray<Writer> = [
  { name: "record", args: (file) => ["record", "-o", file, "--", "true"], file: "new/x.tape", ...onlyOwner },
  { name: "record .gz", args: (file) => ["record", "-o", file, "--", "true"], file: "new/x.tape.gz", ...onlyOwner },
  {
    name: "translate",
    args: (file) => ["translate", tape, "--out-dir", dirname(file)],
    file: "new/plain_text.agui.ndjson",
    ...onlyOwner
  },
  {
    name: "record --shim",
    args: (file) => ["record", "--shim", dirname(file), "-o", folder, "--", "true"],
    file: "new/true",
    ...script
  },
  { name: "replay --shim", args: (file) => ["replay", "--shim", dirname(file), tape], file: "new/claude", ...script },
  { name: "conform --junit", args: (file) => ["conform", events, "--junit", file], file: "new/report.xml", ...asUsual },
  { name: "conform --html", args: (file) => ["conform", events, "--html", file], file: "new/report.html", ...asUsual },
  { name: "conform --sarif", args: (file) => ["conform", events, "--sarif", file], file: "new/r.sarif", ...asUsual },
  { name: "history export", args: (file) => ["history", "export", kept, "-o", file], file: "x.md", ...onlyOwner },
  {
    name: "history export .gz",
    args: (file) => ["history", "export", kept, "--format", "tape", "-o", file],
    file: "x.tape.gz",
    ...onlyOwner
  },
  { name: "tape redact -o", args: (file) => ["tape", "redact", tape, "-o", file], file: "x.tape", ...onlyOwner },
  { name: "tape redact -o .gz", args: (file) => ["tape", "redact", tape, "-o", file], file: "x.tape.gz", ...onlyOwner }
]

const places = [
  ["000", 0],
  ["022", 1],
  ["077", 2]
] as const

let count = 0
const place = (): string => {
  const path = join(folder, String(count++))
  mkdirSync(path)
  return path
}

/** Runs a command under a umask; `record` ends the process it is in. */
const start = async (umask: string, args: ReadonlyArray<string>): Promise<void> => {
  if (args[0] === "record" && args[1] === "-o") {
    const words = [...agentwireCommand, ...args].map((word) => `'${word}'`).join(" ")
    await promisify(execFile)("sh", ["-c", `umask ${umask}; ${words} </dev/null`])
    return
  }
  const before = process.umask(umask)
  try {
    expect((await run(args)).code).toBeLessThan(2)
  } finally {
    process.umask(before)
  }
}

describe.each(writers)("$name", ({ args, file, folderModes, modes }) => {
  it("makes its file and folder with their modes, whatever the umask is", async () => {
    for (const [umask, index] of places) {
      const path = join(place(), file)
      await start(umask, args(path))
      expect([umask, mode(path)]).toEqual([umask, modes[index]])
      if (file.includes("/")) expect([umask, mode(dirname(path))]).toEqual([umask, folderModes[index]])
    }
  })

  it("replaces a file that others can read, and a link, and leaves alone what that leads to", async () => {
    const [target, path] = [join(place(), "victim"), join(place(), file)]
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(target, "precious", { mode: 0o644 })
    symlinkSync(target, path)
    await start("022", args(path))
    expect(readFileSync(target, "utf8")).toBe("precious")
    expect(lstatSync(path).isFile()).toBe(true)
    expect(mode(path)).toBe(modes[1])
    writeFileSync(path, "before", { mode: 0o666 })
    await start("022", args(path))
    expect(mode(path)).toBe(modes[1])
    expect(execFileSync("ls", ["-A", dirname(path)], { encoding: "utf8" })).not.toContain(".part")
  })
})

describe("what is no file", () => {
  // Not with /dev/null itself: whoever breaks this as root would have none any more.
  it("is written to as it is: what is below /dev, a pipe", async () => {
    const [node, ...args] = agentwireCommand
    const words = [...agentwireCommand, "tape", "redact", tape, "-o", "/dev/fd/1"].map((word) => `'${word}'`).join(" ")
    const said = await promisify(execFile)("sh", ["-c", `${words} </dev/null | cat`])
    expect(said.stdout).toContain('{"tape":1')
    const pipe = join(place(), "pipe")
    execFileSync("mkfifo", [pipe])
    const reader = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "ignore"] })
    let text = ""
    reader.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
    })
    const closed = new Promise((resolve) => reader.once("close", resolve))
    await promisify(execFile)(node, [...args, "tape", "redact", tape, "-o", pipe])
    await closed
    expect(text).toContain('{"tape":1')
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })

  it("a tape that is a link is not redacted in its place", async () => {
    const link = join(place(), "link.tape")
    symlinkSync(tape, link)
    const { code, err } = await run(["tape", "redact", link])
    expect([code, err]).toEqual([2, `${link} is a link. Name the file it leads to, or another one with -o.\n`])
    expect(existsSync(link) && lstatSync(link).isSymbolicLink()).toBe(true)
  })
})
