/** `@agentwire/protocol/tape`: recorded sessions. Its schemas, such as `TapeHeader`, are used like all others. */
import { Transcript } from "@agentwire/protocol/claude"
import * as Tape from "@agentwire/protocol/tape"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const header: Tape.TapeHeader = {
  tape: Tape.tapeVersion,
  agentwire: "0.1.0",
  runtime: { name: "claude-code", version: "2.1.325" },
  transport: "stdio",
  argv: ["claude"],
  startedAt: "2026-11-16T00:00:00Z",
  redacted: []
}
const ask = '{"type":"user","uuid":"1b4e28ba-2fa1-41d2-883f-0016d3cca427","message":{"role":"user","content":"Hi"}}\n'
const frames: ReadonlyArray<Tape.Frame> = [
  { _tag: "Data", wait: 0, from: "host", channel: "stdin", data: ask },
  { _tag: "Data", wait: 5, from: "agent", channel: "stdout", data: '{"type":"keep_alive"}\n' },
  { _tag: "Exit", wait: 1, code: 0, signal: null }
]

// ── The file ──

// Line by line while something is recorded, or as a whole. The end has a hash over all before it.
const text = Tape.encodeHeader(header) + frames.map(Tape.encodeFrame).join("")
console.log(text === Tape.encodeTape({ header, frames }), Tape.encodeEnd(3, "0".repeat(64)).startsWith('{"end":3')) // true true

// Read back: whole, or as bytes come.
console.log(Tape.parseTape(bytes(text)).tape?.frames.length, Tape.tapeReader().push(bytes(text)).length) // 3 4
console.log(Tape.isTapeHeader(text)) // true

// A tape of any version is read as one of the newest. One of the future says what it is.
const upgrade = Tape.upgradeFrom(1)
console.log(Tape.tapeVersions.length, typeof upgrade) // 1 function
const fault = Tape.upgradeFrom(7)
if (typeof fault !== "function") console.log(fault.code) // TAPE_TOO_NEW

// Of a stranger's tape no more is held than may be, and what is out of its place is told.
const builder = new Tape.TapeBuilder({ maxBytes: 1024 * 1024, maxLineBytes: 1024 })
builder.push(bytes(text))
console.log(builder.end().wrongCount, Tape.orderedTapeReader().push(bytes(text)).length) // 0 4
try {
  Tape.parseTape(bytes(text), { maxBytes: 100 })
} catch (error) {
  console.log(error instanceof Tape.TapeTooLarge && error.code) // TAPE_TOO_LARGE
}

// What was on the wire: lines, and bytes that may not be text.
console.log(Tape.tapeLines(frames).map(({ from }) => from)) // [ 'host', 'agent' ]
const [first = { _tag: "Marker", wait: 0, text: "" }] = frames
console.log(Tape.tapeLineReader().push(first).length) // 1
console.log(Tape.payloadOf(new Uint8Array([255])), Tape.bytesOf("Hi").length) // { base64: '/w==' } 2

// ── Secrets ──

const key = `sk-ant-api03-${"a1B2".repeat(10)}`
console.log(Tape.findSecrets(`my key is ${key}`).length, Tape.redactText(key) === key) // 1 false
console.log(
  Tape.secretRules.length > 100,
  Tape.secretRules.some(({ kind }) => kind === "email")
) // true true

// A redactor for one tape: a secret that two frames share is found, too.
const redactor = Tape.makeRedactor({ values: ["hush-hush"] })
console.log([...frames.flatMap(redactor.push), ...redactor.end()].length, redactor.header(header).tape) // 3 1

// ── Ids of then and of now ──

// What is an id, what is not compared, and what says what a message is: tables.
console.log(Tape.isIdKey("session_id"), Tape.isIgnoredKey("duration_ms"), Tape.discriminators.has("type")) // true true true
for (const table of [Tape.idKeys, Tape.notIdKeys, Tape.ignoredKeys]) console.log(table.length > 0) // true
for (const table of [Tape.idPatterns, Tape.ignoredPatterns]) console.log(Object.keys(table).length > 0) // true

// Lines that differ in ids only are the same, and a recorded line can be said with the ids of now.
const ids = new Tape.IdBijection()
const renamer = Tape.makeRenamer(ids)
const now = ask.replace("1b4e28ba", "2c5f39cb")
console.log(renamer.match(ask, now), renamer.rewrite(ask) === now) // [] true
console.log(Tape.signatureOf(Tape.parseLine(ask)) === Tape.signatureOf(Tape.parseLine(now))) // true

// What differs between two tapes.
console.log(Tape.diffTapes({ header, frames }, { header, frames }, { stderr: false })) // []

// ── Replay ──

// The agent's side: it says what it said, when the host says what it said.
const [strict = "strict"] = Tape.replayMatches
const { replay } = Tape.beginReplay(Tape.scriptOf(frames), strict)
console.log(Tape.awaitedCue(replay)?._tag, Tape.missedLines(replay).heldBack) // Hear 1
const { acts, replay: rest } = Tape.stepReplay(replay, { _tag: "Line", text: now })
console.log(
  acts.map(({ _tag }) => _tag),
  Tape.isOver(rest)
) // [ 'Say', 'Quit' ] true

// The host's side, against a real agent.
console.log(new Tape.HostReplay(frames).begin().map(({ _tag }) => _tag)) // [ 'Send' ]

// ── What nobody recorded ──

// A tape of what the CLI kept of a session itself: whole messages, and a header that says so.
const kept = Transcript.readTranscriptFile(
  bytes('{"type":"user","uuid":"u","parentUuid":null,"message":{"role":"user","content":"Hi"}}\n')
)
const made = Tape.transcriptTape(Transcript.sessionOf({ sessionId: "s", main: kept }), { agentwire: "0.1.0" })
console.log(made.header.madeFrom, made.frames.length) // transcript 5
