/** `agentwire decode`: what is in a recorded session, and what the schemas do not know. */
import type { Command } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { limitsOf, maxLineOption } from "../Limits.ts"
import { oneOf, wholeNumber } from "../OptionValue.ts"
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
    const { decodeFiles } = await import("../decode/DecodeFiles.ts")
    const options = { from, maxFindings, maxLineBytes, ...(runtime !== undefined && { runtime }) }
    return decodeFiles(
      positionals,
      { ...options, isJson: values["json"] === true, debug: values["debug"] === true },
      console
    )
  }
}
