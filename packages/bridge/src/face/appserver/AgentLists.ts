/**
 * What agents say that they have: skills, and MCP servers. Codex is asked by its own methods; Claude Code tells its skills
 * when it starts, and its servers when asked. Only agents that run for threads of the client are asked: a list starts none.
 */
import type { ParamsOf, ResultOf } from "@agentwire/protocol/codex"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import type { Call } from "./Call.ts"
import { isCodex } from "./Kind.ts"
import { wireIdOf } from "./ThreadIds.ts"

type SkillsEntry = ResultOf<"skills/list">["data"][number]
type Skill = SkillsEntry["skills"][number]
type McpServer = ResultOf<"mcpServerStatus/list">["data"][number]
type Facts = Readonly<Record<string, unknown>>

const listIn = (value: unknown, key: string): ReadonlyArray<unknown> => {
  const list = isRecord(value) ? value[key] : undefined
  return Array.isArray(list) ? list : []
}

/** The sessions of the client whose agents run. */
const running = ({ client }: Call): Effect.Effect<ReadonlyArray<Session>> =>
  Effect.filter(
    [...client.follows.values()].map(({ session }) => session),
    (session) =>
      Effect.map(session.status, (status) => status === "connected" || status === "active" || status === "idle")
  )

/** Where a skill is from, as Claude Code ends its description. */
const scopes: ReadonlyArray<readonly [ending: string, scope: Skill["scope"]]> = [
  [" (project)", "repo"],
  [" (user)", "user"]
]

/** The skills that Claude Code has named: those of its commands that its `init` counts among them. */
const claudeSkills = ({ greeting, init }: Facts): ReadonlyArray<Skill> => {
  const names = new Set(listIn(init, "skills"))
  return listIn(greeting, "commands").flatMap((command) => {
    if (!isRecord(command) || typeof command["name"] !== "string" || !names.has(command["name"])) return []
    const { builtin, name } = command
    const words = String(command["description"] ?? "")
    const from = scopes.find(([ending]) => words.endsWith(ending))
    const [plugin, own] = name.split(":")
    return [
      {
        name,
        description: from === undefined ? words : words.slice(0, -from[0].length),
        enabled: true,
        // The program does not say where its files are; clients tell skills apart by this.
        path: `agentwire:/skills/${encodeURIComponent(name)}`,
        pluginId: own === undefined ? null : (plugin ?? null),
        scope: from?.[1] ?? (builtin === true ? "system" : "user")
      }
    ]
  })
}

/** The skills of folders. */
export const skillsOf = (
  folders: ReadonlyArray<string>,
  { forceReload }: ParamsOf<"skills/list">,
  call: Call
): Effect.Effect<ReadonlyArray<SkillsEntry>> =>
  Effect.gen(function* () {
    const sessions = yield* running(call)
    const [codex] = yield* Effect.filter(sessions, (session) => isCodex(session, call))
    if (codex !== undefined) {
      const body = { cwds: folders, ...(forceReload === true && { forceReload }) }
      const data = yield* codex.native.request("skills/list", body).pipe(
        Effect.map((said) => listIn(said, "data") as ReadonlyArray<SkillsEntry>),
        Effect.orElseSucceed(() => [])
      )
      if (data.length > 0) return data
    }
    return yield* Effect.forEach(folders, (cwd) =>
      Effect.gen(function* () {
        const here = sessions.filter((session) => session.cwd === cwd)
        const known = (yield* Effect.forEach(here, ({ native }) => native.facts)).map(claudeSkills)
        return { cwd, skills: known.find((skills) => skills.length > 0) ?? [], errors: [] }
      })
    )
  })

/** What Claude Code says of a server, in Codex's words. */
const connections: Readonly<Record<string, NonNullable<McpServer["runtimeStatus"]>>> = {
  connected: "connected",
  pending: "starting",
  failed: "failed",
  "needs-auth": "authenticationRequired",
  disabled: "disabled"
}

/** The servers that Claude Code has told of. That of the application's tools is no server of its own. */
const claudeServers = (told: unknown): ReadonlyArray<McpServer> =>
  listIn(told, "mcpServers").flatMap((server) => {
    if (!isRecord(server) || typeof server["name"] !== "string" || server["transport"] === "sdk") return []
    const { error, name, status, tools } = server
    const named = listIn({ tools }, "tools").flatMap((tool) => {
      if (!isRecord(tool) || typeof tool["name"] !== "string") return []
      const { description = null, name: own } = tool
      // What a tool takes is not told.
      return [[own, { name: own, description: description === null ? null : String(description), inputSchema: {} }]]
    })
    return [
      {
        name,
        authStatus: status === "needs-auth" ? "notLoggedIn" : "unknown",
        runtimeStatus: connections[String(status)] ?? null,
        tools: Object.fromEntries(named),
        toolsError: typeof error === "string" ? error : null,
        resources: [],
        resourceTemplates: []
      }
    ]
  })

/** The MCP servers of an agent that runs: that of the thread that is named, or any. */
export const mcpServersOf = (
  { threadId, ...params }: ParamsOf<"mcpServerStatus/list">,
  call: Call
): Effect.Effect<ResultOf<"mcpServerStatus/list">> =>
  Effect.gen(function* () {
    const none = { data: [], nextCursor: null }
    const sessions = yield* running(call)
    const session = sessions.find(
      (each) => threadId === undefined || threadId === null || wireIdOf(each.threadId) === threadId
    )
    if (session === undefined) return none
    const asked = (yield* isCodex(session, call))
      ? Effect.map(
          session.native.request("mcpServerStatus/list", params),
          (said) => said as ResultOf<"mcpServerStatus/list">
        )
      : Effect.map(session.native.request("mcp_status", {}), (said) => ({
          data: claudeServers(said),
          nextCursor: null
        }))
    return yield* Effect.orElseSucceed(asked, () => none)
  })
