/** `agentwire record`: keeps a live session on a tape without anyone noticing. */
import { resolve } from "node:path"
import { findProgram } from "@agentwire/bridge/program"
import type { Tape } from "@agentwire/protocol"
import type { Command, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { ownCommand } from "../Executable.ts"
import { UsageFailure } from "../Failure.ts"
import { oneOf, portNumber } from "../OptionValue.ts"
import { visible } from "../Paint.ts"
import { explained } from "../record/Explained.ts"
import { patternsOf } from "../record/Pattern.ts"
import { exitLike, type ProcessEnd } from "../record/Recorder.ts"
import type { RedactionChoice } from "../record/Redaction.ts"
import { findRuntime } from "../record/RuntimeVersion.ts"
import { recordInSecondProcess, runSecondProcess, secondProcessOption } from "../record/SecondProcess.ts"
import { writeShim } from "../record/Shim.ts"
import { startTape, tapePath } from "../record/Tapes.ts"
import { type RuntimeKind, runtimeKinds, runtimes } from "../runtime/Runtimes.ts"

/** The command. */
export const record: Command = {
  name: "record",
  summary: "keep a live session on a tape",
  usage: `-o FILE -- claude|codex ARGS...
       agentwire record --shim DIR -o FOLDER -- claude|codex
       agentwire record --ws PORT --to ws://HOST/PATH -o FILE`,
  details: `Runs \`claude ARGS...\`, \`codex app-server\` or \`codex exec --json ARGS...\` and keeps what
goes over stdin, stdout and stderr on a tape. Neither side notices: bytes, ends, signals
and the exit code are those of the program, and nothing is written to stdout besides. A
stdin that is a terminal is given to the program as it is and is not recorded; the
terminal interface itself cannot be recorded. Which runtime it is shows in its files or
its name; --runtime says so where they do not.

FILE is replaced, a link too, and only you can read it; one that ends in .gz is gzipped.
A FOLDER (or a name that ends in /) gets one tape per run, named by time and process.

--shim writes an executable \`claude\` or \`codex\` into DIR that records every run into
FOLDER: put DIR first on the PATH, or give its path to the program that starts the other
(\`pathToClaudeCodeExecutable\` of the Agent SDK, \`codexPathOverride\` of Codex's).

--ws listens on loopback between a CLI started with \`--sdk-url ADDRESS\` (2.1.120 and
before) and the host at --to, until it is interrupted; reconnects go on the same tape.
The ADDRESS is printed first: it has a key that is made for this recording, and who
connects without it is refused and noted on the tape. PORT 0 takes a free one.
Everything goes to --to; without a path it takes the one behind ADDRESS.

Secrets are replaced before they reach the disk: keys, tokens, passwords, cookies,
e-mail addresses, your home folder and name, and the values of environment variables
whose names or values look like it, also encoded (base64, hex, in addresses).
--redact takes a regular expression without look-around and back references.
--explain says on stderr, when the session has ended, what was replaced and why.

A tape that cannot be written (a full or slow disk) is cut, which stderr says once; the
session continues. It also does when the recorder is killed: the tape is valid up to
the cut, except for what was held back because a secret might continue. (A host that
closes the pipes of a child that is gone, as Node does, ends the session itself.)

Exit code: the program's own; 127 when there is no such program, 126 when it cannot be run.`,
  options: {
    output: { type: "string", short: "o", value: "FILE", summary: "the tape, or the folder of the tapes" },
    shim: { type: "string", value: "DIR", summary: "write an executable that records every run" },
    runtime: {
      type: "string",
      value: runtimeKinds.join("|"),
      summary: "what the program is (default: what its files or its name say)"
    },
    ws: { type: "string", value: "PORT", summary: "record a WebSocket: listen on this port" },
    to: { type: "string", value: "URL", summary: "with --ws: the host to pass everything on to" },
    redact: { type: "string", multiple: true, value: "PATTERN", summary: "replace what matches, too (repeatable)" },
    "redact-env": {
      type: "string",
      multiple: true,
      value: "NAME",
      summary: "replace the value of this environment variable, too (repeatable)"
    },
    explain: { type: "boolean", summary: "say in the end what was replaced, and why" },
    "no-redact": { type: "boolean", summary: "keep everything, secrets included" },
    [secondProcessOption]: { type: "boolean", summary: "", hidden: true }
  },
  run: async (input, console) => {
    const { positionals, values } = input
    if (values[secondProcessOption] === true) return exitLike(await runSecondProcess(commandOf(positionals)))
    const kind = oneOf("runtime", runtimeKinds, values["runtime"])
    const output = values["output"]
    if (typeof output !== "string" || output === "") throw new UsageFailure("record needs -o FILE.")
    const redaction = await redactionOf(input, console)
    const { shim, to, ws } = values
    if (typeof ws === "string") {
      if (kind !== undefined && kind !== "claude")
        throw new UsageFailure(
          `--ws is for Claude Code's --sdk-url: ${runtimes[kind].title} is recorded over its pipes.`
        )
      if (typeof to !== "string") throw new UsageFailure("--ws needs --to URL, the host to pass everything on to.")
      if (positionals.length > 0) throw new UsageFailure("--ws starts no program: start claude yourself, afterwards.")
      return recordWebSocket({ port: portNumber("ws", ws) ?? 0, to: urlOf(to), output, redaction }, console)
    }
    if (to !== undefined) throw new UsageFailure("--to goes with --ws.")
    const command = commandOf(positionals)
    if (typeof shim === "string") {
      const named = kind === undefined ? [] : ["--runtime", kind]
      const recorder = [...ownCommand(), "record", "-o", `${resolve(output)}/`, ...named, ...redactionFlags(input)]
      await console.out(writeShim({ folder: shim, command, recorder, ...(kind !== undefined && { kind }) }))
      return 0
    }
    return recordCommand({ command, output, kind, redaction })
  }
}

type CommandLine = readonly [string, ...ReadonlyArray<string>]

const commandOf = ([program, ...args]: ReadonlyArray<string>): CommandLine => {
  if (program === undefined)
    throw new UsageFailure("record needs a command to run: -- claude ARGS..., or -- codex ARGS...")
  return [program, ...args]
}

interface CommandInput {
  readonly command: CommandLine
  readonly output: string
  /** What it is, where that was said. */
  readonly kind: RuntimeKind | undefined
  readonly redaction: Explainable
}

const recordCommand = async ({ command, kind, output, redaction }: CommandInput): Promise<never> => {
  const [program, ...argv] = command
  const found = findRuntime([findProgram(program) ?? program, ...argv])
  const { tapeName: name } = kind === undefined ? found.runtime : runtimes[kind]
  const version = kind === undefined || kind === found.runtime.kind ? found.version : undefined
  let midLine = false
  const say = (message: string) => process.stderr.write(`${midLine ? "\n" : ""}agentwire: ${visible(message)}\n`)
  const tape = startTape({
    path: tapePath(output),
    header: { runtime: { name, ...(version !== undefined && { version }) }, transport: "stdio", argv },
    redaction,
    onStop: say
  })
  let end: ProcessEnd
  try {
    end = await recordInSecondProcess({
      command,
      tap: (event) => {
        if (event._tag === "Data" && event.channel === "stderr") midLine = event.bytes.at(-1) !== 10
        tape.tap(event)
      }
    })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    const [reason, status] = (typeof code === "string" && cannotStart[code]) || [String(error), 126]
    say(`Cannot start ${program}: ${reason}.`)
    end = { code: status, signal: null }
  }
  const { stuck } = await tape.end()
  for (const line of explained(redaction.findings)) say(line.trim())
  return exitLike(end, stuck)
}

const cannotStart: Readonly<Record<string, readonly [reason: string, status: number]>> = {
  ENOENT: ["there is no such program", 127],
  EACCES: ["it is not executable", 126]
}

interface WebSocketInput {
  readonly port: number
  readonly to: URL
  readonly output: string
  readonly redaction: Explainable
}

const recordWebSocket = async ({ output, port, redaction, to }: WebSocketInput, console: Console): Promise<0> => {
  const { startWsProxy } = await import("../record/WsProxy.ts")
  const tape = startTape({
    path: tapePath(output),
    header: { runtime: { name: runtimes.claude.tapeName }, transport: "ws", argv: [] },
    redaction,
    onStop: (message) => console.err(`agentwire: ${message}`)
  })
  const onRefused = (message: string) => console.err(`agentwire: ${message}`)
  const proxy = await startWsProxy({ port, to, tap: tape.tap, onRefused })
  await console.out(proxy.url)
  await new Promise<void>((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => done())
  })
  // First the tape: that the recorder hangs up now is not part of the session.
  tape.tap({ _tag: "Marker", text: "the recorder was stopped" })
  const { stuck } = await tape.end()
  for (const line of explained(redaction.findings)) console.err(`agentwire: ${line.trim()}`)
  await proxy.close()
  if (stuck) await exitLike({ code: 0, signal: null }, stuck)
  return 0
}

const redactionOf = async ({ lists, values }: Input, console: Console): Promise<Explainable> => {
  const findings: Array<Tape.Finding> = []
  return {
    off: values["no-redact"] === true,
    patterns: await patternsOf(lists["redact"] ?? [], { onSlow: (message) => console.err(`agentwire: ${message}`) }),
    variables: lists["redact-env"] ?? [],
    ...(values["explain"] === true && { onFound: (finding) => findings.push(finding) }),
    findings
  }
}

/** A choice that remembers what came of it, when that was asked for. */
interface Explainable extends RedactionChoice {
  readonly findings: ReadonlyArray<Tape.Finding>
}

const redactionFlags = ({ lists, values }: Input): ReadonlyArray<string> => [
  ...(values["no-redact"] === true ? ["--no-redact"] : []),
  ...["redact", "redact-env"].flatMap((name) => (lists[name] ?? []).flatMap((value) => [`--${name}`, value]))
]

const urlOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !["ws:", "wss:"].includes(url.protocol))
    throw new UsageFailure(`--to takes an address like ws://127.0.0.1:8000/path, not "${text}".`)
  return url
}
