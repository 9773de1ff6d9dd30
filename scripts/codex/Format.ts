/** Formats generated source as the rest of the repository is. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The same files, formatted, imports in order. */
export const formatted = async (files: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-format-"))
  try {
    // The files are in no repository here, so what the configuration says of one does not hold.
    const { $schema: _, files: __, vcs: ___, ...config } = JSON.parse(await readFile(join(root, "biome.json"), "utf8"))
    await writeFile(join(folder, "biome.json"), JSON.stringify({ root: true, ...config }))
    for (const [name, text] of files) await writeFile(join(folder, name), text)
    const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome")
    await promisify(execFile)(process.execPath, [biome, "check", "--write", "."], { cwd: folder })
    const read = async (name: string) => [name, await readFile(join(folder, name), "utf8")] as const
    return new Map(await Promise.all([...files.keys()].map(read)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
