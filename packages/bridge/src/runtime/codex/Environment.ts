/**
 * The environment in which Codex starts: the bridge's own, without the variables that Codex sets for its commands when it
 * started the bridge. `CODEX_HOME`, where its login and its threads are, is the person's and stays.
 */
import { cleanEnvironment } from "../../process/CleanEnvironment.ts"

/** What Codex adds to the environment of a command: measured on 0.166.0 as what `env` prints there and did not before. */
const sessionVariables: ReadonlySet<string> = new Set([
  "CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS",
  "CODEX_CI",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_SESSION_ID",
  "CODEX_THREAD_ID",
  "CODEX_TOOL_CALL_ID",
  "CODEX_VERSION"
])

/** The environment of a Codex: the bridge's own where nothing else is given, cleaned, and what is added to it. */
export const codexEnvironment = (
  added?: Readonly<Record<string, string>>,
  own?: Readonly<Record<string, string | undefined>>
): Readonly<Record<string, string>> => cleanEnvironment(sessionVariables, added, own)
