/**
 * What translating costs, as a ratio to splitting and `JSON.parse` alone in the same run: `npm run bench:translate`.
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
import { decodeLine } from "@agentwire/protocol/claude"
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

const live =
  (validate: boolean): Contender =>
  (chunks) => {
    const translator = new Translate.SseTranslator({ threadId: "t", validate })
    let sum = 0
    for (const chunk of chunks) sum += Buffer.from(translator.push(chunk)).length
    return sum + Buffer.from(translator.end()).length
  }

const stepped: Contender = (chunks) => {
  const framer = new Framer()
  let state = Translate.initialState({ threadId: "t" })
  let sum = 0
  for (const chunk of chunks) {
    let frames = ""
    for (const one of framer.push(chunk)) {
      const [next, events] = Translate.step(state, decodeLine(one._tag === "Text" ? one.text : ""))
      state = next
      for (const event of events) frames += Agui.encodeSse(event)
    }
    sum += Buffer.from(frames).length
  }
  return sum + Translate.finish(state).reduce((bytes, event) => bytes + Buffer.byteLength(Agui.encodeSse(event)), 0)
}

const floor = "split and JSON.parse"

const contenders: Readonly<Record<string, { readonly run: Contender; readonly target?: number }>> = {
  "split only": { run: eachLine((text) => text.length) },
  [floor]: { run: eachLine((text) => (text === "" ? 0 : Object.keys(JSON.parse(text)).length)) },
  "split and decodeLine": { run: eachLine((text) => decodeLine(text)._tag.length) },
  "SseTranslator, validated": { run: live(true), target: 1.9 },
  "SseTranslator, fast": { run: live(false), target: 1.2 },
  "step and encodeSse": { run: stepped }
}

const processorTime = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

const compare = (name: string, text: string, judged: boolean): void => {
  const chunks = chunked(text)
  const lines = text.split("\n").length - 1
  const best = new Map<string, number>()
  const written = new Map<string, number>()
  for (let round = 0; round < 12; round++)
    for (const [contender, { run }] of Object.entries(contenders)) {
      const time = processorTime(() => written.set(contender, run(chunks)))
      best.set(contender, Math.min(best.get(contender) ?? Number.POSITIVE_INFINITY, time))
    }
  const outputs = new Set([...written].filter(([contender]) => /Sse/.test(contender)).map(([, bytes]) => bytes))
  if (outputs.size !== 1) throw new Error(`the ways to translate differ: ${[...outputs].join(", ")} bytes`)
  console.log(`\n${name}: ${lines} lines, ${(text.length / 1e6).toFixed(0)} MB; ${[...outputs]} bytes of events`)
  for (const [contender, time] of best) {
    const target = judged ? contenders[contender]?.target : undefined
    const ratio = (time / (best.get(floor) ?? 1)).toFixed(2)
    const goal = target === undefined ? "" : `  (target: at most ${target.toFixed(2)})`
    console.log(`  ${contender.padEnd(25)} ${time.toFixed(0).padStart(6)} ms  ${ratio.padStart(5)} x${goal}`)
  }
}

/** Translates a long session that is made as it goes, so that nothing but the translator could keep it. */
const longSession = (validate: boolean): void => {
  const translator = new Translate.SseTranslator({ threadId: "t", validate })
  const perAnswer = 500
  let lines = 0
  let written = 0
  for (const goal of [50_000, 250_000, 500_000, 750_000, 1_000_000]) {
    for (; lines < goal; lines += perAnswer + 6)
      for (const chunk of chunked(answer(lines, perAnswer))) written += translator.push(chunk).length
    const resident = process.memoryUsage.rss() / 1e6
    console.log(
      `  ${String(lines).padStart(8)} lines, ${(written / 1e6).toFixed(0).padStart(4)} MB out: resident ${resident.toFixed(0)} MB`
    )
  }
  console.log(`  peak ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB`)
}

const memoryFlag = "--memory"

if (process.argv[2] === memoryFlag) longSession(process.argv[3] === "validated")
else {
  compare("text deltas", Array.from({ length: 400 }, (_, i) => answer(i, 500)).join(""), true)
  const tape = "packages/fixtures/tapes/2.1.325-stdio/long_text_5000.tape.gz"
  compare("a recorded session, repeated", repeated(tape, 20e6), false)
  for (const path of ["validated", "fast"]) {
    console.log(`\nmemory over a session of 1,000,000 lines in one turn, ${path}`)
    // A process of its own: this one still has the sessions above.
    const { status } = spawnSync(process.execPath, [process.argv[1] ?? "", memoryFlag, path], { stdio: "inherit" })
    if (status !== 0) throw new Error("the long session could not be translated")
  }
}
