/**
 * The transcript, line by line, for a host that keeps its own store of the session.
 */
import * as Schema from "effect/Schema"
import { open } from "../wire/Open.ts"

/**
 * Lines the CLI just wrote to a transcript file (2.1.325 with `--session-mirror`; from the binary's own schema, not
 * recorded). It has no `uuid` and no `session_id`: the lines carry their own.
 */
export const TranscriptMirror = open("TranscriptMirror", {
  type: Schema.Literal("transcript_mirror"),
  filePath: Schema.String,
  /** Lines of the transcript, whose format is not that of the wire. */
  entries: Schema.Array(Schema.Unknown)
})

/** Lines the CLI just wrote to a transcript file. */
export type TranscriptMirror = typeof TranscriptMirror.Type
