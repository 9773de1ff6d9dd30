/** What is committed is what the program prints of itself, and our types are those that it prints. */
import { execFileSync } from "node:child_process"
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { schemaVersion } from "@agentwire/protocol/codex"
import { beforeAll, describe, expect, it } from "vitest"
import { changesBetween } from "../../scripts/codex/Changes.ts"
import { definitionsOf } from "../../scripts/codex/Definitions.ts"
import { sourceFiles } from "../../scripts/codex/Files.ts"
import { formatted } from "../../scripts/codex/Format.ts"
import { bundleOf as printedBundle, withPrinted } from "../../scripts/codex/Program.ts"
import { comparison } from "./TypeComparison.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const here = fileURLToPath(new URL(".", import.meta.url))
const folder = join(root, "packages/protocol/src/codex/generated")

type Bundles = Map<string, ReturnType<typeof printedBundle>>

/** What each version prints, asked for once. */
const bundles: Bundles = new Map()
const bundleOf = (version: string): ReturnType<typeof printedBundle> => {
  const bundle = bundles.get(version) ?? printedBundle(version)
  bundles.set(version, bundle)
  return bundle
}

describe("npm run codex-schema", { timeout: 120_000 }, () => {
  it("writes what is committed, byte for byte", async () => {
    const files = await formatted(sourceFiles(await bundleOf(schemaVersion), schemaVersion))
    expect((await readdir(folder)).sort()).toEqual([...files.keys()].sort())
    for (const [name, text] of files) expect(await readFile(join(folder, name), "utf8"), name).toBe(text)
  })

  it("says what changed since an older version", async () => {
    const [before, after] = [await bundleOf("0.150.1"), await bundleOf(schemaVersion)]
    const changes = changesBetween(before, after)
    expect(changes).toContain("- clientRequests thread/rollback")
    expect(changes).toContain("~ clientRequests thread/revert is stable now")
    expect(changes).toContain('+ MessagePhase "partial_answer"')
    expect(changes).toContain("+ Turn.rootTurnId?")
    expect(changesBetween(after, after)).toEqual([])
  })
})

describe("npm run codex-schema -- VERSION --compare", { timeout: 120_000 }, () => {
  const read = async (): Promise<ReadonlyArray<string>> => {
    const names = (await readdir(folder)).sort()
    return Promise.all(names.map(async (name) => `${name}: ${await readFile(join(folder, name), "utf8")}`))
  }

  it("says what would change, and writes nothing", async () => {
    const before = await read()
    const out = execFileSync(
      process.execPath,
      ["--import", "tsx", "--conditions=agentwire-source", "scripts/codex-schema.ts", "0.150.1", "--compare"],
      { cwd: root, encoding: "utf8" }
    )
    const lines = out.trimEnd().split("\n")
    expect(lines.slice(0, -1)).toEqual(changesBetween(await bundleOf(schemaVersion), await bundleOf("0.150.1")))
    expect(lines.at(-1)).toBe(`codex 0.150.1: ${lines.length - 1} changes since ${schemaVersion}. Nothing is written.`)
    expect(await read()).toEqual(before)
  })
})

const compile = (project: string): string => {
  try {
    return execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", project], {
      encoding: "utf8"
    })
  } catch (error) {
    return (error as { readonly stdout: string }).stdout
  }
}

/**
 * What is printed, as JSON has it: there is no bigint in it, a record that lacks a key has no `undefined` there, and any
 * string beside listed ones (`CodexErrorInfo`) is what ours calls unrecognized.
 */
const respelled = (printed: string): string =>
  printed
    .replaceAll(/\bbigint\b/g, "number")
    .replaceAll("[key in string]?:", "[key in string]:")
    .replace(' | "other" | string | { [key: string]: unknown }', ' | "other"')

/** A comparison that says what is not so: a method is missing, and a type is another. */
const broken = (source: string): string =>
  source
    .replace('Exclude<keyof Ours.Messages, "response"', 'Exclude<keyof Ours.Messages, "thread/archive" | "response"')
    .replace("Printed.v2.ThreadArchiveParams, Ours.ThreadArchiveParams", "{ novelty: 1 }, Ours.ThreadArchiveParams")

/**
 * Compiles a comparison of what `generate-ts` prints with ours, and beside it the {@link broken} one, and gives what the
 * compiler says of each. The imports of what is printed name no extensions: a bundler's rules hold.
 */
const compare = (): Promise<Readonly<Record<"real" | "broken", string>>> =>
  withPrinted(schemaVersion, ["generate-ts", "--experimental"], async (printed) => {
    const ours = definitionsOf(await bundleOf(schemaVersion))
    const namesIn = async (path: string): Promise<ReadonlyArray<string>> =>
      (await readdir(join(printed, path))).filter((name) => name.endsWith(".ts")).map((name) => name.slice(0, -3))
    // Where a name is printed twice, v2's is the one that the schema has.
    const printedAs = new Map([
      ...(await namesIn(".")).map((name) => [name, `Printed.${name}`] as const),
      ...(await namesIn("v2")).map((name) => [name, `Printed.v2.${name}`] as const)
    ])
    const types = [...printedAs].filter(([name]) => ours.has(name)).map(([name, as]) => ({ name, printed: as }))
    expect(types.length).toBeGreaterThan(800)
    const project = await mkdtemp(join(here, "typetest-"))
    try {
      await cp(printed, join(project, "printed"), { recursive: true })
      for (const path of await readdir(join(project, "printed"), { recursive: true }))
        if (path.endsWith(".ts")) {
          const file = join(project, "printed", path)
          await writeFile(file, respelled(await readFile(file, "utf8")))
        }
      const source = comparison(types, "@agentwire/protocol/codex")
      await writeFile(join(project, "Types.ts"), source)
      await writeFile(join(project, "Broken.ts"), broken(source))
      const compilerOptions = {
        noEmit: true,
        composite: false,
        emitDeclarationOnly: false,
        declaration: false,
        declarationMap: false,
        module: "esnext",
        moduleResolution: "bundler"
      }
      const config = { extends: "../../../tsconfig.base.json", compilerOptions, files: ["Types.ts", "Broken.ts"] }
      await writeFile(join(project, "tsconfig.json"), JSON.stringify(config))
      const complaints = compile(project).split(/^(?=\S)/m)
      const isOfBroken = (complaint: string): boolean => complaint.includes("Broken.ts(")
      return {
        real: complaints.filter((complaint) => !isOfBroken(complaint)).join(""),
        broken: complaints.filter(isOfBroken).join("")
      }
    } finally {
      await rm(project, { recursive: true, force: true })
    }
  })

describe("the types that codex prints", { timeout: 180_000 }, () => {
  let said: Awaited<ReturnType<typeof compare>>
  beforeAll(async () => {
    said = await compare()
  })

  it("fit ours, and none of theirs is missing", () => {
    expect(said.real).toBe("")
  })

  it("would fail by name, were a method missing or a type another", () => {
    expect(said.broken).toContain('"thread/archive"')
    expect(said.broken).toContain('"ThreadArchiveParams"')
  })
})
