/** Debian's Chromium for the tests of the page: one process for a file of tests, a fresh profile, no network. */
import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"

// `scripts/chromium.mjs` installs it.
const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** Starts the browser. */
export const startBrowser = (): Promise<Browser> => chromium.launch({ executablePath, headless: true, args: flags })

const folder = fileURLToPath(new URL("./screenshots/", import.meta.url))

/** Takes a picture of a page, for people to look at, where `AGENTWIRE_PICTURES` says that somebody will. */
export const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env["AGENTWIRE_PICTURES"] === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}${name}.png`, animations: "disabled" })
}

/** How a tab is to be. */
export type View = Parameters<Browser["newContext"]>[0]

/** Nothing moves by itself: without a graphics card, every frame of it is work for the processor. */
const still: NonNullable<View> = { reducedMotion: "reduce" }

/** A desktop window. */
export const wide: NonNullable<View> = { ...still, viewport: { width: 1440, height: 900 } }

/** A phone, held upright. */
export const phone: NonNullable<View> = {
  ...still,
  viewport: { width: 390, height: 780 },
  hasTouch: true,
  isMobile: true
}

/** What a tab complained of: errors of scripts, and what the content policy refused. */
export const complaintsOf = (context: BrowserContext): ReadonlyArray<string> => {
  const complaints: Array<string> = []
  context.on("weberror", (error) => complaints.push(String(error.error())))
  context.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
