/** Tests of the threads: the list, titles, history, deleting, two tabs on one thread. */
import { expect, it } from "vitest"
import { newestOf, sent } from "../bridge/ModelRequest.ts"
import { picture } from "./Browser.ts"
import { promptOf } from "./Scenes.ts"
import { openTab, threadOf } from "./ServedPage.ts"
import { inTab, type Stage } from "./Stage.ts"

/** Registers the tests. */
export const threadTests = (stage: Stage): void => {
  it("lists threads by their first prompts, opens them again, and deletes them", () =>
    inTab(stage, {}, async ({ hears, page, say }) => {
      const list = page.getByRole("navigation", { name: "Threads" })
      await page.getByRole("heading", { name: "A new thread" }).waitFor()
      await picture(page, "empty")
      await say(promptOf("plain", "threads"))
      await hears("First answer.")
      const first = list.getByRole("button", { name: promptOf("plain", "threads"), exact: false }).first()
      await first.waitFor()
      const thread = threadOf(page)

      await list.getByRole("button", { name: "New thread" }).click()
      await page.getByRole("heading", { name: "A new thread" }).waitFor()
      expect(threadOf(page)).not.toBe(thread)
      await say(promptOf("stream", "threads"))
      await page.getByRole("heading", { name: "Title" }).waitFor()

      await first.click()
      await hears("First answer.")
      expect(threadOf(page)).toBe(thread)
      await page.reload()
      await hears("First answer.")
      await page.getByTestId("copilot-user-message").filter({ hasText: "Play plain" }).waitFor()
      await picture(page, "threads")

      await page.goBack()
      await page.getByRole("heading", { name: "Title" }).waitFor()
      await page.goForward()
      await hears("First answer.")

      const remove = list.getByRole("button", { name: `Delete ${promptOf("plain", "threads")}` })
      await remove.click()
      await list.getByRole("button", { name: `Really delete ${promptOf("plain", "threads")}` }).click()
      await first.waitFor({ state: "detached" })
      await page.getByRole("heading", { name: "A new thread" }).waitFor()
    })())

  it("goes on with a conversation that was begun in a terminal", () =>
    inTab(stage, {}, async ({ complaints, hears, page, say }, { asked, sayInTerminal }) => {
      const prompt = promptOf("plain", "terminal")
      await sayInTerminal(prompt)
      const elsewhere = page.locator("details", { hasText: "Begun elsewhere" })
      await elsewhere.locator("summary").click()
      const found = elsewhere.getByRole("button", { name: prompt })
      await found.waitFor()
      await picture(page, "elsewhere")
      await found.click()
      await hears("First answer.")
      await page.getByTestId("copilot-user-message").filter({ hasText: prompt }).waitFor()
      await found.waitFor({ state: "detached" })
      await say("Go on.")
      await hears("Second answer.")
      await page.locator('[data-copilot-running="false"]').waitFor()
      const ours = asked.filter((request) => JSON.stringify(request["messages"]).includes(prompt))
      expect(sent(newestOf(ours)).map(([, words]) => words)).toEqual([prompt, "First answer.", "Go on."])
      // It is a thread like any other: a reload finds it.
      await page.reload()
      await hears("Second answer.")
      await page.getByRole("button", { name: `Delete ${prompt}` }).waitFor()
      expect(await page.locator(".chat").getByText("First answer.").count()).toBe(1)
      expect(complaints).toEqual([])
    })())

  it("shows in one tab what is said in the other", () =>
    inTab(stage, {}, async ({ hears, page, say }, served) => {
      await say(promptOf("plain", "rest"))
      await hears("First answer.")
      const other = await openTab(stage().browser, served, { thread: threadOf(page) })
      try {
        await other.hears("First answer.")
        await say("More, please.")
        await other.hears("Second answer.")
        await other.hears("More, please.")
        await other.page.locator('[data-copilot-running="false"]').waitFor()
        await other.say("And more.")
        await hears("Third answer.")
        expect(await page.locator(".chat").getByText("Second answer.").count()).toBe(1)
      } finally {
        await other.close()
      }
    })())
}
