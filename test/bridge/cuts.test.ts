/**
 * Cuts between a bridge and a real CLI in mid-answer, of its WebSocket and of what it posts: a run gets all that the agent
 * said, or it ends with an error. It never hangs, and never ends well with something missing
 * (docs/wire/claude-code.md §2).
 */
import { existsSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import type { ModelScript } from "@agentwire/fixtures"
import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { WebSocket } from "ws"
import { AgentLauncher } from "../../packages/bridge/src/runtime/claude/Agent.ts"
import { cliArguments } from "../../packages/bridge/src/runtime/claude/CliArguments.ts"
import { findCli } from "../../packages/bridge/src/runtime/claude/CliFinder.ts"
import type { CliLauncherOptions } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { agentEnvironment } from "../../packages/bridge/src/runtime/claude/Environment.ts"
import type { SocketLineLimits } from "../../packages/bridge/src/runtime/claude/SocketLine.ts"
import { makeSocketServer } from "../../packages/bridge/src/runtime/claude/SocketServer.ts"
import { startWebSocketAgent } from "../../packages/bridge/src/runtime/claude/WebSocketAgent.ts"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import { setUp } from "./AgentSetup.ts"
import { within } from "./defects/Waiting.ts"
import { agentAt, approve, conversationOf, listening, type Ran, run, say } from "./OnBridge.ts"

/** The network between the bridge and its CLIs. */
class Network {
  readonly sockets: Array<WebSocket> = []
  #isDown = false
  #word: string | undefined
  #harms: Array<"half" | "answer"> = []
  #broken = 0

  /** Breaks the connection. The CLI can come back at once. */
  cut(): void {
    for (const socket of this.sockets) socket.terminate()
  }

  /** Breaks it until it is repaired. */
  goDown(): void {
    this.#isDown = true
    this.cut()
  }

  /** Lets CLIs through again. */
  comeUp(): void {
    this.#isDown = false
  }

  /** Breaks it when a CLI says something that has a word in it, once. What it says is lost. */
  cutAt(word: string): void {
    this.#word = word
  }

  /** Breaks the next posts: one half way, and one when it has arrived, so that the CLI does not know that it has. */
  breakPosts(): void {
    this.#harms = ["half", "answer"]
  }

  /** How many posts were broken. */
  get broken(): number {
    return this.#broken
  }

  /** A CLI posts; whether that gets through. */
  admitPost(request: IncomingMessage, response: ServerResponse): boolean {
    const harm = this.#isDown ? "half" : this.#harms.shift()
    if (harm === undefined) return true
    this.#broken++
    if (harm === "half") request.once("data", () => request.socket.destroy())
    else {
      response.end = () => {
        response.destroy()
        return response
      }
    }
    return harm === "answer"
  }

  /** A CLI has come; whether it gets through. */
  admit(socket: WebSocket): boolean {
    const emit = socket.emit.bind(socket)
    socket.emit = (name: string, ...args: ReadonlyArray<unknown>): boolean => {
      if (name !== "message" || this.#word === undefined || !String(args[0]).includes(this.#word))
        return emit(name, ...args)
      this.#word = undefined
      socket.terminate()
      return true
    }
    if (this.#isDown) socket.terminate()
    else this.sockets.push(socket)
    return !this.#isDown
  }
}

/** Agents whose connections go over a network. */
const agentsOver = (
  network: Network,
  options: CliLauncherOptions,
  version: string,
  limits: SocketLineLimits,
  posts = false
) =>
  Layer.effect(
    AgentLauncher,
    Effect.map(makeSocketServer(), (server) => ({
      launch: (request) =>
        Effect.gen(function* () {
          const env = agentEnvironment(options.env, options.inherit)
          const cli = yield* findCli({ ...options, env })
          return yield* startWebSocketAgent(
            {
              invite: (key, welcome, posted) =>
                server.invite(
                  key,
                  (socket, upgrade) => void (network.admit(socket) && welcome(socket, upgrade)),
                  posted &&
                    ((request, response) => void (network.admitPost(request, response) && posted(request, response)))
                )
            },
            request.sessionKey,
            (url) => ({
              program: cli.program,
              args: [...cli.args, ...cliArguments(request, version, { _tag: "WebSocket", url })],
              cwd: request.cwd,
              env
            }),
            version,
            { limits, posts, graceMs: 500 }
          )
        })
    }))
  )

/** What a run was, which was cut when its first text came, and the run after it. */
interface Observed {
  readonly first: Ran
  readonly second: Ran
  readonly conversation: ReadonlyArray<readonly [role: string, content: unknown]>
  readonly connections: number
  readonly broken: number
}

/** When a network breaks, and what it lies between. */
interface Cutting {
  readonly limits?: SocketLineLimits
  readonly when?: typeof isText
  /** Whether the CLI posts what it says. */
  readonly posts?: boolean
}

const isText = ({ type }: { readonly type: string }): boolean => type.startsWith("TEXT_MESSAGE_CONTENT")

/** Two prompts, and a network that breaks in the answer to the first. */
const twoTurns = (
  version: string,
  script: ModelScript,
  harm: (network: Network) => void,
  { limits = {}, posts = false, when = isText }: Cutting = {}
): Effect.Effect<Observed> =>
  Effect.gen(function* () {
    const network = new Network()
    const { options, project } = yield* setUp(version, script)
    return yield* listening(
      agentsOver(network, options, version, limits, posts),
      { session: { cwd: project } },
      async ({ url }) => {
        const agent = agentAt(url)
        let isHarmed = false
        const first = await run(say(agent, "One"), {}, (event) => {
          if (isHarmed || !when(event)) return
          isHarmed = true
          harm(network)
        })
        const connections = network.sockets.length
        network.comeUp()
        const second = await run(say(agent, "Two"))
        return { first, second, conversation: conversationOf(agent), connections, broken: network.broken }
      }
    )
  }).pipe(Effect.scoped, Effect.orDie)

/** An answer whose end is spoken while the CLI is away: it needs a second to come back. */
const short = saysWith({ dripMs: 50 }, text("Once ", "upon ", "a ", "time."))

/** An answer that goes on when the CLI is back. */
const long = saysWith({ dripMs: 150 }, text(...Array.from({ length: 30 }, (_, i) => `${i} `)))

/** An answer that only begins when the CLI is back. */
const late = saysWith({ delayMs: 4000 }, text("Once ", "upon ", "a ", "time."))

const cut = (network: Network): void => network.cut()

describe("a cut in mid-answer", () => {
  it.live.each(
    firstOf(1, [
      ["not over when the CLI is back", long],
      ["over before the CLI is back", short]
    ] as const)
  )("of 2.1.37, which does not repeat itself, ends the run when the answer was %s", ([, answer]) =>
    Effect.gen(function* () {
      const { conversation, first, second } = yield* twoTurns("2.1.37", { replies: [answer, says("Second.")] }, cut)
      expect(first.error).toMatchObject({ message: expect.stringContaining("what it said meanwhile is lost") })
      expect(second.error).toBeUndefined()
      expect(conversation.at(-1)).toEqual(["assistant", "Second."])
    })
  )

  it.live.each(
    firstOf(1, [
      ["2.1.37", "STATE_DELTA"],
      ["2.1.120", "CUSTOM"]
    ] as const)
  )("of %s costs nothing when nothing was said meanwhile", ([version, lastWord]) =>
    Effect.gen(function* () {
      const { connections, conversation, first, second } = yield* twoTurns(
        version,
        { replies: [late, says("Second.")] },
        cut,
        // The CLI has sent its `init`, or the `status` after it, and waits for the model.
        { when: ({ type }) => type === lastWord }
      )
      expect(connections).toBe(2)
      expect([first.error, second.error]).toEqual([undefined, undefined])
      expect(conversation).toEqual([
        ["user", "One"],
        ["assistant", "Once upon a time."],
        ["user", "Two"],
        ["assistant", "Second."]
      ])
    })
  )

  it.live.each(
    firstOf(1, [
      ["not over when the CLI is back", long, Array.from({ length: 30 }, (_, i) => `${i} `).join("")],
      ["over before the CLI is back", short, "Once upon a time."]
    ] as const)
  )("of 2.1.120, which repeats itself, costs nothing when the answer was %s", ([, answer, whole]) =>
    Effect.gen(function* () {
      const script = { replies: [answer, says("Second.")] }
      const { connections, conversation, first, second } = yield* twoTurns("2.1.120", script, cut)
      expect(connections).toBe(2)
      expect([first.error, second.error]).toEqual([undefined, undefined])
      expect(conversation).toEqual([
        ["user", "One"],
        ["assistant", whole],
        ["user", "Two"],
        ["assistant", "Second."]
      ])
    })
  )

  it.live.each(
    firstOf(1, [
      ["2.1.37", "one at a time"],
      ["2.1.120", "many at once"],
      ["2.1.92", "many at once"]
    ] as const)
  )("of %s, which posts its lines, %s, costs nothing, wherever it is cut", ([version]) =>
    Effect.gen(function* () {
      const { broken, connections, conversation, first, second } = yield* twoTurns(
        version,
        { replies: [long, says("Second.")] },
        (network) => {
          network.breakPosts()
          network.cut()
        },
        { posts: true }
      )
      expect([broken, connections]).toEqual([2, 2])
      expect([first.error, second.error]).toEqual([undefined, undefined])
      expect(conversation).toEqual([
        ["user", "One"],
        ["assistant", Array.from({ length: 30 }, (_, i) => `${i} `).join("")],
        ["user", "Two"],
        ["assistant", "Second."]
      ])
    })
  )

  it.live.each(firstOf(1, ["2.1.37", "2.1.120"]))("of %s that a question was written into costs nothing", (version) =>
    Effect.gen(function* () {
      const network = new Network()
      const touch = tool("Bash", { command: "touch wanted", description: "Make a file" })
      const { options, project } = yield* setUp(version, { replies: [says(touch), says("Done.")] })
      yield* listening(
        agentsOver(network, options, version, {}),
        { session: { cwd: project, approvals: "interrupt" } },
        async ({ url }) => {
          const agent = agentAt(url)
          network.cutAt('"can_use_tool"')
          expect((await within("the question", run(say(agent, "One")))).error).toBeUndefined()
          expect(network.sockets).toHaveLength(2)
          expect(agent.pendingInterrupts).toHaveLength(1)
          expect((await within("the answer", approve(agent))).error).toBeUndefined()
          expect(conversationOf(agent).at(-1)).toEqual(["assistant", "Done."])
          expect(existsSync(join(project, "wanted"))).toBe(true)
        }
      )
    }).pipe(Effect.scoped, Effect.orDie)
  )

  it.live.each(firstOf(1, ["2.1.37", "2.1.120"]))("of %s that lasts ends the run", (version) =>
    Effect.gen(function* () {
      const { conversation, first, second } = yield* twoTurns(
        version,
        { replies: [short, says("Second.")] },
        (network) => network.goDown(),
        { limits: { awayLimitMs: 3000 } }
      )
      expect(first.error).toMatchObject({ message: expect.stringContaining("it did not come back") })
      expect(second.error).toBeUndefined()
      expect(conversation.at(-1)).toEqual(["assistant", "Second."])
    })
  )
})
