/**
 * The last words of a turn that is stopped: what the real CLI said when it was, fitted to what is open now.
 *
 * Two takes are the patterns: one was stopped in a text, one while two sub-agents worked. In the order of the CLI:
 * questions are taken back, the interrupt is answered, tasks end, the text so far is told whole, tools get a result
 * that says so, the message is closed, and the result comes.
 */
import type { JsonObject } from "@agentwire/fixtures"
import { parseLine, textAt, valueAt } from "./Line.ts"
import { type Conversation, Names } from "./Names.ts"
import type { OpenTurn } from "./OpenTurn.ts"
import type { Take } from "./Take.ts"

/** The takes that show how a turn is stopped. */
export interface StopPatterns {
  readonly text: Take
  readonly tools: Take
}

/** A stop. */
export interface Stop {
  readonly conversation: Conversation
  /** The uuids of the prompt, recorded and now. */
  readonly prompt: readonly [recorded: string, now: string]
  /** The `request_id` of the interrupt; undefined when it was a refusal that also ends the turn. */
  readonly requestId: string | undefined
}

/** The lines. */
export const stopLines = (
  patterns: StopPatterns,
  { block, messageId, questions, tasks, tools }: OpenTurn,
  stop: Stop
): ReadonlyArray<string> => {
  const ofText = sayer(patterns.text, stop)
  const ofTools = sayer(patterns.tools, stop)
  const ending = tools.size > 0 ? ofTools : ofText
  const told = block?.type === "text" ? block.text : ""
  return [
    ...[...questions].map((id) => JSON.stringify({ type: "control_cancel_request", request_id: id })),
    ...(stop.requestId === undefined
      ? []
      : ofText(isType("control_response"), {}, { "response.request_id": stop.requestId })),
    ...[...tasks.values()].flatMap(({ description, runId, taskId, toolUseId }) => [
      ...ofTools(isSystem("task_updated"), { task_id: taskId, run_id: runId }, { "patch.end_time": Date.now() }),
      ...ofTools(
        isSystem("task_notification"),
        { task_id: taskId, run_id: runId, tool_use_id: toolUseId },
        { summary: description }
      )
    ]),
    ...(told === "" || messageId === undefined
      ? []
      : ofText(isType("assistant"), { "message.id": messageId }, { "message.content.0.text": told })),
    ...[...tools].flatMap((id) => ofTools(isToolResult, { "message.content.0.tool_use_id": id })),
    ...ending(isNote),
    ...(messageId === undefined
      ? []
      : [
          // A tool whose arguments were not complete is dropped without an end.
          ...(block === undefined || block.type === "tool_use"
            ? []
            : ofText(isEvent("content_block_stop"), { api_message_id: messageId }, { "event.index": block.index })),
          ...ofText(isEvent("message_delta"), { api_message_id: messageId }),
          ...ofText(
            isEvent("message_stop"),
            { api_message_id: messageId },
            { "abandoned_blocks.from_block_index": (block?.index ?? 0) + (told === "" ? 0 : 1) }
          )
        ]),
    ...ending(isType("result")),
    ...ofText(isType("command_lifecycle"))
  ]
}

/** Values by the path of their place in a line, such as `message.content.0.text`. */
type Places = Readonly<Record<string, string | number>>

/** Says the first line of a kind that a take has: with these names for the recorded ones, and these other values. */
const sayer =
  ({ sessionId, stopped }: Take, { conversation, prompt }: Stop) =>
  (is: (line: JsonObject) => boolean, named: Places = {}, valued: Places = {}): ReadonlyArray<string> => {
    const line = stopped.find((each) => is(parseLine(each)))
    if (line === undefined) return []
    const known = Object.entries(named).map(
      ([path, now]) => [textAt(parseLine(line), ...keysOf(path)), `${now}`] as const
    )
    const names = new Names(conversation, [[sessionId, conversation.sessionId], prompt, ...known])
    return [JSON.stringify(withValues(parseLine(names.rename(line)), valued))]
  }

const keysOf = (path: string): ReadonlyArray<string | number> =>
  path.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key))

const withValues = (line: JsonObject, values: Places): JsonObject => {
  for (const [path, value] of Object.entries(values)) {
    const keys = keysOf(path)
    const holder = valueAt(line, ...keys.slice(0, -1))
    if (typeof holder === "object" && holder !== null) Object.assign(holder, { [keys.at(-1) ?? ""]: value })
  }
  return line
}

const isType = (type: string) => (line: JsonObject) => line["type"] === type
const isSystem = (subtype: string) => (line: JsonObject) => line["type"] === "system" && line["subtype"] === subtype
const isEvent = (type: string) => (line: JsonObject) => textAt(line, "event", "type") === type
const userBlock = (type: string) => (line: JsonObject) =>
  line["type"] === "user" && textAt(line, "message", "content", 0, "type") === type
const isToolResult = userBlock("tool_result")
const isNote = userBlock("text")
