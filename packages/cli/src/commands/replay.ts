/** `agentwire replay`: plays a recorded session again, from either side. */
import { once } from "node:events"
import { join, resolve } from "node:path"
import { Tape } from "@agentwire/protocol"
import type { Command, ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { ownCommand, writeExecutable } from "../Executable.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { limitsOf, maxLineOption, maxSizeOption } from "../Limits.ts"
import { oneOf } from "../OptionValue.ts"
import { pairIds, processWires, replayAsCli } from "../replay/AsCli.ts"
import { type Driven, replayAsHost } from "../replay/AsHost.ts"
import { replayOverSdkUrl } from "../replay/AsSdkUrl.ts"
import { moveFoldersTo } from "../replay/Folders.ts"
import { milliseconds, paceOf } from "../replay/Pace.ts"
import type { Ending, PlayOptions } from "../replay/Player.ts"
import { describeTapeDifference, shorten } from "../replay/Words.ts"
import { runtimeOfTape } from "../runtime/Runtimes.ts"
import { load } from "./tape/Load.ts"

const roles = ["cli", "host"] as const

/** The command. */
export const replay: Command = {
  name: "replay",
  summary: "play a recorded session again, as the CLI or as the host",
  usage: `FILE [OPTIONS] [-- FLAGS...]
       agentwire replay FILE --connect ws://HOST/PATH
       agentwire replay --shim DIR FILE
       agentwire replay FILE --as host [--json] -- claude|codex ARGS...`,
  details: `FILE is a tape, of Claude Code or of Codex, which its header says. As the CLI, it reads a
host's lines from standard input, waits for those that came on the tape, and says what the
CLI said, with the host's own ids, standard error and exit code included. What follows --
are flags of the real CLI: they are accepted, and --version is answered as the recorded
CLI does.

A line of the host that does not match (--match) ends it with exit code 2 and the
difference from the nearest line of the tape. When the host ends and not all of the tape
was asked for, that is said on standard error, and the exit code is 1.

With --connect it is a CLI of 2.1.120 or before that was started with --sdk-url: it
connects to a WebSocket, and connects again as the recorded version does.

With --shim it writes an executable DIR/claude or DIR/codex that replays FILE, for any
program that starts one.

With --as host it starts a real CLI, says what the host said, and compares what comes
back, ids renamed, times and costs ignored: exit code 0 the same, 1 it differs, 2 it
could not be done. The environment is passed on, so start what the CLI needs first, such as
\`agentwire model\`. When the CLI is silent for 10 seconds (--idle-limit), the
host continues. With --json, one object: {"same","differences","unknown","killed"}: what
\`tape diff --json\` says about the two, the requests of the CLI that the tape has no answer
to, and whether it had to be killed.`,
  options: {
    match: {
      type: "string",
      value: Tape.replayMatches.join("|"),
      summary: "strict: equal except for ids; shape (default): same keys; none: any line"
    },
    speed: { type: "string", value: "real|N|instant", summary: "N times as fast (default instant)" },
    "idle-limit": { type: "string", value: "MS", summary: "wait at most this long between two frames" },
    as: { type: "string", value: roles.join("|"), summary: "which side is played (default cli)" },
    connect: { type: "string", value: "URL", summary: "speak over a WebSocket instead of stdin and stdout" },
    shim: { type: "string", value: "DIR", summary: "write an executable that replays FILE" },
    json: { type: "boolean", summary: "with --as host: write what differs as one JSON object" },
    "max-line": maxLineOption,
    "max-size": maxSizeOption
  },
  run: async (input, console) => {
    const [file, ...rest] = input.positionals
    if (file === undefined) throw new UsageFailure("replay needs a FILE: a tape, as `agentwire record` writes it.")
    const options = optionsOf(input)
    const { connect, shim } = input.values
    const role = oneOf("as", roles, input.values["as"]) ?? "cli"
    if (role === "cli" && input.values["json"] === true) throw new UsageFailure("--json goes with --as host.")
    const tape = await undamaged(file, input)
    const runtime = runtimeOfTape(tape.header)
    if (connect !== undefined && runtime.kind !== "claude")
      throw new UsageFailure(`--connect is for tapes of Claude Code: ${runtime.title} speaks over its pipes.`)
    if (shim !== undefined) return makeShim(join(String(shim), runtime.program), file, input, console)
    if (role === "host") {
      const [program, ...args] = rest
      if (program === undefined)
        throw new UsageFailure(`--as host needs the CLI to start: -- ${runtime.program} ARGS...`)
      const limit = input.values["idle-limit"]
      const quiet = limit === undefined ? {} : { quietMs: milliseconds("idle-limit", String(limit)) }
      const driven = await replayAsHost(tape, { command: [program, ...args], ...quiet })
      return compareWith(tape, driven, input.values["json"] === true, console)
    }
    if (["--version", "-v", "-V"].includes(rest[0] ?? "")) {
      await console.out(runtime.versionLine(tape.header.runtime.version ?? "unknown"))
      return 0
    }
    const wires = processWires()
    const ids = pairIds(tape.header.argv, rest, runtime.sessionFlags)
    return leave(
      connect === undefined
        ? await replayAsCli(tape, { ...options, ids }, wires)
        : await replayOverSdkUrl(tape, { ...options, ids, url: urlOf(String(connect)), env: process.env }, wires),
      console
    )
  }
}

const optionsOf = ({ values }: Input): PlayOptions => {
  const match = oneOf("match", Tape.replayMatches, values["match"]) ?? "shape"
  const [speed, idleLimit] = [values["speed"], values["idle-limit"]]
  return {
    match,
    pace: paceOf(
      speed === undefined ? undefined : String(speed),
      idleLimit === undefined ? undefined : String(idleLimit)
    )
  }
}

const undamaged = async (file: string, input: Input): Promise<Tape.Tape> => {
  const {
    tape,
    wrong: [first]
  } = await load(file, limitsOf(input))
  if (first === undefined) return tape
  throw new Failure(`${file} is damaged: line ${first.line}: ${first.message}. \`agentwire tape verify\` says more.`)
}

const makeShim = async (path: string, file: string, { values }: Input, console: Console): Promise<ExitCode> => {
  const options = ["match", "speed", "idle-limit", "connect", "max-line", "max-size"].flatMap((name) => {
    const value = values[name]
    return value === undefined ? [] : [`--${name}`, String(value)]
  })
  const command = [...ownCommand(), "replay", resolve(file), ...options, "--"]
  await console.out(writeExecutable(path, "replays a tape", command))
  return 0
}

/** Says what a live CLI did differently from the recorded one. */
const compareWith = async (tape: Tape.Tape, driven: Driven, isJson: boolean, console: Console): Promise<ExitCode> => {
  // Where deltas are cut is the network's doing.
  const found = Tape.diffTapes(ofAgent(tape), ofAgent(moveFoldersTo(driven.tape, tape)), { joinDeltas: true })
  const { killed, unknown } = driven
  const isSame = found.length === 0 && unknown.length === 0 && !killed
  if (isJson) {
    await console.out(JSON.stringify({ same: isSame, differences: found, unknown, killed }))
    return isSame ? 0 : 1
  }
  const findings = [
    ...found.map(describeTapeDifference),
    ...unknown.map((line) => `The CLI asked what the tape has no answer to: ${shorten(line)}`),
    ...(killed ? ["The CLI did not end when its input did, and was killed."] : [])
  ]
  for (const finding of findings) await console.out(finding)
  if (isSame) await console.out("The CLI said what the tape has.")
  return isSame ? 0 : 1
}

/** A tape on which only what the agent said and how it ended is compared; frames keep their numbers. */
const ofAgent = (tape: Tape.Tape): Tape.Tape => ({
  ...tape,
  frames: tape.frames.map((frame) => {
    const compared = (frame._tag === "Data" && frame.from === "agent") || frame._tag === "Exit"
    if (!compared) return { _tag: "Marker", wait: 0, text: "" }
    return frame._tag === "Data" && frame.channel === "ws" ? { ...frame, channel: "stdout" } : frame
  })
})

const urlOf = (text: string): string => {
  if (!URL.canParse(text) || !/^wss?:/.test(text)) throw new UsageFailure(`--connect takes a ws:// URL, not "${text}".`)
  return text
}

/** Ends this process as the recorded one did; standard input may still be open. */
const leave = async ({ code, signal, words }: Ending, console: Console): Promise<ExitCode> => {
  if (words !== undefined) console.err(words)
  if (signal === null) process.exit(code ?? 0)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  await once(process, "exit")
  return 2
}
