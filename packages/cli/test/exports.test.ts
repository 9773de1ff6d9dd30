/** What the packages export: every entry point has an example, every export a line, and neither is out of date. */
import { existsSync, readFileSync } from "node:fs"
import { format } from "node:util"
import * as Schema from "effect/Schema"
import { API, type Checker, type Symbol as Exported, type Project, SymbolFlags } from "typescript/unstable/sync"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

const root = new URL("../../../", import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), "utf8")

/** A module that others may import. */
interface EntryPoint {
  /** As it is imported. */
  readonly name: string
  readonly source: string
  /** The file that shows how each of its exports is used. */
  readonly example: string
  readonly readme: string
}

const entryPoints: ReadonlyArray<EntryPoint> = ["protocol", "bridge", "fixtures", "cli"].flatMap((folder) => {
  const manifest = JSON.parse(read(`packages/${folder}/package.json`))
  return Object.entries<{ readonly "agentwire-source"?: string }>(manifest.exports).flatMap(([path, conditions]) => {
    const source = conditions["agentwire-source"]
    if (source === undefined) return [] // a file of JSON
    const name = `${manifest.name}${path.slice(1)}`
    const example = `examples/exports/${name.replace("@agentwire/", "").replace("/", "-")}.ts`
    return [{ name, source: `packages/${folder}/${source.slice(2)}`, example, readme: `packages/${folder}/README.md` }]
  })
})

/** Errors are schemas, too, but somebody makes and catches them. */
const isSchema = (value: unknown): boolean =>
  Schema.isSchema(value) && !(typeof value === "function" && value.prototype instanceof Error)

/** The code of a file: neither its comments nor its imports. */
const codeOf = (source: string): string =>
  source
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/^import [\s\S]*? from ".*"$/gm, "")
    .replaceAll(/(^|\s)\/\/ .*$/gm, "")

const isNamedIn = (code: string, name: string): boolean => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(code)

/** What an example says that it prints, in order. */
const promisesOf = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, words = ""]) => words)

/** What was promised and not printed: between the lines that were promised, others may be printed. */
const unkept = (promises: ReadonlyArray<string>, printed: ReadonlyArray<string>): ReadonlyArray<string> => {
  let from = 0
  return promises.filter((words) => {
    const at = printed.indexOf(words, from)
    if (at !== -1) from = at + 1
    return at === -1
  })
}

describe("unkept", () => {
  it("is what was not printed, or not in its place", () => {
    const promises = promisesOf(`console.log(f()) // 1\nconsole.log(g())\nconsole.log(h()) // 2\n`)
    expect(unkept(promises, ["1", "x", "2"])).toEqual([])
    expect(unkept(promises, ["2", "1"])).toEqual(["2"])
  })
})

describe("codeOf", () => {
  it("is what runs", () => {
    const source = `/** about a */\nimport {\n  b\n} from "b"\nimport * as c from "c"\n// of d\nf() // gives g\n`
    for (const name of ["a", "b", "c", "d", "g"]) expect(isNamedIn(codeOf(source), name), name).toBe(false)
    expect(isNamedIn(codeOf(source), "f")).toBe(true)
  })
})

describe.each(entryPoints)("$name", ({ example, name, readme, source }) => {
  it("is in the table of its package's README, with its example", () => {
    const row = `\n| [\`${name}\`](https://github.com/agentwire/agentwire/blob/main/${example}) | `
    expect(read(readme)).toContain(row)
  })

  it("fits on a screen", () => {
    expect(read(source).split("\n").length).toBeLessThanOrEqual(75)
  })

  it("has an example of every function, class and constant", async () => {
    expect(existsSync(new URL(example, root)), example).toBe(true)
    const text = read(example)
    expect(text).toContain(`"${name}"`)
    const exported: Readonly<Record<string, unknown>> = await import(name)
    const wanted = Object.keys(exported).filter((each) => !isSchema(exported[each]))
    expect(wanted.filter((each) => !isNamedIn(codeOf(text), each))).toEqual([])
  })

  it("has an example that prints what it says", async () => {
    const printed: Array<string> = []
    const log = vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(format(...words)))
    try {
      await import(new URL(example, root).href)
    } finally {
      log.mockRestore()
    }
    expect(unkept(promisesOf(read(example)), printed.join("\n").split("\n"))).toEqual([])
  })
})

describe("every export", () => {
  let api: API
  let project: Project
  beforeAll(() => {
    api = new API({ cwd: new URL(".", root).pathname })
    const config = new URL("examples/tsconfig.json", root).pathname
    const opened = api.updateSnapshot({ openProject: config }).getProject(config)
    if (opened === undefined) throw new Error(`${config} cannot be opened.`)
    project = opened
  })
  afterAll(() => api.close())

  it.each(entryPoints)("of $name says what it is", ({ source }) => {
    const { checker, program } = project
    const file = program.getSourceFile(new URL(source, root).pathname)
    const module = file && checker.getSymbolAtLocation(file)
    if (module === undefined) throw new Error(`${source} is no module.`)
    const exported = checker.getExportsOfModule(module)
    expect(exported.length).toBeGreaterThan(0)
    expect(exported.filter((each) => !hasLine(checker, each, read(source))).map(({ name }) => name)).toEqual([])
  })
})

/** Whether an export has a comment: at its declaration, or, if it is a room as a whole, where it is exported. */
const hasLine = (checker: Checker, symbol: Exported, source: string): boolean => {
  const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0
  const declared = isAlias ? checker.getAliasedSymbol(symbol) : symbol
  return (declared.flags & SymbolFlags.ValueModule) === 0
    ? declared.getDocumentationComment(checker) !== ""
    : new RegExp(` \\*/\\nexport [^\\n]*\\b${symbol.name}\\b`).test(source)
}
