/**
 * Sessions that a real CLI kept by itself, as if it had been started in a folder of the test.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { loadKeptSession } from "@agentwire/fixtures"
import { Transcript } from "@agentwire/protocol/claude"

const folderName = (cwd: string): string => cwd.replaceAll(/[^a-zA-Z0-9]/g, "-")

/** Puts the session of a scenario into the folder of all projects, begun in `cwd`, and gives its id. */
export const keepSession = (projects: string, cwd: string, scenario = "plain_text"): string => {
  const files = loadKeptSession({ scenario, version: "2.1.325" }).files
  const main = files.find(({ path }) => /^[^/]+\/[^/]+\.jsonl$/.test(path))
  const recorded = main && Transcript.readTranscriptFile(main.bytes).facts.cwd
  const sessionId = /([^/]+)\.jsonl$/.exec(main?.path ?? "")?.[1]
  if (recorded === undefined || sessionId === undefined) throw new Error(`${scenario} keeps no session`)
  for (const { bytes, path } of files) {
    const file = join(projects, path.replace(folderName(recorded), folderName(cwd)))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, Buffer.from(bytes).toString().replaceAll(recorded, cwd))
  }
  return sessionId
}
