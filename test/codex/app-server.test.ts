/** The schemas of Codex against the real program: every line of both sides is known, and nothing in it is new. */
import { type ResultOf, schemaVersion } from "@agentwire/protocol/codex"
import type { Request } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import type { ResponsesReply } from "../../packages/fixtures/src/codex/Responses.ts"
import { type AppServer, type Line, startAppServer } from "./AppServer.ts"
import { type Findings, printedFindings } from "./Printed.ts"

let findingsOf: Findings

beforeAll(async () => {
  findingsOf = await printedFindings()
}, 120_000)

const say = (text: string, replies: ReadonlyArray<ResponsesReply> = []): ReadonlyArray<ResponsesReply> => [
  { kind: "text", deltas: [text.slice(0, 3), text.slice(3)] },
  ...replies
]

const isFor = (turnId: string) => (params: unknown) =>
  (params as { readonly turn: { readonly id: string } }).turn.id === turnId

const startThread = (server: AppServer, options: object = {}) =>
  server.ask("thread/start", { cwd: server.cwd, approvalPolicy: "untrusted", sandbox: "workspace-write", ...options })

/** A turn, to its end. */
const turn = (server: AppServer, threadId: string, text: string) =>
  Effect.gen(function* () {
    const { turn: begun } = yield* server.ask("turn/start", {
      threadId,
      input: [{ type: "text", text, text_elements: [] }]
    })
    const params = yield* server.heard("turn/completed", isFor(begun.id))
    return (params as { readonly turn: ResultOf<"turn/start">["turn"] }).turn
  })

const decide = (decision: string) => (asked: Array<string>) => (request: Request) =>
  Effect.sync(() => {
    asked.push(request.method)
    return { decision }
  })

const nobodyAsks = ({ method }: Request) => Effect.die(`codex asked ${method}`)

const play = async <A>(
  replies: ReadonlyArray<ResponsesReply>,
  scenario: (server: AppServer) => Effect.Effect<A, unknown>,
  answer: (request: Request) => Effect.Effect<unknown> = nobodyAsks
): Promise<{ readonly value: A; readonly lines: ReadonlyArray<Line> }> => {
  const run = Effect.gen(function* () {
    const server = yield* startAppServer(replies, answer)
    const value = yield* scenario(server)
    return { value, lines: server.lines, notices: server.notices }
  })
  const { lines, notices, value } = await Effect.runPromise(Effect.scoped(run))
  expect(notices).toEqual([])
  return { value, lines }
}

const methodsIn = (lines: ReadonlyArray<Line>): ReadonlyArray<string> =>
  lines.map(({ text }) => JSON.parse(text).method)

describe(`codex app-server ${schemaVersion}`, { timeout: 60_000 }, () => {
  it("says hello and answers", async () => {
    const { lines, value } = await play(say("Hello there."), (server) =>
      Effect.flatMap(startThread(server), ({ thread }) => turn(server, thread.id, "Hi"))
    )
    expect(value.status).toBe("completed")
    expect(methodsIn(lines)).toContain("item/agentMessage/delta")
    expect(lines.filter(({ text }) => text.includes('"jsonrpc"'))).toEqual([])
    expect(findingsOf(lines)).toEqual([])
  })

  it("thinks", async () => {
    const replies: ReadonlyArray<ResponsesReply> = [{ kind: "text", thought: ["First.", "Second."], deltas: ["Yes."] }]
    const { lines } = await play(replies, (server) =>
      Effect.flatMap(startThread(server), ({ thread }) => turn(server, thread.id, "Think"))
    )
    expect(methodsIn(lines)).toEqual(
      expect.arrayContaining(["item/reasoning/summaryPartAdded", "item/reasoning/summaryTextDelta"])
    )
    expect(findingsOf(lines)).toEqual([])
  })

  it.each([
    ["accept", "completed"],
    ["decline", "declined"]
  ])("runs a command when told to %s", async (decision, status) => {
    const asked: Array<string> = []
    const replies: ReadonlyArray<ResponsesReply> = [
      { kind: "command", command: "touch made && echo made" },
      ...say("Ran it.")
    ]
    const { lines, value } = await play(
      replies,
      (server) => Effect.flatMap(startThread(server), ({ thread }) => turn(server, thread.id, "Make it")),
      decide(decision)(asked)
    )
    expect(value.status).toBe("completed")
    expect(asked).toEqual(["item/commandExecution/requestApproval"])
    const ended = lines
      .map(({ text }) => JSON.parse(text))
      .filter(({ method, params }) => method === "item/completed" && params.item.type === "commandExecution")
    expect(ended.map(({ params }) => params.item.status)).toEqual([status])
    expect(findingsOf(lines)).toEqual([])
  })

  it("fails where the model does", async () => {
    const broken: ResponsesReply = { kind: "error", status: 500, message: "out of order" }
    const { lines, value } = await play(
      Array.from({ length: 20 }, () => broken),
      (server) => Effect.flatMap(startThread(server), ({ thread }) => turn(server, thread.id, "Hi"))
    )
    expect(value.status).toBe("failed")
    expect(methodsIn(lines)).toContain("error")
    expect(findingsOf(lines)).toEqual([])
  })

  it("lists, reads and forks threads, and refuses what it does not know", async () => {
    const { lines } = await play(say("One."), (server) =>
      Effect.gen(function* () {
        const { thread } = yield* startThread(server)
        yield* turn(server, thread.id, "Hi")
        const { data } = yield* server.ask("thread/list", {})
        expect(data.map(({ id }) => id)).toContain(thread.id)
        const read = yield* server.ask("thread/read", { threadId: thread.id, includeTurns: true })
        expect(read.thread.turns.length).toBe(1)
        const fork = yield* server.ask("thread/fork", { threadId: thread.id })
        expect(fork.thread.forkedFromId).toBe(thread.id)
        yield* server.ask("thread/turns/list", { threadId: thread.id })
        yield* server.ask("thread/items/list", { threadId: thread.id })
        yield* server.ask("thread/name/set", { threadId: thread.id, name: "One" })
        yield* server.ask("thread/timeline/list", { threadId: thread.id })
        yield* server.ask("model/list", {})
        yield* server.ask("config/read", {})
        const refused = yield* Effect.flip(
          server.ask("thread/read", { threadId: "00000000-0000-7000-8000-000000000000" })
        )
        expect(refused).toMatchObject({ reason: "REFUSED", code: -32600 })
      })
    )
    expect(findingsOf(lines)).toEqual([])
  })

  it("stops when interrupted", async () => {
    const { lines, value } = await play([{ kind: "hang", deltas: ["I am ", "writing"] }], (server) =>
      Effect.gen(function* () {
        const { thread } = yield* startThread(server)
        const { turn: begun } = yield* server.ask("turn/start", {
          threadId: thread.id,
          input: [{ type: "text", text: "Write", text_elements: [] }]
        })
        yield* server.heard("item/agentMessage/delta")
        yield* server.ask("turn/interrupt", { threadId: thread.id, turnId: begun.id })
        const params = yield* server.heard("turn/completed", isFor(begun.id))
        return (params as { readonly turn: ResultOf<"turn/start">["turn"] }).turn
      })
    )
    expect(value.status).toBe("interrupted")
    expect(findingsOf(lines)).toEqual([])
  })

  it("has findings where something is new or wrong", () => {
    const start = { id: 0, method: "turn/start", params: { threadId: "t", input: [] } }
    const lines: ReadonlyArray<Line> = [
      { from: "client", text: JSON.stringify(start) },
      { from: "server", text: JSON.stringify({ id: 0, result: { turn: { id: "u", status: "dreaming", items: [] } } }) },
      { from: "server", text: JSON.stringify({ method: "turn/dreamed", params: {} }) }
    ]
    const findings = findingsOf(lines)
    expect(findings.some((each) => each.startsWith("drift $.result.turn.status"))).toBe(true)
    expect(findings.some((each) => each.startsWith("Unknown"))).toBe(true)
  })
})
