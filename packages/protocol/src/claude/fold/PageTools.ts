/**
 * Tools of the application. The CLI reaches them through an MCP server of the host, so it has names of its own for
 * them; people know them by the application's.
 */

/** The server's name where nobody chose one. */
export const defaultPageToolServer = "frontend"

/** The CLI's name for an MCP tool: anything but a letter, digit, `_` or `-` becomes `_`. */
export const mcpToolName = (server: string, tool: string): string => `mcp__${plain(server)}__${plain(tool)}`

const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_")

/** The application's names for its tools, by the CLI's name for each. */
export const pageToolNames = (server: string, tools: ReadonlyArray<string>): ReadonlyMap<string, string> =>
  new Map(tools.map((tool) => [mcpToolName(server, tool), tool]))
