/** The words that options of `agentwire serve` take, for its help and for whoever reads them. */

/** The variable a token may be given in, which keeps it out of the list of processes. */
export const tokenVariable = "AGENTWIRE_TOKEN"

/** The words that options take, in the order the help lists them. */
export const optionWords = {
  runtime: ["claude", "codex", "codex-exec"],
  transport: ["auto", "stdio", "ws", "hybrid"],
  approvals: ["deny", "interrupt", "event"],
  busy: ["reject", "queue", "interrupt", "steer"],
  effort: ["low", "medium", "high", "xhigh", "max"],
  durability: ["normal", "full"],
  "log-level": ["debug", "info", "warn", "error"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

/** A kind of agent. */
export type RuntimeName = (typeof optionWords)["runtime"][number]
