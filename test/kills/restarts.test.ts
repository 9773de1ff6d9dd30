/**
 * What a thread is besides what was said, after its bridge has ended in order and after it was killed: a table. The
 * agent's part is that of the scripted program; `defects/restart.test.ts` has a real CLI.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Client as Management, makeClient } from "@agentwire/bridge/client"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { agentAt, type ClientAgent, type Ran, run, say } from "../bridge/OnBridge.ts"
import { token } from "../bridge/RawRun.ts"
import { makeServeRoot, type ServeProcess, startServe } from "../bridge/ServeProcess.ts"
import { scriptedMind } from "./Minds.ts"

/** A bridge, for a row. */
interface Place {
  readonly threadId: string
  readonly root: string
  readonly url: string
  readonly management: Management
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
const names = Object.keys(rows)
const roots: Array<string> = []
const ends: Array<() => Promise<unknown>> = []

const serve = (root: string): Promise<ServeProcess> =>
  startServe({
    root,
    args: () => [
      ...["--data", join(root, "data"), "--cli", scriptedMind(false).program, "--approvals", "interrupt"],
      ...["--policy", join(root, "policy.json"), "--session-options", "env,hooks,mcpConfig,mcpServers,extraArgs"]
    ]
  })

const placeIn = ({ root, url }: ServeProcess, name: string): Place => {
  const threadId = `thread ${names.indexOf(name)}`
  return { threadId, root, url, management: makeClient({ url, token }), say: saying({ url }, threadId) }
}

/** A bridge in which all rows were made so, is ended; gives the next one. */
const endedBy = async (how: "stop" | "kill"): Promise<ServeProcess> => {
  const root = makeServeRoot()
  roots.push(root)
  writeFileSync(join(root, "policy.json"), JSON.stringify(policy))
  const first = await serve(root)
  ends.push(first.kill)
  for (const [name, { before }] of Object.entries(rows)) await before(placeIn(first, name))
  await first[how]()
  const next = await serve(root)
  ends.push(next.kill)
  return next
}

afterAll(async () => {
  for (const end of ends) await end()
  for (const root of roots) rmSync(root, { recursive: true, force: true, maxRetries: 5 })
})

describe.each([
  ["SIGTERM", "stop"],
  ["kill -9", "kill"]
] as const)("after %s a thread has", (_, how) => {
  let next: Promise<ServeProcess> | undefined
  it.each(names)("%s", async (name) => {
    next ??= endedBy(how)
    await rows[name]?.after(placeIn(await next, name))
  })
})
