/**
 * Arbitrary runs in which messages, calls, thoughts, steps and sub-agents overlap, all legal.
 */
import type { Agui } from "@agentwire/protocol"
import * as fc from "fast-check"

type Kind = "text" | "call" | "thought" | "step" | "subagent"

const begin: { readonly [K in Kind]: (id: string) => ReadonlyArray<Agui.AguiEvent> } = {
  text: (messageId) => [{ type: "TEXT_MESSAGE_START", messageId, role: "assistant" }],
  call: (id) => [
    { type: "TOOL_CALL_START", toolCallId: id, toolCallName: `tool-${id}`, parentMessageId: `parent-${id}` }
  ],
  thought: (messageId) => [
    { type: "REASONING_START", messageId: `span-${messageId}` },
    { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" }
  ],
  step: (stepName) => [{ type: "STEP_STARTED", stepName }],
  subagent: (subagentRunId) => [{ type: "SUBAGENT_STARTED", subagentRunId, name: "helper" }]
}

const goOn: { readonly [K in Kind]: (id: string, delta: string) => ReadonlyArray<Agui.AguiEvent> } = {
  text: (messageId, delta) => [{ type: "TEXT_MESSAGE_CONTENT", messageId, delta }],
  call: (toolCallId, delta) => [{ type: "TOOL_CALL_ARGS", toolCallId, delta }],
  thought: (messageId, delta) => [{ type: "REASONING_MESSAGE_CONTENT", messageId, delta }],
  step: (_, delta) => [{ type: "STATE_SNAPSHOT", snapshot: { step: delta } }],
  subagent: (id, delta) => [{ type: "CUSTOM", name: id, value: delta }]
}

const end: { readonly [K in Kind]: (id: string) => ReadonlyArray<Agui.AguiEvent> } = {
  text: (messageId) => [{ type: "TEXT_MESSAGE_END", messageId }],
  call: (toolCallId) => [{ type: "TOOL_CALL_END", toolCallId }],
  thought: (messageId) => [
    { type: "REASONING_MESSAGE_END", messageId },
    { type: "REASONING_END", messageId: `span-${messageId}` }
  ],
  step: (stepName) => [{ type: "STEP_FINISHED", stepName }],
  subagent: (subagentRunId) => [{ type: "SUBAGENT_FINISHED", subagentRunId }]
}

const move = fc.record({
  kind: fc.constantFrom<Kind>("text", "call", "thought", "step", "subagent"),
  slot: fc.nat(2),
  ends: fc.boolean(),
  delta: fc.string({ maxLength: 4 })
})

const runOf = (run: number, moves: ReadonlyArray<{ kind: Kind; slot: number; ends: boolean; delta: string }>) => {
  const threadId = "thread"
  const runId = `run-${run}`
  const open = new Map<string, { readonly kind: Kind; readonly id: string }>()
  const events: Array<Agui.AguiEvent> = [
    {
      type: "RUN_STARTED",
      threadId,
      runId,
      input: { threadId, runId, messages: [{ id: `user-${run}`, role: "user", content: "Go on." }] }
    }
  ]
  for (const [index, { delta, ends, kind, slot }] of moves.entries()) {
    const key = `${kind} ${slot}`
    const found = open.get(key)
    if (found === undefined) {
      const id = `${kind}-${run}-${index}`
      open.set(key, { kind, id })
      events.push(...begin[kind](id))
    } else if (ends) {
      open.delete(key)
      events.push(...end[kind](found.id))
    } else events.push(...goOn[kind](found.id, delta))
  }
  for (const { id, kind } of open.values()) events.push(...end[kind](id))
  events.push({ type: "RUN_FINISHED", threadId, runId, outcome: { type: "success" } })
  return events
}

/** Some runs, one after the other. */
export const conversation: fc.Arbitrary<ReadonlyArray<Agui.AguiEvent>> = fc
  .array(fc.array(move, { maxLength: 40 }), { minLength: 1, maxLength: 3 })
  .map((runs) => runs.flatMap((moves, run) => runOf(run, moves)))
