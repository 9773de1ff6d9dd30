/** What all tests of the page share, and how a test gets its tab. */
import type { Browser } from "playwright-core"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { openTab, type Served, type Tab, type TabChoices } from "./ServedPage.ts"

/** The browser and the server, once they run. */
export type Stage = () => { readonly browser: Browser; readonly served: Served }

/** A test in a tab of its own, which is closed behind it. */
export const inTab =
  (stage: Stage, choices: TabChoices, test: (tab: Tab, served: Served) => Promise<void>) => async (): Promise<void> => {
    const { browser, served } = stage()
    const tab = await openTab(browser, served, choices)
    try {
      await test(tab, served)
    } finally {
      await tab.close()
    }
  }

/** The ways to a CopilotKit runtime that a test takes: both in a sweep, this one every day. */
export const transports = (daily: "rest" | "single"): ReadonlyArray<"rest" | "single"> =>
  sweeping ? ["rest", "single"] : [daily]
