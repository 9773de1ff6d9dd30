/**
 * A tape of a session that nobody recorded, made from the file that Claude Code kept of it: what the host and the CLI
 * would have said to each other, in whole messages.
 *
 * It can be replayed, translated and shown like any other. What a session file does not tell is not on it: deltas,
 * questions and their answers, tasks; how a turn ended is what follows from its last lines. Its header says that it was
 * made from a transcript.
 */

import { promptLine } from "../claude/command/index.ts"
import type { Moment, TranscriptSession } from "../claude/transcript/index.ts"
import { sessionEvents } from "../claude/transcript/index.ts"
import { type Frame, type Tape, type TapeHeader, tapeVersion } from "./Tape.ts"

/** How a tape is made of a session. */
export interface TranscriptTapeOptions {
  /** The version of agentwire that makes it. */
  readonly agentwire: string
  /** The uuid of the last message of the conversation: the live one when it is left out. */
  readonly leaf?: string
}

/** How the CLI would have been started. */
const argv = ["--print", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]

/** The tape of a conversation of a session. */
export const transcriptTape = (session: TranscriptSession, { agentwire, leaf }: TranscriptTapeOptions): Tape => {
  const { facts, sessionId } = session
  const writer = new FrameWriter(sessionId, facts.createdAt ?? 0)
  sessionEvents(session, leaf === undefined ? {} : { leaf }, (moment, at) => writer.tell(moment, at))
  const header: TapeHeader = {
    tape: tapeVersion,
    agentwire,
    runtime: { name: "claude-code", ...(facts.version !== undefined && { version: facts.version }) },
    transport: "stdio",
    argv,
    startedAt: new Date(facts.createdAt ?? 0).toISOString(),
    redacted: [],
    madeFrom: "transcript"
  }
  return { header, frames: writer.end() }
}

const isResult = (moment: Moment): boolean =>
  moment.type === "message" &&
  moment.message.type === "user" &&
  moment.message.parent_tool_use_id === null &&
  Array.isArray(moment.message.message.content) &&
  moment.message.message.content.some(({ type }) => type === "tool_result")

/** Writes what happens as frames, each so much later than the one before as it was said. */
class FrameWriter {
  readonly #frames: Array<Frame> = []
  readonly #sessionId: string
  #at: number
  #turns = 0
  /** Where the last result of a tool of the main thread is: a prompt that came with it was sent before. */
  #result: number | undefined

  constructor(sessionId: string, startedAt: number) {
    this.#sessionId = sessionId
    this.#at = startedAt
  }

  /** Something happened. */
  tell(moment: Moment, at: number): void {
    const wait = Math.max(0, Math.round(at - this.#at))
    this.#at = Math.max(this.#at, at)
    const data = `${JSON.stringify(this.#lineOf(moment))}\n`
    if (moment.type !== "prompt") {
      if (isResult(moment)) this.#result = this.#frames.length
      this.#frames.push({ _tag: "Data", wait, from: "agent", channel: "stdout", data })
    } else if (moment.isQueued && this.#result !== undefined)
      this.#frames.splice(this.#result, 0, { _tag: "Data", wait: 0, from: "host", channel: "stdin", data })
    else this.#frames.push({ _tag: "Data", wait, from: "host", channel: "stdin", data })
  }

  /** All frames, when no more happens. */
  end(): ReadonlyArray<Frame> {
    return [
      ...this.#frames,
      { _tag: "Close", wait: 0, from: "host", channel: "stdin" },
      { _tag: "Exit", wait: 0, code: 0, signal: null }
    ]
  }

  #lineOf(moment: Moment): object {
    switch (moment.type) {
      case "prompt":
        return promptLine({ type: "prompt", said: [moment.said] }, moment.said.id)
      case "message":
        return moment.message
      case "turn_started":
        return this.#init(moment)
      case "agent_ended":
        return {
          type: "system",
          subtype: "task_notification",
          task_id: moment.agent,
          tool_use_id: moment.lane,
          status: "completed",
          output_file: "",
          summary: "",
          ...this.#envelope(`ended:${moment.lane}`)
        }
      case "turn_ended":
        return this.#ended(moment)
    }
  }

  #init({ info }: Extract<Moment, { readonly type: "turn_started" }>): object {
    return {
      type: "system",
      subtype: "init",
      cwd: info.cwd,
      tools: [],
      mcp_servers: [],
      model: info.model,
      permissionMode: info.mode ?? "default",
      slash_commands: [],
      apiKeySource: "none",
      claude_code_version: info.version ?? "",
      output_style: "default",
      skills: [],
      plugins: [],
      ...this.#envelope(`init:${++this.#turns}`)
    }
  }

  #ended({ outcome, usage }: Extract<Moment, { readonly type: "turn_ended" }>): object {
    const shared = {
      type: "result",
      is_error: outcome.type !== "completed",
      duration_ms: 0,
      duration_api_ms: 0,
      num_turns: 1,
      stop_reason: outcome.type === "failed" && outcome.code === "refusal" ? "refusal" : null,
      total_cost_usd: 0,
      usage: {
        input_tokens: usage.input - usage.cachedInput - usage.cacheWriteInput,
        output_tokens: usage.output,
        cache_read_input_tokens: usage.cachedInput,
        cache_creation_input_tokens: usage.cacheWriteInput
      },
      modelUsage: {},
      permission_denials: [],
      ...this.#envelope(`result:${this.#turns}`)
    }
    switch (outcome.type) {
      case "completed":
        return {
          ...shared,
          subtype: "success",
          result: "",
          ...(outcome.result !== undefined && { structured_output: outcome.result })
        }
      case "cancelled":
        return { ...shared, subtype: "error_during_execution", errors: [], terminal_reason: "aborted_streaming" }
      case "limited":
        return { ...shared, subtype: outcome.code, errors: [outcome.message] }
      case "failed":
        return outcome.code === "transcript_ended"
          ? { ...shared, subtype: "error_during_execution", errors: [outcome.message] }
          : { ...shared, subtype: "success", result: outcome.message }
    }
  }

  #envelope(name: string): { readonly uuid: string; readonly session_id: string } {
    return { uuid: `${this.#sessionId}:${name}`, session_id: this.#sessionId }
  }
}
