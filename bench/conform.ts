/**
 * What checking a stream costs, as a ratio to `JSON.parse` of the same lines in the same run, and that its memory does
 * not grow with the stream: `npm run bench`.
 *
 * The stream is one run of 1,000,000 events without end: text, reasoning, calls with results, steps, state, subagents.
 * Parsing and checking take turns, block by block, and the time is that of the processor, so that other programs on the
 * machine do not count.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Conform } from "@agentwire/protocol"

// Without a collection first, the heap says how lazy the collector is.
setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const total = 1_000_000
const target = 3

/** The events of the nth exchange: ids are new in each. */
const exchange = (n: number): ReadonlyArray<object> => {
  const text = `msg_${n}`
  const call = `toolu_${n}`
  const thought = `think_${n}`
  const pieces = "The quick brown fox jumps over the lazy dog, again and again and again.".match(/.{1,6}/g) ?? []
  const subagentRunId = `sub_${n}`
  return [
    { type: "STEP_STARTED", stepName: "answer" },
    { type: "REASONING_START", messageId: thought },
    { type: "REASONING_MESSAGE_START", messageId: thought, role: "reasoning" },
    ...pieces.map((delta) => ({ type: "REASONING_MESSAGE_CONTENT", messageId: thought, delta })),
    { type: "REASONING_MESSAGE_END", messageId: thought },
    { type: "REASONING_END", messageId: thought },
    { type: "TEXT_MESSAGE_START", messageId: text, role: "assistant", timestamp: 1_700_000_000_000 + n },
    ...pieces.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: text, delta })),
    { type: "TEXT_MESSAGE_END", messageId: text },
    { type: "TOOL_CALL_START", toolCallId: call, toolCallName: "Bash", parentMessageId: text },
    ...['{"command":', '"ls -la', ' /tmp"', "}"].map((delta) => ({ type: "TOOL_CALL_ARGS", toolCallId: call, delta })),
    { type: "TOOL_CALL_END", toolCallId: call },
    { type: "TOOL_CALL_RESULT", messageId: `res_${n}`, toolCallId: call, content: "total 0", role: "tool" },
    { type: "STATE_DELTA", delta: [{ op: "replace", path: "/n", value: n }] },
    { type: "SUBAGENT_STARTED", subagentRunId, name: "explorer", parentToolCallId: call },
    { type: "TEXT_MESSAGE_CHUNK", messageId: `sub_msg_${n}`, delta: "found ", subagentRunId },
    { type: "TEXT_MESSAGE_CHUNK", delta: "it", subagentRunId },
    { type: "SUBAGENT_FINISHED", subagentRunId },
    { type: "STEP_FINISHED", stepName: "answer" }
  ]
}

const opening: ReadonlyArray<object> = [
  { type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" },
  { type: "STATE_SNAPSHOT", snapshot: { n: 0 } }
]

/** Lines are made a block at a time, so that they are not what is measured. */
const blockSize = 10_000

function* blocks(): Generator<ReadonlyArray<string>> {
  let lines = opening.map((event) => JSON.stringify(event))
  let made = lines.length
  for (let n = 0; made < total; n++) {
    const more = exchange(n)
      .slice(0, total - made)
      .map((event) => JSON.stringify(event))
    made += more.length
    lines.push(...more)
    if (lines.length < blockSize) continue
    yield lines
    lines = []
  }
  if (lines.length > 0) yield lines
}

/** The processor's time of this program, in ns. */
const now = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) * 1000
}

const checkers = { "1.0": Conform.makeChecker({ dialect: "1.0" }), "0.0": Conform.makeChecker({ dialect: "0.0" }) }
const times = { "JSON.parse": 0, "1.0": 0, "0.0": 0 }
const findings: Array<Conform.Finding> = []
let count = 0
let reported = 0
const report = (): void => {
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0).padStart(4)} MB`
  console.log(`  ${String(count).padStart(9)} events: heap ${megabytes(heapUsed)}, resident ${megabytes(rss)}`)
}

console.log(`checking ${total} events`)
for (const lines of blocks()) {
  const start = now()
  const events = lines.map((line) => JSON.parse(line) as unknown)
  times["JSON.parse"] += now() - start
  for (const [dialect, checker] of Object.entries(checkers)) {
    const begun = now()
    for (const event of events) for (const finding of checker.push(event)) findings.push(finding)
    times[dialect as "1.0" | "0.0"] += now() - begun
  }
  count += lines.length
  if (count - reported >= total / 5) {
    reported = count
    report()
  }
}

const floor = times["JSON.parse"]
for (const [name, time] of Object.entries(times)) {
  const goal = name === "JSON.parse" ? "" : `  (target: at most ${target.toFixed(2)})`
  const label = name === "JSON.parse" ? name : `check, ${name}`
  console.log(
    `  ${label.padEnd(12)} ${(time / count).toFixed(0).padStart(6)} ns/event  ${(time / floor).toFixed(2)} x${goal}`
  )
}
if (findings.length > 0) throw new Error(`a legal stream has findings: ${JSON.stringify(findings[0])}`)
