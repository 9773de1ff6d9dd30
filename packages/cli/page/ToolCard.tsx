/**
 * A tool call in the chat: what is called, with what, what came of it, and under it the sub-agent it started.
 *
 * CopilotKit hands a renderer the first tool message of the call. Where a person was asked, that is their answer,
 * which CopilotKit adds itself (docs/wire/ag-ui.md §0 item 8), so the card looks for the agent's own.
 */
import { parseJson } from "@agentwire/protocol/wire"
import type { Message } from "@copilotkit/react-core/v2"
import { CopilotChatMessageView, useAgent } from "@copilotkit/react-core/v2"
import { wasAnswered } from "./Answers.ts"
import { Json } from "./Json.tsx"
import { cut, pretty } from "./JsonText.ts"
import { changesIn, Patch } from "./Patch.tsx"

/** What a renderer of tool calls is given. */
export interface ToolCardProps {
  readonly name: string
  readonly toolCallId: string
  readonly args: unknown
}

/** The sub-agent a message is of: the id of the tool call that started it, which leads the ids of its messages. */
export const ownerOf = (message: Message): string | undefined => {
  const { subagentRunId } = message as { readonly subagentRunId?: string }
  const owner = subagentRunId ?? /^([^/]+)\//.exec(message.id)?.[1]
  return owner?.replace(/#\d+$/, "")
}

const states = {
  writing: "Writing arguments",
  waiting: "Waiting for your answer",
  running: "Running",
  unfinished: "No result",
  failed: "Failed",
  done: "Done"
} as const

type State = keyof typeof states

const telling = ["command", "file_path", "path", "pattern", "url", "query", "color", "subject", "description", "status"]

/** What of the arguments says most, in a line. */
const gist = (args: unknown): string => {
  if (typeof args !== "object" || args === null) return ""
  const values = telling.map((key) => (args as Readonly<Record<string, unknown>>)[key])
  const paths = changesIn(args).map(({ path }) => path)
  const found = values.find((value) => typeof value === "string" && value !== "") ?? paths.join(", ")
  return typeof found === "string" ? cut(found.replace(/\s+/g, " "), 90) : ""
}

/** AG-UI has no flag for a tool that failed; the bridge puts one into the metadata. */
const isFailure = (message: Message): boolean =>
  (message as { readonly metadata?: Readonly<Record<string, unknown>> }).metadata?.["isError"] === true

const textOf = ({ content }: Message): string => (typeof content === "string" ? content : JSON.stringify(content ?? ""))

/** A tool call. */
export const ToolCard = ({ args, name, toolCallId }: ToolCardProps) => {
  const { agent } = useAgent()
  const call = agent.messages
    .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
    .find(({ id }) => id === toolCallId)
  const results = agent.messages.filter((message) => message.role === "tool" && message.toolCallId === toolCallId)
  const result =
    results.find(({ id }) => id === `${toolCallId}:result`) ?? (wasAnswered(toolCallId) ? undefined : results[0])
  const own = agent.messages.filter((message) => ownerOf(message) === toolCallId && message.role !== "user")
  const isWhole = call === undefined || parseJson(call.function.arguments) !== undefined
  const state: State =
    result !== undefined
      ? isFailure(result)
        ? "failed"
        : "done"
      : agent.pendingInterrupts.some((interrupt) => interrupt.toolCallId === toolCallId)
        ? "waiting"
        : !agent.isRunning
          ? "unfinished"
          : isWhole
            ? "running"
            : "writing"
  const changes = changesIn(args)
  const written = call?.function.arguments ?? JSON.stringify(args ?? {})
  return (
    <section className="tool" data-state={state} data-tool={name} aria-label={`Tool ${name}: ${states[state]}`}>
      <details open={state === "writing" || state === "waiting" || own.length > 0}>
        <summary>
          <span className="tool-mark" aria-hidden="true" />
          <span className="tool-name">{name}</span>
          <span className="tool-gist">{gist(args)}</span>
          <span className="tool-state">{states[state]}</span>
        </summary>
        <div className="tool-part">
          <h4>Arguments</h4>
          {changes.length > 0 ? <Patch changes={changes} /> : <Json text={pretty(written === "" ? "{}" : written)} />}
        </div>
        {own.length > 0 && (
          <div className="tool-part subagent">
            <h4>Sub-agent</h4>
            <CopilotChatMessageView messages={own} isRunning={state === "running" && agent.isRunning}>
              {({ messageElements }) => <>{messageElements}</>}
            </CopilotChatMessageView>
          </div>
        )}
        {result !== undefined && (
          <div className="tool-part">
            <h4>{state === "failed" ? "Error" : "Result"}</h4>
            <Json text={pretty(textOf(result))} />
          </div>
        )}
      </details>
    </section>
  )
}
