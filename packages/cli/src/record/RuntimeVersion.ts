/**
 * Which version of Claude Code a program is, told by the files around it.
 *
 * Asking it (`claude --version`) would start it twice and delay the session or compete with it; the files cost
 * nothing. Where they do not tell, the tape's header has no version, and the first `system/init` of the session does.
 */
import { readFileSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"

/** The version of the program that a command line starts, where its files tell. */
export const runtimeVersion = (command: ReadonlyArray<string>): string | undefined => {
  // `node cli.js`: the script, not the program, is the CLI.
  for (const part of command.slice(0, 2)) {
    const found = versionOf(part)
    if (found !== undefined) return found
  }
  return undefined
}

const versionOf = (program: string): string | undefined => {
  let path: string
  try {
    path = realpathSync(program)
  } catch {
    return undefined // not a file: an argument, or a program that will not start
  }
  // The native installer keeps each version in a file named after it.
  return /^\d+\.\d+\.\d+$/.exec(basename(path))?.[0] ?? versionOfPackage(dirname(path))
}

const versionOfPackage = (folder: string): string | undefined => {
  let manifest: unknown
  try {
    manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  } catch {
    return undefined
  }
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest) || !("version" in manifest)) return
  const name = String(manifest.name)
  const version = String(manifest.version)
  if (/^@anthropic-ai\/claude-code(-|$)/.test(name)) return version
  // The Agent SDK brings the CLI in packages of its own: SDK 0.3.325 has CLI 2.1.325.
  return /^@anthropic-ai\/claude-agent-sdk-/.test(name) ? version.replace(/^0\.3\./, "2.1.") : undefined
}
