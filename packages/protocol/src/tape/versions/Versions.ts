/**
 * The versions of the tape format, and how a line of one becomes a line of the next: a tape of any version loads for ever.
 *
 * A change that readers of today would not understand is a new version. It gets a row here; the row before it gets its
 * `upgrade`, in a file of its own (`V1.ts` for that from 1 to 2); `tapeVersion` in `Tape.ts` becomes its number; and its
 * first tapes are kept in `test/tape/versions`, where those of the versions before stay as they are.
 */

/** A version of the format. */
export interface TapeVersion {
  readonly version: number
  /** What is new in it. */
  readonly news: string
  /** A line of this version (header, frame or end), parsed, as one of the next. The newest version has none. */
  readonly upgrade?: (line: unknown) => unknown
}

/** All versions, oldest first. */
export const tapeVersions: ReadonlyArray<TapeVersion> = [
  { version: 1, news: "a header, frames `[wait, from, what, payload]`, and an end with a hash" }
]

/** Why a tape is not of a version that can be read. The codes are stable. */
export interface VersionFault {
  readonly code: "TAPE_TOO_NEW" | "TAPE_VERSION_UNKNOWN"
  /** Words that follow the name of the file. */
  readonly message: string
}

/** How lines of a version become lines of the newest, or why they cannot. */
export const upgradeFrom = (
  version: number,
  versions: ReadonlyArray<TapeVersion> = tapeVersions
): ((line: unknown) => unknown) | VersionFault => {
  const place = versions.findIndex((each) => each.version === version)
  const newest = versions.at(-1)?.version ?? 0
  const known = versions.map((each) => each.version).join(", ")
  if (version > newest)
    return {
      code: "TAPE_TOO_NEW",
      message: `is a tape of format version ${version}, and this agentwire reads up to version ${newest}: update agentwire to read it`
    }
  if (place === -1)
    return {
      code: "TAPE_VERSION_UNKNOWN",
      message: `says that it is a tape of format version ${version}, and there is none: known are ${known}. Its header may be damaged`
    }
  const steps = versions.slice(place).flatMap(({ upgrade }) => upgrade ?? [])
  return (line) => steps.reduce((value, upgrade) => upgrade(value), line)
}
