/** Tests of what goes wrong: each trouble has words a person understands, and something to do. */
import { expect, it } from "vitest"
import { picture } from "./Browser.ts"
import { promptOf } from "./Scenes.ts"
import { openTab, threadOf, token } from "./ServedPage.ts"
import { inTab, type Stage } from "./Stage.ts"

/** Registers the tests. */
export const troubleTests = (stage: Stage): void => {
  it("shows the error of a run", () =>
    inTab(stage, {}, async ({ page, say }) => {
      await say(promptOf("error", "rest"))
      const problem = page.getByRole("alert")
      await problem.getByText("The model does not like this.").waitFor()
      await picture(page, "run-error")
      await problem.getByRole("button", { name: "Dismiss" }).click()
      await problem.waitFor({ state: "detached" })
    })())

  it("says so when the CLI was killed, and goes on when asked to", () =>
    inTab(stage, {}, async ({ card, hears, page, say }) => {
      await say(promptOf("dies", "rest"))
      await page.getByRole("button", { name: "Allow", exact: true }).click()
      const problem = page.getByRole("alert")
      await problem.getByRole("heading", { name: "The agent's process ended" }).waitFor()
      await problem.getByText(/SIGKILL/).waitFor()
      expect(await card("Bash").getAttribute("data-state")).toBe("unfinished")
      await picture(page, "killed")
      await problem.getByRole("button", { name: "Send again" }).click()
      await hears("Alive again.")
      await problem.waitFor({ state: "detached" })
    })())

  it("says so when the thread is busy", () =>
    inTab(stage, {}, async ({ hears, page, say }, served) => {
      const other = await openTab(stage().browser, served, {
        thread: threadOf(page),
        // This tab is not told that the other one began.
        prepare: async (tab) => {
          await tab.route("**/api/sessions/*/events*", (route) => route.abort())
        }
      })
      try {
        await other.page.getByRole("heading", { name: "A new thread" }).waitFor()
        await say(promptOf("hang", "threads"))
        await hears("Before the pause.")
        await other.say("Me, too.")
        await other.page.getByRole("alert").getByRole("heading", { name: "This thread is busy" }).waitFor()
        await picture(other.page, "busy")
      } finally {
        await other.close()
      }
    })())

  it("asks for the token when there is none or a wrong one", () =>
    inTab(stage, { token: "another-token-that-nobody-knows" }, async ({ page }) => {
      await page.getByRole("alert").getByText("The token was refused.").waitFor()
      await page.getByText("agentwire serve --page").waitFor()
      await picture(page, "token")
      await page.getByLabel("Token").fill(token)
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "A new thread" }).waitFor()
    })())

  it("says so when the server is gone, and continues when it is back", () =>
    inTab(stage, {}, async ({ hears, page, say }, served) => {
      await say(promptOf("plain", "phone"))
      await hears("First answer.")
      await page.locator('[data-copilot-running="false"]').waitFor()
      await served.stop()
      const problem = page.locator(".gone").getByRole("alert")
      await problem.getByRole("heading", { name: "The server is gone" }).waitFor()
      await picture(page, "gone")
      await served.restart()
      await problem.waitFor({ state: "detached" })
      await hears("First answer.")
      await say("Go on.")
      await hears("Second answer.")
      expect(await page.getByRole("alert").count()).toBe(0)
    })())
}
