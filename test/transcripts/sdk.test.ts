/**
 * On the live chain our reader of session files is the Agent SDK's own, message for message, on files that real CLIs
 * wrote. Beyond it, ours has what that drops.
 */
import { join } from "node:path"
import { listSessions } from "@agentwire/bridge/claude"
import { keptSessions, loadKeptSession } from "@agentwire/fixtures"
import { Claude } from "@agentwire/protocol"
import { listSessions as sdkSessions } from "@anthropic-ai/claude-agent-sdk"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { readByBoth, withConfig } from "./AgentSdk.ts"

const { sessionContext, sessionTranscript } = Claude.Transcript

const promptsOf = (session: Claude.Transcript.TranscriptSession): ReadonlyArray<unknown> =>
  sessionTranscript(session).entries.flatMap((entry) => (entry.kind === "prompt" ? [entry.content] : []))

describe.each(keptSessions)("$scenario of $version", (entry) => {
  it("is read as the SDK reads it", async () => {
    for (const { sdk, session } of await readByBoth(loadKeptSession(entry).files)) {
      const ours = sessionContext(session).map(({ message, type, uuid }) => ({ type, uuid, message }))
      expect(ours).toEqual(sdk.messages)
      for (const agent of session.agents) {
        const read = sdk.agents[agent.id] ?? []
        const uuids = new Set(read.map(({ uuid }) => uuid))
        // It drops the results of calls that a sub-agent made beside each other.
        expect(messagesOf(agent).filter(({ uuid }) => uuids.has(uuid))).toEqual(read)
        expect(read.length).toBeGreaterThan(0)
      }
    }
  })
})

/** What a sub-agent said, and what it was told. */
const messagesOf = ({ nodes }: Claude.Transcript.TranscriptAgent) =>
  nodes.flatMap(({ said, uuid }) =>
    (said?.name === "user" && said.message.isMeta !== true) || said?.name === "assistant"
      ? [{ type: said.name, uuid, message: said.message.message }]
      : []
  )

describe("beyond the SDK", () => {
  const sessionOf = async (scenario: string, version: string) => {
    const [read] = await readByBoth(loadKeptSession({ scenario, version }).files)
    if (read === undefined) throw new Error(`no session of ${scenario}`)
    return read
  }

  it.each(["2.1.37", "2.1.197", "2.1.325"])("what was said before a compaction of %s is there", async (version) => {
    const { sdk, session } = await sessionOf("compact", version)
    const told = JSON.stringify(sdk.messages)
    expect(told).not.toContain('"content":"2"')
    expect(promptsOf(session)).toEqual(["1", "2", "3", "/compact keep the numbers", "4"])
  })

  it("what 2.1.270 wrote again at a second compaction is said once, and nothing between the two is lost", async () => {
    const { session } = await sessionOf("compact_twice", "2.1.270")
    expect(promptsOf(session)).toEqual(["1", "2", "3", "/compact", "4", "5", "/compact again", "6"])
  })

  it("other branches can be reached", async () => {
    const { sdk, session } = await sessionOf("resume_at", "2.1.325")
    expect(JSON.stringify(sdk.messages)).not.toContain("Two.")
    const [branch] = Claude.Transcript.sessionBranches(session)
    const leaf = session.tree.nodes[branch?.leaf ?? -1]?.uuid ?? ""
    expect(JSON.stringify(sessionTranscript(session, { leaf }).entries)).toContain("Two.")
  })

  it("an error of the API that hangs beside the chain is told (2.1.197)", async () => {
    const { sdk, session } = await sessionOf("api_stream_cut_after_tool", "2.1.197")
    const error = "Connection closed mid-response"
    expect(JSON.stringify(sdk.messages)).not.toContain(error)
    expect(JSON.stringify(sessionTranscript(session).entries)).toContain(error)
  })

  it("the results of calls that a sub-agent made beside each other are there", async () => {
    const { sdk, session } = await sessionOf("subagent_tool_tree", "2.1.325")
    const counts = session.agents.map((agent) => [messagesOf(agent).length, sdk.agents[agent.id]?.length])
    expect(counts).toContainEqual([8, 7])
  })
})

it("lists the sessions that the SDK lists", async () => {
  for (const entry of keptSessions.filter(({ version }) => version === "2.1.325")) {
    const { files } = loadKeptSession(entry)
    const [ours, theirs] = await withConfig(files, async (folder) => [
      await Effect.runPromise(listSessions({ projects: join(folder, "projects") })),
      await sdkSessions()
    ])
    expect([entry.scenario, ours.sessions.map(({ sessionId }) => sessionId).sort()]).toEqual([
      entry.scenario,
      theirs.map(({ sessionId }) => sessionId).sort()
    ])
  }
})
