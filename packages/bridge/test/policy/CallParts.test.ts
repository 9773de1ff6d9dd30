import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { type CallPart, callParts, own } from "../../src/policy/CallParts.ts"
import { makeDisk } from "../../src/policy/RealPath.ts"
import { claudeToolInputs } from "../../src/runtime/claude/ToolInputs.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-parts-")))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, "src"))
for (const name of [".git", "sub"]) mkdirSync(join(folder, "repo", name), { recursive: true })
writeFileSync(join(folder, "src", "a.ts"), "")
symlinkSync("/etc/passwd", join(folder, "link"))
symlinkSync("loop", join(folder, "loop"))

const taken = (toolName: string, input: Readonly<Record<string, unknown>>, hasFileRules = true) =>
  callParts({ toolName, input, cwd: folder, mode: undefined }, claudeToolInputs, makeDisk(), hasFileRules)

/** Where a part leads, seen from the folder; `?` where nobody can tell. */
const placesOf = ({ at, isPlaceUnknown }: CallPart): ReadonlyArray<string> | undefined => {
  if (at === undefined) return isPlaceUnknown === true ? ["?"] : undefined
  return at.places.map(({ written }) => `${written.replace(`${folder}/`, "")}${at.isSearch ? "/**" : ""}`)
}

const bash = async (command: unknown, hasFileRules = true) => {
  const { doubts, parts } = await taken("Bash", { command }, hasFileRules)
  return {
    doubts,
    parts: parts.map((part) => [part.what, part.tool, ...(placesOf(part) ?? [])].join(" | "))
  }
}

describe("a call of a tool", () => {
  it("is one part where the tool has no paths", async () => {
    expect(await taken("WebFetch", { url: "http://x" })).toEqual({
      parts: [{ what: "WebFetch", tool: "WebFetch", input: { url: "http://x" } }],
      doubts: []
    })
  })

  it("has the place of its path, as it is written and where it leads", async () => {
    const { parts } = await taken("Read", { file_path: "link" })
    expect(parts[0]?.at?.places[0]).toMatchObject({ written: join(folder, "link") })
    expect(parts[0]?.at?.places[0].real).toContain("/etc/passwd")
    expect(parts[0]?.what).toBe("Read link")
  })

  it("searches below a path, here where none is given, and where a pattern begins", async () => {
    const places = async (tool: string, input: Readonly<Record<string, unknown>>) =>
      (await taken(tool, input)).parts.map(placesOf)
    expect(await places("Grep", { pattern: "x", path: "src" })).toEqual([["src/**"]])
    expect(await places("Grep", { pattern: "x" })).toEqual([[`${folder}/**`]])
    expect(await places("Glob", { pattern: "src/**/*.ts" })).toEqual([["src/**"]])
    expect(await places("Glob", { pattern: "/etc/*", path: "src" })).toEqual([["/etc/**"]])
  })

  it("leads nobody knows where without its path, or through links in a circle", async () => {
    const { doubts, parts } = await taken("Write", { content: "x" })
    expect([doubts, parts.map(placesOf)]).toEqual([["Write without file_path"], [["?"]]])
    expect((await taken("Read", { file_path: "loop" })).doubts).toEqual(['where "loop" leads cannot be determined'])
  })
})

describe("a shell text", () => {
  it("is its commands, the files of its redirections and those among its arguments", async () => {
    expect(await bash("cat src/a.ts | tee out > log")).toEqual({
      doubts: [],
      parts: [
        "cat src/a.ts | Bash",
        "tee out | Bash",
        "write log | Write | log",
        "read src/a.ts | Read | src/a.ts",
        "write out | Write | out"
      ]
    })
  })

  it("has its arguments left out where no rule is about files, except what is written unexpectedly", async () => {
    expect((await bash("cat src/a.ts", false)).parts).toEqual(["cat src/a.ts | Bash"])
    expect((await bash("sort -o out src/a.ts", false)).parts).toEqual([
      "sort -o out src/a.ts | Bash",
      "write out | Write | out"
    ])
  })

  it("says by which option a program writes that only reads", async () => {
    const { parts } = await taken("Bash", { command: "sed -i p src/a.ts" })
    const written = parts.find(({ tool }) => tool === "Write")
    expect(written?.allowedBy).toMatchObject({ option: "-i", tool: "Bash" })
    expect(written?.isArgument).toBeUndefined()
    expect(parts.find(({ tool }) => tool === "Read")?.isArgument).toBe(true)
  })

  it("follows `cd`, and looks in both folders", async () => {
    expect((await bash("cd src && cat a.ts")).parts).toContain("read a.ts | Read | src/a.ts | a.ts")
  })

  it("looks at the root of the repository, too, where git does", async () => {
    const { parts } = await taken("Bash", { command: "git -C repo/sub show HEAD:.env" })
    const places = parts.flatMap((part) => (part.tool === "Read" ? (placesOf(part) ?? []) : []))
    expect(places).toEqual(["repo/sub/.env/**", "repo/.env/**"])
  })

  it("may open any word of a program that is not known", async () => {
    const { parts } = await taken("Bash", { command: "frob --in=src/a.ts x" })
    const mentions = parts.filter(({ orTool }) => orTool === "Write")
    expect(mentions.map(({ what }) => what)).toEqual(["open --in=src/a.ts", "open --in", "open src/a.ts", "open x"])
    expect(mentions.every(({ isArgument, tool }) => isArgument === true && tool === "Read")).toBe(true)
  })

  it("opens what the shell finds, or what nobody can tell", async () => {
    const { parts } = await taken("Bash", { command: "cat src/*.ts $x" })
    const [glob, unknown] = parts.filter(({ tool }) => tool === "Read")
    expect([glob?.at?.globs, glob && placesOf(glob)]).toEqual([["*.ts"], ["src"]])
    expect(unknown && placesOf(unknown)).toEqual(["?"])
  })

  it("may come as words, and is a doubt where it is neither", async () => {
    expect((await bash(["rm", "it's"])).parts).toContain("'rm' 'it'\\''s' | Bash")
    expect(await bash(7)).toEqual({ doubts: ["Bash without command"], parts: ["Bash | Bash"] })
    expect(await bash("")).toEqual({ doubts: [], parts: ["Bash | Bash"] })
    expect((await bash("ls \\")).doubts).toContain("a backslash at the end")
  })

  it("is not looked at without end", async () => {
    expect((await bash("ls;".repeat(501))).doubts).toContain("too many commands")
    const { parts } = await taken("Bash", {
      command: `cat ${Array.from({ length: 200 }, (_, at) => `f${at}`).join(" ")}`
    })
    const files = parts.filter(({ tool }) => tool === "Read")
    expect(files).toHaveLength(129)
    expect(files.at(-1)?.isPlaceUnknown).toBe(true)
  })
})

describe("own", () => {
  it("is an entry that a table has itself", () => {
    expect([own({ a: 1 }, "a"), own({ a: 1 }, "b"), own<unknown>({}, "toString")]).toEqual([1, undefined, undefined])
  })
})
