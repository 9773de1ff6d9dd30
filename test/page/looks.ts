/** Tests of how the page looks: on a phone, in the dark, with enough contrast. */
/// <reference lib="dom" />
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { firstOf } from "../../packages/fixtures/test/Sweep.ts"
import { phone, picture, wide } from "./Browser.ts"
import { promptOf } from "./Scenes.ts"
import { inTab, type Stage } from "./Stage.ts"

/** Texts whose contrast with what is behind them is below 4.5, as WCAG AA wants it of text of this size. */
const faint = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })
    if (context === null) throw new Error("There is no canvas.")
    const rgba = (color: string): readonly [number, number, number, number] => {
      context.clearRect(0, 0, 1, 1)
      context.fillStyle = color
      context.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data
      return [red, green, blue, alpha / 255]
    }
    const light = ([red, green, blue]: ReadonlyArray<number>): number => {
      const linear = [red, green, blue].map((value = 0) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
      )
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
    }
    const behind = (element: Element | null): readonly [number, number, number, number] => {
      for (let at = element; at !== null; at = at.parentElement) {
        const color = rgba(getComputedStyle(at).backgroundColor)
        if (color[3] > 0.99) return color
      }
      return rgba(getComputedStyle(document.documentElement).backgroundColor)
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: Array<string> = []
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement
      const text = walker.currentNode.textContent?.trim() ?? ""
      if (element === null || text === "" || !element.checkVisibility({ opacityProperty: true })) continue
      if (element.closest(":disabled, script, noscript, style, option") !== null) continue
      const [front, back] = [light(rgba(getComputedStyle(element).color)), light(behind(element))]
      const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
      if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.className} ${text.slice(0, 30)}`)
    }
    return found
  })

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Registers the tests. */
export const lookTests = (stage: Stage): void => {
  it.each(firstOf(1, ["dark", "light"] as const))("can be read in %s colours", (colorScheme) =>
    inTab(stage, { view: { ...wide, colorScheme } }, async ({ hears, page, say }) => {
      await say(promptOf("allow", colorScheme))
      await page.getByRole("dialog").waitFor()
      await picture(page, `${colorScheme}-dialog`)
      expect(await faint(page)).toEqual([])
      await page.getByRole("button", { name: "Allow", exact: true }).click()
      await hears("It is made.")
      await page.locator('[data-copilot-running="false"]').waitFor()
      await page.locator(".wire-rows").getByText("RUN_FINISHED").last().waitFor()
      await picture(page, colorScheme)
      expect(await faint(page)).toEqual([])
      const isDark = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      expect(isDark).toBe(colorScheme === "dark" ? "rgb(20, 23, 28)" : "rgb(255, 255, 255)")
    })()
  )

  it("fits a phone, part by part", () =>
    inTab(stage, { view: phone }, async ({ hears, page, say }) => {
      await say(promptOf("allow", "phone"))
      await page.getByRole("dialog").waitFor()
      await picture(page, "phone-dialog")
      expect(await overflow(page)).toBe(0)
      await page.getByRole("button", { name: "Allow", exact: true }).click()
      await hears("It is made.")
      await picture(page, "phone-chat")
      expect(await overflow(page)).toBe(0)
      for (const part of ["Wire", "Threads", "Chat"]) {
        await page.getByRole("navigation", { name: "Parts of the page" }).getByRole("button", { name: part }).click()
        await page.locator(`.${part.toLowerCase()}`).waitFor()
        expect(await overflow(page)).toBe(0)
        await picture(page, `phone-${part.toLowerCase()}`)
      }
    })())
}
