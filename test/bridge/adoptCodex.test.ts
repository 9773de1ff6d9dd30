/**
 * Threads that were begun with Codex and without a bridge, taken over beside sessions of Claude Code: both kinds are in one
 * list, the page has what was said, and the agent that kept it goes on.
 */
import { execFile } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { says } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Client, makeClient } from "../../packages/bridge/src/client/Client.ts"
import { ManagementError } from "../../packages/bridge/src/client/ManagementError.ts"
import { layerClaudeRuntime } from "../../packages/bridge/src/runtime/claude/ClaudeRuntime.ts"
import { type CliLauncherOptions, cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { setUp } from "./AgentSetup.ts"
import { type Life, type LoneCodex, withCodex } from "./CodexBridge.ts"
import { agentAt, headers, newest, say } from "./OnBridge.ts"

/** Says something to Codex alone, in a new thread or in one that is there. Gives its id. */
const saidAlone = async ({ env, program }: LoneCodex, cwd: string, words: string, thread?: string): Promise<string> => {
  const args = ["exec", "--json", "--skip-git-repo-check", "--sandbox", "read-only", "--cd", cwd]
  const running = promisify(execFile)(program, [...args, ...(thread ? ["resume", thread] : []), words], { cwd, env })
  running.child.stdin?.end()
  return /"thread_id":"(?<id>[^"]+)"/.exec((await running).stdout)?.groups?.["id"] ?? ""
}

/** Says something to Claude Code alone. Gives the session. */
const saidToClaude = async ({ cliPath = "", env, inherit }: CliLauncherOptions, cwd: string): Promise<string> => {
  const options = { cwd, env: { ...inherit, ...env } }
  const running = promisify(execFile)(cliPath, ["-p", "--output-format", "json", "Hello, Claude"], options)
  running.child.stdin?.end()
  return /"session_id":"(?<id>[^"]+)"/.exec((await running).stdout)?.groups?.["id"] ?? ""
}

const clientOf = (url: string): Client => makeClient({ url, token: headers.Authorization.replace("Bearer ", "") })

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "fine",
    (error: unknown) => (error instanceof ManagementError ? error.code : String(error))
  )

/** A page that has joined a thread. */
const joined = async (kit: string, threadId: string) => {
  const page = agentAt(`${kit}/connect`, newest, threadId)
  await page.runAgent()
  const agent = agentAt(`${kit}/run`, newest, threadId)
  agent.setMessages(page.messages)
  return agent
}

const saidIn = ({ messages }: Awaited<ReturnType<typeof joined>>): ReadonlyArray<string> =>
  messages.map(
    ({ content = "", role }) => `${role}: ${typeof content === "string" ? content : JSON.stringify(content)}`
  )

describe("threads of Codex that were begun without a bridge", () => {
  it.live(
    "are listed beside those of Claude Code, and each goes on with who kept it",
    () =>
      Effect.gen(function* () {
        const claude = yield* setUp("2.1.325", { replies: [says("Claude here."), says("Claude goes on.")] })
        let [thread, outside, session] = ["", "", ""]
        const before = async (codex: LoneCodex): Promise<void> => {
          const elsewhere = join(codex.folder, "elsewhere")
          mkdirSync(elsewhere)
          thread = await saidAlone(codex, codex.project, "Teal: what is it?")
          session = await saidToClaude(claude.options, codex.project)
          await saidAlone(codex, codex.project, "Remember it.", thread)
          outside = await saidAlone(codex, elsewhere, "Elsewhere")
        }
        const shown = [
          "user: Teal: what is it?",
          "assistant: ",
          "tool: from-the-shell\n",
          "assistant: It is teal.",
          "user: Remember it.",
          "assistant: Noted."
        ]
        const first: Life = async ({ asked, kit, url }) => {
          const client = clientOf(url)
          const { conversations } = await client.sessions.adoptable()
          expect(conversations).toMatchObject([
            { kind: "codex", providerSessionId: thread, title: "Teal: what is it?", version: "0.166.0" },
            { kind: "claude", providerSessionId: session }
          ])
          const pages: Array<string> = []
          for await (const page of client.sessions.adoptable.pages({ limit: 1 }))
            pages.push(...page.conversations.map(({ providerSessionId }) => providerSessionId))
          expect(pages).toEqual([thread, session])
          expect(await codeOf(client.sessions.adopt(outside))).toBe("SESSION_NOT_FOUND")
          expect(await codeOf(client.sessions.adoptable({ before: "x" }))).toBe("BAD_CURSOR")

          expect(await client.sessions.adopt(thread)).toMatchObject({ threadId: thread, adopted: true })
          await client.sessions.adopt(session)
          expect((await client.sessions.adoptable()).conversations).toEqual([])
          const page = await joined(kit, thread)
          expect(saidIn(page)).toEqual(shown)
          await say(page, "Which colour?").runAgent()
          expect(saidIn(page)).toEqual([...shown, "user: Which colour?", "assistant: Teal, as I said."])
          const request = JSON.stringify(asked.at(-1))
          for (const heard of ["Teal: what is it?", "from-the-shell", "It is teal.", "Remember it.", "Noted."])
            expect(request.split(heard).length - 1, heard).toBe(heard === "from-the-shell" ? 2 : 1)
          expect((await client.sessions.get(thread)).providerSessionId).toBe(thread)

          const other = await joined(kit, session)
          await say(other, "And you?").runAgent()
          expect(saidIn(other)).toEqual([
            ...["user: Hello, Claude", "assistant: Claude here."],
            ...["user: And you?", "assistant: Claude goes on."]
          ])
        }
        /** The next bridge knows of both, and goes back to a turn from before the first. */
        const second: Life = async ({ asked, kit, url }) => {
          const client = clientOf(url)
          expect((await client.sessions.adoptable()).conversations).toEqual([])
          const page = await joined(kit, thread)
          const { id: messageId = "" } = page.messages.find(({ content }) => content === "It is teal.") ?? {}
          await client.sessions.revert(thread, { messageId })
          await say(await joined(kit, thread), "Otherwise?").runAgent()
          expect(saidIn(await joined(kit, thread))).toEqual([
            ...shown.slice(0, 4),
            "user: Otherwise?",
            "assistant: Otherwise teal."
          ])
          const request = JSON.stringify(asked.at(-1))
          expect(request).toContain("It is teal.")
          expect(request).not.toContain("Remember it.")
        }
        yield* withCodex(
          [
            { kind: "command", command: "echo from-the-shell" },
            { kind: "text", deltas: ["It is ", "teal."] },
            { kind: "text", deltas: ["Noted."] },
            { kind: "text", deltas: ["Elsewhere."] },
            { kind: "text", deltas: ["Teal, as I said."] },
            { kind: "text", deltas: ["Otherwise teal."] }
          ],
          { before, beside: [Layer.provide(layerClaudeRuntime, cliLauncher(claude.options))] },
          first,
          second
        )
      }).pipe(Effect.scoped),
    120_000
  )
})
