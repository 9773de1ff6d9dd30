/**
 * What a real Codex kept of scenarios is what it said on its wire meanwhile, but for the reasons of a table; and nothing of a
 * rollout is lost to the reader.
 */
import { keptRollouts, loadKeptRollout } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import {
  newestOf,
  type RolloutFile,
  RolloutReader,
  readRollout,
  rolloutCodec,
  rolloutEvents,
  rolloutSession,
  rolloutTranscript
} from "../../../src/codex/rollout/index.ts"
import { compared, endsOf, rolloutsIn, sessionIn } from "./Comparison.ts"
import { explained, reasons } from "./Reasons.ts"

/** The scenarios in which something differs, with the reasons; in all others nothing does. */
const differing: Readonly<Record<string, ReadonlyArray<string>>> = {
  command_cancel: ["refused_call"],
  command_decline: ["refused_call"],
  command_error: ["refused_call"],
  command_parallel: ["order"],
  fails_cut_once: ["cut_off"],
  interrupt_command: ["task"],
  interrupt_question: ["refused_call"],
  interrupt_text: ["cut_off"],
  kill_midturn: ["cut_off"],
  patch_cancel: ["refused_call"],
  permissions_request: ["request_only"],
  plan_mode: ["order"],
  steer_text: ["cut_off"],
  term_midturn: ["cut_off"],
  user_input: ["request_only"],
  thread_fork_at: ["beginning"],
  thread_revert: ["left_behind"],
  thread_revert_all: ["left_behind"]
}

/** Turns whose ends differ: the rollout says "interrupted" of one that ended with its process; forks and ways back. */
const endingOtherwise = new Set(["term_midturn", "thread_fork_at", "thread_revert", "thread_revert_all"])

const wireScenarios = keptRollouts.filter(({ scenario }) => !scenario.startsWith("exec_"))
const bytesOf = (scenario: string): Uint8Array => {
  const [file] = loadKeptRollout({ scenario, version: "0.166.0" }).files
  if (file === undefined) throw new Error(`nothing was kept of ${scenario}`)
  return file.bytes
}
const utf8 = new TextEncoder()

describe("a thread of the real codex", () => {
  it.each(wireScenarios)("says the same in its rollout as on its wire: $scenario", (entry) => {
    const threads = compared(loadKeptRollout(entry))
    expect(threads.length).toBeGreaterThan(0)
    const found = threads.map((one) => explained(one))
    expect(found.flatMap(({ unexplained }) => unexplained)).toEqual([])
    expect([...new Set(found.flatMap(({ reasons }) => reasons))].sort()).toEqual(differing[entry.scenario] ?? [])
    if (endingOtherwise.has(entry.scenario)) return
    for (const { fileEvents, wireEvents } of threads) expect(endsOf(fileEvents)).toEqual(endsOf(wireEvents))
  })

  it("differs for no reason that is in the table and is not seen", () => {
    expect([...new Set(Object.values(differing).flat())].sort()).toEqual(reasons.map(({ name }) => name).sort())
    const recorded = new Set(wireScenarios.map(({ scenario }) => scenario))
    expect(Object.keys(differing).filter((name) => !recorded.has(name))).toEqual([])
  })

  it("has no line that nobody knows, and nothing that drifts", () => {
    for (const entry of keptRollouts)
      for (const file of rolloutsIn(loadKeptRollout(entry)))
        expect([entry.scenario, file.unknown, file.unreadLines]).toEqual([entry.scenario, 0, []])
    const lines = keptRollouts
      .flatMap((entry) => loadKeptRollout(entry).files)
      .flatMap(({ bytes }) =>
        new TextDecoder()
          .decode(bytes)
          .split("\n")
          .filter((line) => line !== "")
      )
    const drifts = lines.flatMap((line): ReadonlyArray<unknown> => {
      const decoded = rolloutCodec.decodeLine(line)
      return decoded._tag === "Known" ? rolloutCodec.drift(decoded.message) : [line]
    })
    expect([...new Set(drifts.map((drift) => JSON.stringify(drift)))]).toEqual([])
  })
})

describe("a rollout", () => {
  it("is read the same in any chunks", () => {
    const bytes = bytesOf("command_parallel")
    const whole = readRollout(bytes)
    const reader = new RolloutReader()
    for (let at = 0; at < bytes.length; at += 7) reader.push(bytes.subarray(at, at + 7))
    expect(reader.end()).toEqual(whole)
  })

  it("may end in the middle of a line: all before it counts, and a turn without an end has failed", () => {
    const bytes = bytesOf("two_turns")
    const whole = readRollout(bytes)
    const torn = readRollout(bytes.subarray(0, bytes.length - 20))
    expect([torn.isTorn, torn.unread, torn.lines.length]).toEqual([true, 0, whole.lines.length - 1])
    const session = rolloutSession(torn)
    const events = session === undefined ? [] : rolloutEvents(session).map(({ event }) => event)
    expect(endsOf(events)).toEqual(["completed", "failed: process_exited"])
    const both = [torn, whole].map((file) => rolloutSession(file)).map((one) => one && rolloutTranscript(one))
    expect(both[0]).toEqual(both[1])
  })

  it("keeps what it can where lines are broken or unknown, and says which", () => {
    const [first = "", ...lines] = new TextDecoder().decode(bytesOf("two_turns")).split("\n")
    const text = [first, "{nonsense", '{"type":"from_tomorrow","payload":{}}', ...lines].join("\n")
    const file = readRollout(utf8.encode(text))
    expect([file.unknown, file.unread, file.unreadLines.map(({ line }) => line)]).toEqual([1, 1, [2]])
    const sessions = [file, readRollout(bytesOf("two_turns"))].map((one) => rolloutSession(one))
    expect(sessions[0] && rolloutTranscript(sessions[0])).toEqual(sessions[1] && rolloutTranscript(sessions[1]))
  })

  it("loses nothing that was said before a compaction", () => {
    const session = rolloutSession(readRollout(bytesOf("compact")))
    const events = session === undefined ? [] : rolloutEvents(session).map(({ event }) => event)
    expect(events.filter(({ type }) => type === "context_reset")).toEqual([{ type: "context_reset", how: "compacted" }])
    expect(session && saidIn(session)).toEqual(["First.", "One.", "Second.", "Two."])
  })

  it("of a fork begins with what it is a fork of; without that file it says that its beginning is not there", () => {
    const files = rolloutsIn(loadKeptRollout({ scenario: "thread_fork_at", version: "0.166.0" }))
    const fork = files.find(({ facts }) => facts.forkedFrom !== undefined)
    const thread = fork?.facts.threadId ?? ""
    const session = sessionIn(files, thread)
    expect(session && saidIn(session)).toEqual(["First.", "One.", "Otherwise.", "Other."])
    expect([session?.isHeadless, session?.facts.title]).toEqual([false, "Otherwise."])
    const alone = sessionIn(fork === undefined ? [] : [fork], thread)
    expect([alone && saidIn(alone), alone?.isHeadless]).toEqual([["Otherwise.", "Other."], true])
  })

  it("that went back is two files of one thread, the newest of which has its end", () => {
    const files = rolloutsIn(loadKeptRollout({ scenario: "thread_revert", version: "0.166.0" }))
    const newest = newestOf(files)
    expect(files).toHaveLength(2)
    const session =
      newest &&
      rolloutSession(
        newest,
        files.filter((file) => file !== newest)
      )
    expect(session && saidIn(session)).toEqual(["First.", "One.", "Otherwise.", "Other."])
  })

  it("of a sub-agent is a lane of the thread that started it", () => {
    const files = rolloutsIn(loadKeptRollout({ scenario: "subagent", version: "0.166.0" }))
    const main = files.find(({ facts }) => facts.parent === undefined)
    const session = main && rolloutSession(main, files)
    const entries = session === undefined ? [] : rolloutTranscript(session).entries
    expect(new Set(entries.map(({ lane }) => lane))).toEqual(new Set([null, "call_0"]))
  })

  it("of 0.150.1 has no items: what was said is read from what the model was told", () => {
    const at = { timestamp: "2026-11-18T20:21:44.255Z" }
    const event = (payload: object) => JSON.stringify({ ...at, type: "event_msg", payload })
    const item = (payload: object) => JSON.stringify({ ...at, type: "response_item", payload })
    const lines = [
      JSON.stringify({ ...at, type: "session_meta", payload: { id: "t", cwd: "/p", cli_version: "0.150.1" } }),
      event({ type: "task_started", turn_id: "u" }),
      item({
        type: "message",
        id: "x",
        role: "user",
        content: [{ type: "input_text", text: "<environment_context>" }]
      }),
      event({ type: "user_message", message: "Run it." }),
      item({ type: "function_call", name: "exec_command", call_id: "call_0", arguments: '{"cmd":"echo one"}' }),
      item({
        type: "function_call_output",
        call_id: "call_0",
        output: "Wall time: 0 seconds\nProcess exited with code 3\nOutput:\none\n"
      }),
      item({ type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "Well." }], content: null }),
      item({
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text: "It said one." }]
      }),
      event({ type: "task_complete", turn_id: "u" })
    ]
    const session = rolloutSession(readRollout(utf8.encode(`${lines.join("\n")}\n`)))
    expect(session && rolloutTranscript(session).entries).toEqual([
      { id: "u:user:1", lane: null, kind: "prompt", content: "Run it." },
      {
        id: "call_0",
        lane: null,
        kind: "call",
        tool: "commandExecution",
        action: "command",
        parent: "call_0:calls",
        arguments: '{"command":"echo one","cwd":"/p"}'
      },
      { id: "call_0", lane: null, kind: "result", content: "one\n", failed: true, exitCode: 3 },
      { id: "rs", lane: null, kind: "thought", text: "Well." },
      { id: "msg_1", lane: null, kind: "text", text: "It said one." }
    ])
    expect(session?.facts).toMatchObject({ title: "Run it.", cwd: "/p", version: "0.150.1" })
  })
})

const saidIn = (session: NonNullable<ReturnType<typeof rolloutSession>>): ReadonlyArray<unknown> =>
  rolloutTranscript(session).entries.flatMap((entry) =>
    entry.kind === "prompt" ? [entry.content] : entry.kind === "text" ? [entry.text] : []
  )

describe("a file that is no rollout", () => {
  it("has no session", () => {
    const nothing: RolloutFile = readRollout(new Uint8Array())
    expect(rolloutSession(nothing)).toBeUndefined()
  })
})
