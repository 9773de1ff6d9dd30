/** Why two processes of a bridge do not work together, in words. */
import { type Explained, explained } from "./Explained.ts"

/** The link between a runtime and its gateways: `LinkRefused`. */
export const linkErrors: Readonly<Record<string, Explained>> = {
  LINK_SECRET: explained(
    "The secret of the other side is another one: the two have not the same data folder, or the file was changed.",
    "Give both the same `--data`. Remove `link/secret` there and start the runtime again where it was damaged."
  ),
  LINK_VERSION: explained(
    "The runtime and the gateway are of versions that have nothing in common; the message says which is too old.",
    "Update that one."
  ),
  LINK_IN_USE: explained(
    "Another runtime listens at this place.",
    "Use it: `agentwire status` shows it. Or choose another `--data` or `--link`."
  ),
  LINK_FAILED: explained(
    "The socket or its secret cannot be made or read, or nobody listens there.",
    "Read the message; start `agentwire runtime` with the same `--data` and `--link`."
  ),
  LINK_SILENT: explained(
    "Something listens at this place, and does not answer.",
    "End it, and start the runtime again."
  )
}

/** What is asked of a runtime that does not answer: `Unreachable`. */
export const unreachableErrors: Readonly<Record<string, Explained>> = {
  RUNTIME_UNREACHABLE: explained(
    "Nobody listens where the runtime was, or the connection broke.",
    "Ask again when it is back: the gateway connects by itself."
  ),
  RUNTIME_RESTARTED: explained(
    "The runtime was started again while it was asked, or since the session was opened. What was asked may have been done.",
    "Ask for the thread again, and look whether it was."
  ),
  RUNTIME_TOO_OLD: explained(
    "The runtime does not know what is asked: it came with a later version.",
    "Update agentwire, and start the runtime again."
  ),
  LINK_BUSY: explained("Too much is asked of the runtime at the same time.", "Ask again later."),
  LINK_TOO_LARGE: explained(
    "What is asked or answered is larger than a message of the link may be.",
    "Send less at once."
  ),
  LINK_BROKEN: explained(
    "What the other side says cannot be read: it is of another version, or damaged.",
    "Update agentwire, and start both again."
  )
}
