/**
 * What translating costs, as a ratio to splitting and `JSON.parse` alone in the same run: `npm run bench:translate`, or
 * `npm run bench:translate -- codex` for the lines of one runtime.
 *
 * It is bundled before it runs: `tsx` wraps functions to keep their names, which costs more than what is measured,
 * and a package built earlier may not be what is in the source. The rounds of all contenders are interleaved and
 * the best of each counts, by processor time, so that a busy machine slows them alike. Times say little between
 * machines; the ratios do. On the first work, bridges that exist need 1.42 (unchecked) and 2.1 to 2.3 (checked).
 */
import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { Agui, Tape, Translate } from "@agentwire/protocol"
import * as Claude from "@agentwire/protocol/claude"
import * as Codex from "@agentwire/protocol/codex"
import { Framer, type Line } from "@agentwire/protocol/wire"

const session_id = "e246662a-7abd-46cd-810a-8bee54567603"
const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

const line = (message: object): string =>
  `${JSON.stringify({ ...message, session_id, parent_tool_use_id: null, uuid: randomUUID() })}\n`

const streamed = (event: object): string => line({ type: "stream_event", event })

/** One answer of the model: its stream, with the whole message in it as the CLI writes it. */
const answer = (number: number, deltas: number): string => {
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage
  }
  const pieces = Array.from({ length: deltas }, (_, i) => `word ${i} and `)
  return [
    streamed({ type: "message_start", message }),
    streamed({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    ...pieces.map((text) => streamed({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    line({ type: "assistant", message: { ...message, content: [{ type: "text", text: pieces.join("") }] } }),
    streamed({ type: "content_block_stop", index: 0 }),
    streamed({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage }),
    streamed({ type: "message_stop" })
  ].join("")
}

/** What the agent says on a tape, again and again; ids are new each time, as they would be. */
const repeated = (file: string, bytes: number): string => {
  const { tape } = Tape.parseTape(gunzipSync(readFileSync(file)))
  if (tape === undefined) throw new Error(`${file} is no tape: run this in the root of the repository`)
  const once = Tape.tapeLines(tape.frames)
    .map(({ from, line: said }) => (from === "agent" && said._tag === "Text" ? `${said.text}\n` : ""))
    .join("")
  let text = ""
  for (let round = 0; text.length < bytes; round++)
    text += once.replace(/\b(msg|toolu)_/g, `$1_${round}_`).replace(/"uuid":"[^"]*"/g, () => `"uuid":"${randomUUID()}"`)
  return text
}

// Names and times as long as those of 0.166.0: a line is about 230 bytes.
const codexThread = "01a1ee7b-23b4-78c2-a788-21ba8f9fa267"

let emittedAtMs = 1795002410508

const codexLine = (method: string, params: object): string =>
  `${JSON.stringify({ method, params: { threadId: codexThread, ...params }, emittedAtMs: emittedAtMs++ })}\n`

/** A turn of Codex: an answer of many pieces, said once more as a whole. */
const codexTurn = (number: number, deltas: number): string => {
  const [turnId, itemId] = [`01a1ee7b-23c4-7d31-a8b2-${String(number).padStart(12, "0")}`, `msg_0a5c1f3e9b7d${number}`]
  const pieces = Array.from({ length: deltas }, (_, i) => `word ${i} and `)
  const said = { type: "agentMessage", id: itemId, text: pieces.join("") }
  const begun = { id: turnId, items: [], status: "inProgress", error: null }
  return [
    codexLine("turn/started", { turn: begun }),
    codexLine("item/started", { item: { ...said, text: "" }, turnId }),
    ...pieces.map((delta) => codexLine("item/agentMessage/delta", { turnId, itemId, delta })),
    codexLine("item/completed", { item: said, turnId }),
    codexLine("turn/completed", { turn: { ...begun, status: "completed" } })
  ].join("")
}

const chunked = (text: string): ReadonlyArray<Uint8Array> => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / 65536) }, (_, i) => bytes.subarray(i * 65536, (i + 1) * 65536))
}

type Contender = (chunks: ReadonlyArray<Uint8Array>) => number

const eachLine =
  (take: (text: string) => number): Contender =>
  (chunks) => {
    const framer = new Framer()
    const textOf = (one: Line): string => (one._tag === "Text" ? one.text : "")
    let sum = 0
    for (const chunk of chunks) for (const one of framer.push(chunk)) sum += take(textOf(one))
    return sum
  }

/** What is measured of a runtime: its decoder, and its lines as they are translated by hand, one after the other. */
interface Measured<R extends Translate.RuntimeName> {
  readonly runtime: R
  readonly decodeLine: (line: string) => { readonly _tag: string }
  readonly listener: () => (line: string) => Translate.RuntimeMessages[R]
}

const claude: Measured<"claude"> = {
  runtime: "claude",
  decodeLine: Claude.decodeLine,
  listener: () => (line) => Claude.decodeLine(line)
}

const codex: Measured<"codex"> = {
  runtime: "codex",
  decodeLine: Codex.decodeLine,
  listener: () => {
    const dialogue = new Codex.Dialogue()
    return (line) => dialogue.hear("server", line)
  }
}

const live =
  <R extends Translate.RuntimeName>(runtime: R, validate: boolean): Contender =>
  (chunks) => {
    const translator = new Translate.SseTranslator({ threadId: "t", runtime, validate })
    let sum = 0
    for (const chunk of chunks) sum += translator.pushBytes(chunk).length
    return sum + translator.endBytes().length
  }

const stepped =
  <R extends Translate.RuntimeName>({ listener, runtime }: Measured<R>): Contender =>
  (chunks) => {
    const framer = new Framer()
    const hear = listener()
    let state = Translate.initialState({ threadId: "t", runtime })
    let sum = 0
    for (const chunk of chunks) {
      let frames = ""
      for (const one of framer.push(chunk)) {
        const [next, events] = Translate.step(state, hear(one._tag === "Text" ? one.text : ""))
        state = next
        for (const event of events) frames += Agui.encodeSse(event)
      }
      sum += Buffer.from(frames).length
    }
    return sum + Translate.finish(state).reduce((bytes, event) => bytes + Buffer.byteLength(Agui.encodeSse(event)), 0)
  }

const floor = "split and JSON.parse"

interface Contending {
  readonly run: Contender
  readonly target?: number
}

const contendersOf = <R extends Translate.RuntimeName>(of: Measured<R>): Readonly<Record<string, Contending>> => ({
  "split only": { run: eachLine((text) => text.length) },
  [floor]: { run: eachLine((text) => (text === "" ? 0 : Object.keys(JSON.parse(text)).length)) },
  "split and decodeLine": { run: eachLine((text) => of.decodeLine(text)._tag.length) },
  "SseTranslator, validated": { run: live(of.runtime, true), target: 1.9 },
  "SseTranslator, fast": { run: live(of.runtime, false), target: 0.9 },
  "step and encodeSse": { run: stepped(of) }
})

const processorTime = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

/** Rounds enough for a median that a busy machine does not move. */
const rounds = 15

const compare = <R extends Translate.RuntimeName>(
  name: string,
  measured: Measured<R>,
  text: string,
  isJudged: boolean
): void => {
  const chunks = chunked(text)
  const lines = text.split("\n").length - 1
  const contenders = contendersOf(measured)
  const times = new Map<string, Array<number>>()
  const written = new Map<string, number>()
  for (let round = 0; round < rounds; round++)
    for (const [contender, { run }] of Object.entries(contenders)) {
      const time = processorTime(() => written.set(contender, run(chunks)))
      times.set(contender, [...(times.get(contender) ?? []), time])
    }
  const outputs = new Set([...written].filter(([contender]) => /Sse/.test(contender)).map(([, bytes]) => bytes))
  if (outputs.size !== 1) throw new Error(`the ways to translate differ: ${[...outputs].join(", ")} bytes`)
  console.log(`\n${name}: ${lines} lines, ${(text.length / 1e6).toFixed(0)} MB; ${[...outputs]} bytes of events`)
  const floors = times.get(floor) ?? []
  for (const [contender, each] of times) {
    const target = isJudged ? contenders[contender]?.target : undefined
    const best = Math.min(...each)
    const ratio = (best / Math.min(...floors)).toFixed(2)
    const [low, middle, high] = quartiles(each.map((time, round) => time / (floors[round] ?? time)))
    const goal = target === undefined ? "" : `  (target: at most ${target.toFixed(2)})`
    console.log(
      `  ${contender.padEnd(25)} ${best.toFixed(0).padStart(6)} ms  ${ratio.padStart(5)} x  median of rounds ${middle} (${low} to ${high})${goal}`
    )
  }
}

const quartiles = (ratios: ReadonlyArray<number>): ReadonlyArray<string> => {
  const sorted = ratios.toSorted((a, b) => a - b)
  return [0.25, 0.5, 0.75].map((part) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(2))
}

/** Translates a long session that is made as it goes, so that nothing but the translator could keep it. */
const longSession = (validate: boolean): void => {
  const translator = new Translate.SseTranslator({ threadId: "t", validate })
  const perAnswer = 500
  let lines = 0
  let written = 0
  for (const goal of [50_000, 250_000, 500_000, 750_000, 1_000_000]) {
    for (; lines < goal; lines += perAnswer + 6)
      for (const chunk of chunked(answer(lines, perAnswer))) written += translator.pushBytes(chunk).length
    const resident = process.memoryUsage.rss() / 1e6
    console.log(
      `  ${String(lines).padStart(8)} lines, ${(written / 1e6).toFixed(0).padStart(4)} MB out: resident ${resident.toFixed(0)} MB`
    )
  }
  console.log(`  peak ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB`)
}

const memoryFlag = "--memory"

const answers = (make: (number: number, deltas: number) => string, count: number): string =>
  Array.from({ length: count }, (_, number) => make(number, 500)).join("")

/** What is measured, by runtime. */
const suites: Readonly<Record<string, () => void>> = {
  claude: () => {
    compare("Claude Code, text deltas", claude, answers(answer, 400), true)
    const tape = "packages/fixtures/tapes/2.1.325-stdio/long_text_5000.tape.gz"
    compare("a recorded session, repeated", claude, repeated(tape, 20e6), false)
  },
  codex: () => compare("Codex, text deltas", codex, answers(codexTurn, 400), true),
  memory: () => {
    for (const path of ["validated", "fast"]) {
      console.log(`\nmemory over a session of 1,000,000 lines in one turn, ${path}`)
      inProcessOfItsOwn(memoryFlag, path)
    }
  }
}

/** Nothing is measured beside what another suite has left in the memory and in the compiler. */
const inProcessOfItsOwn = (...args: ReadonlyArray<string>): void => {
  const { status } = spawnSync(process.execPath, [process.argv[1] ?? "", ...args], { stdio: "inherit" })
  if (status !== 0) throw new Error(`${args.join(" ")} failed`)
}

const [chosen] = process.argv.slice(2)
if (chosen === memoryFlag) longSession(process.argv[3] === "validated")
else if (chosen === undefined) for (const name of Object.keys(suites)) inProcessOfItsOwn(name)
else if (suites[chosen] === undefined) throw new Error(`there is ${Object.keys(suites).join(", ")}, but no ${chosen}`)
else suites[chosen]()
