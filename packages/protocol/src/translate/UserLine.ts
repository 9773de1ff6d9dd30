/**
 * `user` lines from the CLI: results of tools, and what the CLI says in the person's name.
 *
 * Only the results are part of the conversation. The rest is told apart by its marks, as far as it has any
 * (docs/wire/claude-code.md §5.17, §5.25, §5.26, §5.28, §5.29): echoes of prompts, output of slash commands,
 * summaries, prompts the CLI made up, and the prompts of sub-agents.
 */
import type { MessageOf } from "../claude/Message.ts"
import { type Out, tagged } from "./Block.ts"
import { speaking } from "./Speech.ts"
import { emptyTurn, type State, type Turn } from "./State.ts"
import { enter, leave, note, tagOf, toBackground } from "./Subagent.ts"
import { endCall, resultId, withAnswered } from "./ToolCall.ts"
import { toolContent } from "./ToolContent.ts"

type User = MessageOf<"user">
type Part = Exclude<User["message"]["content"], string>[number]
type ToolResult = Extract<Part, { readonly type: "tool_result" }>

/** Whether a line is part of the conversation, and so of a run: it has a result, or comes from a sub-agent. */
export const isContent = (message: User): boolean =>
  typeof message.parent_tool_use_id === "string" || toolResults(message).length > 0

const toolResults = ({ message: { content } }: User): ReadonlyArray<ToolResult> =>
  typeof content === "string" ? [] : content.filter((part): part is ToolResult => part.type === "tool_result")

/** A `user` line. */
export const user = (state: State, message: User, out: Out): State => {
  const parent = message.parent_tool_use_id ?? null
  const results = toolResults(message)
  if (results.length > 0) return results.reduce((next, part) => result(next, message, part, out), state)
  if (parent !== null) return prompted(state, message, parent, out)
  const text = textOf(message)
  const output = commandOutput.exec(text)?.groups?.["output"]
  if (output !== undefined) return commandResult(state, message.uuid, output, out)
  if (message.isReplay === true) return state
  return inUsersName(state, message, text, out)
}

const textOf = ({ message: { content } }: User): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join("")

const result = (state: State, message: User, part: ToolResult, out: Out): State => {
  const id = part.tool_use_id
  const parent = message.parent_tool_use_id ?? null
  const call = state.calls.get(id)
  const lane = call === undefined ? parent : call.lane
  const hints = lane === parent ? { name: message.subagent_type, description: message.task_description } : {}
  const entered = enter(state, lane, hints, out)
  const closed = endCall(settleSubagent(entered, message, part, call?.agent !== undefined, out), id, out)
  if (call?.frontend !== true)
    out.push(
      tagged(
        {
          type: "TOOL_CALL_RESULT",
          messageId: resultId(id),
          toolCallId: id,
          role: "tool",
          content: toolContent(part.content),
          ...(part.is_error === true ? { metadata: { isError: true } } : {})
        },
        call?.run === state.run?.ordinal ? call?.tag : tagOf(closed, lane)
      )
    )
  return withAnswered(closed, id)
}

/** The result of the call that started a sub-agent ends it, or says that it goes on in the background. */
const settleSubagent = (state: State, message: User, part: ToolResult, isAgent: boolean, out: Out): State => {
  const id = part.tool_use_id
  const about = message.tool_use_result
  const { agentId, status } = (typeof about === "object" && about !== null ? about : {}) as Record<string, unknown>
  if (status === "async_launched") return toBackground(state, id, typeof agentId === "string" ? agentId : undefined)
  // 2.1.37 shows an agent that used no tool only here.
  const ran = isAgent && part.is_error !== true && typeof agentId === "string"
  const begun = ran && !state.subagents.has(id) ? enter(state, id, {}, out) : state
  return leave(
    begun,
    id,
    part.is_error === true ? { type: "error", code: "tool_error", message: failure(part) } : { type: "success" },
    out
  )
}

const failure = ({ content }: ToolResult): string => {
  const given = toolContent(content)
  return typeof given === "string" ? given : given.map((item) => (item.type === "text" ? item.text : "")).join("\n")
}

const prompted = (state: State, message: User, parent: string, out: Out): State => {
  const entered = enter(state, parent, { name: message.subagent_type, description: message.task_description }, out)
  if (state.settings.subagents === "show") note(entered, parent, "subagent_prompt", message.message.content, out)
  return entered
}

const commandOutput = /^<local-command-(?:stdout|stderr)>(?<output>[\s\S]*)<\/local-command-(?:stdout|stderr)>\s*$/

/**
 * What a slash command printed is the answer to it, where there is no other (2.1.37, `/compact`). In the middle of
 * an answer, or between turns, it is a notice: `set_model` makes the CLI print one.
 */
export const commandResult = (state: State, uuid: string | undefined, output: string, out: Out): State => {
  const { turn } = state
  if (turn === undefined || turn.asked || turn.spoken || output === "") {
    out.push({ type: "CUSTOM", name: "local_command_output", value: { content: output } })
    return state
  }
  showText(textId(state, uuid), output, out)
  return speaking(state)
}

/** The id of a text that no answer brought. An odd line may lack its uuid; a run shows one such text at most. */
export const textId = ({ run, settings }: State, uuid: string | undefined): string =>
  uuid ?? `${run?.id ?? settings.threadId}:text`

/** A whole text message that no answer of the model brought. */
export const showText = (id: string, text: string, out: Out): void => {
  out.push(
    { type: "TEXT_MESSAGE_START", messageId: id, role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: id, delta: text },
    { type: "TEXT_MESSAGE_END", messageId: id }
  )
}

const interruption = "[Request interrupted by user"

const inUsersName = (state: State, message: User, text: string, out: Out): State => {
  const turn = state.turn ?? emptyTurn
  const { content } = message.message
  if (turn.compacted || message.is_compact_summary === true) {
    out.push({ type: "CUSTOM", name: "compact_summary", value: { content } })
    return withTurn(state, { ...turn, compacted: false })
  }
  out.push({ type: "CUSTOM", name: "synthetic_user_message", value: { content } })
  return text.startsWith(interruption) ? withTurn(state, { ...turn, interrupted: true }) : state
}

const withTurn = (state: State, turn: Turn): State => (state.turn === undefined ? state : { ...state, turn })
