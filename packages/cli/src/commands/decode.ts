/** `agentwire decode`: what is in a recorded session, and what the schemas do not know. */
import { type Command, columns, type ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { describe, Failure, UsageFailure } from "../Failure.ts"
import { chunksOf } from "../InputFile.ts"
import { limitsOf, maxLineOption } from "../Limits.ts"
import { oneOf, wholeNumber } from "../OptionValue.ts"
import { Report } from "../Report.ts"
import { runtimeKinds, runtimeOption } from "../runtime/Runtimes.ts"

const sides = ["agent", "host", "both"] as const

/** The command. */
export const decode: Command = {
  name: "decode",
  summary: "say what is in a recorded session",
  usage: "FILE... [OPTIONS]",
  details: `FILE is NDJSON as an agent writes it (Claude Code with --output-format stream-json, \`codex
app-server\`, \`codex exec --json\`), from either side of the wire or from both, or a tape;
any may be gzipped; "-" reads standard input. Whose messages they are is recognised, or
said with --runtime. An answer whose request is in the file, too, is read as what it
answers; another one is known as an answer. Shows how many messages of each type there
are, then the types no schema knows, the drift (keys and values the schemas do not name,
and odd keys: missing or of another type, where the message can be read without them),
and the lines that are invalid.
For a tape, the agent's messages are reported, or those --from says; line numbers are
those of the tape.

With --json, one object per file:
{"file","lines","known","unknown":[{"line","type","subtype"}],
 "invalid":[{"line","error"}],"drift":[{"path","message","example","count"}]}
The drift of an odd key also has "code":"odd-key" and "problem".

Exit code 0 when all is known and nothing drifts, 1 when something is unknown or
drifts, 2 when a line is invalid or a file cannot be read.`,
  options: {
    json: { type: "boolean", summary: "write one JSON object per file" },
    from: { type: "string", value: sides.join("|"), summary: "with a tape: whose messages (default agent)" },
    runtime: runtimeOption,
    "max-line": maxLineOption,
    "max-findings": { type: "string", value: "N", summary: "how many findings of a kind are listed (default 10000)" }
  },
  run: async (input, console) => {
    const { positionals, values } = input
    if (positionals.length === 0) throw new UsageFailure("decode needs at least one FILE, or - for standard input.")
    const { maxLineBytes } = limitsOf(input)
    const maxFindings = wholeNumber("max-findings", values["max-findings"], 1) ?? 10_000
    const from = oneOf("from", sides, values["from"]) ?? "agent"
    const runtime = oneOf("runtime", runtimeKinds, values["runtime"])
    let worst: ExitCode = 0
    for (const file of positionals) {
      const report = new Report({ file, from, maxFindings, maxLineBytes, ...(runtime !== undefined && { runtime }) })
      try {
        await read(file, report, console)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        console.err(describe(error, values["debug"] === true))
        worst = 2
        continue
      }
      await console.out(values["json"] === true ? JSON.stringify(report.toJSON()) : render(report))
      if (report.exitCode > worst) worst = report.exitCode
    }
    return worst
  }
}

const read = async (file: string, report: Report, console: Console): Promise<void> => {
  let bytes = 0
  let shown = Date.now()
  for await (const chunk of chunksOf(file, console.stdin)) {
    report.push(chunk)
    bytes += chunk.length
    if (Date.now() - shown > 500) {
      shown = Date.now()
      console.progress(`${file}: ${Math.round(bytes / 1e6)} MB, ${report.lines} lines …`)
    }
  }
  report.end()
}

const shownFindings = 20

const render = (report: Report): string => {
  const { drift, file, invalid, known, lines, unknown } = report.toJSON()
  const verdict = [
    `${known} known`,
    `${report.unknownCount} unknown`,
    `${report.invalidCount} invalid`,
    `${drift.length} ${drift.length === 1 ? "drift" : "drifts"}`
  ].join(", ")
  return [
    `${file}: ${lines} ${lines === 1 ? "line" : "lines"}: ${verdict}`,
    section(
      "Messages",
      report.counts.map(([name, number]) => [String(number).padStart(8), name])
    ),
    section(
      "Unknown",
      unknown.map(({ line, subtype, type }) => [`line ${line}`, subtype === undefined ? type : `${type}/${subtype}`]),
      report.unknownCount
    ),
    section(
      "Drift",
      drift.map(({ count, example, message, path, problem }) => [
        `${message} ${path}`,
        `${problem ?? excerpt(example)} (${count}×)`
      ])
    ),
    section(
      "Invalid",
      invalid.map(({ error, line }) => [`line ${line}`, error]),
      report.invalidCount
    )
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

const section = (title: string, rows: ReadonlyArray<readonly [string, string]>, total = rows.length): string => {
  if (rows.length === 0) return ""
  const cut = title === "Messages" ? rows : rows.slice(0, shownFindings)
  const more = total - cut.length
  return `${title}\n${columns(cut)}${more > 0 ? `\n  … and ${more} more` : ""}`
}

const excerpt = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "undefined"
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
