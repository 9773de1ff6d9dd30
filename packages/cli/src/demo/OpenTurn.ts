/** What a turn has begun and not ended, from the lines the agent has said: what a stop has to bring to an end. */

import type { JsonObject } from "@agentwire/fixtures"
import { isRecord } from "@agentwire/protocol/wire"
import { textAt, valueAt } from "./Line.ts"

/** A content block that is being streamed. */
export interface OpenBlock {
  readonly index: number
  readonly type: string
  /** Its text so far. */
  readonly text: string
}

/** A sub-agent at work, as `task_started` describes it. */
export interface OpenTask {
  readonly taskId: string
  readonly runId: string
  readonly toolUseId: string
  readonly description: string
}

/** The open ends of a turn. */
export class OpenTurn {
  /** The message that is being streamed. */
  messageId: string | undefined
  block: OpenBlock | undefined
  /** The calls of the agent itself without a result; those of its sub-agents end with them. */
  readonly tools = new Set<string>()
  readonly tasks = new Map<string, OpenTask>()
  /** The permissions that are asked for. */
  readonly questions = new Set<string>()
  /** Whether the result was said. */
  over = false

  /** Takes note of a line of the agent. */
  said(line: JsonObject): void {
    switch (line["type"]) {
      case "stream_event":
        this.#streamed(valueAt(line, "event"))
        break
      case "assistant":
      case "user":
        if (line["parent_tool_use_id"] === null) for (const block of blocksOf(line)) this.#block(block)
        break
      case "control_request":
        if (textAt(line, "request", "subtype") === "can_use_tool") this.questions.add(textAt(line, "request_id"))
        break
      case "system":
        this.#task(line)
        break
      case "result":
        this.over = true
    }
  }

  /** Takes note of an answer of the host. */
  answered(requestId: string): void {
    this.questions.delete(requestId)
  }

  #streamed(event: unknown): void {
    switch (textAt(event, "type")) {
      case "message_start":
        this.messageId = textAt(event, "message", "id")
        break
      case "message_stop":
        this.messageId = undefined
        break
      case "content_block_start":
        this.block = { index: Number(valueAt(event, "index")), type: textAt(event, "content_block", "type"), text: "" }
        break
      case "content_block_delta":
        if (this.block !== undefined)
          this.block = { ...this.block, text: this.block.text + textAt(event, "delta", "text") }
        break
      case "content_block_stop":
        this.block = undefined
    }
  }

  #block(block: Readonly<Record<string, unknown>>): void {
    if (block["type"] === "tool_use") this.tools.add(textAt(block, "id"))
    if (block["type"] === "tool_result") this.tools.delete(textAt(block, "tool_use_id"))
  }

  #task(line: JsonObject): void {
    const taskId = textAt(line, "task_id")
    if (line["subtype"] === "task_started")
      this.tasks.set(taskId, {
        taskId,
        runId: textAt(line, "run_id"),
        toolUseId: textAt(line, "tool_use_id"),
        description: textAt(line, "description")
      })
    if (line["subtype"] === "task_notification") this.tasks.delete(taskId)
  }
}

const blocksOf = (line: JsonObject): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const content = valueAt(line, "message", "content")
  return Array.isArray(content) ? content.filter(isRecord) : []
}
