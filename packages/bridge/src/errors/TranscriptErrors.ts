/**
 * Why a session that the provider kept itself cannot be had, in words.
 */
import { type Explained, explained } from "./Explained.ts"

/** Why a session of the provider cannot be had: `TranscriptFailed`. */
export const transcriptErrors: Readonly<Record<string, Explained>> = {
  TRANSCRIPT_NOT_FOUND: explained(
    "Claude Code has kept no such session, or there is no folder of sessions.",
    "See which there are with `agentwire history list`; CLAUDE_CONFIG_DIR and `--projects` say where they are."
  ),
  TRANSCRIPT_AMBIGUOUS: explained("Several sessions begin with the id that was given.", "Give more of the id."),
  TRANSCRIPT_TOO_LARGE: explained(
    "The session takes more memory than it may.",
    "Raise the limit (`--max-size`) if you trust the file."
  ),
  TRANSCRIPT_UNREADABLE: explained("The session's file cannot be read.", "Check its permissions.")
}
