/** `agentwire translate`: a recorded session of the Claude Code CLI as AG-UI events, or as the messages they make. */
import type { Agui } from "@agentwire/protocol"
import type { Command } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { limitsOf, maxLineOption, maxSizeOption } from "../Limits.ts"
import { type OptionValue, oneOf } from "../OptionValue.ts"
import { runtimeKinds, runtimeOption } from "../runtime/Runtimes.ts"
import type { Format } from "../translate/Fold.ts"

const dialects: readonly [Agui.Dialect, Agui.Dialect] = ["1.0", "0.0"]
const formats = ["ndjson", "sse"] as const
const subagents = ["show", "hide"] as const

/** The command. */
export const translate: Command = {
  name: "translate",
  summary: "turn a recorded session into AG-UI events",
  usage: `FILE [OPTIONS]
       agentwire translate FILE... --out-dir DIR [--json] [OPTIONS]`,
  details: `FILE is NDJSON as Claude Code writes it with --output-format stream-json or as \`codex
app-server\` writes it, or a tape of either; any may be gzipped; "-" reads standard input.
Whose messages they are is recognised, or said with --runtime. For a tape, the agent's side
is translated.

Writes one AG-UI event per line: a run for each turn, and what is still open at the end of
the input is closed as it ended (a tape knows how the process ended). With --format sse
it is server-sent events, as an AG-UI server sends them. With --messages it is the
messages a client has after these events, one per line; a tape's include the person's
prompts. The table of what becomes of each message is mapping.md in @agentwire/protocol.

One FILE goes to standard output. With --out-dir DIR any number of files: x.ndjson, x.jsonl,
x.tape and x.tape.gz give DIR/x.agui.ndjson; x.agui.sse with --format sse;
x.messages.ndjson with --messages. The folder is created if needed, and a file that
exists is replaced, and so is a link. Only you can read what is written: it has all that was
said. With --json, standard output has one object for each FILE that was
written: {"file","output","lines","unknown","invalid","example"?}, where example is the
first line that is not a message, {"line","error"}.

Lines that are not messages become RAW events, and standard error says how many there were.
Exit code 0 when every line was a message, 1 when some line was none, 2 when a file cannot
be read or written.`,
  options: {
    dialect: {
      type: "string",
      value: dialects.join("|"),
      summary: "of AG-UI (default 1.0); 0.0 is what CopilotKit's client reads"
    },
    format: { type: "string", value: formats.join("|"), summary: "how events are written (default ndjson)" },
    messages: { type: "boolean", summary: "write the messages, not the events" },
    "thread-id": { type: "string", value: "ID", summary: "the thread of all runs (default: the name of the file)" },
    subagents: {
      type: "string",
      value: subagents.join("|"),
      summary: "show all of them (default), or only their calls and results"
    },
    "no-raw": { type: "boolean", summary: "leave out what is not a message or has no schema" },
    runtime: runtimeOption,
    "out-dir": { type: "string", value: "DIR", summary: "write a file into DIR for each FILE" },
    json: { type: "boolean", summary: "with --out-dir: write one JSON object about each file" },
    "max-line": maxLineOption,
    "max-size": { ...maxSizeOption, summary: `with --messages: ${maxSizeOption.summary}` }
  },
  run: async (input, console) => {
    const { positionals: files, values } = input
    if (files.length === 0) throw new UsageFailure("translate needs at least one FILE, or - for standard input.")
    const folder = textOf("out-dir", values["out-dir"])
    if (files.length > 1 && folder === undefined)
      throw new UsageFailure("Several files need --out-dir DIR: the events of two sessions do not mix.")
    const isJson = values["json"] === true
    if (isJson && folder === undefined)
      throw new UsageFailure("--json goes with --out-dir: without it, standard output has the events.")
    const format = formatOf(values["format"], values["messages"] === true)
    const threadId = textOf("thread-id", values["thread-id"])
    const runtime = oneOf("runtime", runtimeKinds, values["runtime"])
    const limits = { ...limitsOf(input), ...(runtime !== undefined && { runtime }) }
    const options = {
      dialect: oneOf("dialect", dialects, values["dialect"]) ?? "1.0",
      subagents: oneOf("subagents", subagents, values["subagents"]) ?? "show",
      unknown: values["no-raw"] === true ? ("drop" as const) : ("raw" as const)
    }
    const { translateFiles } = await import("../translate/TranslateFiles.ts")
    const said = { isJson, debug: values["debug"] === true }
    return translateFiles(files, { folder, format, limits, options, threadId, ...said }, console)
  }
}

const textOf = (name: string, value: OptionValue): string | undefined => {
  if (value === "") throw new UsageFailure(`--${name} needs a value that is not empty.`)
  return typeof value === "string" ? value : undefined
}

const formatOf = (value: OptionValue, messages: boolean): Format => {
  const format = oneOf("format", formats, value) ?? "ndjson"
  if (messages && value !== undefined)
    throw new UsageFailure("--format is for events: --messages writes one message per line.")
  return messages ? "messages" : format
}
