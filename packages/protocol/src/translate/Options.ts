/**
 * What a caller may choose about a translation: what may be chosen about the fold, and about the writer.
 */
import type { WriteOptions } from "../agui/write/Writer.ts"
import type { FoldOptions } from "../claude/fold/State.ts"

export { sessionStateKey } from "../agui/SessionState.ts"
export { mcpToolName } from "../claude/fold/PageTools.ts"

/** What a caller may choose about the fold of a runtime. */
export interface FoldChoices {
  /** The application's own tools, by the names the application knows. The CLI reaches them as MCP tools. */
  readonly frontendTools?: ReadonlyArray<string>
  /** The name of the MCP server the frontend tools are on. Default `frontend`. */
  readonly frontendServer?: string
  /**
   * How many uuids are remembered to recognise messages that come again. 2,000 by default, which is
   * the least, and 1,000,000 at most.
   */
  readonly replayWindow?: number
  /** The thread of Codex that is translated. Without one it is the first that the server speaks of. */
  readonly codexThread?: string
  /** The events of `codex exec --json` begin with a turn of a thread that was resumed: what it spent is not known. */
  readonly codexIsResumed?: boolean
}

/** What a caller may choose about a translation. */
export interface TranslateOptions<R extends string = "claude"> extends WriteOptions, FoldChoices {
  /** Who speaks. Default `claude`. */
  readonly runtime?: R
}

/** The choices as Claude Code's fold has them. */
export const foldOptions = ({ frontendServer, frontendTools, replayWindow }: FoldChoices): FoldOptions => ({
  ...(frontendTools !== undefined && { pageTools: frontendTools }),
  ...(frontendServer !== undefined && { pageToolServer: frontendServer }),
  ...(replayWindow !== undefined && { replayWindow })
})
