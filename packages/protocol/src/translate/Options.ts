/**
 * What a caller may choose about a translation.
 */
import type { Dialect } from "../agui/Dialect.ts"

/** What a caller may choose about a translation. */
export interface TranslateOptions {
  /** The AG-UI thread all runs belong to. */
  readonly threadId: string
  /** The id of a run the CLI started, from its number in the session, from 1. Default: `<threadId>:1`, `:2` … */
  readonly runId?: (ordinal: number) => string
  /** Default `1.0`. `0.0` is what CopilotKit's client reads. */
  readonly dialect?: Dialect
  /**
   * What becomes of sub-agents. `show` (the default): `SUBAGENT_*` events, and their messages carry
   * `subagentRunId`. `hide`: only the call that started one and its result.
   */
  readonly subagents?: "show" | "hide"
  /**
   * What becomes of what the CLI asks the person. `event` (the default): a `CUSTOM` event; somebody answers while
   * the run goes on. `interrupt`: the run ends at the next quiet point with the outcome `interrupt`.
   */
  readonly approvals?: "event" | "interrupt"
  /** Messages there is no schema for, and lines that are no message: `raw` (the default) events, or `drop`. */
  readonly unknown?: "raw" | "drop"
  /**
   * The application's shared state when the session starts, `{}` by default. It is never replaced: what the
   * session says about itself is added under {@link sessionStateKey}, where the state is an object.
   */
  readonly state?: unknown
  /** The application's own tools, by the names the application knows. The CLI reaches them as MCP tools. */
  readonly frontendTools?: ReadonlyArray<string>
  /** The name of the MCP server the frontend tools are on. Default `frontend`. */
  readonly frontendServer?: string
  /**
   * How many uuids are remembered to recognise messages that come again. 2,000 by default, which is
   * the least, and 1,000,000 at most.
   */
  readonly replayWindow?: number
  /** How many messages may wait for a run. Beyond that the translator starts one. 1,000 by default. */
  readonly maxHeld?: number
}

/** The options with their defaults. */
export interface Settings {
  readonly threadId: string
  readonly runId: (ordinal: number) => string
  readonly dialect: Dialect
  readonly subagents: "show" | "hide"
  readonly approvals: "event" | "interrupt"
  readonly unknown: "raw" | "drop"
  /** Whether the application's state can take a key. */
  readonly keyedState: boolean
  readonly frontendServer: string
  readonly replayWindow: number
  readonly maxHeld: number
}

export { sessionStateKey } from "../agui/SessionState.ts"

const minReplayWindow = 2000

/** The options with their defaults. */
export const settingsOf = (options: TranslateOptions): Settings => ({
  threadId: options.threadId,
  runId: options.runId ?? ((ordinal) => `${options.threadId}:${ordinal}`),
  dialect: options.dialect ?? "1.0",
  subagents: options.subagents ?? "show",
  approvals: options.approvals ?? "event",
  unknown: options.unknown ?? "raw",
  keyedState: takesKeys(options.state),
  frontendServer: options.frontendServer ?? "frontend",
  replayWindow: within(options.replayWindow ?? minReplayWindow, minReplayWindow, 1_000_000),
  maxHeld: within(options.maxHeld ?? 1000, 1, 1_000_000)
})

const within = (count: number, least: number, most: number): number =>
  Number.isNaN(count) ? least : Math.trunc(Math.min(Math.max(count, least), most))

const takesKeys = (state: unknown = {}): boolean => typeof state === "object" && state !== null && !Array.isArray(state)

/** The CLI's name of an MCP tool: what is no letter, digit, `_` or `-` becomes `_`. */
export const mcpToolName = (server: string, tool: string): string => `mcp__${plain(server)}__${plain(tool)}`

const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_")

/** The names of frontend tools by the CLI's name for each. */
export const frontendNames = (server: string, tools: ReadonlyArray<string>): ReadonlyMap<string, string> =>
  new Map(tools.map((tool) => [mcpToolName(server, tool), tool]))
