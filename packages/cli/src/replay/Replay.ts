/** What `agentwire replay` does: plays a tape, as the side that is asked for. */
import { once } from "node:events"
import { join, resolve } from "node:path"
import * as Tape from "@agentwire/protocol/tape"
import type { ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { load } from "../commands/tape/Load.ts"
import { ownCommand, writeExecutable } from "../Executable.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { limitsOf } from "../Limits.ts"
import { oneOf } from "../OptionValue.ts"
import { runtimeOfTape } from "../runtime/Runtimes.ts"
import { pairIds, processWires, replayAsCli } from "./AsCli.ts"
import { type Driven, replayAsHost } from "./AsHost.ts"
import { replayOverSdkUrl } from "./AsSdkUrl.ts"
import { moveFoldersTo } from "./Folders.ts"
import { milliseconds, paceOf } from "./Pace.ts"
import type { Ending, PlayOptions } from "./Player.ts"
import { describeTapeDifference, shorten } from "./Words.ts"

/** The sides that can be played. */
export type Role = "cli" | "host"

/** Plays a tape, the first argument. What follows are flags, or the CLI that the host starts. */
export const replayFile = async (role: Role, input: Input, console: Console): Promise<ExitCode> => {
  const [file = "", ...rest] = input.positionals
  const options = optionsOf(input)
  const { connect, shim } = input.values
  const tape = await undamaged(file, input)
  const runtime = runtimeOfTape(tape.header)
  if (connect !== undefined && runtime.kind !== "claude")
    throw new UsageFailure(`--connect is for tapes of Claude Code: ${runtime.title} speaks over its pipes.`)
  if (shim !== undefined) return makeShim(join(String(shim), runtime.program), file, input, console)
  if (role === "host") {
    const [program, ...args] = rest
    if (program === undefined) throw new UsageFailure(`--as host needs the CLI to start: -- ${runtime.program} ARGS...`)
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
