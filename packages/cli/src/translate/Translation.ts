/**
 * One file on its way through the translator: bytes of NDJSON or of a tape in, text of AG-UI out.
 *
 * Which wire it is decides what is made of whose lines: `folds` has a file for each, loaded where it is needed.
 */
import type * as Translate from "@agentwire/protocol/translate"
import { type WireItem, type WireOptions, WireSource } from "../WireSource.ts"
import type { Fold, Format, MakeFold, Message } from "./Fold.ts"

/** What there was to say about the lines of a file. */
export interface Findings {
  /** Lines of the agent that are not empty, and lines that are none of a tape. */
  lines: number
  /** Messages there is no schema for. */
  unknown: number
  /** Lines that are not messages. */
  invalid: number
  /** The first of them. */
  example: { readonly line: number; readonly error: string } | undefined
}

/** Bytes in, text out. */
export interface Translation {
  readonly findings: Readonly<Findings>
  /** What the lines that end in this chunk give. */
  readonly push: (chunk: Uint8Array) => Promise<string>
  /** What ends the last run, and with it the output. */
  readonly end: () => Promise<string>
}

/** A translation that writes in a format. */
export const translation = (
  format: Format,
  options: Translate.TranslateOptions,
  limits: WireOptions = {}
): Translation => {
  const source = new WireSource(limits)
  const findings: Findings = { lines: 0, unknown: 0, invalid: 0, example: undefined }
  let fold: Fold | undefined
  const begin = async (): Promise<Fold> => {
    fold ??= (await folds[source.wire.fold]())(format, options, () => source.notes().header)
    return fold
  }
  const taken = async (items: ReadonlyArray<WireItem>): Promise<string> => {
    const said = items.filter((one) => isMessage(one, findings))
    return said.length === 0 ? "" : (await begin()).addMessages(said)
  }
  const reason = (): Translate.FinishReason => {
    const { exit } = source.notes()
    return exit === undefined ? { type: "end" } : { type: "exit", code: exit.code, signal: exit.signal }
  }
  return {
    findings,
    push: async (chunk) => taken(await source.push(chunk)),
    end: async () => (await taken(await source.end())) + (await begin()).finish(reason())
  }
}

/** Counts a line; tells whether it is one of somebody's messages. */
const isMessage = (one: WireItem, findings: Findings): one is Message => {
  if (one._tag === "Wrong") {
    findings.lines++
    invalid(findings, one.line, `not a line of a tape: ${one.message}`)
    return false
  }
  if (one.from === "host") return true
  findings.lines++
  if (one._tag === "Unknown") findings.unknown++
  if (one._tag === "Invalid") invalid(findings, one.line, one.error.message)
  return true
}

const invalid = (findings: Findings, line: number, error: string): void => {
  findings.invalid++
  findings.example ??= { line, error }
}

/** The folds of files by whose messages they have. */
const folds: Readonly<Record<Translate.RuntimeName, () => Promise<MakeFold>>> = {
  claude: async () => (await import("./folds/Claude.ts")).fold,
  codex: async () => (await import("./folds/Codex.ts")).fold,
  "codex-exec": async () => (await import("./folds/CodexExec.ts")).fold
}
