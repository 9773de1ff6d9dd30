/**
 * The HTTP face against the real clients: `HttpAgent` of `@ag-ui/client` 1.0.0 and 0.0.59. The agent behind it is
 * played by the test, so that a run can be left, stopped and joined at any point of an answer.
 */
import { connect } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as client10 from "@ag-ui/client"
import { encode } from "@ag-ui/proto"
import type { Model } from "@agentwire/protocol"
import * as client059 from "agui-client-059"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { from, lastValueFrom, toArray } from "rxjs"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { runIdOf, writeOptions } from "../../packages/bridge/src/face/agui/AguiThread.ts"
import { protobufMediaType } from "../../packages/bridge/src/face/agui/EventEncoding.ts"
import { joinOpenTurn } from "../../packages/bridge/src/face/agui/Join.ts"
import { makeSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { conversation } from "../../packages/bridge/test/Conversation.ts"
import { type FakeSession, fakeSessions, openText, wholeText } from "../../packages/bridge/test/FakeSessions.ts"
import { emptyFolder } from "../../packages/bridge/test/Folder.ts"
import { ask, entering, serving, token } from "../../packages/bridge/test/Serving.ts"
import { openLog, testLog } from "../../packages/bridge/test/TestLog.ts"
import type { Dialect } from "../../packages/protocol/src/agui/Dialect.ts"
import { inDialect } from "../../packages/protocol/src/agui/Downgrade.ts"
import type { AguiEvent } from "../../packages/protocol/src/agui/Event.ts"
import { write } from "../../packages/protocol/src/agui/write/Write.ts"

beforeAll(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {})
  vi.spyOn(console, "error").mockImplementation(() => {})
})
afterAll(() => {
  vi.restoreAllMocks()
})

type Client = Pick<typeof client10, "HttpAgent" | "verifyEvents" | "transformChunks">
const clients: ReadonlyArray<{ readonly name: string; readonly client: Client; readonly dialect: Dialect }> = [
  { name: "1.0.0", client: client10, dialect: "1.0" },
  { name: "0.0.59", client: client059 as unknown as Client, dialect: "0.0" }
]

const headers = { Authorization: `Bearer ${token}` }
const question = (id = "u") => ({ id, role: "user" as const, content: "How are you?" })

/** What an agent ends up with. */
const conversationOf = (agent: client10.HttpAgent) => agent.messages.map(({ content, role }) => [role, content])

const content = (id: string, delta: string): Model.Event => ({ type: "item_grew", lane: null, id, delta })
const end = (id: string): Model.Event => ({ type: "item_ended", lane: null, id })
const call = (id: string, parent: string): ReadonlyArray<Model.Event> => [
  { type: "item_started", lane: null, id, item: { kind: "call", tool: "Read", action: "read", parent } },
  { type: "item_grew", lane: null, id, delta: "{}" },
  { type: "item_ended", lane: null, id }
]

describe.each(clients)("HttpAgent $name", ({ client, dialect }) => {
  const agentAt = (url: string, messages: ReadonlyArray<ReturnType<typeof question>> = [question()]) =>
    new client.HttpAgent({ url, headers, threadId: "t", initialMessages: [...messages] })

  test("gets an answer, and another", async () => {
    const fakes = fakeSessions((fake, { ticket }) => {
      fake.say(...wholeText(`m-${ticket}`, "Fine, ", "ünd 😀"))
      fake.finish()
    })
    await serving(fakes, async ({ url }) => {
      const agent = agentAt(`${url}/`)
      await agent.runAgent({ runId: "r1" })
      agent.addMessage(question("again"))
      await agent.runAgent({ runId: "r2" })
      const turn = [
        ["user", "How are you?"],
        ["assistant", "Fine, ünd 😀"]
      ]
      expect(conversationOf(agent)).toEqual([...turn, ...turn])
    })
    expect(fakes.get("t").submissions.map(({ ticket }) => ticket)).toEqual(["r1", "r2"])
  })

  test("gets what only the newer dialect can say in its own", async () => {
    const fakes = fakeSessions((fake) => {
      fake.say(...call("c", "calls"), {
        type: "call_answered",
        lane: null,
        id: "c",
        content: [{ type: "text", text: "file" }],
        failed: false
      })
      fake.finish()
    })
    await serving(fakes, async ({ url }) => {
      const agent = agentAt(`${url}/`)
      await agent.runAgent({ runId: "r1" })
      expect(agent.messages.at(-1)?.content).toEqual(dialect === "1.0" ? [{ type: "text", text: "file" }] : "file")
    })
  })

  test("stops the run when it aborts", async () => {
    const fakes = fakeSessions((fake) => fake.say(...openText("open-m", "Fine")))
    await serving(fakes, async ({ url }) => {
      const agent = agentAt(`${url}/`)
      await agent.runAgent({ runId: "r1" }, { onTextMessageContentEvent: () => agent.abortRun() })
      await fakes.get("t").until(() => fakes.get("t").stops.length > 0)
      expect(fakes.get("t").stops).toEqual(["r1"])
    })
  })

  test("sees the run end when it is stopped by request", async () => {
    const fakes = fakeSessions((fake) => fake.say(...openText("open-m", "Fine")))
    await serving(fakes, async (server) => {
      const agent = agentAt(`${server.url}/agent/default/run`)
      const ends: Array<unknown> = []
      await agent.runAgent(
        { runId: "r1" },
        {
          onTextMessageContentEvent: () =>
            void ask(server, "POST", "/agent/default/stop/t", entering, JSON.stringify({ runId: "r1" })),
          onRunFinishedEvent: ({ event }) => void ends.push(event.outcome?.type)
        }
      )
      expect(ends).toEqual([dialect === "1.0" ? "cancelled" : undefined])
      expect(conversationOf(agent)).toEqual([
        ["user", "How are you?"],
        ["assistant", "Fine"]
      ])
    })
  })

  test("that joins in mid-answer has the whole answer once", async () => {
    const fakes = fakeSessions((fake) => fake.say(...openText("m", "One, ", "two, ")))
    await serving(
      fakes,
      async ({ url }) => {
        const first = agentAt(`${url}/kit/agent/default/run`)
        await first.runAgent(
          { runId: "r1" },
          { onTextMessageContentEvent: ({ event }) => void (event.delta === "two, " && first.abortRun()) }
        )
        const fake = fakes.get("t")
        expect(fake.stops).toEqual([])
        fake.say(content("m", "three, "))

        const go = (agent: client10.HttpAgent) =>
          agent.runAgent(
            { runId: "joined" },
            {
              onTextMessageStartEvent: () => fake.say(content("m", "four"), end("m")),
              onTextMessageEndEvent: () => fake.finish()
            }
          )
        const second = agentAt(`${url}/kit/agent/default/connect`, [])
        await go(second)
        const whole = [
          ["user", "How are you?"],
          ["assistant", "One, two, three, four"]
        ]
        expect(conversationOf(second)).toEqual(whole)

        // The one that left has half of it, and comes back.
        expect(conversationOf(first)).toEqual([
          ["user", "How are you?"],
          ["assistant", "One, two, "]
        ])
        first.url = `${url}/kit/agent/default/connect`
        await first.runAgent({ runId: "back" })
        expect(conversationOf(first)).toEqual(whole)
      },
      { basePath: "/kit" }
    )
  })

  test("that left in mid-answer and asks again has both answers once", async () => {
    const fakes = fakeSessions((fake, { ticket }) => {
      if (ticket === "r1") return fake.say(...openText("m", "One, "))
      fake.say(...wholeText("n", "Three"))
      fake.finish()
    })
    await serving(
      fakes,
      async ({ url }) => {
        const agent = agentAt(`${url}/kit/agent/default/run`)
        await agent.runAgent({ runId: "r1" }, { onTextMessageContentEvent: () => agent.abortRun() })
        const fake = fakes.get("t")
        fake.say(content("m", "two"), end("m"))
        fake.finish()
        agent.addMessage(question("again"))
        await agent.runAgent({ runId: "r2" })
        expect(conversationOf(agent)).toEqual([
          ["user", "How are you?"],
          ["assistant", "One, two"],
          ["user", "How are you?"],
          ["assistant", "Three"]
        ])
      },
      { basePath: "/kit" }
    )
  })

  test("gets nothing of a thread nobody knows", () =>
    serving(fakeSessions(), async ({ url }) => {
      const agent = agentAt(`${url}/agent/default/connect`, [])
      await agent.runAgent({ runId: "r" })
      expect(agent.messages).toEqual([])
    }))

  test("is told that a thread is busy", async () => {
    const fakes = fakeSessions((fake) => fake.say(...openText("m", "One")))
    await serving(
      fakes,
      async ({ url }) => {
        const reader = agentAt(`${url}/`)
        const reading = reader.runAgent({ runId: "r1" })
        await fakes.get("t").until(() => fakes.get("t").submissions.length > 0)
        await expect(agentAt(`${url}/`).runAgent({ runId: "r2" })).rejects.toMatchObject({
          status: 409,
          payload: { error: { code: "THREAD_BUSY" } }
        })
        const codes: Array<unknown> = []
        const page = agentAt(`${url}/kit/agent/default/run`)
        await page.runAgent({ runId: "r3" }, { onRunErrorEvent: ({ event }) => void codes.push(event.code) })
        expect(codes).toEqual(["THREAD_BUSY"])
        fakes.get("t").say(end("m"))
        fakes.get("t").finish()
        await reading
      },
      { basePath: "/kit" }
    )
  })

  test("is refused without the token, as another page, under another name", () =>
    serving(fakeSessions(), async ({ url }) => {
      const refused = (over: Record<string, string>) =>
        expect(new client.HttpAgent({ url: `${url}/`, headers: over, threadId: "t" }).runAgent()).rejects
      await refused({}).toMatchObject({ status: 401, payload: { error: { code: "UNAUTHORIZED" } } })
      await refused({ Authorization: "Bearer guess" }).toMatchObject({ status: 401 })
      await refused({ ...headers, Origin: "http://evil.example" }).toMatchObject({
        status: 403,
        payload: { error: { code: "ORIGIN_REFUSED" } }
      })
    }))

  test("accepts every way of joining a run", async () => {
    const cases = fc.record({ events: conversation, cut: fc.nat(), kept: fc.integer({ min: 1, max: 60 }) })
    const { transformChunks, verifyEvents } = client
    await fc.assert(
      fc.asyncProperty(cases, async ({ cut, events, kept }) => {
        const log = testLog({ maxEvents: kept })
        const at = cut % events.length
        log.append(events.slice(0, at))
        const moment = await Effect.runPromise(log.moment())
        const runId = runIdOf("thread", moment.situation)
        if (runId === undefined) return
        let [writer, joined] = await Effect.runPromise(
          joinOpenTurn(writeOptions("thread", "event"), moment, runId, { messages: [] })
        )
        const all = [...joined]
        for (const event of events.slice(at)) {
          const [next, more] = write(writer, event)
          writer = next
          all.push(...more)
        }
        const sent = all.map((event) => JSON.parse(JSON.stringify(inDialect(event, dialect))) as never)
        const seen = await lastValueFrom(from(sent).pipe(transformChunks(), verifyEvents(false), toArray()))
        expect(seen).toHaveLength(sent.length)
      }),
      { numRuns: 200 }
    )
  })
})

describe("a reader that stops reading", () => {
  setFlagsFromString("--expose-gc")
  const collectGarbage = runInNewContext("gc") as () => void
  const memory = () => {
    collectGarbage()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return (arrayBuffers + heapUsed) / 1e6
  }
  /** 40 MB in all, none of which stays in the conversation. */
  const flood = async (fake: FakeSession) => {
    for (let i = 0; i < 4000; i++) {
      fake.say({ type: "noticed", lane: null, name: "noise", value: `${i} ${"x".repeat(10_000)}` })
      if (i % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }

  test("costs little memory, slows nobody, has all when it reads again, and others can join", async () => {
    const scope = Scope.makeUnsafe()
    const log = await Effect.runPromise(
      Effect.gen(function* () {
        const store = yield* makeSqliteStore({ folder: yield* emptyFolder })
        return yield* openLog(store, { maxCharacters: 2_000_000 })
      }).pipe(Scope.provide(scope))
    )
    const fakes = fakeSessions(
      (fake) => fake.say(...openText("m", "One, ")),
      {},
      () => log
    )
    const fake = fakes.get("t")
    await serving(fakes, async (server) => {
      const body = JSON.stringify({ threadId: "t", runId: "r", messages: [question()], tools: [], context: [] })
      const socket = connect(server.port, server.host)
      const lines = [
        "POST /agent/default/run HTTP/1.1",
        `Host: 127.0.0.1:${server.port}`,
        `Authorization: Bearer ${token}`,
        "Content-Type: application/json",
        `Content-Length: ${Buffer.byteLength(body)}`
      ]
      socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`)
      socket.pause()
      await fake.until(() => fake.submissions.length > 0)
      const before = memory()
      await flood(fake)
      // What is not written yet has nothing to do with who reads.
      await Effect.runPromise(log.settled)
      await expect.poll(() => memory() - before).toBeLessThan(20)

      // From the store, at its own pace.
      let last = -1
      const all = new Promise<void>((resolve, reject) => {
        let rest = ""
        socket.on("data", (data) => {
          rest += String(data)
          for (const [, number] of rest.matchAll(/"noise","value":"(\d+) /g)) {
            if (Number(number) !== last + 1) reject(new Error(`${number} after ${last}`))
            last = Number(number)
          }
          rest = rest.slice(rest.lastIndexOf('"noise"'))
          if (/^"noise","value":"\d+ /.test(rest)) rest = ""
          if (last === 3999) resolve()
        })
        socket.on("close", () => reject(new Error(`closed after ${last}`)))
      })
      socket.resume()
      await all
      await expect.poll(() => memory() - before).toBeLessThan(20)
      expect(fake.stops).toEqual([])
      socket.destroy()

      const agent = new client10.HttpAgent({ url: `${server.url}/agent/default/connect`, headers, threadId: "t" })
      const joining = agent.runAgent({ runId: "back" })
      fake.say(content("m", "two"), end("m"))
      fake.finish()
      await joining
      expect(conversationOf(agent)).toEqual([
        ["user", "How are you?"],
        ["assistant", "One, two"]
      ])
    })
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })
})

describe("a client that asks for Protocol Buffers", () => {
  class ProtobufAgent extends client10.HttpAgent {
    protected override requestInit(input: Parameters<client10.HttpAgent["run"]>[0]): RequestInit {
      const init = super.requestInit(input)
      return { ...init, headers: { ...init.headers, Accept: protobufMediaType } }
    }
  }

  test("gets the same answer in them", async () => {
    const fakes = fakeSessions((fake) => {
      fake.say(
        ...wholeText("m", "Fine, ", "ünd 😀"),
        ...call("c", "m"),
        { type: "call_answered", lane: null, id: "c", content: "file", failed: false },
        { type: "noticed", lane: null, name: "result_stats", value: { cost: 1.5, deep: [null, { a: true }] } }
      )
      fake.finish()
    })
    const conversation = async (Agent: typeof client10.HttpAgent, url: string) => {
      const agent = new Agent({ url, headers, threadId: Agent.name, initialMessages: [question()] })
      const customs: Array<unknown> = []
      await agent.runAgent({ runId: "r" }, { onCustomEvent: ({ event }) => void customs.push(event.value) })
      return { messages: agent.messages, customs }
    }
    const options = { sse: { protobuf: (event: AguiEvent) => encode(event as Parameters<typeof encode>[0]) } }
    await serving(
      fakes,
      async ({ url }) => {
        const response = await fetch(`${url}/`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json", accept: protobufMediaType },
          body: JSON.stringify({ threadId: "raw", runId: "r", messages: [question()] })
        })
        expect(response.headers.get("content-type")).toBe(protobufMediaType)
        await response.arrayBuffer()
        expect(await conversation(ProtobufAgent, `${url}/`)).toEqual(await conversation(client10.HttpAgent, `${url}/`))
      },
      options
    )
  })
})
