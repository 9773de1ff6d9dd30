/**
 * What was chosen about the agent of a thread, as it is kept.
 */
import { isRecord } from "@agentwire/protocol/wire"
import type * as Result from "effect/Result"
import type { StoredThread } from "../store/StoredThread.ts"
import { type AgentOptions, type BadOption, decodeAgentOptions } from "./AgentOptions.ts"

/** The MCP servers that were set after the thread was made; undefined when none were. */
export const laterServers = ({
  mcpServers
}: Pick<StoredThread, "mcpServers">): Readonly<Record<string, unknown>> | undefined =>
  isRecord(mcpServers) ? mcpServers : undefined

/** The options of a thread. What does not fit is not left out: the agent would be another one than was asked for. */
export const keptOptions = ({ options }: Pick<StoredThread, "options">): Result.Result<AgentOptions, BadOption> =>
  decodeAgentOptions(options)
