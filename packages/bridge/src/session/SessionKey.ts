/**
 * The name of a session where a thread's id cannot be used: in paths and in the log.
 */
import { createHash } from "node:crypto"

/** A name for a thread that is safe in a path: the agent's start is logged under it. */
export const sessionKeyOf = (threadId: string): string =>
  createHash("sha256").update(threadId).digest("base64url").slice(0, 22)
