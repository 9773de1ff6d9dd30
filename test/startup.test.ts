/**
 * What the command loads, as it is built: a command waits for what it needs and for nothing else. Node says which files
 * it ran (its coverage names them), and their source maps say which modules are in them. No time is measured here; that
 * is `npm run bench:start`.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { codexTapes, findTape } from "@agentwire/fixtures"
import { afterAll, describe, expect, it } from "vitest"
import { commands } from "../packages/cli/src/commands/index.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const dist = join(root, "packages", "cli", "dist")
const folder = mkdtempSync(join(tmpdir(), "agentwire-startup-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  readonly result: ReadonlyArray<{ readonly url: string }>
}

/** The modules that are loaded, as rooms: `protocol/claude`, `fixtures`, `effect`. The command's own are left out. */
const loadedBy = (...args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const coverage = mkdtempSync(join(folder, "run-"))
  const { status, stderr } = spawnSync(process.execPath, [join(root, "packages/cli/bin/agentwire.mjs"), ...args], {
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
    encoding: "utf8"
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  const files = readdirSync(coverage).flatMap((name) => {
    const { result }: Ran = JSON.parse(readFileSync(join(coverage, name), "utf8"))
    return result.filter(({ url }) => url.startsWith("file:")).map(({ url }) => fileURLToPath(url))
  })
  const bundled = files.filter((file) => file.startsWith(dist))
  expect(bundled.length).toBeGreaterThan(1)
  const sources = bundled.flatMap((file) => {
    if (!existsSync(`${file}.map`)) {
      // It is made of no module: it helps the bundle itself, or only passes on what others have.
      if (!basename(file).startsWith("rolldown-runtime-"))
        expect(readFileSync(file, "utf8")).toMatch(/^(?:(?:import|export) [^\n]*\n?)+$/)
      return []
    }
    const { sources }: { readonly sources: ReadonlyArray<string> } = JSON.parse(readFileSync(`${file}.map`, "utf8"))
    return sources.map((source) => resolve(dist, source))
  })
  return [...new Set(sources.flatMap(roomOf))].sort()
}

/** Whoever waits for the command itself, which waits for it, waits for ever. */
const waitingForAll = (): ReadonlyArray<string> =>
  readdirSync(dist).filter(
    (name) => name.endsWith(".js") && /from "\.\/index\.js"/.test(readFileSync(join(dist, name), "utf8"))
  )

const roomOf = (source: string): ReadonlyArray<string> => {
  const [, room] = /packages\/(protocol\/src\/[^/]+|bridge\/src\/[^/]+|fixtures)\//.exec(source) ?? []
  const [, library] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? []
  const name = room?.replace("/src", "") ?? library
  return name === undefined ? [] : [name]
}

describe("what is loaded", () => {
  it.each([[], ...Object.keys(commands).map((name) => [name])].map((args) => [...args, "--help"]))(
    "for %s %s is words, and neither Effect nor schemas",
    (...args) => {
      for (const room of loadedBy(...args))
        expect(["bridge/face", "bridge/process", "fixtures", "protocol/tape", "protocol/wire"]).toContain(room)
    }
  )

  it("never waits for the command itself", () => {
    expect(waitingForAll()).toEqual([])
  })

  it("to decode a session of Claude Code is nothing of Codex, and no face", () => {
    const file = findTape({ version: "2.1.325", scenario: "plain_text" })?.file ?? ""
    expect(loadedBy("decode", file)).toEqual([
      "effect",
      "fixtures",
      "protocol/claude",
      "protocol/tape",
      "protocol/wire"
    ])
  })

  it("to translate one is a face besides, and nothing that judges", () => {
    const file = findTape({ version: "2.1.325", scenario: "plain_text" })?.file ?? ""
    const loaded = loadedBy("translate", file)
    expect(loaded).toContain("protocol/agui")
    for (const room of loaded) expect(room).not.toMatch(/^bridge|^protocol\/(?:conform|appserver)/)
  })

  it("to decode a session of Codex is nothing of Claude Code, and no face", () => {
    const file = codexTapes.find(({ scenario, version }) => version === "0.166.0" && scenario === "command")?.file ?? ""
    expect(loadedBy("decode", file)).toEqual([
      "effect",
      "fixtures",
      "protocol/codex",
      "protocol/jsonrpc",
      "protocol/tape",
      "protocol/wire"
    ])
  })
})
