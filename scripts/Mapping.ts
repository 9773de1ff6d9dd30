/** The text of `packages/protocol/mapping.md`: what the translator makes of each message, from its own table. */
import { type Agui, Claude, Translate } from "../packages/protocol/src/index.ts"

const introduction = `# What becomes of each message

A message of Claude Code becomes events of the model (\`Claude.foldMessage\`), and those become events of AG-UI (\`Agui.write\`). \`Translate\` does both in one step. This file is made from the tables of the two (\`Claude.mappingOf\`, \`Agui.writeMappingOf\`) by \`npm run mapping\`; tests hold it against every tape of \`@agentwire/fixtures\`.

## Runs

A turn of the CLI is a run: RUN_STARTED, then what the table says, then RUN_FINISHED or RUN_ERROR. A run begins with the first message of a turn (\`system/init\`, an answer, a result, a permission that is asked for), or when the host says so (\`Translate.beginRun\`). It ends with \`result\`: RUN_ERROR for every turn that failed, the outcome \`cancelled\` for one the person interrupted, \`success\` otherwise. Where somebody outside has to act first, \`Translate.suspendRun\` ends the run at the next quiet point and the turn continues in the next one. \`Translate.finish\` ends what is open when no more messages come, and \`Translate.abortTurn\` does when another process continues the session: a turn without its \`result\` has failed. \`Translate.expectTurn\` says that a turn is to come, so that an agent which dies before it begins has failed it, too; \`Translate.endIdleRun\` ends a run for which no turn came.

**Held events.** What arrives when no run is open, and begins none, waits for the next run and is sent there, after RUN_STARTED. When more than \`maxHeld\` wait, a run is made for them. What still waits at \`finish\` is sent only if a turn is open. When all that a run ended for is closed, or the turn is over, what was held comes in a run of the agent's own.

**The text of an answer** is sent once, in its message: neither RUN_FINISHED nor \`result_stats\` repeats it. \`result\` of RUN_FINISHED is structured output.

**Messages that come again**, under a \`uuid\` among the last \`replayWindow\`, give nothing.

## Ids

All ids come from the wire, so a live stream, a replay and a history agree.

| what | id |
|---|---|
| text | \`<API message id>:<place>\`, the place being the number of blocks before it in the message; of a sub-agent \`<its call>/<API message id>:<place>\` |
| thinking | the same with \`:thinking\` appended |
| text or thinking shown again, because pieces of its stream were lost | the same with \`:whole\` appended |
| tool call | its \`tool_use\` id; its parent is the text right before it, or else a message of its own, named like a text with \`:calls\` appended |
| result of a tool | \`<tool_use id>:result\` |
| sub-agent | the \`tool_use\` id of the call that started it; with \`#2\`, \`#3\` … when it speaks again after its end in the same run |
| task | \`task:<task_id>\` |
| run | \`<threadId>:<number>\`, or as \`runId\` makes it |

## Streamed, whole and cut answers

Text and thinking begin with their first piece that is not empty; a tool call at once. The \`assistant\` line brings what the stream did not, and ends the block. An answer that is cut stays open: when the CLI asks again and the new answer repeats the text, it continues in the same message; otherwise the message ends with the metadata \`{"abandoned": true}\` and a CUSTOM \`message_abandoned\` carries its id. A text whose \`assistant\` line differs from what was streamed is abandoned in the same way and shown whole. Nothing else is shown twice.

## Sub-agents

SUBAGENT_STARTED, SUBAGENT_FINISHED and SUBAGENT_ERROR enclose a sub-agent's part of a run, and its events carry \`subagentRunId\`. One that continues in the background is \`suspended\` with its run and begins again in the next run it speaks in. With \`subagents: "hide"\` only the call and its result are left.

## The conversation

\`Agui.foldEvents\` returns the messages a client has after the events. They hold what the agent said; for a tape \`Translate.tapeHistory\` returns the whole conversation, with the person's prompts in the places where the CLI took them up.

## Dialects and options

Dialect \`1.0\` is AG-UI 1.0; RUN_STARTED declares \`protocolVersion\`. Dialect \`0.0\` is for clients before it, such as CopilotKit's: the same events without what those clients refuse.

| option | what it does |
|---|---|
| \`approvals: "interrupt"\` | a permission or a form ends the run with the outcome \`interrupt\`, in place of a CUSTOM event |
| \`unknown: "drop"\` | messages without a schema, and lines that are not messages, give nothing; by default each is a RAW event with the source \`claude-code\` |
| \`state\` | the application's shared state; what the session says about itself is added under the key \`agentwire\`, and nothing else is touched |
| \`frontendTools\`, \`frontendServer\` | tools of the application: called by their plain names, and no TOOL_CALL_RESULT is sent for them |

## The table

"model" has the events of the model that a message can give, besides those that begin and end turns and sub-agents; "AG-UI" has those that they can become, besides those that begin and end runs and sub-agents, what such an end closes, and what was held. The value of a CUSTOM event is the message without \`type\`, \`subtype\`, \`uuid\` and \`session_id\`, except for these:

| CUSTOM | value |
|---|---|
| \`tool_approval_request\` | \`requestId\`, \`toolName\`, \`toolInput\`, \`toolCallId\`, the rest of the request, and \`remember\`: what "always" would allow |
| \`hook_callback\` | \`requestId\`, \`callbackId\`, \`toolCallId\` where there is one, \`input\` |
| \`elicitation_request\`, \`user_dialog_request\` | \`requestId\` and the request |
| \`control_request_cancelled\` | \`requestId\` |
| \`message_abandoned\` | \`id\` and \`kind\` (text, thinking, tool) of what was cut |
| \`citations\` | \`messageId\`, \`citations\` |
| \`content_block\` | \`messageId\`, \`block\`: a block AG-UI has no event for |
| \`local_command_output\`, \`compact_summary\`, \`synthetic_user_message\` | \`content\` |
| \`subagent_prompt\` | the content of the prompt |
| \`system_init\` | what would be under the key \`agentwire\` of the shared state |
| \`result_stats\` | the message without its text, and its subtype as \`outcome\` |

`

/** Families of events that are always told together, to keep the table readable. */
const families: Readonly<Record<string, ReadonlyArray<string>>> = {
  "TEXT_MESSAGE_*": ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"],
  "REASONING_*": [
    "REASONING_START",
    "REASONING_MESSAGE_START",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_ENCRYPTED_VALUE",
    "REASONING_END"
  ],
  "TOOL_CALL_START, _ARGS, _END": ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"],
  "ACTIVITY_SNAPSHOT, _DELTA": ["ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"]
}

const eventsText = (events: ReadonlyArray<Agui.EventType>, custom: ReadonlyArray<string>): string => {
  const left = new Set<string>(events)
  const shown: Array<string> = []
  for (const [name, members] of Object.entries(families)) {
    if (!members.every((member) => left.has(member))) continue
    shown.push(name)
    for (const member of members) left.delete(member)
  }
  const named = custom.map((name) => `\`${name}\``).join(", ")
  for (const event of left) shown.push(event === "CUSTOM" ? `CUSTOM ${named}` : event)
  return shown.join("; ")
}

/** The names of all messages, in the order of the table. */
export const messageNames = Object.keys(Claude.messages) as ReadonlyArray<Claude.MessageName>

/** The text of `mapping.md`. */
export const mappingText = (): string => {
  const rows = messageNames.map((name) => {
    const { custom, events, model, note } = Translate.mappingOf(name)
    return `| \`${name}\` | ${model.join(", ") || "–"} | ${eventsText(events, custom) || "–"} | ${note} |`
  })
  return `${introduction}| message | model | AG-UI | note |\n|---|---|---|---|\n${rows.join("\n")}\n`
}
