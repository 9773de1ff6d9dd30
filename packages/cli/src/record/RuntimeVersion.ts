/**
 * Which runtime a program is, and which version, told by the files around it.
 *
 * Asking it (`claude --version`) would start it twice and delay the session or compete with it; the files cost
 * nothing. Where they do not tell, the tape's header has no version, and the first lines of the session do.
 */
import { readFileSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { type Runtime, runtimeByName, runtimes } from "../runtime/Runtimes.ts"

/** What is known of a program before it runs. */
export interface FoundRuntime {
  readonly runtime: Runtime
  readonly version: string | undefined
}

/** The runtime that a command line starts, and its version where its files tell; Claude Code where nothing tells. */
export const findRuntime = (command: ReadonlyArray<string>): FoundRuntime => {
  // `node cli.js`: the script, not the program, is the CLI.
  const parts = command.slice(0, 2)
  for (const part of parts) {
    const found = fromFiles(part)
    if (found !== undefined) return found
  }
  const named = parts.map(runtimeByName).find((runtime) => runtime !== undefined)
  return { runtime: named ?? runtimes.claude, version: undefined }
}

const fromFiles = (program: string): FoundRuntime | undefined => {
  let path: string
  try {
    path = realpathSync(program)
  } catch {
    return undefined // not a file: an argument, or a program that will not start
  }
  // Claude Code's native installer keeps each version in a file named after it.
  const version = /^\d+\.\d+\.\d+$/.exec(basename(path))?.[0]
  return version === undefined ? fromPackage(dirname(path)) : { runtime: runtimes.claude, version }
}

const fromPackage = (folder: string): FoundRuntime | undefined => {
  const most = Math.max(...Object.values(runtimes).map(({ packages }) => packages.levels))
  let at = folder
  for (let level = 1; level <= most; level++, at = dirname(at)) {
    const manifest = manifestIn(at)
    if (manifest === undefined) continue
    const { name, version } = manifest
    const runtime = Object.values(runtimes).find(({ packages }) => level <= packages.levels && packages.name.test(name))
    return runtime && { runtime, version: runtime.versionOf(name, version) }
  }
  return undefined
}

const manifestIn = (folder: string): { readonly name: string; readonly version: string } | undefined => {
  let manifest: unknown
  try {
    manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  } catch {
    return undefined
  }
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest) || !("version" in manifest)) return
  return { name: String(manifest.name), version: String(manifest.version) }
}
