/** What the documents name is there: exports, files, rooms, versions. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { tapes } from "@agentwire/fixtures"
import * as protocol from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), "utf8")

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "packages/protocol/mapping.md",
  ...readdirSync(join(root, "packages")).map((name) => join("packages", name, "README.md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name))
]

/** A section of a document, by its heading. */
const section = (file: string, heading: string): string =>
  read(file).split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? ""

describe.each(documents)("%s", (file) => {
  it("names exports of the protocol that there are", () => {
    const rooms: Readonly<Record<string, object>> = protocol
    const named = [...read(file).matchAll(/\b([A-Z]\w+)\.([a-z]\w*)\b/g)]
    const missing = named.filter(([, room = "", name = ""]) => {
      const exported = rooms[room]
      return exported !== undefined && !/^(?:test|tsx?)$/.test(name) && !(name in exported)
    })
    expect(missing.map(([name]) => name)).toEqual([])
  })

  it("names packages that export what it says they do", async () => {
    const named = read(file).matchAll(/`(\w+)(?:\([^`]*\))?` \(?of `(@agentwire\/[\w/]+)`/g)
    for (const [statement, name = "", entry = ""] of named)
      expect(Object.keys(await import(entry)), statement).toContain(name)
  })
})

describe("the README", () => {
  it("names every version of Claude Code that there is a tape of", () => {
    const row = section("README.md", "Versions").match(/^\| Claude Code \|.*$/m)?.[0] ?? ""
    const old = readdirSync(join(root, "packages/fixtures/tapes/old")).map((name) => name.split("-")[0] ?? "")
    const versions = new Set([...tapes.map(({ version }) => version), ...old])
    expect(versions.size).toBeGreaterThan(6)
    expect([...versions].filter((version) => !row.includes(version))).toEqual([])
  })
})

describe("the walks of the architecture", () => {
  it("name files, each as a link to it", () => {
    const steps = section("docs/architecture.md", "Three walks").match(/^\d+\. .*$/gm) ?? []
    expect(steps.length).toBeGreaterThan(20)
    for (const step of steps) {
      const links = [...step.matchAll(/\[`([^`]+\.ts)`\]\(\.\.\/packages\/(?:bridge|protocol)\/src\/([^)]+)\)/g)]
      expect(links.length, step).toBeGreaterThan(0)
      expect(links.map(([, name]) => name)).toEqual(links.map(([, , path]) => path))
      expect(step.match(/\.ts`/g)).toHaveLength(links.length)
    }
  })
})

describe("the table of rooms", () => {
  it("has every folder of the sources", () => {
    const table = section("CONTRIBUTING.md", "The rooms")
    const rooms = ["protocol", "bridge"].flatMap((name) =>
      readdirSync(join(root, "packages", name, "src"), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
    )
    expect(rooms.filter((room) => !new RegExp(`[/\`]${room}[/\`]`).test(table))).toEqual([])
  })
})
