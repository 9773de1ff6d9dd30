/**
 * The judges of the soak object to what they are there for, and a soak of a few seconds with a few sessions goes
 * through. The long one is `npm run soak`.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { loadTape } from "@agentwire/fixtures"
import { Tape, Translate } from "@agentwire/protocol"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Chance } from "../../bench/soak/Chance.ts"
import { decide } from "../../bench/soak/Decision.ts"
import { EventJudge, judgeBytes } from "../../bench/soak/EventJudge.ts"
import { countMarks, marked, markedTape, markOf } from "../../bench/soak/Mark.ts"
import { judgeResources, margins, type Resources } from "../../bench/soak/Resources.ts"
import { type Fate, judgeRuns } from "../../bench/soak/RunLedger.ts"
import { scriptArgs } from "../../packages/cli/test/AgentwireCommand.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const [own, other] = [markOf(1), markOf(2)]

const events = [
  { type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: marked("Hello there", own) },
  { type: "TEXT_MESSAGE_END", messageId: "m" },
  { type: "RUN_FINISHED", threadId: "t", runId: "r" }
]

const judged = (stream: ReadonlyArray<object>): EventJudge => {
  const judge = new EventJudge("the stream", own, { dialect: "1.0" })
  const bytes = judgeBytes(judge, "1.0")
  const sse = Buffer.from(stream.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))
  // In pieces that cut characters.
  for (let at = 0; at < sse.length; at += 7) bytes.push(sse.subarray(at, at + 7))
  bytes.end()
  return judge
}

describe("the judge of a stream", () => {
  it("has nothing against one that is right", () => {
    const { events: count, objections, own: seen } = judged(events)
    expect({ count, objections, seen }).toEqual({ count: 5, objections: [], seen: 3 })
  })

  it("sees a byte of another thread, wherever it is", () => {
    for (const index of events.keys()) {
      const leaking = events.map((event, i) => (i === index ? { ...event, rawEvent: `x${other}` } : event))
      expect(judged(leaking).objections.join()).toContain("marks of another thread")
    }
  })

  it("sees that a run does not end", () => {
    expect(judged(events.slice(0, -1)).objections.join()).toContain("instead of the end of a run")
  })

  it("sees what does not conform", () => {
    expect(judged(events.filter(({ type }) => type !== "TEXT_MESSAGE_START")).objections.join()).toContain(
      "breaks AGUI-"
    )
  })
})

describe("the judge of runs", () => {
  const runs = [
    { runId: "a", ended: "RUN_FINISHED" },
    { runId: "b", ended: null }
  ]
  const judge = (asked: Readonly<Record<string, Fate>>, ended?: number) =>
    judgeRuns("t", new Map(Object.entries(asked)), runs, ended).map((words) => words.replace(/^t: run /, ""))

  it("wants an end of every run, but of one that was cut with its thread", () => {
    expect(judge({ a: "accepted", b: "accepted" })).toEqual(["b (accepted) has no end in the log"])
    expect(judge({ a: "accepted" })).toEqual(["b (begun by the agent) has no end in the log"])
    expect(judge({ a: "accepted", b: "removed" }, 1)).toEqual([])
  })

  it("wants what was accepted in the log, and what was refused not", () => {
    expect(judge({ a: "refused", c: "accepted", d: "unsure" }, 1)).toEqual([
      "c was accepted and is not in the log",
      "a was refused and is in the log"
    ])
  })
})

describe("the judge of what a process holds", () => {
  const before: Resources = { heapUsed: 1e7, rss: 1e8, descriptors: { socket: 2, pipe: 3 }, processes: 0 }

  it("lets memory grow by its margin, and nothing else", () => {
    expect(judgeResources(before, before)).toEqual([])
    expect(judgeResources(before, { ...before, descriptors: { pipe: 2 } })).toEqual([])
    expect(judgeResources(before, { ...before, heapUsed: before.heapUsed + margins.heapUsed })).toEqual([])
    const more: ReadonlyArray<Partial<Resources>> = [
      { descriptors: { socket: 3, pipe: 3 } },
      { descriptors: { socket: 2, pipe: 3, file: 1 } },
      { processes: 1 },
      { heapUsed: before.heapUsed + margins.heapUsed + 1 },
      { rss: before.rss + margins.rss + 1 }
    ]
    for (const change of more) expect(judgeResources(before, { ...before, ...change })).toHaveLength(1)
  })
})

describe("marks", () => {
  it("are told apart", () => {
    expect(countMarks(marked("e", own) + marked("ee", other), own)).toEqual({ own: 1, foreign: 2 })
  })

  it("leave a tape that the translator takes as it is, with the mark in all it says", () => {
    const tape = loadTape({ version: "2.1.325", transport: "stdio", scenario: "tool_approved" })
    const translated = (of: Tape.Tape): ReadonlyArray<{ readonly type: string }> => {
      const translator = new Translate.SseTranslator({ threadId: "t" })
      const said = Tape.tapeLines(of.frames).flatMap(({ from, line }) =>
        from === "agent" && line._tag === "Text" ? [`${line.text}\n`] : []
      )
      const sse = [...said.map((line) => translator.push(Buffer.from(line))), translator.end()].join("")
      return sse.split("\n\n").flatMap((frame) => (frame === "" ? [] : [JSON.parse(frame.slice("data: ".length))]))
    }
    const [plain, coloured] = [translated(tape), translated(markedTape(tape, own, 3))]
    expect(coloured.map(({ type }) => type)).toEqual(plain.map(({ type }) => type))
    expect(countMarks(JSON.stringify(coloured), own).own).toBeGreaterThan(2)
    expect(JSON.stringify(coloured).match(/\b(msg|toolu)_(?!s3_)/g)).toBeNull()
  })
})

describe("decisions", () => {
  it("are the same for the same seed, and others for another", () => {
    const of = (seed: number) => {
      const chance = new Chance(seed)
      return Array.from({ length: 50 }, () => decide(chance))
    }
    expect(of(7)).toEqual(of(7))
    expect(of(7)).not.toEqual(of(8))
  })
})

describe.runIf(process.platform === "linux")("a soak of seconds", () => {
  let folder = ""
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-soak-test-")))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("goes through, and ends in order with Ctrl-C", async () => {
    const args = ["--minutes", "10", "--sessions", "2", "--seed", "5", "--no-cli"]
    const soak = spawn(process.execPath, [...scriptArgs, join(root, "bench/soak.ts"), ...args], {
      cwd: root,
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "inherit"]
    })
    const exit = new Promise((resolve) => soak.once("exit", resolve))
    // The first figures come when it is warm, the next when it is at work.
    soak.stdout.once("data", () => setTimeout(() => soak.kill("SIGINT"), 2500))
    const printed = await text(soak.stdout)
    expect(printed).toContain("ending: ")
    expect(printed).toContain("the judges have nothing to say")
    expect(await exit).toBe(0)
  }, 120_000)
})
