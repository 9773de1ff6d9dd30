/**
 * Writes the schemas of Codex from what the program prints of itself, and says what changed:
 * `npm run codex-schema -- 0.166.0`. A new version is installed from npm. With `--compare` it only says what is different
 * from the version that is written, and writes nothing.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Bundle } from "./codex/Bundle.ts"
import { changesBetween } from "./codex/Changes.ts"
import { sourceFiles } from "./codex/Files.ts"
import { formatted } from "./codex/Format.ts"
import { bundleOf } from "./codex/Program.ts"

const folder = fileURLToPath(new URL("../packages/protocol/src/codex/generated", import.meta.url))

const writtenVersion = async (): Promise<string | undefined> => {
  const text = await readFile(join(folder, "Methods.ts"), "utf8").catch(() => "")
  return /schemaVersion = "([^"]+)"/.exec(text)?.[1]
}

const words = process.argv.slice(2)
const compares = words.includes("--compare")
const [version] = words.filter((word) => word !== "--compare")
if (version === undefined || !/^\d+\.\d+\.\d+/.test(version)) {
  console.error("Name the version: npm run codex-schema -- 0.166.0 [--compare]")
  process.exitCode = 2
} else {
  const before = await writtenVersion()
  const bundle = await bundleOf(version)
  const changes = before === undefined || before === version ? [] : changesBetween(await bundleOf(before), bundle)
  for (const change of changes) console.log(change)
  const from = before === undefined || before === version ? "" : `${changes.length} changes since ${before}`
  if (compares) console.log(`codex ${version}: ${from || "as written"}. Nothing is written.`)
  else await write(bundle, version, from)
}

/** Writes the files that are different, and removes those that there are no more. */
async function write(bundle: Bundle, version: string, from: string): Promise<void> {
  const files = await formatted(sourceFiles(bundle, version))
  await mkdir(folder, { recursive: true })
  const old = new Map<string, string>()
  for (const name of await readdir(folder)) old.set(name, await readFile(join(folder, name), "utf8"))
  for (const name of old.keys()) if (!files.has(name)) await rm(join(folder, name))
  for (const [name, text] of files) if (old.get(name) !== text) await writeFile(join(folder, name), text)
  const written = [...files].filter(([name, text]) => old.get(name) !== text).length
  const removed = [...old.keys()].filter((name) => !files.has(name)).length
  console.log(
    `codex ${version}: ${files.size} files, ${written} written, ${removed} removed${from === "" ? "" : `, ${from}`}.`
  )
}
