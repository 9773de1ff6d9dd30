/**
 * The page in a real browser: Debian's Chromium, `agentwire serve --page`, the real CLI and a scripted model. One
 * browser and one server play all of it; each test has a tab and a thread of its own, so they run side by side.
 */
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe } from "vitest"
import { approvalTests } from "./approvals.ts"
import { startBrowser } from "./Browser.ts"
import { chatTests } from "./chat.ts"
import { codexTests } from "./codex.ts"
import { demoTests } from "./demo.ts"
import { goingBackTests } from "./goingback.ts"
import { keyboardTests } from "./keyboard.ts"
import { lookTests } from "./looks.ts"
import { scriptFor } from "./Scenes.ts"
import { type Served, servePage } from "./ServedPage.ts"
import type { Stage } from "./Stage.ts"
import { threadTests } from "./threads.ts"
import { troubleTests } from "./troubles.ts"
import { wireTests } from "./wire.ts"

let browser: Browser | undefined
let served: Served | undefined

beforeAll(async () => {
  ;[browser, served] = await Promise.all([
    startBrowser(),
    servePage(
      scriptFor(["rest", "single", "threads", "terminal", "phone", "light", "dark", "wire", "typing", "escape", "held"])
    )
  ])
})

afterAll(async () => {
  await browser?.close()
  await served?.close()
})

const stage: Stage = () => {
  if (browser === undefined || served === undefined) throw new Error("The stage is not set.")
  return { browser, served }
}

describe.concurrent("the chat", () => chatTests(stage))
describe.concurrent("going back", () => goingBackTests(stage))
describe.concurrent("questions of the agent", () => approvalTests(stage))
describe.concurrent("questions and the keyboard", () => keyboardTests(stage))
describe.concurrent("threads", () => threadTests(stage))
describe.concurrent("the wire panel", () => wireTests(stage))
describe.concurrent("how it looks", () => lookTests(stage))
describe.concurrent("the demo agent", () => demoTests(stage))
describe.concurrent("Codex", () => codexTests(stage))
// Last: the server ends here.
describe("what goes wrong", () => troubleTests(stage))
