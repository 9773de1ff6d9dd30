/** Tests of the dialog: allow, edit, always, deny, questions, plans, by mouse. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { picture } from "./Browser.ts"
import { promptOf } from "./Scenes.ts"
import { inTab, type Stage, transports } from "./Stage.ts"

/** Registers the tests. */
export const approvalTests = (stage: Stage): void => {
  it.each(transports("single"))(
    "lets a tool run that was allowed, and shows its result, and the question beside its line (%s)",
    (transport) =>
      inTab(stage, { transport }, async ({ card, hears, page, say }) => {
        await say(promptOf("allow", transport))
        const dialog = page.getByRole("dialog")
        await dialog.getByText("echo made-by-the-agent").first().waitFor()
        expect(await card("Bash").getAttribute("data-state")).toBe("waiting")
        await picture(page, `approval-${transport}`)
        await dialog.getByRole("button", { name: "Allow", exact: true }).click()
        await hears("It is made.")
        await dialog.waitFor({ state: "detached" })
        await card("Bash").locator("summary").click()
        await card("Bash")
          .locator("pre", { hasText: /^made-by-the-agent/ })
          .waitFor()
        expect(await card("Bash").getAttribute("data-state")).toBe("done")

        const wire = page.getByRole("region", { name: "Wire" })
        const row = wire.locator(".wire-row").filter({ hasText: "control_request/can_use_tool" })
        await row.locator(".wire-events").getByText("tool_approval_request").waitFor()
        await wire.locator(".wire-rows").getByText("RUN_FINISHED").first().waitFor()
        expect(await row.locator(".wire-events .wire-type").allInnerTexts()).toEqual(["CUSTOM"])
      })()
  )

  if (sweeping)
    it("runs a tool with the arguments a person wrote, once they are JSON", () =>
      inTab(stage, {}, async ({ hears, page, say }, { project }) => {
        await say(promptOf("edit", "rest"))
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("button", { name: "Edit and allow…" }).click()
        const field = dialog.getByLabel("Arguments, as JSON")
        const send = dialog.getByRole("button", { name: "Allow with these" })
        await field.fill('{"command": ')
        await dialog.getByText("Not JSON yet").waitFor()
        expect(await send.isDisabled()).toBe(true)
        await picture(page, "approval-edit")
        await field.fill("[1]")
        await dialog.getByText("must be a JSON object").waitFor()
        await field.fill(JSON.stringify({ command: "echo second > edited.txt", description: "Edited" }))
        await send.click()
        await hears("It ran.")
        expect(readFileSync(join(project, "edited.txt"), "utf8")).toBe("second\n")
      })())

  it("does not ask again for what is always allowed", () =>
    inTab(stage, {}, async ({ hears, page, say }) => {
      await say(promptOf("always", "rest"))
      const dialog = page.getByRole("dialog")
      const always = dialog.getByRole("button", { name: "Always allow" })
      await dialog.getByText("Always, in this session: WebFetch(domain:127.0.0.1)").waitFor()
      expect(await always.getAttribute("aria-describedby")).not.toBeNull()
      await always.click()
      await hears("Both were tried.")
      await dialog.waitFor({ state: "detached" })
    })())

  it("tells the agent why it may not", () =>
    inTab(stage, {}, async ({ card, hears, page, say }, { asked, project }) => {
      await say(promptOf("deny", "rest"))
      const dialog = page.getByRole("dialog")
      await dialog.getByRole("button", { name: "Deny…" }).click()
      await dialog.getByLabel(/^Why not/).fill("Not on a Monday.")
      await dialog.getByRole("button", { name: "Deny", exact: true }).click()
      await hears("Then not.")
      expect(await card("Bash").getAttribute("data-state")).toBe("failed")
      expect(JSON.stringify(asked)).toContain("Not on a Monday.")
      expect(existsSync(join(project, "denied.txt"))).toBe(false)
    })())

  it("asks the questions of the agent, and sends the choices", () =>
    inTab(stage, {}, async ({ hears, page, say }, { asked }) => {
      await say(promptOf("ask", "rest"))
      const dialog = page.getByRole("dialog")
      await dialog.getByRole("radio", { name: /^Blue/ }).check()
      const send = dialog.getByRole("button", { name: "Answer", exact: true })
      expect(await send.isDisabled()).toBe(true)
      await dialog.getByRole("checkbox", { name: /^Small/ }).check()
      await dialog.getByRole("group", { name: "Which sizes?" }).getByLabel("Something else").fill("Huge")
      await picture(page, "question")
      await send.click()
      await hears("Noted.")
      const said = JSON.stringify(asked)
      expect(said).toMatch(/Which colour\?[^}]{1,20}Blue/)
      expect(said).toContain("Small, Huge")
    })())

  if (sweeping)
    it("shows a plan, and lets the agent begin", () =>
      inTab(stage, {}, async ({ hears, page, say }) => {
        await say(promptOf("plan", "rest"))
        const dialog = page.getByRole("dialog")
        const begin = dialog.getByRole("button", { name: "Begin" })
        const allow = dialog.getByRole("button", { name: "Allow", exact: true })
        await begin.or(allow).waitFor()
        if (await allow.isVisible()) await allow.click()
        await dialog.getByRole("heading", { name: "The plan" }).waitFor()
        await picture(page, "plan")
        await begin.click()
        await hears("I begin.")
      })())

  if (sweeping)
    it("asks again after the page was loaded again", () =>
      inTab(stage, {}, async ({ hears, page, say }) => {
        await say(promptOf("allow", "threads"))
        await page.getByRole("dialog").waitFor()
        await page.reload()
        await page.getByRole("dialog").getByRole("button", { name: "Allow", exact: true }).click()
        await hears("It is made.")
      })())
}
