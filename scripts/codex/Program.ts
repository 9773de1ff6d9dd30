/** Asks the real program for its schema. It runs with a home of its own, and needs no account for this. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import { type Bundle, bundleFile, readBundle } from "./Bundle.ts"

/** What a version of the program prints of itself, in a folder that is removed afterwards. */
export const withPrinted = async <A>(
  version: string,
  command: ReadonlyArray<string>,
  use: (folder: string) => Promise<A>
): Promise<A> => {
  const { args, program } = await installCodex(version)
  const home = await mkdtemp(join(tmpdir(), "agentwire-codex-"))
  try {
    const out = join(home, "out")
    const env = { PATH: process.env["PATH"], HOME: home, CODEX_HOME: home }
    await promisify(execFile)(program, [...args, "app-server", ...command, "--out", out], { env })
    return await use(out)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** The schema of a version, experimental methods included. */
export const bundleOf = async (version: string): Promise<Bundle> => {
  const print = (...options: ReadonlyArray<string>): Promise<string> =>
    withPrinted(version, ["generate-json-schema", ...options], (folder) => readFile(join(folder, bundleFile), "utf8"))
  return readBundle(await print("--experimental"), await print())
}
