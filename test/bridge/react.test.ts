/** The hooks in a real browser, in the application that docs/embedding.md shows, with a real CLI behind the bridge. */
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Bridge } from "@agentwire/bridge"
import { startModel } from "@agentwire/fixtures"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { build } from "esbuild"
import type { Page } from "playwright-core"
import { complaintsOf, startBrowser } from "../page/Browser.ts"
import { setUp } from "./AgentSetup.ts"

const entry = `
  import { createElement, StrictMode } from "react"
  import { createRoot } from "react-dom/client"
  import { App } from "./App.tsx"
  const { root, ...props } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  createRoot(document.getElementById("root")).render(createElement(StrictMode, null, createElement(App, props)))`

const bundle = async (): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: fileURLToPath(new URL("../embedding/", import.meta.url)), loader: "js" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    jsx: "automatic",
    conditions: ["agentwire-source"],
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".css": "empty" },
    logLevel: "silent",
    outdir: "out"
  })
  return outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? ""
}

/** A page with the application. */
const startPage = Effect.acquireRelease(
  Effect.promise(async () => {
    const script = await bundle()
    const server = createServer(({ url }, response) => {
      const isScript = url === "/app.js"
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8")
      response.end(isScript ? script : '<div id="root"></div><script type="module" src="/app.js"></script>')
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return { server, script, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }),
  ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(resolve) && server.closeAllConnections()))
)

describe("the hooks", () => {
  it.live("show whether the bridge is there, and let a person answer", () =>
    Effect.gen(function* () {
      const replies = [
        says(tool("Bash", { command: "touch yes", description: "Touch" })),
        says("It ran."),
        says(tool("Bash", { command: "touch no", description: "Touch" })),
        says("It did not.")
      ]
      const model = yield* Effect.acquireRelease(
        Effect.promise(() => startModel({ script: { replies } })),
        ({ close }) => Effect.promise(close)
      )
      const { options, project } = yield* setUp("2.1.325", { replies: [] })
      const { origin, script } = yield* startPage
      // What is for browsers has nothing of Effect's runtime or of Node in it.
      expect(script).not.toMatch(/node:(http|crypto|fs)|effect\/Effect/)
      const agent = { ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } }
      const bridge = new Bridge({ agent, cwd: project, port: 0, approvals: "event", allowedOrigins: [origin] })
      yield* Effect.addFinalizer(() => Effect.promise(() => bridge.stop()))
      const browser = yield* Effect.acquireRelease(Effect.promise(startBrowser), (started) =>
        Effect.promise(() => started.close())
      )
      yield* Effect.promise(async () => {
        const { token = "", url } = await bridge.start()
        const context = await browser.newContext()
        const complaints = complaintsOf(context)
        const page = await context.newPage()
        const at = (more: Readonly<Record<string, string>>) =>
          page.goto(`${origin}/?${Math.random()}#${new URLSearchParams({ url, token, threadId: "t", ...more })}`)

        await at({ token: "a-token-that-is-wrong" })
        await statusIs(page, /^refused: /)
        await at({})
        await statusIs(page, /^connected$/)
        await bridge.createSession({ threadId: "t" })

        const first = await bridge.sendMessage("t", "Go")
        await page.getByRole("heading", { name: "Bash" }).waitFor()
        expect(await page.locator("pre").innerText()).toContain("touch yes")
        await page.getByRole("button", { name: "Allow", exact: true }).click()
        expect((await first.result).text).toBe("It ran.")
        expect(await page.locator("section").count()).toBe(0)

        const second = await bridge.sendMessage("t", "Go on")
        await page.getByRole("button", { name: "Deny" }).click()
        expect((await second.result).text).toBe("It did not.")
        expect([existsSync(join(project, "yes")), existsSync(join(project, "no"))]).toEqual([true, false])
        expect(complaints).toEqual([])
      })
    }).pipe(Effect.scoped)
  )
})

const statusIs = (page: Page, words: RegExp): Promise<void> =>
  page.getByRole("status").filter({ hasText: words }).first().waitFor()
