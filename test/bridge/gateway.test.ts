/**
 * The gateway in front of real agents: the same story with each kind of agent of one bridge, told to a client that was
 * written from docs/gateway.md alone.
 */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { says, saysWith, text, thinking, tool } from "@agentwire/fixtures/scenario"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerClaudeRuntime } from "../../packages/bridge/src/runtime/claude/ClaudeRuntime.ts"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { layerCodexRuntime } from "../../packages/bridge/src/runtime/codex/CodexRuntime.ts"
import { type CodexLauncherOptions, codexLauncher } from "../../packages/bridge/src/runtime/codex/Launcher.ts"
import { layerRuntimes } from "../../packages/bridge/src/session/Runtimes.ts"
import { connect, type Json, type PlainClient } from "../../packages/bridge/test/face/gateway/PlainClient.ts"
import type { ResponsesReply } from "../../packages/fixtures/src/codex/Responses.ts"
import { projected } from "../../packages/protocol/test/gateway/Projection.ts"
import { plain, ReadingClient } from "../../packages/protocol/test/gateway/ReadingClient.ts"
import { setUp } from "./AgentSetup.ts"
import { withCodex } from "./CodexBridge.ts"
import { headers, type Place } from "./OnBridge.ts"

const command = (kind: string): string => `cat here.txt > ${kind}-found.txt`

const claudeReplies = [
  says(thinking("Let me ", "see."), tool("Bash", { command: command("claude"), description: "Work" })),
  says("It is ", "there."),
  // An answer that takes long, and so can be stopped.
  saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time")),
  says("Here again.")
]

const codexReplies: ReadonlyArray<ResponsesReply> = [
  {
    kind: "response",
    items: [
      { kind: "reasoning", summary: [["Let me ", "see."]] },
      { kind: "call", name: "exec_command", arguments: { cmd: command("codex") } }
    ]
  },
  { kind: "text", deltas: ["It is ", "there."] },
  { kind: "hang", deltas: ["Once ", "upon "] },
  { kind: "text", deltas: ["Here again."] }
]

const of = (sessionId: unknown) => (payload: Json) => payload["sessionId"] === sessionId

/** What a client has that has heard all that was told of a session; what is wrong with it. */
const readingOf = (client: PlainClient, sessionId: string): ReadingClient => {
  const reading = new ReadingClient()
  for (const told of client.events()) if (of(sessionId)(told.payload)) reading.hear(told)
  return reading
}

/** A session of one kind is made, asked, answered, stopped and gone on with. What was told of it, by type. */
const story = async (place: Place, kind: string): Promise<ReadonlyArray<string>> => {
  const token = headers.Authorization.replace("Bearer ", "")
  const client = await connect(place.url, token)
  const { session } = await client.ask("session.create", { runtime: kind, effort: "low" })
  const { id: sessionId } = session as { readonly id: string }
  await client.ask("subscribe", { events: ["session.*"], sessionIds: [sessionId] })

  await client.ask("session.prompt", { content: "Look." })
  const { payload } = await client.told("session.request_opened")
  const { id: requestId } = payload["request"] as { readonly id: string }
  await client.ask("session.answer", { requestId, answer: { type: "allow" } })
  const { payload: stop } = await client.told("session.turn_stop")
  expect(stop["outcome"]).toMatchObject({ type: "completed" })
  expect((stop["usage"] as { readonly output_tokens: number }).output_tokens).toBeGreaterThan(0)
  expect(existsSync(join(place.project, `${kind}-found.txt`))).toBe(true)

  // What somebody else has who comes now, and what the model has.
  const { log } = await place.session(sessionId)
  const { transcript } = await Effect.runPromise(log.moment())
  const reading = readingOf(client, sessionId)
  expect(reading.faults).toEqual([])
  expect(plain(reading.entries)).toEqual(projected(transcript.entries))

  // A turn that is stopped is over at once, and nothing of it follows.
  let from = client.heard.length
  await client.ask("session.prompt", { content: "Tell me a story." })
  await client.told("session.content_block_delta", from)
  await client.ask("session.interrupt")
  const stopped = await client.told("session.turn_stop", from)
  expect(stopped.payload["outcome"]).toEqual({ type: "cancelled" })
  const after = client.heard.length

  // It goes on when the agent has heard it.
  const prompted = async (): Promise<void> => {
    from = client.heard.length
    const { code, ok } = await client.call("session.prompt", { content: "Are you there?" })
    if (!ok && code === "THREAD_BUSY") await prompted()
    else expect(ok).toBe(true)
  }
  await prompted()
  await client.told("session.turn_stop", from)
  const [next] = client.events(after)
  expect(next?.event).toBe("session.turn_start")
  const last = readingOf(client, sessionId)
  expect(last.faults).toEqual([])
  expect(JSON.stringify(last.entries.at(-1))).toContain("Here again.")
  const { messages } = await client.ask("session.history")
  expect(JSON.stringify(messages)).toContain("Here again.")
  const types = client.events().map(({ event }) => event.replace("session.", ""))
  client.close()
  return [...new Set(types)].sort()
}

it.live("sessions with Codex and Claude Code beside each other are told alike", () =>
  Effect.gen(function* () {
    const { options } = yield* setUp("2.1.325", { replies: claudeReplies })
    const both = (codex: CodexLauncherOptions) =>
      layerRuntimes(
        Layer.provide(layerCodexRuntime, codexLauncher(codex)),
        Layer.provide(layerClaudeRuntime, cliLauncher(options))
      )
    const setting = { runtime: both, session: { approvals: "event" }, http: { gateway: {} } } as const
    yield* withCodex(codexReplies, setting, async (place) => {
      writeFileSync(join(place.project, "here.txt"), "one\n")
      const [codex, claude] = await Promise.all([story(place, "codex"), story(place, "claude")])
      expect(codex).toEqual(claude)
    })
  }).pipe(Effect.scoped)
)
