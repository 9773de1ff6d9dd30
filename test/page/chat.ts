/** Tests of the chat: what streams, what tools show, what changes the page, stopping. */
/// <reference lib="dom" />
import { expect, it } from "vitest"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { picture } from "./Browser.ts"
import { promptOf } from "./Scenes.ts"
import { inTab, type Stage, transports } from "./Stage.ts"

/** Registers the tests. */
export const chatTests = (stage: Stage): void => {
  it.each(transports("rest"))("shows thinking and Markdown as they stream (%s)", (transport) =>
    inTab(stage, { transport }, async ({ complaints, hears, page, say }, { url }) => {
      const hosts = new Set<string>()
      page.on("request", (request) => hosts.add(new URL(request.url()).host))
      await say(promptOf("stream", transport))
      await page.getByRole("heading", { name: "Title" }).waitFor()
      await page.locator('[data-streamdown="strong"]', { hasText: "bold" }).waitFor()
      await page.locator(".chat").getByRole("listitem").filter({ hasText: "two" }).waitFor()
      const thought = page.getByRole("button", { name: /^Thought for/ })
      await thought.click()
      await hears("I think about it.")
      await picture(page, `chat-${transport}`)
      expect([...hosts]).toEqual([new URL(url).host])
      expect(page.url()).not.toContain("token")
      expect(complaints).toEqual([])
    })()
  )

  it.each(transports("single"))("runs a tool of the page, which changes it (%s)", (transport) =>
    inTab(stage, { transport }, async ({ card, hears, page, say }) => {
      await page.locator(".top").waitFor()
      const before = await page.evaluate(
        () => getComputedStyle(document.querySelector(".top") as Element).borderBottomColor
      )
      await say(promptOf("accent", transport))
      await hears("It is teal now.")
      await page.locator('html[data-accent="teal"]').waitFor()
      const after = await page.evaluate(
        () => getComputedStyle(document.querySelector(".top") as Element).borderBottomColor
      )
      expect(after).not.toBe(before)
      await card("setAccent").locator("summary").click()
      await card("setAccent").getByText("The page is now teal.").waitFor()
      expect(await card("setAccent").getAttribute("data-state")).toBe("done")
      await picture(page, `accent-${transport}`)
    })()
  )

  it.each(transports("rest"))("stops a run that does not end (%s)", (transport) =>
    inTab(stage, { transport }, async ({ hears, page, say }) => {
      await say(promptOf("hang", transport))
      await hears("Before the pause.")
      await page.locator('[data-copilot-running="true"]').waitFor()
      await page.getByTestId("copilot-send-button").click()
      await page.locator('[data-copilot-running="false"]').waitFor()
      await hears("Before the pause.")
      expect(await page.locator(".chat .problem").count()).toBe(0)
    })()
  )

  if (sweeping)
    it("shows the error of a tool", () =>
      inTab(stage, {}, async ({ card, hears, page, say }) => {
        await say(promptOf("fails", "rest"))
        await page.getByRole("button", { name: "Allow", exact: true }).click()
        await hears("That failed.")
        expect(await card("Bash").getAttribute("data-state")).toBe("failed")
        await card("Bash").locator("summary").click()
        await card("Bash").getByRole("heading", { name: "Error" }).waitFor()
        await picture(page, "tool-failed")
      })())

  it("shows a sub-agent under the call that started it", () =>
    inTab(stage, {}, async ({ card, hears, page, say }) => {
      await say(promptOf("helpers", "rest"))
      await page.getByRole("button", { name: "Allow", exact: true }).click()
      await hears("The helper is back.")
      const parent = page.locator('.chat section[data-tool="Agent"], .chat section[data-tool="Task"]')
      const own = parent.locator(".subagent")
      await own.locator('section[data-tool="Bash"]').waitFor()
      expect(await card("Bash").count()).toBe(1)
      await picture(page, "subagent")
    })())

  it("goes on with an answer after the page was loaded again in the middle of it, and takes words into the run", () =>
    inTab(stage, {}, async ({ hears, page, say }, { holdModelAfter }) => {
      const letModelGoOn = holdModelAfter("word3 ")
      await say(promptOf("long", "rest"))
      await hears("word3")
      await page.reload()
      await page.locator('[data-copilot-running="true"]').waitFor()
      // Before its history has come, a page has another field, which goes with the welcome.
      await hears("word3")
      // The button stops the run; Enter says something in it.
      await page.getByText("goes into this run").waitFor()
      const field = page.getByPlaceholder("Write to the agent")
      await field.fill("One thing more.")
      await field.press("Enter")
      await page.getByText("not heard yet: One thing more.").waitFor()
      await picture(page, "steering")
      letModelGoOn()
      await hears("word59")
      await hears("And that was said between.")
      await page.locator('[data-copilot-running="false"]').waitFor()
      await page.locator(".steering").waitFor({ state: "detached" })
      const own = page.locator('[data-testid="copilot-user-message"]')
      expect((await own.allInnerTexts()).map((words) => words.trim())).toEqual([
        promptOf("long", "rest"),
        "One thing more."
      ])
      const said = (await page.locator('[data-testid="copilot-message-list"]').innerText()).match(/word\d+/g)
      expect(said).toEqual(Array.from({ length: 60 }, (_, index) => `word${index}`))
    })())
}
