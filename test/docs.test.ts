/** What the style asks of every file: exports are documented, and files say what they are for. */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

const sources = readdirSync(join(root, "packages")).flatMap((name) =>
  readdirSync(join(root, "packages", name, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(root, "packages", name, "src", file))
)

/** Exports that no comment stands before; overloads share the first one's. */
const undocumented = (source: string): ReadonlyArray<string> => {
  const lines = source.split("\n")
  return lines.filter((line, index) => {
    const name = /^export (?:declare )?(?:abstract )?(?:const|function|class|interface|type|enum) (\w+)/.exec(line)?.[1]
    if (name === undefined) return false
    const before = lines[index - 1] ?? ""
    return !before.endsWith("*/") && !before.startsWith(`export function ${name}`)
  })
}

describe("every source file", () => {
  it.each(sources.map((file) => relative(root, file)))("%s says what it is for and what it exports", (file) => {
    const source = readFileSync(join(root, file), "utf8")
    expect(source).toMatch(/^(#!.*\n)?\/\*\*/)
    expect(undocumented(source)).toEqual([])
  })
})
