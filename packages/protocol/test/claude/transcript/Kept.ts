/** The session files of the library, and the tapes of the same runs. */
import { keptSessions, loadKeptSession } from "@agentwire/fixtures"
import type { Tape } from "../../../src/tape/Tape.ts"
import { type KeptFile, sessionsIn } from "./Comparison.ts"

/** All of them, with a name for the test. */
export const kept = keptSessions.map((entry) => ({ ...entry, name: `${entry.scenario} of ${entry.version}` }))

/** The files of a session of the library. */
export const filesOf = (scenario: string, version: string): ReadonlyArray<KeptFile> =>
  loadKeptSession({ scenario, version }).files

/** The file of the only session of a scenario. */
export const mainFile = (scenario: string, version: string): Uint8Array => {
  const [file] = filesOf(scenario, version).filter(({ path }) => /^[^/]+\/[^/]+\.jsonl$/.test(path))
  if (file === undefined) throw new Error(`${scenario} of ${version} has no session file`)
  return file.bytes
}

/** The only session of a scenario. */
export const sessionOfScenario = (scenario: string, version: string) => {
  const [session] = sessionsIn(filesOf(scenario, version))
  if (session === undefined) throw new Error(`${scenario} of ${version} has no session`)
  return session
}

/** The tapes of a scenario, in the order of their runs. */
export const tapesOf = (scenario: string, version: string): ReadonlyArray<Tape> =>
  loadKeptSession({ scenario, version }).tapes
