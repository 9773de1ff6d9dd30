/**
 * Options of a session in the hands of the real CLI: each is seen to take effect, where the model's API, the agent's own
 * words or a tool show it. What a version does not know is said, not left out.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ManagementError, makeClient } from "@agentwire/bridge/client"
import { type JsonObject, startMcpHttp } from "@agentwire/fixtures"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { sessionOptionNames } from "../../packages/bridge/src/session/OptionRules.ts"
import { firstOf, sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { agentAt, type Client, headers, newest, onBridge, type Place, run, say, withClientsOn } from "./OnBridge.ts"

const clientOf = ({ url }: Pick<Place, "url">) =>
  makeClient({ url, token: headers.Authorization.slice("Bearer ".length) })

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: unknown) => (error instanceof ManagementError ? (error.why ?? error.code) : String(error))
  )

const allowed = { http: { sessionOptions: sessionOptionNames } }

/** What the model was asked in the conversation itself: titles and the like have no tools. */
const mainRequests = (asked: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  asked.filter(({ tools }) => Array.isArray(tools) && tools.length > 0)

const toolNames = ({ tools }: JsonObject): ReadonlyArray<unknown> =>
  (tools as ReadonlyArray<{ readonly name: string }>).map(({ name }) => name)

/** The versions, and whether each knows efforts: every day the newest and the one that differs most. */
const versions = [
  ["2.1.325", true],
  ["2.1.37", false],
  ...(sweeping
    ? ([
        ["2.1.197", true],
        ["2.1.120", true]
      ] as const)
    : [])
] as const

describe.each(versions)("the options of a session with Claude Code %s", (version, knowsEffort) => {
  it.live("take effect, all of them at once", () =>
    onBridge(
      [version, "stdio"],
      {
        replies: [
          says(tool("Read", { file_path: "../further/a.txt" })),
          says(tool("Bash", { command: "printenv FRUIT", description: "Print" })),
          says(tool("StructuredOutput", { n: 4 })),
          says("Done.")
        ]
      },
      allowed,
      async (place) => {
        const mcp = await startMcpHttp([
          { name: "hello", description: "Says hello.", inputSchema: { type: "object" }, result: { content: [] } }
        ])
        try {
          const client = clientOf(place)
          const [cwd, further] = [join(place.project, "work"), join(place.project, "further")]
          mkdirSync(cwd)
          mkdirSync(further)
          writeFileSync(join(further, "a.txt"), "from further away\n")
          const made = await client.sessions.create({
            threadId: "t",
            cwd,
            model: "claude-opus-4-6",
            permissionMode: "acceptEdits",
            systemPrompt: "You are a test of options.",
            appendSystemPrompt: "And brief.",
            allowedTools: ["Bash(printenv:*)"],
            disallowedTools: ["WebFetch"],
            addDirs: [further],
            env: { FRUIT: "pear" },
            mcpServers: {
              web: { type: "http", url: mcp.url, headers: { Authorization: "Bearer hunter2" }, alwaysLoad: true }
            },
            agents: { poet: { description: "Writes poems of the sea", prompt: "You write poems." } },
            jsonSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
            maxTurns: 9,
            maxBudgetUsd: 5,
            hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "touch hooked.txt" }] }] },
            ...(knowsEffort && { effort: "low" as const })
          })
          expect(JSON.stringify(made)).not.toContain("hunter2")
          const agent = say(agentAt(place.url, newest, "t"), "Go.")
          const tools = [{ name: "paint", description: "Paints.", parameters: { type: "object", properties: {} } }]
          const { error, events } = await run(agent, { tools })
          expect(error).toBeUndefined()
          expect(events.at(-1)).toMatchObject({ type: "RUN_FINISHED", result: { n: 4 } })

          const [first, second, third] = mainRequests(place.asked)
          if (first === undefined) throw new Error("the model was not asked")
          expect(first["model"]).toBe("claude-opus-4-6")
          expect(JSON.stringify(first["system"])).toContain("You are a test of options.\\n\\nAnd brief.")
          expect(toolNames(first)).toEqual(
            expect.arrayContaining(["StructuredOutput", "mcp__web__hello", "mcp__frontend__paint"])
          )
          expect(toolNames(first)).not.toContain("WebFetch")
          expect(JSON.stringify(first)).toContain("Writes poems of the sea")
          expect(first["output_config"]).toEqual(knowsEffort ? { effort: "low" } : undefined)
          expect(JSON.stringify(second)).toContain("from further away")
          expect(JSON.stringify(third)).toContain('"pear')
          expect(existsSync(join(cwd, "hooked.txt"))).toBe(true)

          const { init } = await client.sessions.get("t")
          expect(init).toMatchObject({ permissionMode: "acceptEdits", agents: expect.arrayContaining(["poet"]) })
          const { mcpServers } = await client.mcp.status("t")
          expect(mcpServers.find(({ name }) => name === "web")).toMatchObject({ status: "connected" })
          expect(JSON.stringify(mcpServers)).not.toContain("hunter2")
        } finally {
          await mcp.close()
        }
      }
    )
  )
})

describe("an option that a version does not know", () => {
  it.live("is said, and the agent is not started", () =>
    onBridge(["2.1.37", "stdio"], { replies: [] }, allowed, async (place) => {
      const client = clientOf(place)
      await client.sessions.create({ threadId: "t", effort: "low" })
      const failed = await client.sessions.start("t").catch((error: unknown) => error)
      expect(failed).toMatchObject({ code: "START_FAILED", why: "OPTION_UNSUPPORTED" })
      expect(String(failed)).toContain("Claude Code 2.1.37 does not know the option effort")
      const { error } = await run(say(agentAt(place.url, newest, "t"), "Go."))
      expect(error?.code).toBe("OPTION_UNSUPPORTED")
      expect(place.asked).toEqual([])
    })
  )
})

/** The CLIs that files are put back on, and how their bytes travel. */
const wires = [
  ["2.1.325", "stdio"],
  ["2.1.37", "ws"]
] as const

describe.each(firstOf(1, wires))("files that Claude Code %s changed", (version, transport) => {
  const write = (content: string) => says(tool("Write", { file_path: "a.txt", content }))

  const rewound = (client: Client) =>
    onBridge(
      [version, transport],
      {
        replies: [
          write("one\n"),
          says("Done."),
          says(tool("Read", { file_path: "a.txt" })),
          write("two\n"),
          says("Done.")
        ]
      },
      {},
      async (place) => {
        const api = clientOf(place)
        const path = join(place.project, "a.txt")
        await api.sessions.create({ threadId: "t", checkpointing: true, permissionMode: "acceptEdits" })
        const agent = agentAt(place.url, client, "t")
        await run(say(agent, "One."))
        await run(say(agent, "Two."))
        expect(readFileSync(path, "utf8")).toBe("two\n")
        const [first = "", second = ""] = agent.messages.filter(({ role }) => role === "user").map(({ id }) => id)
        expect(await api.sessions.rewindFiles("t", { messageId: second, dryRun: true })).toMatchObject({
          canRewind: true,
          filesChanged: [path]
        })
        expect(readFileSync(path, "utf8")).toBe("two\n")
        await api.sessions.rewindFiles("t", { messageId: second })
        expect(readFileSync(path, "utf8")).toBe("one\n")
        // Another process can do it, too.
        await api.sessions.disconnect("t")
        await api.sessions.start("t")
        await api.sessions.rewindFiles("t", { messageId: first })
        expect(() => readFileSync(path, "utf8")).toThrow(/ENOENT/)
        expect(await codeOf(api.sessions.rewindFiles("t", { messageId: "nothing" }))).toBe("MESSAGE_NOT_FOUND")
      }
    )

  it.live("are back after a rewind to a prompt, by the id that its client knows", () =>
    withClientsOn([version], rewound)
  )
})

describe("files of a session without checkpoints", () => {
  it.live("stay as they are, and it is said why", () =>
    onBridge(["2.1.325", "stdio"], { replies: [says("Hello.")] }, {}, async (place) => {
      const api = clientOf(place)
      await api.sessions.create({ threadId: "t" })
      const agent = say(agentAt(place.url, newest, "t"), "Hi.")
      await run(agent)
      const messageId = agent.messages[0]?.id ?? ""
      expect(await codeOf(api.sessions.rewindFiles("t", { messageId }))).toBe("CHECKPOINTING_OFF")
    })
  )
})
