/**
 * What decoding costs, as a ratio to `JSON.parse` alone in the same run: `npm run bench`.
 *
 * The rounds of all contenders are interleaved and the best of each counts, so that a busy
 * machine slows them alike. Times say little between machines; the ratios do.
 */
import { readFileSync } from "node:fs"
import { codexTapes, loadCodexTape, readRecording } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { codec, decodeLine, decoder } from "@agentwire/protocol/claude"
import * as Codex from "@agentwire/protocol/codex"
import { z } from "zod"

interface Workload {
  readonly name: string
  readonly lines: ReadonlyArray<string>
  /** The ratio we hold ourselves to. */
  readonly target?: number
  readonly runtime?: "codex"
}

const recorded = readRecording("2.1.325").filter(({ from }) => from === "cli")

/** A recorded line of a message, its text set so that the line has a given length. */
const sized = (name: string, bytes: number, setText: (value: Line, text: string) => void): string => {
  const line = recorded
    .map((frame) => frame.line)
    .find((text) => {
      const decoded = decodeLine(text)
      return decoded._tag === "Known" && decoded.name === name && /"type":"text(_delta)?"/.test(text)
    })
  if (line === undefined) throw new Error(`no ${name} was recorded`)
  const value = JSON.parse(line) as Line
  setText(value, "")
  setText(value, "x".repeat(Math.max(0, bytes - JSON.stringify(value).length)))
  return JSON.stringify(value)
}

/** The places where the two hot messages keep their text. */
interface Line {
  readonly event: { readonly delta: { text: string } }
  readonly message: { readonly content: [{ text: string }] }
}

const delta = sized("stream_event/content_block_delta", 298, (value, text) => {
  value.event.delta.text = text
})
const assistant = sized("assistant", 3000, (value, text) => {
  value.message.content[0].text = text
})

/** What the app-server of Codex says on the tapes of its newest version. */
const codexLines = codexTapes
  .filter(({ version, wire }) => version === Codex.schemaVersion && wire === "app-server")
  .flatMap((entry) => Tape.tapeLines(loadCodexTape(entry).frames))
  .flatMap(({ from, line }) => (from === "agent" && line._tag === "Text" && line.text !== "" ? [line.text] : []))

/** A recorded line of Codex, its text set so that the line has a given length. */
const sizedCodex = (start: string, bytes: number, setText: (value: CodexLine, text: string) => void): string => {
  const line = codexLines.find((text) => text.startsWith(start))
  if (line === undefined) throw new Error(`nothing that begins with ${start} was recorded`)
  const value = JSON.parse(line) as CodexLine
  setText(value, "")
  setText(value, "x".repeat(Math.max(0, bytes - JSON.stringify(value).length)))
  return JSON.stringify(value)
}

interface CodexLine {
  readonly params: { delta: string; readonly item: { text: string } }
}

const codexDelta = sizedCodex('{"method":"item/agentMessage/delta"', 298, ({ params }, text) => {
  params.delta = text
})
const codexMessage = sizedCodex(
  '{"method":"item/completed","params":{"item":{"type":"agentMessage"',
  3000,
  ({ params }, text) => {
    params.item.text = text
  }
)

const workloads: ReadonlyArray<Workload> = [
  { name: `text delta, ${delta.length} B`, lines: [delta], target: 1.6 },
  { name: `assistant, ${assistant.length} B`, lines: [assistant], target: 1.35 },
  { name: `recording of 2.1.325, ${recorded.length} lines`, lines: recorded.map(({ line }) => line) },
  { name: `Codex, text delta, ${codexDelta.length} B`, lines: [codexDelta], target: 1.6, runtime: "codex" },
  { name: `Codex, whole message, ${codexMessage.length} B`, lines: [codexMessage], target: 1.35, runtime: "codex" },
  { name: `tapes of Codex 0.166.0, ${codexLines.length} lines`, lines: codexLines, runtime: "codex" }
]

// zod gets the same schemas (through our JSON Schema, but for `not`, which it cannot read) and
// the same dispatch by name.
const document = JSON.parse(
  readFileSync(new URL("../packages/protocol/schema/claude-code.json", import.meta.url), "utf8"),
  (key, value) => (key === "not" ? undefined : value)
)
const zodSchemas = new Map<string, z.ZodType>()
const zodOf = (name: string): z.ZodType => {
  let schema = zodSchemas.get(name)
  if (schema === undefined) {
    const { $defs } = document
    const root = { $schema: document.$schema, $ref: `#/$defs/${identifierOf(name)}`, $defs }
    schema = z.fromJSONSchema(root)
    zodSchemas.set(name, schema)
  }
  return schema
}
const identifierOf = (name: string): string => {
  const identifier = codec.catalog.members.get(name)?.schema.ast.annotations?.["identifier"]
  if (typeof identifier !== "string") throw new Error(`${name} has no identifier`)
  return identifier
}

let sink = 0
const floorOf: Readonly<Record<string, (line: string) => void>> = {
  "JSON.parse": (line) => {
    sink += (JSON.parse(line) as object) ? 1 : 0
  }
}

const codexContenders: Readonly<Record<string, (line: string) => void>> = {
  ...floorOf,
  agentwire: (line) => {
    sink += Codex.decodeLine(line)._tag.length
  }
}

const contenders: Readonly<Record<string, (line: string) => void>> = {
  ...floorOf,
  agentwire: (line) => {
    sink += decodeLine(line)._tag.length
  },
  "zod 4": (line) => {
    const value = JSON.parse(line)
    const found = codec.catalog.find(value, value.type)
    if (found._tag === "Member") sink += zodOf(found.member.name).safeParse(value).success ? 1 : 0
  }
}

const timeOf = (lines: ReadonlyArray<string>, decode: (line: string) => void): number => {
  const rounds = Math.max(1, Math.round(1_500_000 / lines.reduce((sum, line) => sum + line.length, 0)))
  const start = process.hrtime.bigint()
  for (let round = 0; round < rounds; round++) for (const line of lines) decode(line)
  return Number(process.hrtime.bigint() - start) / rounds / lines.length
}

for (const { lines, name, runtime, target } of workloads) {
  const best = new Map<string, number>()
  for (let round = 0; round < 40; round++) {
    for (const [contender, decode] of Object.entries(runtime === "codex" ? codexContenders : contenders)) {
      best.set(contender, Math.min(best.get(contender) ?? Number.POSITIVE_INFINITY, timeOf(lines, decode)))
    }
  }
  const floor = best.get("JSON.parse") ?? 1
  console.log(`\n${name}`)
  for (const [contender, time] of best) {
    const goal = contender === "agentwire" && target !== undefined ? `  (target: at most ${target.toFixed(2)})` : ""
    console.log(
      `  ${contender.padEnd(12)} ${time.toFixed(0).padStart(7)} ns/line  ${(time / floor).toFixed(2)} x${goal}`
    )
  }
}

console.log("\nmemory over 1 GB of deltas and whole messages, in chunks of 64 KiB")
const block = new TextEncoder().encode(`${`${delta}\n`.repeat(150)}${`${assistant}\n`.repeat(7)}`)
const stream = decoder()
const chunks = Array.from({ length: Math.ceil(block.length / 65536) }, (_, i) =>
  block.subarray(i * 65536, (i + 1) * 65536)
)
const report = (bytes: number) =>
  console.log(
    `  ${(bytes / 1e6).toFixed(0).padStart(5)} MB read: resident ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`
  )
let bytes = 0
for (const goal of [0, 2.5e8, 5e8, 7.5e8, 1e9]) {
  for (; bytes < goal; bytes += block.length) for (const chunk of chunks) sink += stream.push(chunk).length
  report(bytes)
}
if (sink === 0) throw new Error("nothing was decoded")
