/**
 * What could happen to a translator: messages of every kind about a few answers, calls and tasks, in any order, and
 * what a host does in between. Most of it is on no wire; the laws hold for it all the same.
 */
import fc from "fast-check"
import type { AguiEvent } from "../../src/agui/Event.ts"
import type { Known } from "../../src/claude/Codec.ts"
import type { TranslateOptions } from "../../src/translate/Options.ts"
import {
  beginRun,
  type FinishReason,
  finish,
  initialState,
  type Stepped,
  step,
  suspendRun
} from "../../src/translate/Translator.ts"
import * as Lines from "./Lines.ts"

/** Something that happens. `make` gives a message with a new uuid each time; `says` is for counterexamples. */
export type Move =
  | { readonly says: string; readonly make: () => Known }
  | { readonly says: "begin" }
  | { readonly says: "suspend"; readonly call: string }

const answer = fc.constantFrom("m1", "m2", "m3")
const call = fc.constantFrom("c1", "c2", "c3")
const parent = fc.constantFrom(null, null, null, "c1", "c2", "c3")
const index = fc.constantFrom(0, 1, 2, 1e9, -1, 0.5)
const task = fc.constantFrom("k1", "k2")
const question = fc.constantFrom("q1", "q2")
const words = fc.constantFrom("", "a", "b", "ab", "abc", "hello", "\ud83d", "\ude00")
const block = fc.oneof(
  words.map((each) => Lines.text(each)),
  fc.tuple(words, fc.constantFrom("", "sig")).map(([each, signature]) => Lines.thinking(each, signature)),
  call.map((id) => Lines.toolUse(id, { a: 1 })),
  call.map((id) => Lines.toolUse(id, { subagent_type: "x" }, "Agent")),
  call.map((id) => Lines.toolUse(id, {}, "mcp__frontend__pick")),
  call.map((id) => ({ type: "server_tool_use", id, name: "web_search", input: {} })),
  call.map((id) => ({ type: "web_search_tool_result", tool_use_id: id, content: [] })),
  fc.constant({ type: "redacted_thinking", data: "zz" })
)
const named = fc.option(answer, { nil: undefined }).map((id) => (id === undefined ? {} : { api_message_id: id }))
const abandoned = fc.constant({ abandoned_blocks: { api_message_id: "m1", from_block_index: 0 } })
const about = fc.constantFrom(
  {},
  { tool_use_result: { status: "async_launched" } },
  { tool_use_result: { agentId: "k1" } }
)

const made = <A extends ReadonlyArray<unknown>>(
  name: string,
  make: (...parts: A) => Known,
  ...parts: { [K in keyof A]: fc.Arbitrary<A[K]> }
): fc.Arbitrary<Move> =>
  fc
    .tuple(...parts)
    .map((given) => ({ says: `${name} ${JSON.stringify(given)}`, make: () => make(...(given as unknown as A)) }))

/** Things that happen. */
export const moves: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: made("message_start", Lines.messageStart, answer, parent) },
  { weight: 5, arbitrary: made("block start", Lines.blockStart, index, block, parent, named) },
  { weight: 5, arbitrary: made("text", Lines.textDelta, index, words, parent, named) },
  { weight: 2, arbitrary: made("thinking", Lines.thinkingDelta, index, words) },
  { weight: 3, arbitrary: made("json", Lines.jsonDelta, index, words) },
  { weight: 1, arbitrary: made("block stop", Lines.blockStop, index) },
  { weight: 2, arbitrary: made("message_stop", Lines.messageStop, parent, fc.oneof(named, abandoned)) },
  { weight: 5, arbitrary: made("assistant", Lines.said, answer, block, parent) },
  { weight: 1, arbitrary: made("synthetic", Lines.synthetic, answer, words) },
  {
    weight: 4,
    arbitrary: made(
      "result of a tool",
      (id: string, content: string, from: string | null, more: object) =>
        Lines.toolResult(id, content, { parent: from, more }),
      call,
      words,
      parent,
      about
    )
  },
  { weight: 1, arbitrary: made("user", Lines.userText, fc.constantFrom("hi", "[Request interrupted by user]")) },
  { weight: 1, arbitrary: made("init", () => Lines.init()) },
  { weight: 1, arbitrary: made("success", Lines.success, fc.constantFrom({}, { result: "R" })) },
  { weight: 1, arbitrary: made("stopped", Lines.stopped, fc.constant("error_during_execution")) },
  {
    weight: 2,
    arbitrary: made("can_use_tool", Lines.canUseTool, question, call, fc.constantFrom({}, { agent_id: "k1" }))
  },
  { weight: 1, arbitrary: made("elicitation", Lines.elicitation, question) },
  { weight: 1, arbitrary: made("cancel", Lines.cancelRequest, question) },
  { weight: 2, arbitrary: made("task started", Lines.taskStarted, task, call) },
  { weight: 1, arbitrary: made("task updated", Lines.taskUpdated, task, fc.constant({ status: "running" })) },
  {
    weight: 2,
    arbitrary: made("task ended", (id: string, of: string) => Lines.taskEnded(id, { tool_use_id: of }), task, call)
  },
  { weight: 1, arbitrary: fc.constant({ says: "begin" } as const) },
  { weight: 1, arbitrary: call.map((id) => ({ says: "suspend", call: id }) as const) }
)

/** Ways to translate. */
export const choices: fc.Arbitrary<Partial<TranslateOptions>> = fc.record({
  dialect: fc.constantFrom("1.0" as const, "0.0" as const),
  subagents: fc.constantFrom("show" as const, "show" as const, "hide" as const),
  approvals: fc.constantFrom("event" as const, "interrupt" as const),
  maxHeld: fc.constantFrom(1, 3, 1000),
  frontendTools: fc.constantFrom([], ["pick"])
})

/** Why it stops. */
export const reasons: fc.Arbitrary<FinishReason> = fc.constantFrom<FinishReason>(
  { type: "end" },
  { type: "exit", code: 1 },
  { type: "cancelled" }
)

/** What comes of it all. */
export const played = (
  happening: ReadonlyArray<Move>,
  chosen: Partial<TranslateOptions>,
  reason: FinishReason
): ReadonlyArray<AguiEvent> => {
  let state = initialState({ ...Lines.options, ...chosen })
  const events: Array<AguiEvent> = []
  for (const [at, move] of happening.entries()) {
    const [next, given] = moved([state, []], move, at)
    state = next
    events.push(...given)
  }
  return [...events, ...finish(state, reason)]
}

const moved = ([state]: Stepped, move: Move, at: number): Stepped => {
  if ("make" in move) return step(state, move.make())
  return "call" in move ? suspendRun(state, { calls: [move.call] }) : beginRun(state, { runId: `r${at}` })
}
