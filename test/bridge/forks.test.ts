/**
 * Going back, forks and siblings with real CLIs: what the API shows of a thread is what the model is sent with the next
 * prompt, and what was said elsewhere stays as it was.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { type JsonObject, type ModelScript, startModel } from "@agentwire/fixtures"
import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import type { Agui } from "@agentwire/protocol"
import { isRecord } from "@agentwire/protocol/wire"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Client, makeClient } from "../../packages/bridge/src/client/Client.ts"
import type { ManagementError } from "../../packages/bridge/src/client/ManagementError.ts"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { layerSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import { setUp } from "./AgentSetup.ts"
import { allowAlways, headers, listening } from "./OnBridge.ts"

const token = headers.Authorization.slice("Bearer ".length)

/** What a test does with the bridges of a store, one after the other. */
interface Lives {
  readonly home: string
  /** What the model was asked about the conversation, as the API saw it. */
  readonly asked: () => ReadonlyArray<JsonObject>
  /** `store`: one of several folders to keep threads in. */
  readonly life: (use: (client: Client) => Promise<void>, store?: string) => Promise<void>
}

const lives = (
  version: string,
  script: ModelScript,
  use: (lives: Lives) => Promise<void>,
  transport: "stdio" | "ws" = "stdio"
) =>
  Effect.gen(function* () {
    const asked: Array<JsonObject> = []
    const { options, project } = yield* setUp(version, { replies: [] }, { transport })
    const model = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startModel({ script, onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body)) })
      ),
      ({ close }) => Effect.promise(close)
    )
    const agents = cliLauncher({ ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } })
    const life: Lives["life"] = (live, folder = "data") =>
      Effect.runPromise(
        Effect.scoped(
          listening(
            agents,
            {
              session: { cwd: project, policy: allowAlways },
              store: layerSqliteStore({ folder: join(project, "..", folder) })
            },
            ({ url }) => live(makeClient({ url, token }))
          )
        )
      )
    const isMain = ({ tools }: JsonObject): boolean => Array.isArray(tools) && tools.length > 0
    const home = options.env?.["HOME"] ?? ""
    yield* Effect.promise(() => use({ home, life, asked: () => asked.filter(isMain) }))
  }).pipe(Effect.scoped)

/** What a request to the model says of the conversation, without the CLI's own words. */
const contextOf = (body: JsonObject | undefined): ReadonlyArray<string> => {
  const messages = Array.isArray(body?.["messages"]) ? body["messages"] : []
  return messages
    .flatMap((message) => {
      const content = isRecord(message) && message["role"] !== "system" ? message["content"] : []
      return (Array.isArray(content) ? content : [content]).flatMap((block): ReadonlyArray<string> => {
        if (!isRecord(block)) return [String(block).trim()]
        if (block["type"] === "tool_use") return [`call ${block["id"]}`]
        if (block["type"] === "tool_result") return [textOf(block["content"])]
        return [String(block["text"]).trim()]
      })
    })
    .filter((said) => !said.startsWith("<system-reminder>"))
}

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : (Array.isArray(content) ? content : []).map((part) => (isRecord(part) ? String(part["text"]) : "")).join("")

/** What messages say, as the model is sent it. */
const wordsOf = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<string> =>
  messages.flatMap((message) => [
    ...(message.content === undefined || message.content === "" ? [] : [textOf(message.content)]),
    ...(message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => `call ${id}`) : [])
  ])

const messagesOf = async (client: Client, threadId: string, branch?: number): Promise<ReadonlyArray<Agui.Message>> =>
  (await client.sessions.messages(threadId, branch === undefined ? {} : { branch })).messages

/** All that can be read, by thread and branch. */
const allOf = async (client: Client): Promise<Readonly<Record<string, unknown>>> => {
  const all: Record<string, unknown> = {}
  for (const { threadId } of (await client.sessions.list()).sessions)
    for (const { branch, ...about } of (await client.sessions.branches(threadId)).branches)
      all[`${threadId} ${branch}`] = { ...about, said: wordsOf(await messagesOf(client, threadId, branch)) }
  return all
}

const idOf = async (client: Client, threadId: string, words: string): Promise<string> =>
  (await messagesOf(client, threadId)).find(({ content }) => content === words)?.id ?? "no such message"

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    ({ code }: ManagementError) => code
  )

/** Says something, and waits for the end of its run. */
const say = async (client: Client, threadId: string, content: string): Promise<unknown> => {
  const { from, runId } = await client.sessions.send(threadId, { content })
  for await (const { data, event } of client.sessions.events(threadId, { from }))
    if (event === "message" && ((data.type === "RUN_FINISHED" && data.runId === runId) || data.type === "RUN_ERROR"))
      return data
  throw new Error("the session was closed")
}

/** Says something, of which the model is sent what the API shows, and that. */
const speaking =
  ({ asked }: Lives) =>
  async (client: Client, threadId: string, content: string): Promise<void> => {
    const shown = wordsOf(await messagesOf(client, threadId))
    const before = asked().length
    expect(await say(client, threadId, content)).toMatchObject({ type: "RUN_FINISHED" })
    expect(contextOf(asked()[before])).toEqual([...shown, content])
  }

const hanging = saysWith({ break: { how: "hang", afterEvents: 4 } }, text("Once ", "upon ", "a time"))

describe.each(firstOf(1, ["2.1.325", "2.1.37"]))("with Claude Code %s", (version) => {
  it.live("a thread goes back, forks and goes on with its siblings, also after a restart", () =>
    lives(
      version,
      {
        replies: [
          says("First."),
          says(text("I look."), tool("Bash", { command: "printf found", description: "Look" })),
          says("Second."),
          says("Third."),
          says("Third again."),
          says("After the tool."),
          says("With the sibling."),
          says("In the fork."),
          hanging,
          says("In the fork of the open turn."),
          says("After all.")
        ]
      },
      async (place) => {
        const speak = speaking(place)
        let before: Readonly<Record<string, unknown>> = {}
        await place.life(async (client) => {
          await client.sessions.create({ threadId: "t" })
          await speak(client, "t", "one")
          await speak(client, "t", "two")
          await speak(client, "t", "three")
          const whole = await messagesOf(client, "t")

          await client.sessions.revert("t", { messageId: await idOf(client, "t", "Second.") })
          expect(wordsOf(await messagesOf(client, "t"))).toEqual(wordsOf(whole).slice(0, -2))
          await speak(client, "t", "three, again")

          // The call, its text and its result stay together.
          await client.sessions.revert("t", { messageId: await idOf(client, "t", "I look.") })
          expect((await messagesOf(client, "t")).at(-1)).toMatchObject({ role: "tool", content: "found" })
          await speak(client, "t", "and now?")

          await client.sessions.revert("t", { branch: 0 })
          expect(await messagesOf(client, "t")).toEqual(whole)
          await speak(client, "t", "on with it")

          const old = await messagesOf(client, "t")
          const forked = await client.sessions.fork("t", {
            threadId: "f",
            beforeMessageId: await idOf(client, "t", "two")
          })
          expect(forked).toMatchObject({ forkOf: "t", title: "one (fork)", status: "idle" })
          await speak(client, "f", "two, in the fork")
          expect(await messagesOf(client, "t")).toEqual(old)

          // In the middle of a turn.
          const { from } = await client.sessions.send("t", { content: "tell me a story" })
          for await (const { data, event } of client.sessions.events("t", { from }))
            if (event === "message" && data.type === "TEXT_MESSAGE_CONTENT" && data.delta === "Once ") break
          await client.sessions.fork("t", { threadId: "g" })
          expect(await messagesOf(client, "g"), "nothing was answered yet").toEqual(old)
          await speak(client, "g", "a short one")
          expect((await client.sessions.get("t")).status).toBe("active")
          await client.sessions.revert("t", { beforeMessageId: await idOf(client, "t", "tell me a story") })
          expect(await messagesOf(client, "t")).toEqual(old)

          // Nothing is said before the restart.
          await client.sessions.revert("t", { messageId: await idOf(client, "t", "First.") })
          await client.sessions.fork("f", { threadId: "h", title: "Another" })
          before = await allOf(client)
        })
        await place.life(async (client) => {
          expect(await allOf(client)).toEqual(before)
          for (const threadId of ["t", "h", "f", "g"]) await speak(client, threadId, `now ${threadId}`)
          const { branches } = await client.sessions.branches("t")
          expect(branches.map(({ current, firstWords, messages }) => [firstWords, messages, current])).toEqual([
            ["now t", 2, true],
            ["on with it", 4, false],
            ["and now?", 2, false],
            ["three, again", 2, false],
            ["one", 8, false]
          ])
        })
      }
    )
  )
})

describe.each(
  firstOf(1, [
    ["2.1.325", "stdio"],
    ["2.1.37", "ws"],
    ["2.1.37", "stdio"]
  ] as const)
)("with Claude Code %s over %s", (version, transport) => {
  it.live("a point that the CLI does not find is refused, and nothing has changed", () =>
    lives(
      version,
      { replies: [says("First."), says("Second."), says("Third.")] },
      async (place) => {
        const speak = speaking(place)
        await place.life(async (client) => {
          await client.sessions.create({ threadId: "t" })
          await speak(client, "t", "one")
          await speak(client, "t", "two")
          await client.sessions.fork("t", { threadId: "f" })
          const before = await allOf(client)
          // 2.1.37 writes what is left of its session as it ends.
          await client.sessions.disconnect("t")
          const [projects, away] = [join(place.home, ".claude", "projects"), join(place.home, "away")]
          renameSync(projects, away)
          mkdirSync(projects)
          expect(readdirSync(away).length).toBeGreaterThan(0)
          const messageId = await idOf(client, "t", "First.")
          expect(await codeOf(client.sessions.revert("t", { messageId }))).toBe("BRANCH_UNAVAILABLE")
          expect(await allOf(client)).toEqual(before)
          expect(await say(client, "f", "three")).toMatchObject({ type: "RUN_ERROR", code: "BRANCH_UNAVAILABLE" })
          rmSync(projects, { recursive: true })
          renameSync(away, projects)
          await speak(client, "t", "three")
        })
      },
      transport
    )
  )
})

describe("a conversation that was begun elsewhere", () => {
  it.live("can be gone back to and forked at each of its messages", () =>
    lives(
      "2.1.325",
      {
        replies: [
          says("First."),
          says(text("I look."), tool("Bash", { command: "printf found", description: "Look" })),
          says("Second."),
          says("Again.")
        ]
      },
      async (place) => {
        const speak = speaking(place)
        let said: ReadonlyArray<string> = []
        await place.life(async (client) => {
          await client.sessions.create({ threadId: "t" })
          await speak(client, "t", "one")
          await speak(client, "t", "two")
          said = wordsOf(await messagesOf(client, "t"))
        })
        // To a bridge that does not know it, all that there is is the file that the CLI has written.
        await place.life(async (client) => {
          const [found] = (await client.sessions.adoptable()).conversations
          await client.sessions.adopt(found?.providerSessionId ?? "", { threadId: "a" })
          const whole = await messagesOf(client, "a")
          expect(wordsOf(whole)).toEqual(said)
          for (const { id, role } of whole) {
            const { messageId } = await client.sessions.revert("a", { messageId: id })
            const kept = await messagesOf(client, "a")
            expect(kept).toEqual(whole.slice(0, kept.length))
            expect([messageId, kept.some((each) => each.id === id)]).toEqual([kept.at(-1)?.id, true])
            // A message with calls, and each of their results, are one point.
            if (role === "tool") continue
            await speak(client, "a", "again")
            const { threadId } = await client.sessions.fork("a", { messageId: id })
            expect(await messagesOf(client, threadId)).toEqual(kept)
            await speak(client, threadId, "in a fork")
          }
          expect(await messagesOf(client, "a", 0)).toEqual(whole)
        }, "elsewhere")
      }
    )
  )
})
