/**
 * The wires of the runtimes, a row each: how its lines are known, and how they are read, which is loaded for those who
 * read some: the schemas of a runtime take longer than most files. Codex has two: `codex app-server` and `codex exec
 * --json`.
 */
import type * as Tape from "@agentwire/protocol/tape"
import type * as Translate from "@agentwire/protocol/translate"
import type { AnyDecoded, Reading } from "./Reading.ts"
import { type RuntimeKind, runtimeOfTape } from "./Runtimes.ts"

/** One wire. */
export interface Wire {
  readonly runtime: RuntimeKind
  /** Whether a line of NDJSON is one of its own, by its beginning. */
  readonly isLine: (start: string) => boolean
  /** Whether a tape of its runtime has it, by the arguments of the program. */
  readonly isTape: (argv: ReadonlyArray<string>) => boolean
  readonly load: () => Promise<Reading>
  /** The fold that translates it. */
  readonly fold: Translate.RuntimeName
}

const execEvent = /^\s*\{\s*"type"\s*:\s*"(?:thread|turn|item)\./
const rpcKey = /^\s*\{\s*"(?:jsonrpc|id|method|params|result|error)"\s*:/

/** All of them. Claude Code's is the last, because it is what a line is taken for that nobody knows. */
export const wires: ReadonlyArray<Wire> = [
  {
    runtime: "codex",
    isLine: (start) => execEvent.test(start),
    isTape: (argv) => argv.includes("exec"),
    load: async () => (await import("./wires/CodexExec.ts")).reading,
    fold: "codex-exec"
  },
  {
    runtime: "codex",
    isLine: (start) => rpcKey.test(start),
    isTape: () => true,
    load: async () => (await import("./wires/Codex.ts")).reading,
    fold: "codex"
  },
  {
    runtime: "claude",
    isLine: (start) => /^\s*\{/.test(start),
    isTape: () => true,
    load: async () => (await import("./wires/Claude.ts")).reading,
    fold: "claude"
  }
]

const last = <A>(rows: ReadonlyArray<A>): A => {
  const row = rows.at(-1)
  if (row === undefined) throw new Error("There is a runtime without a wire.")
  return row
}

/** The wire of a tape. */
export const wireOfTape = (header: Pick<Tape.TapeHeader, "argv" | "runtime">): Wire => {
  const { kind } = runtimeOfTape(header)
  const rows = wires.filter(({ runtime }) => runtime === kind)
  return rows.find(({ isTape }) => isTape(header.argv)) ?? last(rows)
}

/** The wire of a file of NDJSON, by how its lines begin; undefined while none of them tells. */
export const wireOfLines = (starts: Iterable<string>, kind?: RuntimeKind): Wire | undefined => {
  const rows = wires.filter(({ runtime }) => kind === undefined || runtime === kind)
  for (const start of starts) {
    const found = rows.find(({ isLine }) => isLine(start))
    if (found !== undefined) return found
  }
  return undefined
}

/** What a file is taken for whose lines do not tell. */
export const wireOfNothing = (kind: RuntimeKind = "claude"): Wire =>
  last(wires.filter(({ runtime }) => runtime === kind))

/** Reads lines of a runtime, each by the wire that it shows. */
export const lineDecoder = async (kind: RuntimeKind): Promise<(line: string) => AnyDecoded> => {
  const rows = await Promise.all(
    wires
      .filter(({ runtime }) => runtime === kind)
      .map(async ({ isLine, load }) => ({ isLine, decodeLine: (await load()).decodeLine }))
  )
  return (line) => (rows.find(({ isLine }) => isLine(line)) ?? last(rows)).decodeLine(line)
}
