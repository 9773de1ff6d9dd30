/** Tests of going back in the chat: the model is asked what the page shows. */
/// <reference lib="dom" />
import type { Page } from "playwright-core"
import { expect, it } from "vitest"
import { newestOf, sent } from "../bridge/ModelRequest.ts"
import { picture } from "./Browser.ts"
import { promptOf } from "./Scenes.ts"
import { inTab, type Stage, transports } from "./Stage.ts"

/** What people and the agent said, as the page shows it. */
const shown = async (page: Page): Promise<ReadonlyArray<string>> => {
  const kinds = ["user", "assistant"].map((who) => `[data-testid="copilot-${who}-message"]`)
  const words = await page.locator(kinds.join(", ")).allInnerTexts()
  return words.map((each) => each.trim())
}

/** Presses a button of the chat, by keyboard alone. */
const press = async (page: Page, name: string, nth: number): Promise<void> => {
  const button = page.locator(".chat").getByRole("button", { name, exact: true }).nth(nth)
  await button.focus()
  await page.keyboard.press("Enter")
}

/** Registers the tests. */
export const goingBackTests = (stage: Stage): void => {
  it.each(transports("rest"))(
    "asks for another answer, and says something else instead, by keyboard (%s)",
    (transport) =>
      inTab(stage, { transport }, async ({ complaints, hears, page, say }, { asked }) => {
        const prompt = promptOf("back", transport)
        const isDone = async (answer: string): Promise<void> => {
          await hears(answer)
          await page.locator('[data-copilot-running="false"]').waitFor()
          const ours = asked.filter((request) => JSON.stringify(request["messages"]).includes(prompt))
          expect(sent(newestOf(ours)).map(([, words]) => words)).toEqual((await shown(page)).slice(0, -1))
        }
        await say(prompt)
        await isDone("Answer one.")
        await say("And then?")
        await isDone("Answer two.")
        await press(page, "Regenerate", 1)
        await isDone("Another two.")
        expect(await shown(page)).toEqual([prompt, "Answer one.", "And then?", "Another two."])
        await press(page, "Edit", 0)
        const field = page.getByRole("textbox", { name: "Your message" })
        await field.and(page.locator(":focus")).waitFor()
        await picture(page, `edit-${transport}`)
        await page.keyboard.press("Escape")
        expect(await field.count()).toBe(0)
        await press(page, "Edit", 0)
        await field.fill(`${prompt} In other words.`)
        await press(page, "Send instead", 0)
        await isDone("Answer to other words.")
        expect(await shown(page)).toEqual([`${prompt} In other words.`, "Answer to other words."])
        expect(complaints).toEqual([])
      })()
  )
}
