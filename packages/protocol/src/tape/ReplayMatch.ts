/** The ways in which a line of a host is matched with the lines of a tape. */
import type { MatchMode } from "./Trial.ts"

/** How alike a line of the host must be to one on the tape; with `none`, the one most like it is taken. */
export type ReplayMatch = MatchMode | "none"

/** The ways of matching, strictest first. */
export const replayMatches: ReadonlyArray<ReplayMatch> = ["strict", "shape", "none"]
