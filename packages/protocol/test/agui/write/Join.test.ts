import { loadTape, tapes } from "@agentwire/fixtures"
import { describe, expect, test } from "vitest"
import { decodeLine } from "../../../src/claude/index.ts"
import { Agui, Claude, Model, Tape } from "../../../src/index.ts"
import { brief } from "../../translate/Lines.ts"
import { refusal } from "../../translate/Order.ts"

const eventsOf = (scenario: string, version = "2.1.325"): ReadonlyArray<Model.Event> => {
  const entry = tapes.find((each) => each.scenario === scenario && each.version === version)
  if (entry === undefined) throw new Error(`no tape of ${scenario}`)
  const events: Array<Model.Event> = []
  let state = Claude.initialFold()
  for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
    if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
    const [next, given] = Claude.foldMessage(state, decodeLine(line.text))
    state = next
    events.push(...given)
  }
  return [...events, ...Claude.endFold(state, { type: "end" })[1]]
}

/** What a client has that joins after so many events: the snapshots, what is begun again, and all that follows. */
const joinedAt = (events: ReadonlyArray<Model.Event>, at: number): ReadonlyArray<Agui.AguiEvent> => {
  const before = events.slice(0, at)
  const situation = before.reduce(Model.applyToSituation, Model.emptySituation)
  const transcript = Model.transcriptOf(before)
  const out: Array<Agui.AguiEvent> = []
  let writer = Agui.initialWriter({ threadId: "t" }, situation)
  const take = ([next, given]: Agui.Written): void => {
    writer = next
    out.push(...given)
  }
  if (situation.turn !== undefined) {
    take(Agui.joinRun(writer, { runId: "joined" }))
    out.push({ type: "STATE_SNAPSHOT", snapshot: Agui.stateOf(transcript.session) })
    out.push({ type: "MESSAGES_SNAPSHOT", messages: Agui.messagesOf(transcript) })
    out.push(...Agui.reopeningEvents(situation))
  } else {
    take(Agui.beginRun(writer, { runId: "snapshot" }))
    out.push({ type: "MESSAGES_SNAPSHOT", messages: Agui.messagesOf(transcript) })
    take(Agui.endIdleRun(writer))
  }
  for (const event of events.slice(at)) take(Agui.write(writer, event))
  take(Agui.beginRun(writer, { runId: "last" }))
  take(Agui.closeRun(writer, Agui.successEnding))
  return out
}

const contents = (events: ReadonlyArray<Agui.AguiEvent>) =>
  Agui.foldEvents(events).messages.map((message) => ({
    id: message.id,
    role: message.role,
    content: "content" in message ? message.content : undefined,
    calls:
      message.role === "assistant" ? message.toolCalls?.map((call) => [call.id, call.function.arguments]) : undefined
  }))

describe("whoever joins, wherever it is, has in the end what the others have, in a stream a client takes", () => {
  test.each(["plain_text", "three_tool_turns", "subagent_parallel", "subagent_background", "redacted_interleaved"])(
    "%s",
    (scenario) => {
      const events = eventsOf(scenario)
      const whole = contents(joinedAt(events, 0))
      expect(whole.length).toBeGreaterThan(0)
      const every = Math.max(1, Math.floor(events.length / 60))
      for (let at = 0; at < events.length; at += every) {
        const joined = joinedAt(events, at)
        expect(refusal(joined), `joined after ${at} events`).toBeUndefined()
        expect(contents(joined), `joined after ${at} events`).toEqual(whole)
      }
    }
  )
})

test("what is open is begun again, the outer sub-agent first", () => {
  const situation = (
    [
      { type: "turn_started", cause: "agent" },
      { type: "lane_opened", lane: "c1", parent: null, name: "scout" },
      { type: "lane_opened", lane: "c2", parent: "c1", name: "inner" },
      { type: "item_started", lane: "c2", id: "x", item: { kind: "thought" } },
      {
        type: "item_started",
        lane: null,
        id: "c3",
        item: { kind: "call", tool: "Bash", action: "command", parent: "m" }
      },
      { type: "item_ended", lane: null, id: "c3" }
    ] as const
  ).reduce<Model.Situation>(Model.applyToSituation, Model.emptySituation)
  expect(brief(Agui.reopeningEvents(situation))).toEqual([
    "SUBAGENT_STARTED scout @c1",
    "SUBAGENT_STARTED inner @c2",
    "REASONING_START x @c2",
    "REASONING_MESSAGE_START x @c2"
  ])
  expect(Agui.reopeningEvents(situation, { subagents: "hide" })).toEqual([])
  const [joined] = Agui.joinRun(Agui.initialWriter({ threadId: "t" }, situation), { runId: "r" })
  const [, ended] = Agui.suspendRun(joined, { calls: ["c3"] })
  expect(ended.at(-1)).toMatchObject({ outcome: { type: "success", pendingToolCallIds: ["c3"] } })
})

test("what was left out of a transcript is told by an activity in its place", () => {
  const builder = new Model.TranscriptBuilder()
  for (const id of ["a", "b", "c"]) {
    builder.apply({ type: "item_started", lane: null, id, item: { kind: "prompt", content: "x".repeat(100) } })
  }
  builder.bound(250)
  const messages = Agui.messagesOf(builder.snapshot())
  expect(messages.map(({ id, role }) => [id, role])).toEqual([
    [Agui.leftOutActivity, "activity"],
    ["c", "user"]
  ])
  expect(messages[0]).toMatchObject({ content: { messages: 2, state: false } })
})

test("the shared state of a session nobody has heard of is empty", () => {
  expect(Agui.stateOf(undefined)).toEqual({})
})
