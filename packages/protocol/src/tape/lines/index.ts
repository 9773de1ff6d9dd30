/** The lines of every runtime that tapes are made of, by the name that their headers have. */
import { claudeLines } from "./ClaudeLines.ts"
import { codexLines } from "./CodexLines.ts"
import type { RuntimeLines, StreamPlace } from "./RuntimeLines.ts"

const rows: Readonly<Record<string, RuntimeLines>> = { "claude-code": claudeLines, codex: codexLines }

/** The lines of a runtime; of one that nobody knows, as Claude Code's: those were all that there were once. */
export const linesOf = (runtime: string): RuntimeLines =>
  (Object.hasOwn(rows, runtime) ? rows[runtime] : undefined) ?? claudeLines

/** What a line means for the texts that are streamed, whichever runtime's it is. */
export const streamPlace = (value: Readonly<Record<string, unknown>>): StreamPlace | undefined => {
  for (const { streamOf } of Object.values(rows)) {
    const found = streamOf(value)
    if (found !== undefined) return found
  }
  return undefined
}
