/**
 * The Agent SDK's own reader of session files, and ours beside it. The SDK looks below CLAUDE_CONFIG_DIR, so the files
 * are put there.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Claude } from "@agentwire/protocol"
import { getSessionMessages, getSubagentMessages, type SessionMessage } from "@anthropic-ai/claude-agent-sdk"
import { type KeptFile, sessionsIn } from "../../packages/protocol/test/claude/transcript/Comparison.ts"

/** A message as both readers have it. */
export interface ReadMessage {
  readonly type: string
  readonly uuid: string
  readonly message: unknown
}

/** What the SDK reads of a session. */
export interface SdkSession {
  readonly messages: ReadonlyArray<ReadMessage>
  /** What it reads of each sub-agent, by its id. */
  readonly agents: Readonly<Record<string, ReadonlyArray<ReadMessage>>>
}

const plain = ({ message, type, uuid }: SessionMessage): ReadMessage => ({ type, uuid, message })

/** Does something while the SDK sees some files, and takes them away again. */
export const withConfig = async <A>(
  files: ReadonlyArray<KeptFile>,
  work: (folder: string) => Promise<A>
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-sdk-"))
  const before = process.env["CLAUDE_CONFIG_DIR"]
  for (const { bytes, path } of files) {
    mkdirSync(dirname(join(folder, "projects", path)), { recursive: true })
    writeFileSync(join(folder, "projects", path), bytes)
  }
  process.env["CLAUDE_CONFIG_DIR"] = folder
  try {
    return await work(folder)
  } finally {
    if (before === undefined) delete process.env["CLAUDE_CONFIG_DIR"]
    else process.env["CLAUDE_CONFIG_DIR"] = before
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the SDK and what we read of some files, session by session. */
export const readByBoth = (
  files: ReadonlyArray<KeptFile>
): Promise<ReadonlyArray<{ readonly session: Claude.Transcript.TranscriptSession; readonly sdk: SdkSession }>> =>
  withConfig(files, async () => {
    const read = []
    for (const session of sessionsIn(files)) {
      const agents: Record<string, ReadonlyArray<ReadMessage>> = {}
      for (const { id } of session.agents) agents[id] = (await getSubagentMessages(session.sessionId, id)).map(plain)
      const messages = (await getSessionMessages(session.sessionId)).map(plain)
      read.push({ session, sdk: { messages, agents } })
    }
    return read
  })
