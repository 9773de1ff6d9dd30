/** What a session was made with is what it has after a restart of `agentwire serve`, said something or not. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Client as Management, makeClient } from "@agentwire/bridge/client"
import { type JsonObject, type Lane, startModel } from "@agentwire/fixtures"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { agentwireArgs } from "../../../packages/cli/test/AgentwireCommand.ts"
import { firstOf } from "../../../packages/fixtures/test/Sweep.ts"
import { type Setup, setUp } from "../AgentSetup.ts"
import { agentAt } from "../OnBridge.ts"
import { token } from "../RawRun.ts"
import { ask, lastMessage, wordsTo } from "./Marked.ts"
import { within } from "./Waiting.ts"

/** Files may be written, but not by planners. */
const policy = {
  version: 1,
  allow: [{ tool: "Write", path: "**" }],
  modes: { planner: { default: "deny", deny: [{ tool: "Write", reason: "Planners only plan." }] } }
}

/** Starts the server, and waits until it listens. */
const startServe = async (
  { options, project }: Setup,
  more: Readonly<Record<string, string>>
): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
  const root = join(project, "..")
  const args = ["--port", "0", "--cwd", project, "--cli", options.cliPath ?? "", "--data", join(root, "data")]
  const child = spawn(process.execPath, [...agentwireArgs, "serve", ...args, "--policy", join(root, "policy.json")], {
    env: { ...options.inherit, ...options.env, ...more, AGENTWIRE_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let out = ""
  let err = ""
  child.stderr.on("data", (chunk) => {
    err += chunk
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      out += chunk
      if (out.includes("Ctrl-C ends it.")) resolve()
    })
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${err}`)))
  })
  return { child, url: /Listens at +(\S+)/.exec(out)?.[1] ?? "" }
}

/** Uses one server after the other, with the same files. */
const servers = (
  signal: "SIGTERM" | "SIGKILL",
  lanes: ReadonlyArray<Lane>,
  lives: ReadonlyArray<
    (
      place: { readonly url: string; readonly management: Management; readonly project: string },
      asked: ReadonlyArray<JsonObject>
    ) => Promise<void>
  >
) =>
  Effect.gen(function* () {
    const asked: Array<JsonObject> = []
    const setup = yield* setUp("2.1.325", { replies: [] })
    const model = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startModel({
          script: { replies: [says("Nobody's.")], lanes },
          onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body))
        })
      ),
      ({ close }) => Effect.promise(close)
    )
    writeFileSync(join(setup.project, "..", "policy.json"), JSON.stringify(policy))
    yield* Effect.promise(async () => {
      for (const life of lives) {
        const { child, url } = await within("the server listens", startServe(setup, { ANTHROPIC_BASE_URL: model.url }))
        try {
          await life({ url, management: makeClient({ url, token }), project: setup.project }, asked)
        } finally {
          const ended = once(child, "close")
          child.kill(signal)
          await within("the server ends", ended).catch(() => child.kill("SIGKILL"))
        }
      }
    })
  }).pipe(Effect.scoped)

/** Whether the sessions were used before the restart. */
const threads = { fresh: false, used: true } as const

const fileOf = (thread: string): string => `written-by-${thread}`

const tried = says("Tried.")

describe("what a session was made with", () => {
  it.live.each(firstOf(1, ["SIGKILL", "SIGTERM"] as const))(
    "is what it has after %s and a restart, whether anything was said in it or not",
    (signal) => {
      const lanes = Object.keys(threads).map((thread) => ({
        match: `[${thread}] Write`,
        replies: [says(tool("Write", { file_path: fileOf(thread), content: "content" })), tried]
      }))
      const hello = Object.keys(threads).map((thread) => ({
        match: `[${thread}] Hello`,
        replies: [says("Hello."), tried]
      }))
      const made = { mode: "planner", model: "claude-sonnet-4-5", permissionMode: "acceptEdits" } as const
      return servers(
        signal,
        [...lanes, ...hello],
        [
          async ({ management, project, url }) => {
            for (const [threadId, isUsed] of Object.entries(threads)) {
              const cwd = join(project, threadId)
              mkdirSync(cwd)
              expect(await management.sessions.create({ threadId, cwd, ...made })).toMatchObject({
                cwd,
                mode: "planner"
              })
              if (!isUsed) continue
              const agent = agentAt(url, undefined, threadId)
              await ask(agent, `[${threadId}] Hello`)
              expect(wordsTo(agent)).toEqual(["Hello."])
              await management.sessions.setPermissionMode(threadId, { mode: "plan" })
            }
          },
          async ({ management, project, url }, asked) => {
            const { sessions } = await management.sessions.list()
            for (const threadId of Object.keys(threads) as ReadonlyArray<keyof typeof threads>) {
              const cwd = join(project, threadId)
              expect.soft(sessions).toContainEqual(expect.objectContaining({ threadId, cwd, mode: "planner" }))
              const agent = agentAt(url, undefined, threadId)
              expect.soft(await ask(agent, `[${threadId}] Write`)).toMatchObject({ error: undefined })
              expect.soft(wordsTo(agent).at(-1)).toBe("Tried.")
              const request = asked.at(-1)
              expect.soft(request?.["model"]).toBe(made.model)
              expect.soft(lastMessage(request)).toContain("Planners only plan.")
              expect.soft([cwd, project].some((folder) => existsSync(join(folder, fileOf(threadId))))).toBe(false)
              expect.soft((await management.sessions.get(threadId)).init).toMatchObject({
                cwd,
                model: made.model,
                // Also what was chosen afterwards.
                permissionMode: threads[threadId] ? "plan" : made.permissionMode
              })
            }
          }
        ]
      )
    }
  )
})
