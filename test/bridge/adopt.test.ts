/**
 * Conversations that were held with the CLI and without a bridge, taken over: the page has what was said, and the agent
 * goes on with it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { type JsonObject, type ModelScript, startModel } from "@agentwire/fixtures"
import { says, text, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Client, makeClient } from "../../packages/bridge/src/client/Client.ts"
import { ManagementError } from "../../packages/bridge/src/client/ManagementError.ts"
import { type CliLauncherOptions, cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { layerSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import { setUp } from "./AgentSetup.ts"
import { agentAt, type ClientAgent, clients, headers, listening, newest, requestText, say } from "./OnBridge.ts"

/** Long enough to be worth a summary. */
const long = (word: string) => says(`${word} `.repeat(400))

/** What the model says in each conversation, told apart by the word that its first prompt begins with. */
const script: ModelScript = {
  replies: [says("What?")],
  lanes: [
    {
      match: "create a detailed summary",
      replies: [says("<analysis>.</analysis><summary>All of it was red.</summary>")]
    },
    { match: "[worker]", replies: [says("The worker is done.")] },
    {
      match: "Amber:",
      replies: [
        says(text("I look."), tool("Bash", { command: "echo from-the-shell", description: "Look" })),
        says("It is amber."),
        says("Noted."),
        says("Amber, as I said."),
        says("Still amber.")
      ]
    },
    {
      match: "Blue:",
      replies: [
        says(
          text("I delegate."),
          tool("Agent|Task", {
            description: "Help",
            prompt: "[worker] Do your part.",
            subagent_type: "general-purpose",
            run_in_background: false
          })
        ),
        says("It is blue."),
        says("Blue, as I said.")
      ]
    },
    { match: "All of it was red.", replies: [says("Red, as the summary says.")] },
    { match: "Red:", replies: [long("one"), long("two"), long("three")] }
  ]
}

/** A conversation: what is said to the CLI, what a page shows of it, and what the model is told when it goes on. */
interface Talk {
  readonly prompts: ReadonlyArray<string>
  /** The beginning of each thing that a page shows, in order. */
  readonly shown: ReadonlyArray<string>
  /** What the model hears once. */
  readonly heard: ReadonlyArray<string>
  /** What it does not hear any more. */
  readonly unheard: ReadonlyArray<string>
  readonly answer: string
}

const talks: Readonly<Record<"tools" | "delegated" | "compacted", Talk>> = {
  tools: {
    prompts: ["Amber: what is it?", "Remember it."],
    shown: [
      "user: Amber: what is it?",
      "assistant: I look.",
      'Bash {"command":"echo from-the-shell","description":"Look"}',
      "tool: from-the-shell",
      "assistant: It is amber.",
      "user: Remember it.",
      "assistant: Noted."
    ],
    heard: ["Amber: what is it?", "I look.", "from-the-shell", "It is amber.", "Remember it.", "Noted."],
    unheard: [],
    answer: "Amber, as I said."
  },
  delegated: {
    prompts: ["Blue: what is it?"],
    shown: [
      "user: Blue: what is it?",
      "assistant: I delegate.",
      'Agent {"description":"Help","prompt":"[worker] Do your part."',
      "tool: ",
      "assistant: The worker is done.",
      "assistant: It is blue."
    ],
    heard: ["Blue: what is it?", "I delegate.", "The worker is done.", "It is blue."],
    unheard: [],
    answer: "Blue, as I said."
  },
  compacted: {
    prompts: ["Red: one", "two", "three", "/compact"],
    // The page has what was said; the agent has what it was told of it.
    shown: [
      "user: Red: one",
      "assistant: one one",
      "user: two",
      "assistant: two two",
      "user: three",
      "assistant: three three",
      "user: /compact",
      "assistant: Compacted"
    ],
    heard: ["All of it was red."],
    unheard: ["Red: one", "one one", "two two"],
    answer: "Red, as the summary says."
  }
}

/** Holds a conversation with the CLI alone, as a program would that reads what it writes. Gives its session. */
const heldWithout = async (
  { cliPath = "", env }: CliLauncherOptions,
  cwd: string,
  prompts: ReadonlyArray<string>
): Promise<string> => {
  const flags = ["-p", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]
  const child = spawn(cliPath, [...flags, "--allowedTools", "Bash Agent Task"], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "inherit"]
  })
  const ended = once(child, "close")
  const [first, ...rest] = prompts.map(
    (content) => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`
  )
  child.stdin.write(first)
  let session = ""
  for await (const line of createInterface(child.stdout)) {
    const message = JSON.parse(line) as JsonObject
    if (typeof message["session_id"] === "string") session = message["session_id"]
    if (message["type"] !== "result") continue
    const next = rest.shift()
    if (next === undefined) child.stdin.end()
    else child.stdin.write(next)
  }
  await ended
  return session
}

/** A page that has joined a thread. */
const joined = async (kit: string, threadId: string, client = newest): Promise<ClientAgent> => {
  const page = agentAt(`${kit}/connect`, client, threadId)
  await page.runAgent()
  const agent = agentAt(`${kit}/run`, client, threadId)
  agent.setMessages(page.messages)
  return agent
}

/** What a person reads, in order: what was said, what was called, and what came of it. */
const readBy = ({ messages }: ClientAgent): ReadonlyArray<string> =>
  messages.flatMap((message) => {
    const { content = "", role } = message
    const said = typeof content === "string" ? content : JSON.stringify(content)
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : []
    return [
      ...(said === "" ? [] : [`${role}: ${said}`]),
      ...calls.map(({ function: { arguments: input, name } }) => `${name} ${input}`)
    ]
  })

/** Says something on a thread that was adopted, which goes on with all that was said. */
const goesOn = async (page: ClientAgent, { answer, heard, unheard }: Talk, asked: ReadonlyArray<JsonObject>) => {
  const before = readBy(page)
  await say(page, "Which colour?").runAgent()
  expect(readBy(page)).toEqual([...before, "user: Which colour?", `assistant: ${answer}`])
  const request = requestText(asked.at(-1))
  for (const part of heard) expect([part, request.split(part).length - 1]).toEqual([part, 1])
  for (const part of unheard) expect(request).not.toContain(part)
  expect(request.endsWith("Which colour?")).toBe(true)
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "fine",
    (error: unknown) => (error instanceof ManagementError ? error.code : String(error))
  )

const adoptableIds = async (client: Client): Promise<ReadonlyArray<string>> =>
  (await client.sessions.adoptable()).conversations.map(({ providerSessionId }) => providerSessionId).sort()

const { compacted, delegated, tools } = talks

describe("conversations that were held without a bridge", () => {
  it.live.each(firstOf(1, ["2.1.325", "2.1.197"]))(
    "with %s are adopted once, with all that was said, and go on, also with the next bridge",
    (version) =>
      Effect.gen(function* () {
        const asked: Array<JsonObject> = []
        const { options, project } = yield* setUp(version, { replies: [] })
        const model = yield* Effect.acquireRelease(
          Effect.promise(() =>
            startModel({ script, onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body)) })
          ),
          ({ close }) => Effect.promise(close)
        )
        const agent: CliLauncherOptions = { ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } }
        const held = yield* Effect.forEach([tools, delegated, compacted], (talk) =>
          Effect.map(
            Effect.promise(() => heldWithout(agent, project, talk.prompts)),
            (id) => ({ id, talk })
          )
        )
        const ids = held.map(({ id }) => id)
        const store = layerSqliteStore({ folder: join(project, "..", "data") })
        const life = (use: (client: Client, kit: string) => Promise<void>) =>
          Effect.scoped(
            listening(cliLauncher(agent), { session: { cwd: project }, store }, ({ kit, url }) =>
              use(makeClient({ url, token: headers.Authorization.replace("Bearer ", "") }), kit)
            )
          )
        yield* life(async (client, kit) => {
          await say(agentAt(`${kit}/run`, newest, "own"), "Of this bridge").runAgent()
          const { providerSessionId: own = "" } = await client.sessions.get("own")
          expect(await adoptableIds(client)).toEqual([...ids].sort())
          for (const id of ids) {
            const twice = [client.sessions.adopt(id), client.sessions.adopt(id)]
            expect((await Promise.all(twice.map(codeOf))).sort()).toEqual(["THREAD_EXISTS", "fine"])
          }
          expect(await adoptableIds(client)).toEqual([])
          for (const id of [...ids, own])
            expect(await codeOf(client.sessions.adopt(id, { threadId: "another" }))).toBe("THREAD_EXISTS")
          for (const { id, talk } of held) {
            const shown = readBy(await joined(kit, id))
            expect(shown.map((line, n) => line.slice(0, talk.shown[n]?.length))).toEqual(talk.shown)
          }
          for (const { id, talk } of held.slice(0, 1)) await goesOn(await joined(kit, id), talk, asked)
        })
        yield* life(async (client, kit) => {
          expect(await adoptableIds(client)).toEqual([])
          expect(await codeOf(client.sessions.adopt(ids[0] ?? "", { threadId: "another" }))).toBe("THREAD_EXISTS")
          for (const { id, talk } of held.slice(1)) await goesOn(await joined(kit, id, clients[1]), talk, asked)
          const page = await joined(kit, ids[0] ?? "", clients[1])
          expect(readBy(page).slice(-2)).toEqual(["user: Which colour?", `assistant: ${tools.answer}`])
          await goesOn(page, { ...tools, heard: [...tools.heard, tools.answer], answer: "Still amber." }, asked)
        })
      }).pipe(Effect.scoped),
    200_000
  )
})
