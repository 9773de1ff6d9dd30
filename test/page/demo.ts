/** Tests of the page in front of the demo agent. */
import { expect, it } from "vitest"
import { picture } from "./Browser.ts"
import { openTab, servePage } from "./ServedPage.ts"
import type { Stage } from "./Stage.ts"

/** Registers the tests. */
export const demoTests = (stage: Stage): void => {
  it("says what it is, suggests what to type, and changes the page", async () => {
    const served = await servePage({ replies: [] }, "--demo", "--speed", "instant")
    const { card, close, page } = await openTab(stage().browser, served)
    try {
      await page.locator(".agent", { hasText: "demo agent" }).waitFor()
      await picture(page, "demo")
      await page.getByRole("button", { name: /Make this page teal/ }).click()
      await page.locator('html[data-accent="teal"]').waitFor()
      await card("setAccent").waitFor()
      await page.locator('[data-copilot-running="false"]').waitFor()
      expect(await page.locator(".chat .problem").count()).toBe(0)
    } finally {
      await close()
      await served.close()
    }
  })
}
