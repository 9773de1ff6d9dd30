/** Loads a tape for a command, or says why it cannot be. */
import { readTapeFile, type TapeFile } from "@agentwire/fixtures"
import type { Tape } from "@agentwire/protocol"
import { Failure, fileFailure } from "../../Failure.ts"

/** A tape that has a header. */
export interface Loaded extends TapeFile {
  readonly tape: Tape.Tape
}

/** Reads a tape. Throws a {@link Failure} when there is none. */
export const load = async (file: string): Promise<Loaded> => {
  const read = await readTapeFile(file).catch((error: unknown) => {
    throw fileFailure(file, error)
  })
  const { tape } = read
  if (tape === undefined)
    throw new Failure(
      `${file} is not a tape: its first line is not a header${read.wrong[0] === undefined ? "" : ` (${read.wrong[0].message})`}. For NDJSON there is \`agentwire decode\`.`
    )
  return { ...read, tape }
}
