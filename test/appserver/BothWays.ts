/**
 * `agentwire serve` with the real Claude Code, and its threads from both sides: Codex's TUI, and the API that the page
 * lives on.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { installCli, installCodex } from "@agentwire/fixtures"
import { schemaVersion } from "@agentwire/protocol/codex"
import * as Schema from "effect/Schema"
import { makeStage, type Stage, stageToken } from "../../packages/cli/src/conform/appserver/Stage.ts"
import { agentwireCommand } from "../../packages/cli/test/AgentwireCommand.ts"
import { Terminal } from "./Terminal.ts"
import { enterTui } from "./Tui.ts"

/** What serve prints with `--json`. */
const Listens = Schema.fromJsonString(Schema.Struct({ url: Schema.String }))

const Sessions = Schema.Struct({
  sessions: Schema.Array(Schema.Struct({ threadId: Schema.String, title: Schema.optional(Schema.String) }))
})

const Messages = Schema.Struct({ messages: Schema.Array(Schema.Struct({ content: Schema.String })) })

const startServe = async ({ env, folder, project }: Stage) => {
  const { args, program } = await installCli("2.1.325")
  const [node, ...words] = agentwireCommand
  const options = ["--port", "0", "--page", "--json", "--cli", args[0] ?? program, "--data", join(folder, "data")]
  const child = spawn(node, [...words, "serve", ...options], { cwd: project, env, stdio: ["ignore", "pipe", "ignore"] })
  const [line] = await once(createInterface({ input: child.stdout }), "line")
  const { url } = Schema.decodeUnknownSync(Listens)(line)
  return {
    url,
    close: async () => {
      const closed = once(child, "close")
      child.kill("SIGTERM")
      await closed
    }
  }
}

/** What either side has of a thread that the other one began. */
export const runBothWays = async () => {
  const says = (match: string, text: string) => ({ match, beats: [{ say: [text] }] })
  const stage = await makeStage(
    [],
    [says("Hello from the TUI", "I hear the TUI."), says("Hello from the page", "I hear the page.")]
  )
  const folder = await mkdtemp(join(tmpdir(), "agentwire-tui-"))
  const server = await startServe(stage)
  const api = async <A>(schema: Schema.Codec<A>, path: string, body?: object): Promise<A> => {
    const headers = { authorization: `Bearer ${stageToken}`, "content-type": "application/json" }
    const asked = { headers, ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }) }
    const answer = await fetch(`${server.url}/api/sessions${path}`, asked)
    return Schema.decodeUnknownSync(schema)(await answer.json())
  }
  try {
    await api(Schema.Unknown, "", { threadId: "begun-by-the-page" })
    await api(Schema.Unknown, "/begun-by-the-page/messages", { content: "Hello from the page" })
    await mkdir(join(folder, "codex"))
    const codex = await installCodex(schemaVersion)
    const url = server.url.replace(/^http/, "ws")
    const terminal = await Terminal.start({
      folder,
      words: [codex.program, "--remote", url, "--remote-auth-token-env", "TOKEN", "-C", stage.project],
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, CODEX_HOME: join(folder, "codex"), TOKEN: stageToken }
    })
    const say = async (text: string): Promise<void> => {
      await terminal.type(text)
      await terminal.until((screen) => screen.includes(`› ${text}`), `"${text}"`)
      await terminal.press("Enter")
    }
    try {
      await enterTui(terminal)
      await say("Hello from the TUI")
      // It takes no command before the turn is over.
      const isOver = (screen: string) => screen.includes("I hear the TUI.") && screen.includes("Worked for")
      await terminal.until(isOver, "the end of the turn")
      const { sessions } = await api(Sessions, "")
      const begun = sessions.find(({ title }) => title === "Hello from the TUI")
      const { messages } = await api(Messages, `/${begun?.threadId}/messages`)
      await say("/resume")
      await terminal.until((screen) => screen.includes("Hello from the page"), "the thread of the page")
      await terminal.press("Down", "Enter")
      const resumed = await terminal.until((screen) => screen.includes("I hear the page."), "what was said on the page")
      return {
        page: { titles: sessions.map(({ title }) => title).sort(), said: messages.map(({ content }) => content) },
        tui: resumed.split("\n").filter((line) => /^[›•] .*page/.test(line))
      }
    } finally {
      await terminal.close()
    }
  } finally {
    await server.close()
    await stage.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
