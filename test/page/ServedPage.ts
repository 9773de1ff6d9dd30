/** `agentwire serve --page` for the tests of the page: a real CLI, or the demo agent, and what tests do in a tab. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  installCli,
  installCodex,
  type JsonObject,
  type ModelScript,
  makeCodexHome,
  type ResponsesScript,
  startMcpHttp,
  startModel,
  startResponses
} from "@agentwire/fixtures"
import type { Browser, Page } from "playwright-core"
import { agentwireArgs } from "../../packages/cli/test/AgentwireCommand.ts"
import { complaintsOf, type View, wide } from "./Browser.ts"
import { askingTool } from "./Scenes.ts"

/** The token of every server of these tests. */
export const token = "a-token-of-at-least-sixteen-characters"

/** A server with a page. */
export interface Served {
  readonly url: string
  readonly project: string
  /** What the model was asked. */
  readonly asked: ReadonlyArray<JsonObject>
  /** Lets the model say nothing more after it has said this. What is returned lets it go on. */
  readonly holdModelAfter: (words: string) => () => void
  /** Says something to the CLI as a person in a terminal does, without the server, and waits for the answer. */
  readonly sayInTerminal: (prompt: string) => Promise<void>
  readonly out: () => string
  /** Ends the server; the page is not asked. */
  readonly stop: () => Promise<void>
  /** Starts it again in the same place. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts a server in front of Codex and a scripted model, without what only the scenes of Claude Code use. */
export const serveCodexPage = async (
  script: ResponsesScript,
  ...more: ReadonlyArray<string>
): Promise<Omit<Served, "holdModelAfter" | "sayInTerminal">> => {
  const model = await startResponses(script.replies, { ...(script.lanes && { lanes: script.lanes }) })
  const home = await makeCodexHome(model.url)
  const { program } = await installCodex("0.166.0")
  const served = await startServer({
    args: ["--runtime", "codex", "--cli", program, "--data", join(home.folder, "data"), ...more],
    project: realpathSync(home.cwd),
    env: home.env
  })
  return {
    ...served,
    get url() {
      return served.url
    },
    asked: [],
    close: async () => {
      await served.stop()
      await model.close()
      await home.remove()
    }
  }
}

/** What a server is started with. */
interface ServerStart {
  readonly args: ReadonlyArray<string>
  readonly project: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts `agentwire serve --page`. */
const startServer = async ({
  args,
  env,
  project
}: ServerStart): Promise<Pick<Served, "out" | "project" | "restart" | "stop" | "url">> => {
  let child: ChildProcess | undefined
  let out = ""
  let port = "0"

  const start = async (): Promise<void> => {
    const words = [...agentwireArgs, "serve", "--page", "--port", port, "--cwd", project, "--token", token, ...args]
    const started = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "pipe"] })
    child = started
    out = ""
    let err = ""
    started.stderr.on("data", (chunk) => {
      err += chunk
    })
    await new Promise<void>((resolve, reject) => {
      started.stdout.on("data", (chunk) => {
        out += chunk
        if (out.includes("Ctrl-C ends it.")) resolve()
      })
      started.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${err}`)))
    })
    port = /Listens at +\S+:(\d+)/.exec(out)?.[1] ?? port
  }
  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }

  await start()
  return {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    project,
    out: () => out,
    stop,
    restart: start
  }
}

/** Starts a server in front of the CLI and a scripted model. */
export const servePage = async (script: ModelScript, ...more: ReadonlyArray<string>): Promise<Served> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-page-")))
  const folders = { home: join(root, "home"), project: join(root, "project"), tmp: join(root, "tmp") }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  const asked: Array<JsonObject> = []
  const holds = new Map<string, Promise<void>>()
  const model = await startModel({
    script,
    onRequest: (_, body) => void asked.push(body),
    afterWrite: async (written) => {
      for (const [words, over] of holds) if (written.includes(words)) await over
    }
  })
  const mcp = await startMcpHttp([askingTool])
  const mcpConfig = JSON.stringify({ mcpServers: { demo: { type: "http", url: mcp.url } } })
  const { args, program } = await installCli("2.1.325")
  const cli = args[0] ?? program
  const source = more.includes("--demo") ? [] : ["--cli", cli, "--data", join(root, "data"), "--mcp-config", mcpConfig]
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folders.home,
    TMPDIR: folders.tmp,
    ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
    ANTHROPIC_BASE_URL: model.url,
    DISABLE_TELEMETRY: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ENABLE_TOOL_SEARCH: "false"
  }
  const server = await startServer({ args: [...source, ...more], project: folders.project, env })
  return {
    ...server,
    get url() {
      return server.url
    },
    asked,
    holdModelAfter: (words) => {
      let letGo = (): void => undefined
      holds.set(words, new Promise<void>((resolve) => (letGo = resolve)))
      return letGo
    },
    sayInTerminal: async (prompt) => {
      const child = spawn(cli, ["-p", prompt], { cwd: folders.project, env, stdio: ["ignore", "ignore", "inherit"] })
      const [code] = await once(child, "exit")
      if (code !== 0) throw new Error(`the CLI ended with ${code}`)
    },
    close: async () => {
      await server.stop()
      await model.close()
      await mcp.close()
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
  }
}

/** A tab with the page. */
export interface Tab {
  readonly page: Page
  /** What scripts and the content policy complained of. */
  readonly complaints: ReadonlyArray<string>
  /** Types a prompt and sends it. */
  readonly say: (prompt: string) => Promise<void>
  /** Waits for a text in the chat. */
  readonly hears: (text: string | RegExp) => Promise<void>
  /** The card of a tool. */
  readonly card: (tool: string) => ReturnType<Page["locator"]>
  readonly close: () => Promise<void>
}

/** What is special about a tab. */
export interface TabChoices {
  readonly view?: View
  readonly transport?: "rest" | "single"
  readonly thread?: string
  readonly token?: string
  /** Done before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** Opens the page in a tab with a profile of its own. */
export const openTab = async (
  browser: Browser,
  { url }: Pick<Served, "url">,
  choices: TabChoices = {}
): Promise<Tab> => {
  const { prepare, thread, transport = "rest", view = wide } = choices
  const context = await browser.newContext(view)
  // Long: other tests may have the machine.
  context.setDefaultTimeout(60_000)
  const complaints = complaintsOf(context)
  const page = await context.newPage()
  await prepare?.(page)
  const fragment = new URLSearchParams({ token: choices.token ?? token, ...(thread !== undefined && { thread }) })
  await page.goto(`${url}/${transport === "single" ? "?transport=single" : ""}#${fragment}`)
  const field = page.getByPlaceholder("Write to the agent")
  return {
    page,
    complaints,
    say: async (prompt) => {
      await field.fill(prompt)
      await page.getByTestId("copilot-send-button").click()
    },
    hears: (text) => page.locator(".chat").getByText(text).first().waitFor(),
    card: (tool) => page.locator(`.chat section[data-tool="${tool}"]`),
    close: () => context.close()
  }
}

/** The thread of a tab, once it has one. */
export const threadOf = (page: Page): string =>
  new URLSearchParams(new URL(page.url()).hash.slice(1)).get("thread") ?? ""
