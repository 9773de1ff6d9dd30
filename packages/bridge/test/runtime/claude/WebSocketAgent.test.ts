/** An agent over WebSocket, with programs in the CLI's place whose sockets come and go. */
import { createRequire } from "node:module"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import type { Agent } from "../../../src/runtime/claude/Agent.ts"
import { makeSocketServer } from "../../../src/runtime/claude/SocketServer.ts"
import { startWebSocketAgent, type WebSocketAgentOptions } from "../../../src/runtime/claude/WebSocketAgent.ts"
import { result } from "../../AgentLines.ts"
import { livingIn, nodeCommand, scratch } from "../../FakeCli.ts"

/** Like the CLI: connects, takes whole lines only, and connects again when the socket is lost. */
const cli = (onLine: string, onOpen = "") => `
const { WebSocket } = require(${JSON.stringify(createRequire(import.meta.url).resolve("ws"))})
let socket, times = 0, lastWritten, stays = false
const say = (value) => socket.send(JSON.stringify({ type: "keep_alive", ...value }) + "\\n")
const connect = () => {
  let rest = ""
  const mine = socket = new WebSocket(process.argv[2], { headers: {
    authorization: "Bearer " + process.env.CLAUDE_CODE_SESSION_ACCESS_TOKEN,
    ...(lastWritten && { "x-last-request-id": lastWritten })
  } })
  mine.on("open", () => { times++; ${onOpen} })
  mine.on("message", (data) => {
    const lines = (rest + data).split("\\n")
    rest = lines.pop()
    for (const line of lines) { const message = JSON.parse(line); ${onLine} }
  })
  mine.on("error", () => {})
  mine.on("close", () => stays || setTimeout(connect, 100))
}
connect()
`

const start = (script: string, options: WebSocketAgentOptions = {}, version = "2.1.37") =>
  Effect.gen(function* () {
    const folder = yield* scratch
    const server = yield* makeSocketServer()
    const command = nodeCommand(folder, script)
    const starting = startWebSocketAgent(
      server,
      "session",
      (url) => ({ ...command, args: [...command.args, url] }),
      version,
      options
    )
    return { starting, folder }
  })

const messageOf = (agent: Agent) =>
  Effect.map(Queue.take(agent.messages), (decoded) => (decoded._tag === "Known" ? decoded.message : decoded))

describe("WebSocketAgent", () => {
  it.live("sends lines and hears them, and is gone with its scope", () =>
    Effect.gen(function* () {
      const { folder, starting } = yield* start(cli("say({ got: message.n })"))
      const scope = yield* Scope.make()
      const agent = yield* Scope.provide(starting, scope)
      for (let n = 0; n < 50; n++) yield* agent.send({ type: "user", n })
      for (let n = 0; n < 50; n++) expect(yield* messageOf(agent)).toMatchObject({ got: n })
      yield* Scope.close(scope, Exit.void)
      expect(yield* agent.exit).toMatchObject({ signal: "SIGTERM" })
      expect(livingIn(folder)).toEqual([])
      expect(yield* Queue.collect(agent.messages)).toEqual([])
      expect(yield* Effect.flip(agent.send({}))).toMatchObject({ _tag: "AgentGone" })
    })
  )

  it.live("keeps what is sent while the socket is away, in order, and once", () =>
    Effect.gen(function* () {
      const drops = `if (message.drop) mine.terminate(); else say({ got: message.n, times })`
      const { starting } = yield* start(cli(drops))
      const agent = yield* starting
      yield* agent.send({ type: "user", n: 1 })
      expect(yield* messageOf(agent)).toMatchObject({ got: 1, times: 1 })
      yield* agent.send({ type: "user", drop: true })
      // By the time the CLI is back these wait: an answer on the first socket would say `times: 1`.
      yield* Effect.sleep("50 millis")
      for (const n of [2, 3, 4]) yield* agent.send({ type: "user", n })
      for (const n of [2, 3, 4]) expect(yield* messageOf(agent)).toMatchObject({ got: n, times: 2 })
      yield* agent.send({ type: "user", n: 5 })
      expect(yield* messageOf(agent)).toMatchObject({ got: 5, times: 2 })
    })
  )

  it.live("repeats what never arrived where twice does no harm, and no other prompt", () =>
    Effect.gen(function* () {
      // Says it will not read any more, and breaks the socket when it is told to on another way: after a while.
      const deaf = `
        if (message.deaf) { mine.pause(); say({ deaf: true }); setTimeout(() => mine.terminate(), 300) }
        else say({ got: message.request_id ?? message.uuid ?? message.n, times })`
      const { starting } = yield* start(cli(deaf))
      const agent = yield* starting
      yield* agent.send({ type: "user", deaf: true })
      expect(yield* messageOf(agent)).toMatchObject({ deaf: true })
      yield* agent.send({ type: "control_request", request_id: "r1", request: {} })
      yield* agent.send({ type: "user", n: "may have run" })
      yield* agent.send({ type: "user", uuid: "u1" })
      for (const got of ["r1", "u1"]) expect(yield* messageOf(agent)).toMatchObject({ got, times: 2 })
      yield* agent.send({ type: "user", n: "last" })
      expect(yield* messageOf(agent)).toMatchObject({ got: "last" })
    })
  )

  it.live("reads what an old socket still holds before the new ones", () =>
    Effect.gen(function* () {
      // A second and a third socket are opened while much of the first is on its way.
      const script = cli(
        "",
        `const count = times === 1 ? 5000 : 10
         for (let n = 0; n < count; n++) mine.send(JSON.stringify({ type: "keep_alive", n, pad: "x".repeat(500) }) + "\\n")
         if (times < 3) connect()`
      )
      const { starting } = yield* start(script, { limits: { maxMessages: 8 } })
      const agent = yield* starting
      const heard = yield* Effect.forEach(Array.from({ length: 5020 }), () => messageOf(agent))
      expect(heard.map((each) => ("n" in each ? each.n : each))).toEqual([
        ...Array.from({ length: 5000 }, (_, n) => n),
        ...Array.from({ length: 10 }, (_, n) => n),
        ...Array.from({ length: 10 }, (_, n) => n)
      ])
    })
  )

  /** Writes two messages, the second into a cut, and does something when it is back. */
  const losing = (back: string) =>
    cli(
      `if (message.type === "user") { say({ uuid: "one" }); lastWritten = "two"; mine.terminate() }`,
      `if (times > 1) { ${back} }`
    )

  it.live.each([
    ["2.1.37, which sends nothing again", "2.1.37", "say({ uuid: 'three' })"],
    ["2.1.120 that has not kept what is missing", "2.1.120", "say({ uuid: 'three' })"],
    ["2.1.120 that sends nothing again", "2.1.120", ""],
    ["2.1.60, of which nobody knows, with something new", "2.1.60", "say({ uuid: 'three' })"],
    ["2.1.60 that says nothing", "2.1.60", ""]
  ] as const)("ends %s, when something was lost", ([, version, back]) =>
    Effect.gen(function* () {
      const { folder, starting } = yield* start(losing(back), { limits: { resendLimitMs: 500 } }, version)
      const agent = yield* starting
      yield* agent.send({ type: "user" })
      const heard = yield* Queue.collect(agent.messages)
      expect(heard.map((each) => (each._tag === "Known" ? each.message : each))).toMatchObject([{ uuid: "one" }])
      expect(yield* agent.exit).toMatchObject({ stderr: expect.stringContaining("what it said meanwhile is lost") })
      expect(livingIn(folder)).toEqual([])
    })
  )

  it.live.each(["2.1.120", "2.1.60"])("%s goes on when it sends again what is missing", (version) =>
    Effect.gen(function* () {
      const again = `for (const uuid of ["one", "two", "three"]) say({ uuid })`
      const { starting } = yield* start(losing(again), { limits: { resendLimitMs: 500 } }, version)
      const agent = yield* starting
      yield* agent.send({ type: "user", uuid: "a prompt" })
      for (const uuid of ["one", "one", "two", "three"]) expect(yield* messageOf(agent)).toMatchObject({ uuid })
      yield* Effect.sleep("700 millis") // longer than the limit
      yield* agent.send({ type: "user" })
      expect(yield* messageOf(agent)).toMatchObject({ uuid: "one" })
    })
  )

  it.live("asks a CLI that is back what it still waits for, and hears what was lost, once", () =>
    Effect.gen(function* () {
      const question = (id: string) => ({ type: "control_request", request_id: id, request: { subtype: "from_afar" } })
      const script = cli(
        `if (message.type === "user") { say({ uuid: "one" }); say(${JSON.stringify(question("heard"))}); mine.close() }
         else if (message.type === "control_request")
           say({ type: "control_response", response: { subtype: "error", request_id: message.request_id,
             error: "Already initialized",
             pending_permission_requests: ${JSON.stringify([question("heard"), question("lost")])} } })
         else say({ uuid: "last" })`,
        `lastWritten = "one"`
      )
      const { starting } = yield* start(script, {}, "2.1.37")
      const agent = yield* starting
      yield* agent.send({ type: "user" })
      expect(yield* messageOf(agent)).toMatchObject({ uuid: "one" })
      for (const request_id of ["heard", "lost"])
        expect(yield* Queue.take(agent.messages)).toMatchObject({ _tag: "Unknown", raw: { request_id } })
      yield* agent.send({ type: "keep_alive" })
      expect(yield* messageOf(agent)).toMatchObject({ uuid: "last" })
    })
  )

  /** Like the CLI in the hybrid transport: hears over its socket, posts what it says, and posts it again when that fails. */
  const posting = (onLine: string) => `
    ${cli(onLine)}
    const place = process.argv[2].replace("ws://", "http://").replace("/ws/", "/session/") + "/events"
    const post = (events) => fetch(place, {
      method: "POST",
      headers: { authorization: "Bearer " + process.env.CLAUDE_CODE_SESSION_ACCESS_TOKEN },
      body: JSON.stringify({ events })
    })
    const tell = (n) => ({ type: "keep_alive", uuid: "u" + n, n, posts: process.env.CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2 })
  `

  it.live("hears what a CLI posts, each line once, while its socket comes and goes", () =>
    Effect.gen(function* () {
      const { folder, starting } = yield* start(
        posting(`
          if (message.drop) mine.terminate()
          else post([tell(message.n)]).then(() => post([tell(message.n), tell(message.n + 0.5)]))`),
        { posts: true }
      )
      const scope = yield* Scope.make()
      const agent = yield* Scope.provide(starting, scope)
      expect(agent.transport).toBe("hybrid")
      for (const n of [1, 2, 3]) {
        yield* agent.send({ type: "user", n })
        expect(yield* messageOf(agent)).toMatchObject({ n, posts: "1" })
        expect(yield* messageOf(agent)).toMatchObject({ n: n + 0.5 })
        yield* agent.send({ type: "user", drop: true })
      }
      yield* Scope.close(scope, Exit.void)
      expect(livingIn(folder)).toEqual([])
    })
  )

  it.live("answers a CLI that has noted its question only after the answer had come", () =>
    Effect.gen(function* () {
      // As the CLI where the answer is quick: what it asks is noted only after the first answer has come.
      const script = posting(`
        if (message.type === "user")
          post([{ type: "control_request", request_id: "r", request: { subtype: "from_afar" } }])
        else if (message.type === "control_response") {
          post([tell(noted ? "answered" : "too soon")])
          noted = true
        }`).replace("let socket", "let noted = false, socket")
      const { starting } = yield* start(script, { posts: true })
      const agent = yield* starting
      yield* agent.send({ type: "user" })
      yield* messageOf(agent)
      yield* agent.send({ type: "control_response", response: { subtype: "success", request_id: "r" } })
      expect(yield* messageOf(agent)).toMatchObject({ n: "too soon" })
      expect(yield* messageOf(agent)).toMatchObject({ n: "answered" })
    })
  )

  it.live("hears all that a CLI has posted before it ends", () =>
    Effect.gen(function* () {
      const script = posting(
        `post(Array.from({ length: 300 }, (_, n) => tell(n))).then(() => {
           // Written and never waited for, as the CLI does when it is told to end.
           const request = require("node:http").request(place, { method: "POST", headers: {
             authorization: "Bearer " + process.env.CLAUDE_CODE_SESSION_ACCESS_TOKEN } })
           request.end(JSON.stringify({ events: [tell("last")] }), () => process.exit(0))
         })`
      )
      const { starting } = yield* start(script, { posts: true })
      const agent = yield* starting
      yield* agent.send({ type: "user" })
      const heard = yield* Queue.collect(agent.messages)
      expect(heard).toHaveLength(301)
      expect(heard.at(-1)).toMatchObject({ message: { n: "last" } })
    })
  )

  it.live("ends one that posts more than there may be at once", () =>
    Effect.gen(function* () {
      const script = posting(`post([{ ...tell(1), pad: "x".repeat(100_000) }]).catch(() => {})`)
      const { folder, starting } = yield* start(script, { posts: true, limits: { maxLineBytes: 10_000 } })
      const agent = yield* starting
      yield* agent.send({ type: "user" })
      expect(yield* agent.exit).toMatchObject({ stderr: expect.stringContaining("longer than the limit") })
      expect(livingIn(folder)).toEqual([])
    })
  )

  it.live.each([
    ["posts", { posts: true }, { proxied: "10.0.0.1,127.0.0.1", posts: "1" }],
    ["does not", {}, { proxied: "10.0.0.1,127.0.0.1", posts: undefined }]
  ] as const)("connects past a proxy, and %s, whatever it inherits", ([, options, expected]) =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const server = yield* makeSocketServer()
      const tells = `say({ proxied: process.env.no_proxy, posts: process.env.CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2 })`
      const command = nodeCommand(folder, cli(tells), {
        HTTP_PROXY: "http://127.0.0.1:1",
        NO_PROXY: "10.0.0.1",
        CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: "yes"
      })
      const commandOf = (url: string) => ({ ...command, args: [...command.args, url] })
      const agent = yield* startWebSocketAgent(server, "session", commandOf, "2.1.37", options)
      yield* agent.send({ type: "user" })
      const told = yield* messageOf(agent)
      expect(told).toMatchObject({ proxied: expected.proxied })
      expect("posts" in told ? told.posts : undefined).toBe(expected.posts)
    })
  )

  it.live("ends one that does not come back", () =>
    Effect.gen(function* () {
      const { folder, starting } = yield* start(cli(`stays = true; mine.terminate(); setInterval(() => {}, 1000)`), {
        limits: { awayLimitMs: 300 }
      })
      const agent = yield* starting
      yield* agent.send({ type: "user" })
      expect(yield* agent.exit).toMatchObject({ stderr: expect.stringContaining("it did not come back") })
      expect(livingIn(folder)).toEqual([])
    })
  )

  it.live("makes a sender wait when too much is on its way", () =>
    Effect.gen(function* () {
      const { starting } = yield* start(cli("if (message.deaf) { mine.pause(); say({}) }"), {
        limits: { maxUnconfirmed: 4 }
      })
      const agent = yield* starting
      yield* agent.send({ type: "user", deaf: true })
      yield* messageOf(agent)
      const sending = Effect.forEach([1, 2, 3, 4, 5, 6], (n) => agent.send({ type: "user", n }))
      expect((yield* Effect.timeoutOption(sending, "300 millis"))._tag).toBe("None")
    })
  )

  it.live("fails when it ends before it connects, with its last words", () =>
    Effect.gen(function* () {
      const { starting } = yield* start(`console.error("rejected"); process.exit(1)`)
      expect(yield* Effect.flip(starting)).toMatchObject({
        code: "SPAWN_FAILED",
        message: expect.stringContaining("rejected")
      })
    })
  )

  it.live("has said why when it does not begin where it should, as over stdio, and has ended", () =>
    Effect.gen(function* () {
      const refusal = { ...result(), subtype: "error_during_execution", is_error: true, errors: ["No message found"] }
      // The CLI says so and ends without connecting. What else is on its standard output is not for us.
      const lines = ["A warning.", JSON.stringify(refusal)].join("\n")
      const { starting } = yield* start(`process.stdout.write(${JSON.stringify(`${lines}\n`)})`)
      const agent = yield* starting
      expect(yield* Effect.exit(messageOf(agent))).toMatchObject({ value: { errors: ["No message found"] } })
      expect(yield* agent.exit).toMatchObject({ code: 0 })
      expect(Exit.isFailure(yield* Effect.exit(messageOf(agent)))).toBe(true)
      expect(yield* Effect.flip(agent.send({}))).toMatchObject({ _tag: "AgentGone" })
    })
  )

  it.live("fails when it never connects", () =>
    Effect.gen(function* () {
      const { starting } = yield* start("setInterval(() => {}, 1000)", { connectLimitMs: 300 })
      expect(yield* Effect.flip(starting)).toMatchObject({
        code: "SPAWN_FAILED",
        message: expect.stringContaining("300 ms")
      })
    })
  )
})
