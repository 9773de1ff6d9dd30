/** What the READMEs show is what runs. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readRecording } from "@agentwire/fixtures"
import { beforeAll, describe, expect, it } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { readmes, withExamples } from "../scripts/readme.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** Those of the README, and those of the packages' own. */
const examples = ["examples", "examples/packages"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`)
)

/** A test of vitest, and a part of something larger: types are all there is to check. */
const isRun = (name: string): boolean => !/\/packages\/(?:cli|scenario)\.ts$/.test(name)

/** What each prints. They run in one process, one after the other: starting one costs more than any of them does. */
const runExamples = (files: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const beginning = (file: string): string => `--- ${file}\n`
  const lines = files.map(
    (file) => `process.stdout.write(${JSON.stringify(beginning(file))}); await import(${JSON.stringify(`./${file}`)})`
  )
  const printed = execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", lines.join("\n")], {
    cwd: root,
    encoding: "utf8"
  })
  return new Map(
    files.map((file) => {
      const [, rest = ""] = printed.split(beginning(file))
      return [file, rest.split(/^--- /m)[0] ?? ""]
    })
  )
}

describe.each(readmes)("%s", (file) => {
  const text = read(file)

  it("shows the examples as they are (`npm run readme` puts them in)", () => {
    expect(withExamples(text)).toBe(text)
  })

  it("shows no code but examples", () => {
    const shown = [...text.matchAll(/^```tsx?$/gm)].length
    expect([...text.matchAll(/^<!-- examples\/[\w/-]+\.ts -->\n```ts$/gm)]).toHaveLength(shown)
    expect(shown).toBeGreaterThan(0)
  })
})

describe("every example", () => {
  it.each(examples)("%s is shown", (name) => {
    expect(readmes.filter((file) => read(file).includes(`<!-- ${name} -->`))).toHaveLength(1)
  })

  let printedBy: ReadonlyMap<string, string> = new Map()
  beforeAll(() => {
    printedBy = runExamples(examples.filter(isRun))
  })

  it.each(examples.filter(isRun))("%s prints what it says", (file) => {
    const printed = printedBy.get(file) ?? ""
    const promised = [...read(file).matchAll(/console\.log\(.*\) \/\/ (.*)/g)]
    for (const [, comment = ""] of promised)
      if (!/^(?:the same|events of)/.test(comment)) expect(printed).toContain(comment)
    expect(printed.trim()).not.toBe("")
  })
})

describe("every package", () => {
  it.each(readdirSync(join(root, "packages")))("%s has what people look for", (name) => {
    for (const file of ["README.md", "LICENSE", "CHANGELOG.md"])
      expect(existsSync(join(root, "packages", name, file)), file).toBe(true)
    expect(read(`packages/${name}/LICENSE`)).toBe(read("LICENSE"))
    const { files, keywords, license, repository } = JSON.parse(read(`packages/${name}/package.json`))
    // npm packs the README and the licence by itself, but not this.
    expect(files).toContain("CHANGELOG.md")
    expect({ license, repository }).toEqual({
      license: manifest.license,
      repository: { ...manifest.repository, directory: `packages/${name}` }
    })
    expect(keywords.length).toBeGreaterThan(3)
  })
})

describe("the README", () => {
  it("decodes a session that the real CLI wrote", () => {
    const recorded = readRecording("2.1.325").filter(
      ({ from, scenario }) => from === "cli" && scenario === "tool_approved"
    )
    const example = readFileSync(new URL("../examples/tool_approved.ndjson", import.meta.url), "utf8")
    expect(example).toBe(recorded.map(({ line }) => `${line}\n`).join(""))
  })
})
