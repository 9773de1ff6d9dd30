/**
 * What only the two processes tell each other: failures that are acted on, and never reach a client.
 */
import * as Schema from "effect/Schema"

/** The session that was meant is not open any more: it ended, or the thread was opened again. */
export class SessionGone extends Schema.TaggedError<SessionGone>()("SessionGone", { message: Schema.String }) {}

/** What waits for somebody is not what the submission was read against: it is to be read again. */
export class SubmissionChanged extends Schema.TaggedError<SubmissionChanged>()("SubmissionChanged", {
  message: Schema.String
}) {}

/** A look at a transcript has ended: it took too long, or the connection was another one. */
export class LookGone extends Schema.TaggedError<LookGone>()("LookGone", { message: Schema.String }) {}

/** Two processes that cannot work together, or one that nobody lets in. */
export class LinkRefused extends Schema.TaggedError<LinkRefused>()("LinkRefused", {
  /**
   * Stable: `LINK_SECRET` (the secret is another one), `LINK_VERSION` (the versions have nothing in common), `LINK_IN_USE` (another
   * runtime listens there), `LINK_FAILED` (the socket cannot be made, or the secret not be read), `LINK_SILENT` (what listens does not answer).
   */
  code: Schema.Literals(["LINK_SECRET", "LINK_VERSION", "LINK_IN_USE", "LINK_FAILED", "LINK_SILENT"]),
  message: Schema.String
}) {}
