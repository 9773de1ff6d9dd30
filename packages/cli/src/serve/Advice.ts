/** What to do about a failure of a bridge, where its own words do not know the command line. */
import type { ServeOptions } from "./ServeOptions.ts"

/** What all failures of the bridge have. */
export interface ServeFailed {
  readonly code: string
  readonly message: string
}

const elsewhere = "--data DIR chooses another place, --no-data keeps nothing."

const advice: Readonly<Record<string, string>> = {
  PORT_IN_USE: "--port N chooses another one, --port 0 any that is free.",
  CLI_NOT_FOUND: "--cli PATH says where it is; --replay needs none.",
  CWD_BAD_ROOT: "--cwd and --root take folders that exist.",
  CWD_OUTSIDE_ROOTS: "--root names the folders it may.",
  POLICY_INVALID: "`agentwire policy check FILE` lists what is wrong.",
  EXTENSIONS_UNREADABLE: "--extensions takes the path of a JSON file.",
  TAPE_TOO_LARGE: "If you trust them, raise the limit with --max-size.",
  LINK_IN_USE: "--data DIR chooses another place, and --link another socket.",
  STORE_TOO_NEW: elsewhere,
  STORE_DAMAGED: elsewhere,
  STORE_UNREADABLE: elsewhere,
  STORE_UNWRITABLE: elsewhere,
  STORE_DISK_FULL: elsewhere,
  STORE_BUSY: elsewhere
}

/** The words on a failure. `own`: those of a command whose options are others. */
export const adviceOn = (
  { code, message }: ServeFailed,
  { token }: ServeOptions,
  own: Readonly<Record<string, string>> = {}
): string => {
  const words =
    code === "UNSAFE" && token === undefined
      ? "--no-auth works on loopback only: leave it out."
      : (own[code] ?? advice[code])
  return words === undefined ? message : `${message} ${words}`
}
