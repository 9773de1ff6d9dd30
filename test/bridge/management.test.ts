/**
 * The management API from its typed client to real CLIs and back.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Client, makeClient } from "../../packages/bridge/src/client/Client.ts"
import type { ManagementError } from "../../packages/bridge/src/client/ManagementError.ts"
import { aguiFeed } from "../../packages/bridge/src/face/agui/AguiFeed.ts"
import type { Session } from "../../packages/bridge/src/session/Session.ts"
import { headers, onBridge, type Place } from "./OnBridge.ts"

/** A thread with a name that paths do not like. */
const threadId = "folder/a thread?"

const bash = (command: string) => tool("Bash", { command, description: "Work" })

/** An answer that takes long, and so can be stopped. */
const endless = saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time"))

const token = headers.Authorization.slice("Bearer ".length)

const clientOf = ({ url }: Pick<Place, "url">): Client => makeClient({ url, token })

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    ({ code }: ManagementError) => code
  )

/** Numbers that are the same in every run of the test. */
const chance = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed
}

/** A client whose connections break after a random number of bytes. */
const unlucky = ({ url }: Pick<Place, "url">, breaks: { count: number }): Client => {
  const next = chance(7)
  return makeClient({
    url,
    token,
    maxRetryDelay: 1,
    fetch: async (address, init) => {
      const response = await fetch(address, init)
      let left = 50 + (next() % 3000)
      const breaking = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          controller.enqueue(chunk.subarray(0, left))
          left -= chunk.length
          if (left > 0) return
          breaks.count++
          controller.error(new TypeError("terminated"))
        }
      })
      return new Response(response.body?.pipeThrough(breaking) ?? null, response)
    }
  })
}

/** Reads the events of the thread until the session is closed, or gone while the connection was broken. */
const collect = async (client: Client, events: Array<unknown>): Promise<void> => {
  try {
    for await (const frame of client.sessions.events(threadId, { from: 0 })) {
      if (frame.event === "closed") return
      expect(frame.event).toBe("message")
      events.push(frame.data)
    }
  } catch (error) {
    expect((error as ManagementError).code).toBe("SESSION_NOT_FOUND")
  }
}

/** Reads on until an event comes, and tells its number. */
const until = async (
  client: Client,
  from: number,
  holds: (event: { readonly type: string; readonly [key: string]: unknown }) => boolean
) => {
  for await (const { data, event, seq } of client.sessions.events(threadId, { from }))
    if (event === "message" && holds(data)) return { event: data, next: seq + 1 }
  throw new Error("the session was closed")
}

const isEnd = ({ type }: { readonly type: string }): boolean => type === "RUN_FINISHED" || type === "RUN_ERROR"

/** Answers what the agent asks next. */
const answerNext = async (client: Client, from: number, answer: Parameters<Client["approvals"]["answer"]>[2]) => {
  const { next } = await until(client, from, ({ name }) => name === "tool_approval_request")
  const [approval] = (await client.approvals.list(threadId)).approvals
  await client.approvals.answer(threadId, approval?.requestId ?? "", answer)
  return next
}

/** The events that the first entries of a session's log are in AG-UI. */
const eventsOf = async (session: Session, entries: number): Promise<ReadonlyArray<unknown>> => {
  const fed = await Effect.runPromise(Stream.runCollect(Stream.take(aguiFeed(session, 0), entries)))
  return JSON.parse(JSON.stringify(fed.flatMap(({ events }) => events))) as ReadonlyArray<unknown>
}

/** What came of asking for the context's usage, and of an environment variable: newer CLIs take those they know only. */
const wires = [
  ["2.1.325", "stdio", "done", ""],
  ["2.1.37", "ws", "AGENT_UNSUPPORTED", "by the API"]
] as const

describe.each(wires)("with Claude Code %s over %s", (version, transport, usage, said) => {
  it.live("a session is made, used, looked at and removed", () =>
    onBridge(
      [version, transport],
      {
        replies: [
          says(bash("touch denied")),
          says(bash('printf %s "$SAID" > allowed')),
          says("Done."),
          endless,
          says("Here again.")
        ]
      },
      {
        session: { approvals: "event" },
        http: { sessionOptions: ["env"] }
      },
      async (place) => {
        const client = clientOf(place)
        expect((await client.server.health()).sessions).toEqual({})
        expect((await client.sessions.create({ threadId, checkpointing: true })).status).toBe("idle")
        expect(await codeOf(client.mcp.status(threadId))).toBe("AGENT_NOT_RUNNING")
        const session = await place.session(threadId)
        const breaks = { count: 0 }
        const read: Array<unknown> = []
        const reading = collect(unlucky(place, breaks), read)

        expect((await client.sessions.start(threadId)).status).not.toBe("disconnected")
        expect((await client.sessions.get(threadId)).greeting?.models?.length).toBeGreaterThan(0)
        await client.sessions.setEnvironment(threadId, { variables: { SAID: "by the API" } })

        // A turn with two calls, one refused and one allowed with another input.
        const first = await client.sessions.send(threadId, { content: "Work." })
        expect(await codeOf(client.sessions.send(threadId, { content: "More." }))).toBe("THREAD_BUSY")
        const asked = await answerNext(client, first.from, { behavior: "deny", message: "Not that." })
        const agreed = await answerNext(client, asked, { behavior: "allow" })
        const ended = await until(client, agreed, isEnd)
        expect(ended.event).toMatchObject({ type: "RUN_FINISHED", runId: first.runId })
        expect(existsSync(join(place.project, "denied"))).toBe(false)
        expect(readFileSync(join(place.project, "allowed"), "utf8")).toBe(said)

        // What may be changed and asked while the agent rests.
        await client.sessions.setModel(threadId, { model: "claude-sonnet-4-5" })
        await client.sessions.setPermissionMode(threadId, { mode: "plan" })
        await client.sessions.setPermissionMode(threadId, { mode: "default" })
        await client.sessions.setThinkingTokens(threadId, { maxThinkingTokens: 2000 })
        expect(await codeOf(client.sessions.setPermissionMode(threadId, { mode: "bypassPermissions" }))).toBe(
          version === "2.1.37" ? "done" : "AGENT_REFUSED"
        )
        await client.sessions.setPermissionMode(threadId, { mode: "default" })
        expect(await codeOf(client.sessions.contextUsage(threadId))).toBe(usage)
        const { messageId } = first
        expect(await client.sessions.rewindFiles(threadId, { messageId, dryRun: true })).toMatchObject({
          canRewind: true
        })
        const servers = async () => (await client.mcp.status(threadId)).mcpServers.map(({ name }) => name)
        const before = await servers()
        expect(before).toContain("frontend")
        const missing = { type: "http", url: "http://127.0.0.1:1/" } as const
        expect((await client.mcp.setServers(threadId, { servers: { missing } })).errors).toHaveProperty("missing")
        expect(await servers()).toEqual(expect.arrayContaining(["frontend", "missing"]))

        // A run that is stopped.
        const second = await client.sessions.send(threadId, { content: "Tell me a story." })
        const story = await until(client, second.from, ({ delta }) => delta === "Once ")
        expect(await client.sessions.interrupt(threadId, { runId: "another" })).toEqual({ stopped: false })
        expect(await client.sessions.interrupt(threadId)).toEqual({ stopped: true })
        expect((await until(client, story.next, isEnd)).event).toMatchObject({ outcome: { type: "cancelled" } })

        // The process ends, and the thread goes on.
        expect((await client.sessions.disconnect(threadId)).status).toBe("disconnected")
        const third = await client.sessions.send(threadId, { content: "Are you there?" })
        const spoken = await until(client, third.from, ({ delta }) => delta === "Here again.")
        expect((await until(client, spoken.next, isEnd)).event).toMatchObject({ outcome: { type: "success" } })

        const { tape, wrong } = Tape.parseTape(new TextEncoder().encode(await client.sessions.tape(threadId)))
        expect(wrong).toEqual([])
        expect(tape?.header.runtime.version).toBe(version)

        const { events } = await client.sessions.get(threadId)
        const told = await eventsOf(session, events.next)
        await Effect.runPromise(
          Effect.repeat(
            Effect.delay(
              Effect.sync(() => read.length >= told.length),
              "10 millis"
            ),
            { until: (all) => all }
          )
        )
        await client.sessions.remove(threadId)
        expect(await codeOf(client.sessions.get(threadId))).toBe("SESSION_NOT_FOUND")
        await reading
        expect(read).toEqual(told)
        expect(breaks.count).toBeGreaterThan(1)
      }
    )
  )
})
