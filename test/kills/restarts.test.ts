/**
 * What a thread is besides what was said, after its bridge has ended in order and after it was killed: a table. The
 * agent's part is that of the scripted program, and in a table of its own that of a real CLI, which has to resume.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Client as Management, makeClient } from "@agentwire/bridge/client"
import { installCli, type JsonObject, startModel } from "@agentwire/fixtures"
import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import { agentAt, type ClientAgent, type Ran, requestText, run, say } from "../bridge/OnBridge.ts"
import { token } from "../bridge/RawRun.ts"
import { makeServeRoot, type ServeProcess, startServe } from "../bridge/ServeProcess.ts"
import { scriptedMind } from "./Minds.ts"

/** A bridge, for a row. */
interface Place {
  readonly threadId: string
  readonly root: string
  readonly url: string
  readonly management: Management
  /** How the bridge before was ended, where there was one. */
  readonly how?: "stop" | "kill"
  /** Says something as a page, and gives the page. */
  readonly say: (order: string, state?: object) => Promise<{ readonly page: ClientAgent; readonly ran: Ran }>
}

/** Something that a thread is. `before`: makes it so; `after`: looks at it in the next bridge. */
interface Row {
  readonly before: (place: Place) => Promise<unknown>
  readonly after: (place: Place) => Promise<unknown>
}

/** All that can be chosen for a session over HTTP, where the owner of the bridge allows it. */
const options = (root: string) =>
  ({
    runtime: "claude",
    model: "claude-sonnet-4-5",
    permissionMode: "plan",
    effort: "low",
    systemPrompt: "Be brief.",
    appendSystemPrompt: "Be kind.",
    allowedTools: ["Read"],
    disallowedTools: ["WebFetch"],
    addDirs: [join(root, "project")],
    env: { CHOSEN: "value" },
    mcpServers: { weather: { type: "http", url: "http://127.0.0.1:9/mcp" } },
    mcpConfig: JSON.stringify({ mcpServers: {} }),
    agents: { helper: { description: "Helps.", prompt: "Help." } },
    jsonSchema: { type: "object" },
    maxTurns: 7,
    maxBudgetUsd: 3,
    checkpointing: true,
    hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] },
    extraArgs: ["--verbose"]
  }) as const

/** How the agent says it was started, but for the conversation it resumes. */
const started = async ({ say }: Place): Promise<unknown> => {
  const { page } = await say("started")
  const { args, ...rest } = JSON.parse(String(page.messages.at(-1)?.content))
  return { ...rest, args: args.filter((each: string) => !each.startsWith("--resume=")) }
}

const titleOf = async ({ management, threadId }: Place) => (await management.sessions.get(threadId)).title

const connected = async ({ threadId, url }: Place): Promise<{ readonly page: ClientAgent; readonly ran: Ran }> => {
  const page = agentAt(`${url}/agent/default/connect`, undefined, threadId)
  return { page, ran: await run(page) }
}

const rows: Readonly<Record<string, Row>> = {
  "the shared state": {
    before: ({ say }) => say("talk 1", { number: 7 }),
    after: async (place) => expect((await connected(place)).page.state).toMatchObject({ number: 7 })
  },
  "a title by the first prompt": {
    before: ({ say }) => say("talk 1"),
    after: async (place) => expect(await titleOf(place)).toBe("[m] talk 1")
  },
  "a title by the agent": {
    before: ({ say }) => say("name"),
    after: async (place) => expect(await titleOf(place)).toBe("Named by its agent")
  },
  "a title by a person, whatever the agent says later": {
    before: async ({ management, say, threadId }) => {
      await say("talk 1")
      await management.sessions.change(threadId, { title: "Mine" })
    },
    after: async (place) => {
      await place.say("name")
      expect(await titleOf(place)).toBe("Mine")
    }
  },
  "all options, also of an agent that was never started": {
    before: ({ management, root, threadId }) => management.sessions.create({ threadId, ...options(root) }),
    after: async (place) => {
      const { management, root, threadId } = place
      const other = await management.sessions.create({ threadId: `${threadId} again`, ...options(root) })
      expect((await management.sessions.get(threadId)).options).toEqual(other.options)
      expect(Object.keys(other.options).sort()).toEqual(Object.keys(options(root)).sort())
      const here = await started(place)
      expect(here).toEqual(await started({ ...place, say: (order) => saying(place, `${threadId} again`)(order) }))
      expect(here).toMatchObject({ variable: "value", servers: expect.arrayContaining(["weather"]) })
    }
  },
  "the mode of the policy": {
    before: ({ management, threadId }) => management.sessions.create({ threadId, mode: "planner" }),
    after: async ({ management, threadId }) => expect((await management.sessions.get(threadId)).mode).toBe("planner")
  },
  "a permission mode and a model that were chosen later": {
    before: async ({ management, say, threadId }) => {
      await say("talk 1")
      await management.sessions.setPermissionMode(threadId, { mode: "acceptEdits" })
      await management.sessions.setModel(threadId, { model: "claude-haiku-4-5" })
    },
    after: async (place) => {
      const chosen = { permissionMode: "acceptEdits", model: "claude-haiku-4-5" }
      expect((await place.management.sessions.get(place.threadId)).options).toMatchObject(chosen)
      expect(await started(place)).toMatchObject({ args: expect.arrayContaining(Object.values(chosen)) })
    }
  },
  "MCP servers that were set later": {
    before: async ({ management, say, threadId }) => {
      await say("talk 1")
      await management.mcp.setServers(threadId, { servers: { later: { type: "http", url: "http://127.0.0.1:9/mcp" } } })
    },
    after: async (place) => {
      expect(Object.keys((await place.management.sessions.get(place.threadId)).options.mcpServers ?? {})).toEqual([
        "later"
      ])
      expect(await started(place)).toMatchObject({ servers: expect.arrayContaining(["later"]) })
    }
  },
  "an open question, which is closed and told": {
    before: async ({ management, say, threadId }) => {
      const { page } = await say("ask 3")
      expect(page.pendingInterrupts).toHaveLength(1)
      expect((await management.approvals.list(threadId)).approvals).toHaveLength(1)
    },
    after: async (place) => {
      const { management, threadId } = place
      expect((await management.approvals.list(threadId)).approvals).toEqual([])
      const { page } = await connected(place)
      expect(page.pendingInterrupts).toEqual([])
      expect(page.messages.at(-1)).toMatchObject({ role: "assistant", content: "m:0 " })
      expect((await place.say("recall")).ran.error).toBeUndefined()
    }
  },
  "a workspace and its name": {
    before: async ({ management, root, threadId }) => {
      const folder = join(root, "project", "work")
      mkdirSync(folder)
      await management.sessions.create({ threadId, cwd: folder })
      const { id } = await management.workspaces.open({ folder })
      await management.workspaces.change(id, { name: "Work", activeThreadId: threadId })
    },
    after: async ({ management, threadId }) => {
      const { workspaces } = await management.workspaces.list()
      expect(workspaces).toContainEqual(expect.objectContaining({ name: "Work", activeThreadId: threadId }))
    }
  },
  "that it is archived, and its summary": {
    before: async ({ management, say, threadId }) => {
      await say("talk 1")
      await management.sessions.change(threadId, { archived: true, summary: "About it." })
    },
    after: async ({ management, threadId }) =>
      expect(await management.sessions.get(threadId)).toMatchObject({ archived: true, summary: "About it." })
  },
  "the branch that it is on": {
    before: async ({ management, say, threadId }) => {
      const { page } = await say("talk 2")
      await management.sessions.revert(threadId, { beforeMessageId: page.messages[0]?.id ?? "" })
      await say("talk 3")
    },
    after: async (place) => {
      const { page } = await connected(place)
      expect(page.messages.map(({ content }) => content)).toEqual(["[m] talk 3", "m:0 m:1 m:2 "])
      const { page: asked } = await place.say("recall")
      expect(asked.messages.at(-1)?.content).toBe("I remember m m.")
    }
  }
}

const saying =
  ({ url }: Pick<Place, "url">, threadId: string): Place["say"] =>
  async (order, state) => {
    const page = agentAt(url, undefined, threadId)
    if (state !== undefined) page.setState(state)
    return { page, ran: await run(say(page, `[m] ${order}`)) }
  }

const policy = { version: 1, modes: { planner: { default: "deny" } } }

/** Bridges of a kind, one after the other in the same folder. */
interface Bridges {
  readonly rows: Readonly<Record<string, Row>>
  readonly program: string
  readonly env: (root: string) => Readonly<Record<string, string>>
}

const roots: Array<string> = []
const ends: Array<() => Promise<unknown>> = []

const serve = async ({ env, program }: Bridges, root: string): Promise<ServeProcess> => {
  const started = await startServe({
    root,
    env: env(root),
    args: () => [
      ...["--data", join(root, "data"), "--cli", program, "--approvals", "interrupt"],
      ...["--policy", join(root, "policy.json"), "--session-options", "env,hooks,mcpConfig,mcpServers,extraArgs"]
    ]
  })
  ends.push(started.kill)
  return started
}

const placeIn = ({ rows }: Bridges, { root, url }: ServeProcess, name: string): Place => {
  const threadId = `thread ${Object.keys(rows).indexOf(name)}`
  return { threadId, root, url, management: makeClient({ url, token }), say: saying({ url }, threadId) }
}

/** A bridge in which all rows were made so, is ended; gives the next one. */
const endedBy = async (how: "stop" | "kill", bridges: Bridges): Promise<ServeProcess> => {
  const root = makeServeRoot()
  roots.push(root)
  writeFileSync(join(root, "policy.json"), JSON.stringify(policy))
  const first = await serve(bridges, root)
  for (const [name, { before }] of Object.entries(bridges.rows)) await before(placeIn(bridges, first, name))
  await first[how]()
  return serve(bridges, root)
}

afterAll(async () => {
  for (const end of ends) await end()
  for (const root of roots) rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})

const scripted: Bridges = { rows, program: scriptedMind("at once").program, env: () => ({}) }

describe.each([
  ["SIGTERM", "stop"],
  ["kill -9", "kill"]
] as const)("after %s a thread has", (_, how) => {
  let next: Promise<ServeProcess> | undefined
  it.each(Object.keys(rows))("%s", async (name) => {
    next ??= endedBy(how, scripted)
    await rows[name]?.after(placeIn(scripted, await next, name))
  })
})

// --- with a real CLI -------------------------------------------------------------------------

/** What the model was asked. */
const asked: Array<JsonObject> = []

/** Says something more, and gives what the model was asked for it. */
const saysAgain = async ({ say, threadId }: Place): Promise<JsonObject | undefined> => {
  const { ran } = await say(`again on ${threadId}`)
  expect(ran.error).toBeUndefined()
  return asked.findLast((body) => requestText(body).includes(`again on ${threadId}`))
}

const chosen = { model: "claude-sonnet-4-5", permissionMode: "acceptEdits", systemPrompt: "Be brief." } as const

/** Takes the end of a session out of the CLI's file, from some words on: a CLI that is killed at once has not written it. */
const unwrite = ({ root }: Place, words: string): void => {
  const projects = join(root, "home", ".claude", "projects")
  for (const { parentPath, name } of readdirSync(projects, { recursive: true, withFileTypes: true })) {
    if (!name.endsWith(".jsonl")) continue
    const file = join(parentPath, name)
    const lines = readFileSync(file, "utf8").split("\n")
    const from = lines.findIndex((line) => line.includes(words))
    if (from !== -1)
      writeFileSync(
        file,
        lines
          .slice(0, from)
          .map((line) => `${line}\n`)
          .join("")
      )
  }
}

const realRows: Readonly<Record<string, Row>> = {
  "its conversation, with the state, the title, the options and the mode": {
    before: async ({ management, say, threadId }) => {
      await management.sessions.create({ threadId, mode: "planner", ...chosen })
      expect((await say("talk", { number: 7 })).ran.error).toBeUndefined()
    },
    after: async (place) => {
      const session = await place.management.sessions.get(place.threadId)
      expect(session).toMatchObject({ title: "[m] talk", mode: "planner", options: chosen })
      const { page } = await connected(place)
      expect(page.state).toMatchObject({ number: 7 })
      expect(page.messages.map(({ content }) => content)).toEqual(["[m] talk", "Talked."])
      const body = await saysAgain(place)
      expect(requestText(body)).toMatch(/\[m\] talk[\s\S]*Talked\.[\s\S]*again/)
      expect(body).toMatchObject({ model: expect.stringContaining(chosen.model) })
      expect(JSON.stringify(body?.["system"])).toContain(chosen.systemPrompt)
    }
  },
  "what was said last, also where its agent had not kept it": {
    before: async ({ say }) => {
      for (const order of ["talk", "more"]) expect((await say(order)).ran.error).toBeUndefined()
    },
    after: async (place) => {
      const { page } = await connected(place)
      expect(page.messages.map(({ content }) => content)).toEqual(["[m] talk", "Talked.", "[m] more", "More of it."])
      // As up to 2.1.197, which writes it down a moment after the end of the turn.
      if (place.how === "kill") unwrite(place, "[m] more")
      const told = requestText(await saysAgain(place))
      for (const words of ["[m] talk", "Talked.", "[m] more", "More of it."]) expect(told.split(words)).toHaveLength(2)
    }
  },
  "MCP servers that were set later": {
    before: async ({ management, say, threadId }) => {
      expect((await say("talk")).ran.error).toBeUndefined()
      await management.mcp.setServers(threadId, { servers: { later: { type: "http", url: "http://127.0.0.1:9/mcp" } } })
    },
    after: async (place) => {
      const { management, threadId } = place
      const { options } = await management.sessions.get(threadId)
      expect(Object.keys(options.mcpServers ?? {})).toEqual(["later"])
      await saysAgain(place)
      expect(JSON.stringify(await management.mcp.status(threadId))).toContain('"later"')
    }
  },
  "an open question, which is closed and told": {
    before: async ({ say }) => expect((await say("ask")).page.pendingInterrupts).toHaveLength(1),
    after: async (place) => {
      expect((await place.management.approvals.list(place.threadId)).approvals).toEqual([])
      const { page } = await connected(place)
      expect(page.pendingInterrupts).toEqual([])
      expect(page.messages.map(({ content }) => content)).toEqual(["[m] ask", "One moment. "])
      // Whoever is ended in order writes all of it.
      if (place.how === "kill") unwrite(place, "One moment.")
      const told = requestText(await saysAgain(place))
      expect(told.split("[m] ask")).toHaveLength(2)
      // A CLI whose input is closed says it again, until its time is over: its model calls the tool whatever it is told.
      if (place.how === "kill") expect(told.split("One moment.")).toHaveLength(2)
      else expect(told).toContain("One moment.")
    }
  }
}

const realBridges = async (): Promise<Bridges> => {
  const call = tool("Bash", { command: "touch made", description: "Make a file" })
  const lanes = [
    { match: "[m] again", replies: [says("Well.")] },
    { match: "[m] more", replies: [says("More of it.")] },
    { match: "[m] ask", replies: [saysWith({}, text("One moment. "), call)] },
    { match: "[m] talk", replies: [says("Talked.")] }
  ]
  const model = await startModel({
    script: { replies: [says("Well.")], lanes },
    onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body))
  })
  ends.push(model.close)
  const { args, program } = await installCli("2.1.325")
  const env = (root: string) => ({
    TMPDIR: root,
    ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
    ANTHROPIC_BASE_URL: model.url,
    DISABLE_TELEMETRY: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
  })
  return { rows: realRows, program: args[0] ?? program, env }
}

// Each costs seconds of processor time for every row: every day that which is harder.
describe.each(
  firstOf(1, [
    ["kill -9", "kill"],
    ["SIGTERM", "stop"]
  ] as const)
)("after %s a thread of a real CLI has", (_, how) => {
  let next: Promise<readonly [Bridges, ServeProcess]> | undefined
  it.each(Object.keys(realRows))("%s", async (name) => {
    next ??= realBridges().then(async (bridges) => [bridges, await endedBy(how, bridges)] as const)
    const [bridges, bridge] = await next
    await realRows[name]?.after({ ...placeIn(bridges, bridge, name), how })
  })
})
