/** What the documents point to is there. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "packages/protocol/mapping.md",
  ...readdirSync(join(root, "packages")).map((name) => join("packages", name, "README.md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name))
]

/** Headings as GitHub makes anchors of them; of the same ones, the later are numbered. */
const anchorsOf = (text: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ""] of text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-")
    let name = anchor
    for (let i = 1; anchors.has(name); i++) name = `${anchor}-${i}`
    anchors.add(name)
  }
  return anchors
}

/** Of a document, which many links may lead to. */
const anchorsIn = new Map<string, ReadonlySet<string>>()
const hasAnchor = (file: string, anchor: string): boolean => {
  const anchors = anchorsIn.get(file) ?? anchorsOf(readFileSync(file, "utf8"))
  anchorsIn.set(file, anchors)
  return anchors.has(anchor)
}

const brokenLinks = (file: string): ReadonlyArray<string> => {
  const text = readFileSync(join(root, file), "utf8")
  const links = [...text.replace(/^```[\s\S]*?^```|`[^`\n]*`/gm, "").matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
    ([, link = ""]) => link
  )
  return links.filter((link) => {
    const [path = "", anchor] = link.split("#")
    const target = path === "" ? join(root, file) : join(root, dirname(file), path)
    if (!existsSync(target)) return true
    return anchor !== undefined && target.endsWith(".md") && !hasAnchor(target, anchor)
  })
}

describe("every link", () => {
  it.each(documents)("of %s leads somewhere", (file) => {
    expect(brokenLinks(file).map((link) => `${relative(root, join(root, file))}: ${link}`)).toEqual([])
  })
})
