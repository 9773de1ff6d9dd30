/** Writes lines of a session file, for cases that no CLI was seen to write on demand. */
import { type AgentFile, agentsOf } from "../../../src/claude/transcript/Agents.ts"
import { sessionOf, type TranscriptSession } from "../../../src/claude/transcript/index.ts"
import { readTranscriptFile, type TranscriptFile } from "../../../src/claude/transcript/Reader.ts"
import { sessionTranscript } from "../../../src/claude/transcript/Session.ts"
import { treeOf } from "../../../src/claude/transcript/Tree.ts"

/** A line, with its uuid and its parent's. */
export type Written = Readonly<Record<string, unknown>>

const link = (uuid: string, parentUuid: string | null): Written => ({ uuid, parentUuid, isSidechain: false })

/** A prompt. */
export const prompt = (uuid: string, parent: string | null, text: string, more: Written = {}): Written => ({
  type: "user",
  message: { role: "user", content: text },
  ...link(uuid, parent),
  ...more
})

/** A text of the model, as one block of a message. */
export const answer = (
  uuid: string,
  parent: string | null,
  message: string,
  text: string,
  more: Written = {}
): Written => ({
  type: "assistant",
  message: {
    id: message,
    type: "message",
    role: "assistant",
    model: "claude",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 }
  },
  ...link(uuid, parent),
  ...more
})

/** A call of the model, as one block of a message. */
export const call = (
  uuid: string,
  parent: string | null,
  message: string,
  id: string,
  name = "Bash",
  input: Written = {}
): Written => ({
  ...answer(uuid, parent, message, ""),
  message: {
    id: message,
    type: "message",
    role: "assistant",
    model: "claude",
    content: [{ type: "tool_use", id, name, input }],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 }
  }
})

/** The result of a call. */
export const result = (
  uuid: string,
  parent: string | null,
  id: string,
  content: string,
  more: Written = {}
): Written => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  ...link(uuid, parent),
  ...more
})

/** A compaction, and its summary. */
export const compaction = (uuid: string, logicalParentUuid: string, more: Written = {}): ReadonlyArray<Written> => [
  { type: "system", subtype: "compact_boundary", ...link(uuid, null), logicalParentUuid, ...more },
  prompt(`${uuid}-summary`, uuid, "We talked.", { isCompactSummary: true })
]

/** A line of the CLI that says nothing, and is a link. */
export const reminder = (uuid: string, parent: string | null): Written => ({
  type: "system",
  subtype: "stop_hook_summary",
  ...link(uuid, parent)
})

/** The file of some lines. */
export const fileOf = (lines: ReadonlyArray<Written>): TranscriptFile =>
  readTranscriptFile(new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join("")))

/** The session of some lines. */
export const written = (lines: ReadonlyArray<Written>): TranscriptSession =>
  sessionOf({ sessionId: "s", main: fileOf(lines) })

/** What was said in a session, in short. */
export const saidIn = (session: TranscriptSession, leaf?: string): ReadonlyArray<string> =>
  sessionTranscript(session, leaf === undefined ? {} : { leaf }).entries.map((entry) => {
    const lane = entry.lane === null ? "" : `${entry.lane}: `
    switch (entry.kind) {
      case "prompt":
        return `${lane}> ${entry.content}`
      case "call":
        return `${lane}${entry.id}()`
      case "result":
        return `${lane}${entry.id} = ${entry.content}`
      case "task":
        return `${lane}task`
      default:
        return `${lane}${entry.text}`
    }
  })

/** The agents of some lines and files. */
export const agentsIn = (lines: ReadonlyArray<Written>, files: ReadonlyArray<AgentFile>) =>
  agentsOf(treeOf(fileOf(lines).nodes), files)
