/**
 * How well secrets are kept off tapes: how many of those of every kind are found in every place, how often something
 * is replaced that is none, and how long hostile texts take. `npm run bench:secrets`.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { listTapes, readTapeFile } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { type Sample, samples } from "../packages/protocol/test/tape/secret/Samples.ts"
import { isLeft, secondSamples } from "../packages/protocol/test/tape/secret/second/SecondSamples.ts"

const seeds = [1, 2, 3]
const megabyte = 1_000_000

const traceOf = (text: string, { isPublic, secret }: Sample): boolean => {
  for (let at = 0; at + 6 <= secret.length; at++) {
    const run = secret.slice(at, at + 6)
    if (isPublic?.test(run) !== true && text.includes(run)) return true
  }
  return false
}

const frameOf = (data: string, channel: Tape.Channel): Tape.Frame => ({
  ...{ _tag: "Data", wait: 0, from: "agent" },
  ...{ channel, data }
})

const redacted = (frames: ReadonlyArray<Tape.Frame>): string => {
  const redactor = Tape.makeRedactor()
  return [...frames.flatMap((frame) => redactor.push(frame)), ...redactor.end()]
    .map((frame) => (frame._tag === "Data" && typeof frame.data === "string" ? frame.data : ""))
    .join("\n")
}

const found = () => {
  const missed = new Map<string, number>()
  let [count, total] = [0, 0]
  const all = seeds.flatMap((seed) => samples(seed))
  for (const sample of all)
    for (const [context, text] of sample.texts) {
      const line = frameOf(`${JSON.stringify({ type: "user", text })}\n`, "stdout")
      for (const frames of [
        [line],
        [frameOf(text, "stderr")],
        [frameOf(text.slice(0, 30), "stderr"), frameOf(text.slice(30), "stderr")]
      ]) {
        total++
        if (!traceOf(redacted(frames), sample)) count++
        else missed.set(`${sample.name}, ${context}`, (missed.get(`${sample.name}, ${context}`) ?? 0) + 1)
      }
    }
  const kinds = new Set(all.map(({ name }) => name)).size
  console.log(`Found: ${count} of ${total} (${kinds} kinds, ${seeds.length} of each, in every place, whole and cut)`)
  for (const [what, times] of missed) console.log(`  missed ${times} times: ${what}`)
}

/** The same for the second set, which was written without a look at the rules. */
const foundOfSecond = () => {
  const missed = new Map<string, number>()
  const all = seeds.flatMap((seed) => secondSamples(seed))
  let [count, total] = [0, 0]
  for (const { kind, secrets, text } of all)
    for (const frames of [
      [frameOf(`${JSON.stringify({ type: "user", text })}\n`, "stdout")],
      [frameOf(text, "stderr")],
      [frameOf(text.slice(0, 30), "stderr"), frameOf(text.slice(30), "stderr")]
    ]) {
      total++
      if (!isLeft(redacted(frames), secrets)) count++
      else missed.set(kind, (missed.get(kind) ?? 0) + 1)
    }
  const kinds = new Set(all.map(({ kind }) => kind)).size
  console.log(`Found of the second set: ${count} of ${total} (${kinds} kinds)`)
  for (const [kind, times] of missed) console.log(`  missed ${times} times: ${kind}`)
}

const falseAlarms = async () => {
  let [bytes, count, tapes] = [0, 0, 0]
  for (const { file } of listTapes()) {
    const { tape } = await readTapeFile(file)
    if (tape === undefined) continue
    tapes++
    bytes += Tape.encodeTape(tape).length
    const redactor = Tape.makeRedactor({ onFound: () => count++ })
    redactor.header(tape.header)
    for (const frame of tape.frames) redactor.push(frame)
    redactor.end()
  }
  const rate = (many: number, of: number) => ((many * megabyte) / of).toFixed(2)
  console.log(
    `Replaced on ${tapes} tapes of real CLIs: ${count}, ${rate(count, bytes)} in a megabyte of ${(bytes / megabyte).toFixed(0)}`
  )
  const files = execFileSync("git", ["ls-files", "packages/*/src/*", "docs/*", "scripts/*", "*.md"], {
    encoding: "utf8"
  })
  const texts = files
    .split("\n")
    .flatMap((file) => (/\.(?:tsx?|md|mjs|css)$/.test(file) ? [[file, readFileSync(file, "utf8")] as const] : []))
  const alarms = texts.flatMap(([file, text]) => Tape.findSecrets(text).map((secret) => ({ file, ...secret })))
  const size = texts.reduce((sum, [, text]) => sum + text.length, 0)
  console.log(
    `Replaced in the sources and documents here: ${alarms.length}, ${rate(alarms.length, size)} in a megabyte of ${(size / megabyte).toFixed(1)}`
  )
  for (const { because, file, rule } of alarms) console.log(`  ${file}: ${rule}, ${because}`)
}

const hostile = [
  "-----BEGIN ",
  "-----BEGIN PRIVATE KEY-----\n",
  "a",
  "a.",
  "a@",
  "\\",
  '\\"',
  "password=",
  'password="',
  "token: ",
  "eyJ",
  "eyJ-",
  "curl ",
  "curl -u ",
  "://a:",
  "Cookie: a=",
  "zoom=",
  "AKIA",
  "login ",
  "sk-",
  "REDACTED_a_1 "
]

const slowest = () => {
  const rows = hostile.map((unit) => {
    const text = unit.repeat(Math.ceil(megabyte / unit.length))
    const started = process.cpuUsage().user
    Tape.redactText(text)
    const whole = process.cpuUsage().user - started
    const chunks = (text.match(/[\s\S]{1,65536}/g) ?? []).map((chunk) => frameOf(chunk, "stderr"))
    const again = process.cpuUsage().user
    redacted(chunks)
    return { unit, whole: whole / 1000, chunks: (process.cpuUsage().user - again) / 1000 }
  })
  console.log("A megabyte of one thing over and over, in ms of processor time: at once, and in chunks of 64 kB")
  for (const { chunks, unit, whole } of rows.sort((a, b) => b.chunks - a.chunks))
    console.log(`  ${JSON.stringify(unit).padEnd(34)} ${whole.toFixed(0).padStart(6)} ${chunks.toFixed(0).padStart(6)}`)
}

found()
foundOfSecond()
await falseAlarms()
slowest()
