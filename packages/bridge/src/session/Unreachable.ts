/**
 * The sessions are in another process, and that one cannot be asked now, or does not know what is asked.
 *
 * Where the port of sessions has a failure of its own for it, it is that one, with the same code. What the port says can
 * always be told is a defect then: whoever shows it to a client knows it by its class.
 */
import * as Schema from "effect/Schema"

/** The process that has the sessions does not answer. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  /**
   * Stable: `RUNTIME_UNREACHABLE` (nobody listens, or the connection broke), `RUNTIME_RESTARTED` (it was started again while it was
   * asked: nobody knows whether that was done), `RUNTIME_TOO_OLD` (it does not know what is asked), `LINK_BUSY` (too much
   * is asked already), `LINK_TOO_LARGE`, `LINK_BROKEN` (the answer cannot be read).
   */
  code: Schema.Literals([
    "RUNTIME_UNREACHABLE",
    "RUNTIME_RESTARTED",
    "RUNTIME_TOO_OLD",
    "LINK_BUSY",
    "LINK_TOO_LARGE",
    "LINK_BROKEN"
  ]),
  message: Schema.String
}) {}
