import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { keptSessions, loadKeptRollout, loadKeptSession, readTapeFile } from "@agentwire/fixtures"
import { afterAll, describe, expect, it } from "vitest"
import { agentwire, start } from "../replay/agentwire.ts"
import { run } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-history-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder of projects with the sessions of these scenarios, the first the newest, and the paths of their files. */
const projectsWith = (name: string, ...scenarios: ReadonlyArray<string>) => {
  const projects = join(folder, name)
  const files = scenarios.map((scenario, age) => {
    const { files: kept } = loadKeptSession({ scenario, version: "2.1.325" })
    for (const { bytes, path } of kept) {
      mkdirSync(dirname(join(projects, path)), { recursive: true })
      writeFileSync(join(projects, path), bytes)
      utimesSync(join(projects, path), 1_800_000_000 - age, 1_800_000_000 - age)
    }
    return join(projects, kept.find(({ path }) => /^[^/]+\/[^/]+\.jsonl$/.test(path))?.path ?? "")
  })
  return { projects, files }
}

const idOf = (file = ""): string => file.replace(/^.*\//, "").replace(/\.jsonl$/, "")

const { files, projects } = projectsWith("projects", "plain_text", "resume_at", "subagent", "compact")
const [plain, forked, delegated, compacted] = files

describe("agentwire history list", () => {
  it("lists the sessions of all folders, the newest first", async () => {
    const { code, out } = await run(["history", "--projects", projects])
    expect(code).toBe(0)
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((row) => row.split("  ")[0])
    ).toEqual(files.map(idOf))
    expect(out).toMatch(/^\S+ {2}claude {2}2026-\d\d-\d\d \d\d:\d\d {2}Hi {2}\/tmp\/agentwire-\w+\/project$/m)
  })

  it("goes on behind a session, by the beginning of its id", async () => {
    const first = await run(["history", "list", "--projects", projects, "--limit", "2"])
    expect(first.out).toContain(`older ones: agentwire history list --before ${idOf(forked)}`)
    const rest = await run(["history", "list", "--projects", projects, "--before", idOf(forked).slice(0, 8)])
    expect(
      rest.out
        .trimEnd()
        .split("\n")
        .map((row) => row.split("  ")[0])
    ).toEqual([idOf(delegated), idOf(compacted)])
  })

  it("may be of one folder, and says when there is nothing", async () => {
    const [about] = (await run(["history", "list", "--projects", projects, "--json"])).out.split("\n")
    const { cwd } = JSON.parse(about ?? "")
    const here = await run(["history", "list", "--projects", projects, "--cwd", cwd, "--json"])
    expect(
      here.out
        .trimEnd()
        .split("\n")
        .map((row) => JSON.parse(row))
    ).toMatchObject([{ sessionId: idOf(plain) }, { more: false }])
    const elsewhere = await run(["history", "list", "--projects", projects, "--cwd", "/nowhere"])
    expect(elsewhere).toMatchObject({ code: 0, out: `No sessions of /nowhere in ${projects}\n` })
  })

  it("looks where the settings of the CLI are", async () => {
    const before = process.env["CLAUDE_CONFIG_DIR"]
    process.env["CLAUDE_CONFIG_DIR"] = folder
    try {
      expect((await run(["history", "show", idOf(plain).slice(0, 8)])).out).toContain("Hello there.")
    } finally {
      if (before === undefined) delete process.env["CLAUDE_CONFIG_DIR"]
      else process.env["CLAUDE_CONFIG_DIR"] = before
    }
  })
})

describe("agentwire history show", () => {
  it("shows what was said, and what it cost, each message counted once", async () => {
    const { code, out } = await run(["history", "show", idOf(delegated).slice(0, 6), "--projects", projects])
    expect(code).toBe(0)
    expect(out).toContain("spent    3250 tokens in (2500 from the cache, 150 into it), 210 out")
    expect(out).toContain("1 prompt\n  Go.\n")
    expect(out).toMatch(/in toolu_0001 answer\n {2}Working on alpha/)
    expect(out).toMatch(/in toolu_0001 calls Bash\n {2}\{"command":"touch alpha.txt"/)
  })

  it("pages backwards through what was before a compaction, too", async () => {
    const lines = async (...args: ReadonlyArray<string>) =>
      (await run(["history", "show", compacted ?? "", "--json", ...args])).out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    const [whole, ...entries] = await lines()
    expect(whole).toMatchObject({ entries: entries.length, more: false, unread: 0, torn: false })
    const [about, ...last] = await lines("--limit", "4")
    expect([about.more, last]).toEqual([true, entries.slice(-4)])
    const [, ...before] = await lines("--limit", "4", "--before", String(last[0].position))
    expect(before).toEqual(entries.slice(-8, -4))
    expect((await run(["history", "show", compacted ?? "", "--limit", "1"])).out).toContain(
      `${entries.length - 1} earlier: agentwire history show ${compacted} --before ${entries.length}`
    )
    expect(entries[0]).toMatchObject({ position: 1, entry: { kind: "prompt", content: "1" } })
  })

  it("names the other branches, and shows one", async () => {
    const { out } = await run(["history", "show", forked ?? ""])
    expect(out).not.toContain("Two.")
    const [, leaf = ""] = /branches {2}(\S+): see --branch/.exec(out) ?? []
    expect((await run(["history", "show", forked ?? "", "--branch", leaf.slice(0, 8)])).out).toContain("Two.")
    expect(await run(["history", "show", forked ?? "", "--branch", "none"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("There is no message none")
    })
    expect(await run(["history", "show", forked ?? "", "--branch", "0"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Give more of the uuid.")
    })
  })

  it("reads a file by its path, gzipped or not, and a line that is being written", async () => {
    const copy = join(folder, "copy.jsonl.gz")
    const bytes = readFileSync(plain ?? "")
    writeFileSync(copy, gzipSync(bytes.subarray(0, bytes.length - 10)))
    const { code, out } = await run(["history", "show", copy])
    expect([code, out.includes("Hello there."), out.includes("in the middle of a line")]).toEqual([0, true, true])
  })

  it("tells which lines cannot be read", async () => {
    const path = join(folder, "odd.jsonl")
    writeFileSync(path, `${readFileSync(plain ?? "")}no JSON\n`)
    expect((await run(["history", "show", path])).out).toMatch(/unread +1 lines, the first is \d+/)
  })

  it("says what to do about a session that is too large, or that is not one", async () => {
    expect(await run(["history", "show", plain ?? "", "--max-size", "1K"])).toMatchObject({
      code: 2,
      err: `${plain} is more than is held in memory: over 1024 bytes. If you trust it, raise the limit with --max-size.\n`
    })
    // No id of a real session begins so.
    const twins = ["twin1", "twin2"].map((name) => join(projects, "-twins", `${name}.jsonl`))
    mkdirSync(join(projects, "-twins"), { recursive: true })
    for (const [older, twin] of twins.entries()) {
      writeFileSync(twin, readFileSync(plain ?? ""))
      // The newest is named first.
      utimesSync(twin, 2000 - older, 2000 - older)
    }
    expect(await run(["history", "show", "twin", "--projects", projects])).toMatchObject({
      code: 2,
      err: "2 sessions begin with twin: twin1, twin2. Give more of the id.\n"
    })
  })
})

describe("agentwire history export", () => {
  it("writes Markdown that what was said cannot break out of", async () => {
    const path = join(folder, "evil.jsonl")
    const said = (uuid: string, parent: string | null, content: unknown) =>
      JSON.stringify({ type: "user", uuid, parentUuid: parent, message: { role: "user", content } })
    writeFileSync(
      path,
      `${said("a", null, "# Not a heading\n```\n## Nor this")}\n${said("b", "a", [{ type: "tool_result", tool_use_id: "t", content: "```\n# out\n````" }])}\n`
    )
    const { out } = await run(["history", "export", path])
    expect(out.split("\n").filter((line) => line.startsWith("#"))).toEqual([
      "# \\# Not a heading \\`\\`\\` \\#\\# Nor this",
      "## Prompt",
      "## Result",
      // In a fence.
      "# out"
    ])
    expect(out).toContain("`````\n```\n# out\n````\n`````")
  })

  it("writes JSON with all that show tells", async () => {
    const { out } = await run(["history", "export", plain ?? "", "--format", "json"])
    expect(JSON.parse(out)).toMatchObject({
      sessionId: idOf(plain),
      usage: { input: 650, output: 42 },
      entries: [
        { position: 1, kind: "prompt", content: "Hi" },
        { position: 2, kind: "text", text: "Hello there." }
      ]
    })
  })

  it.each(keptSessions.filter(({ version }) => version === "2.1.325").map(({ scenario }) => scenario))(
    "writes a tape of %s that is whole, and that others read",
    async (scenario) => {
      const {
        files: [file = ""]
      } = projectsWith(`tape-${scenario}`, scenario)
      const path = join(folder, `${scenario}.tape.gz`)
      expect((await run(["history", "export", file, "--format", "tape", "-o", path])).code).toBe(0)
      const { hash, tape, wrong } = await readTapeFile(path)
      expect({ hash, wrong, header: tape?.header }).toMatchObject({
        hash: "right",
        wrong: [],
        header: { madeFrom: "transcript" }
      })
      expect((await run(["decode", path])).code).toBeLessThan(2)
      const shown = JSON.parse((await run(["history", "export", file, "--format", "json"])).out)
      const messages = (await run(["translate", path, "--messages"])).out.trimEnd().split("\n")
      const prompts = (list: ReadonlyArray<{ readonly role?: string; readonly kind?: string }>) =>
        list.filter(({ kind, role }) => role === "user" || kind === "prompt").length
      expect(prompts(messages.filter((line) => line !== "").map((line) => JSON.parse(line)))).toBe(
        prompts(shown.entries)
      )
    }
  )

  it("writes a tape that replays as the CLI", async () => {
    const path = join(folder, "replayed.tape")
    await run(["history", "export", delegated ?? "", "--format", "tape", "-o", path])
    const { tape } = await readTapeFile(path)
    const spoken = (channel: string): string =>
      (tape?.frames ?? [])
        .map((frame) => (frame._tag === "Data" && frame.channel === channel ? String(frame.data) : ""))
        .join("")
    const { child, ended } = start([...agentwire, "replay", path, "--speed", "instant"])
    child.stdin.end(spoken("stdin"))
    expect(await ended).toMatchObject({ code: 0, out: spoken("stdout") })
  })

  it("keeps secrets off a tape, unless it is told to keep them", async () => {
    const key = "sk-ant-api03-AbCdEfGhIjKlMnOp0123456789"
    const path = join(folder, "secret.jsonl")
    writeFileSync(
      path,
      `${JSON.stringify({ type: "user", uuid: "u", parentUuid: null, message: { role: "user", content: key } })}\n`
    )
    expect((await run(["history", "export", path, "--format", "tape"])).out).not.toContain(key)
    expect((await run(["history", "export", path, "--format", "tape", "--no-redact"])).out).toContain(key)
    expect(await run(["history", "export", path, "--no-redact"])).toMatchObject({ code: 2 })
  })
})

describe("threads of Codex", () => {
  const { files, projects } = projectsWith("beside", "plain_text", "resume_at")
  const home = join(folder, "codex")
  const rollouts = join(home, "sessions")
  const [two, fork] = ["two_turns", "thread_fork_at"].map((scenario, age) => {
    const { files: kept } = loadKeptRollout({ scenario, version: "0.166.0" })
    for (const { bytes, path } of kept) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), bytes)
      utimesSync(join(home, path), 1_900_000_000 - age, 1_900_000_000 - age)
    }
    const [newest = ""] = kept.map(({ path }) => path).toReversed()
    return { id: newest.slice(-42, -".jsonl".length), file: join(home, newest) }
  })

  it("are listed beside the sessions of Claude Code, the newest first, in pages", async () => {
    const both = ["--projects", projects, "--rollouts", rollouts]
    const rows = async (...args: ReadonlyArray<string>) =>
      (await run(["history", "list", ...both, "--json", ...args])).out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    const all = await rows()
    expect(all.map(({ runtime }) => runtime).filter(Boolean)).toEqual([
      ...["codex", "codex", "codex"],
      ...files.map(() => "claude")
    ])
    expect(all[0]).toMatchObject({ sessionId: two?.id, title: "First.", titleBy: "prompt", version: "0.166.0" })
    const first = await rows("--limit", "4")
    expect(first.at(-1)).toEqual({ more: true })
    const rest = await rows("--before", first.at(-2).sessionId)
    expect([...first.slice(0, -1), ...rest.slice(0, -1)]).toEqual(all.slice(0, -1))
    expect((await rows("--runtime", "claude")).slice(0, -1)).toEqual(all.slice(3, -1))
  })

  it("are shown by id and by file, a fork from its beginning", async () => {
    const { code, out } = await run(["history", "show", fork?.id ?? "", "--rollouts", rollouts])
    expect(code).toBe(0)
    expect(out).toMatch(/^ +agent +Codex 0\.166\.0, gpt-5\.5$/m)
    expect(out).toMatch(/First\.[\s\S]*One\.[\s\S]*Otherwise\.[\s\S]*Other\./)
    const byFile = await run(["history", "show", two?.file ?? "", "--json"])
    const [about] = byFile.out.split("\n")
    expect(JSON.parse(about ?? "")).toMatchObject({
      runtime: "codex",
      sessionId: two?.id,
      entries: 4,
      usage: { input: 200, output: 20 },
      unread: 0,
      torn: false
    })
  })

  it("are exported as Markdown and JSON, and not as tapes", async () => {
    const args = [two?.id ?? "", "--rollouts", rollouts, "--format"]
    const markdown = await run(["history", "export", ...args, "markdown"])
    expect(markdown.out).toContain("- agent: `Codex 0.166.0`")
    expect(markdown.out).toContain("> First.")
    const json = await run(["history", "export", ...args, "json"])
    expect(JSON.parse(json.out).entries.map(({ kind }: { readonly kind: string }) => kind)).toEqual([
      ...["prompt", "text"],
      ...["prompt", "text"]
    ])
    const tape = await run(["history", "export", ...args, "tape"])
    expect([tape.code, tape.err]).toEqual([2, expect.stringContaining("--format markdown or json")])
  })

  it("that are not there are told of, with where they were looked for", async () => {
    const none = await run(["history", "show", "ffff", "--rollouts", rollouts])
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("--rollouts names another folder")])
    const nowhere = await run(["history", "list", "--rollouts", join(folder, "nowhere")])
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("CODEX_HOME")])
  })
})
