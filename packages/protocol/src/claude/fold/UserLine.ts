/**
 * `user` lines from the CLI: results of tools, and what the CLI says in the person's name.
 *
 * Only the results are part of the conversation. The rest is told apart by its marks, as far as it has any
 * (docs/wire/claude-code.md §5.17, §5.25, §5.26, §5.28, §5.29): echoes of prompts, output of slash commands,
 * summaries, prompts the CLI made up, and the prompts of sub-agents.
 */
import type { MessageOf } from "../Message.ts"
import { anchorLine } from "./Anchored.ts"
import type { Out } from "./Block.ts"
import { fieldsIn, speakerOf, textIn } from "./Fields.ts"
import { callSettled } from "./Request.ts"
import { noteSpoken } from "./Spending.ts"
import { emptyTurn, type FoldState, type Turn } from "./State.ts"
import { closeSubagent, moveToBackground, openLane, type SubagentHints } from "./Subagent.ts"
import { endCall, withAnswered } from "./ToolCall.ts"
import { toolContent, wordsOf } from "./ToolContent.ts"

type User = MessageOf<"user">
type Part = Exclude<User["message"]["content"], string>[number]
type ToolResult = Extract<Part, { readonly type: "tool_result" }>

/** The results of tools in a line. */
export const toolResults = ({ message: { content } }: User): ReadonlyArray<ToolResult> =>
  typeof content === "string" ? [] : content.filter((part): part is ToolResult => part.type === "tool_result")

/** A `user` line. */
export const user = (state: FoldState, message: User, out: Out): FoldState => {
  const speaker = speakerOf(message)
  const results = toolResults(message)
  if (results.length > 0) return results.reduce((next, part) => result(next, message, part, out), state)
  if (speaker !== null) return prompted(state, message, speaker, out)
  const text = textOf(message)
  const output = commandOutput.exec(text)?.groups?.["output"]
  if (output !== undefined) {
    const shown = commandResult(state, message.uuid, output, out)
    if (shown !== state) anchorLine(shown, message, undefined, out)
    return shown
  }
  if (message.isReplay === true) return state
  return inUsersName(state, message, text, out)
}

const textOf = ({ message: { content } }: User): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join("")

const hintsOf = (message: User): SubagentHints => ({
  name: textIn(message.subagent_type),
  description: textIn(message.task_description)
})

const result = (state: FoldState, message: User, part: ToolResult, out: Out): FoldState => {
  const id = part.tool_use_id
  const speaker = speakerOf(message)
  const call = state.calls.get(id)
  const lane = call === undefined ? speaker : call.lane
  const opened = openLane(state, lane, lane === speaker ? hintsOf(message) : {}, out)
  const settled = settleSubagent(opened, message, part, call?.agent !== undefined, out)
  const closed = endCall(settled, id, out)
  const content = toolContent(part.content)
  const exitCode = exitCodeOf(content, part.is_error === true)
  out.push({
    type: "call_answered",
    lane,
    id,
    content,
    failed: part.is_error === true,
    ...(exitCode !== undefined && { exitCode })
  })
  if (lane === null) anchorLine(closed, message, id, out)
  return callSettled(withAnswered(closed, id), id, out)
}

/** A failed shell command begins its output with this line; nothing else says so. */
const exitCodeOf = (content: unknown, failed: boolean): number | undefined => {
  const code = failed && typeof content === "string" ? /^Exit code (\d{1,9})(?:\n|$)/.exec(content)?.[1] : undefined
  return code === undefined ? undefined : Number(code)
}

/** The result of the call that started a sub-agent ends it, or says that it continues in the background. */
const settleSubagent = (state: FoldState, message: User, part: ToolResult, isAgent: boolean, out: Out): FoldState => {
  const id = part.tool_use_id
  const { agentId, status } = fieldsIn(message.tool_use_result)
  if (status === "async_launched") return moveToBackground(state, id, textIn(agentId))
  // 2.1.37 shows an agent that used no tool only here.
  const ran = isAgent && part.is_error !== true && typeof agentId === "string"
  const begun = ran && !state.subagents.has(id) ? openLane(state, id, {}, out) : state
  return closeSubagent(
    begun,
    id,
    part.is_error === true
      ? { type: "failed", code: "tool_error", message: wordsOf(toolContent(part.content)) }
      : { type: "completed" },
    out
  )
}

const prompted = (state: FoldState, message: User, speaker: string, out: Out): FoldState => {
  const opened = openLane(state, speaker, hintsOf(message), out)
  out.push({ type: "noticed", lane: speaker, name: "subagent_prompt", value: message.message.content })
  return opened
}

const commandOutput = /^<local-command-(?:stdout|stderr)>(?<output>[\s\S]*)<\/local-command-(?:stdout|stderr)>\s*$/

/**
 * What a slash command printed is its answer, where there is no other (2.1.37, `/compact`). In the middle of
 * an answer, or between turns, it is a notice: `set_model` makes the CLI print one.
 */
export const commandResult = (state: FoldState, uuid: unknown, output: string, out: Out): FoldState => {
  const { turn } = state
  if (turn === undefined || turn.asked || turn.spoken || output === "") {
    out.push({ type: "noticed", lane: null, name: "local_command_output", value: { content: output } })
    return state
  }
  showText(textId(state, uuid), output, out)
  return noteSpoken(state)
}

/** The id of a text that no reply brought. An odd line may lack its uuid; a turn shows one such text at most. */
export const textId = ({ ended }: FoldState, uuid: unknown): string =>
  typeof uuid === "string" ? uuid : `result:${ended + 1}`

/** A whole text that no reply of the model brought. */
export const showText = (id: string, text: string, out: Out): void => {
  out.push(
    { type: "item_started", lane: null, id, item: { kind: "text" } },
    { type: "item_grew", lane: null, id, delta: text },
    { type: "item_ended", lane: null, id }
  )
}

const interruption = "[Request interrupted by user"

const inUsersName = (state: FoldState, message: User, text: string, out: Out): FoldState => {
  const turn = state.turn ?? emptyTurn
  const { content } = message.message
  if (turn.compacted || message.is_compact_summary === true) {
    out.push({ type: "noticed", lane: null, name: "compact_summary", value: { content } })
    return withTurn(state, { ...turn, compacted: false })
  }
  out.push({ type: "noticed", lane: null, name: "synthetic_user_message", value: { content } })
  if (!text.startsWith(interruption)) return state
  anchorLine(state, message, undefined, out)
  return withTurn(state, { ...turn, interrupted: true })
}

const withTurn = (state: FoldState, turn: Turn): FoldState => (state.turn === undefined ? state : { ...state, turn })
