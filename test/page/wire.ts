/** Tests of the wire panel: pairs, filters, findings, pausing, the tape. */
import { readFileSync } from "node:fs"
import { Tape } from "@agentwire/protocol"
import { expect, it } from "vitest"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { picture } from "./Browser.ts"
import { promptOf } from "./Scenes.ts"
import { inTab, type Stage } from "./Stage.ts"

/** Registers the tests. */
export const wireTests = (stage: Stage): void => {
  it("shows each line of the CLI beside the events it became, finds nothing wrong with them, and saves them as a tape", () =>
    inTab(stage, {}, async ({ page, say }) => {
      const wire = page.getByRole("region", { name: "Wire" })
      await wire.getByText("Nothing yet.").waitFor()
      await say(promptOf("stream", "wire"))
      await page.getByRole("heading", { name: "Title" }).waitFor()
      const row = wire.locator(".wire-row").filter({ hasText: "content_block_delta" }).filter({ hasText: "bold" })
      await row.getByText("TEXT_MESSAGE_CONTENT").waitFor()
      await row.getByRole("button", { name: /TEXT_MESSAGE_CONTENT/ }).click()
      await row.locator(".json", { hasText: '"messageId"' }).waitFor()
      await row.getByRole("button", { name: /content_block_delta/ }).click()
      await row.locator(".json", { hasText: '"text_delta"' }).waitFor()
      await wire.locator(".wire-rows").getByText("RUN_FINISHED").first().waitFor()
      expect(await wire.locator(".wire-finding").allInnerTexts()).toEqual([])
      await picture(page, "wire")

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        wire.getByRole("button", { name: "Download tape" }).click()
      ])
      const { tape, wrong } = Tape.parseTape(readFileSync(await download.path()))
      expect(wrong).toEqual([])
      expect(JSON.stringify(tape?.frames)).toContain("# Title")
    })())

  if (sweeping)
    it("filters by direction, type and text, and pauses", () =>
      inTab(stage, {}, async ({ hears, page, say }) => {
        const wire = page.getByRole("region", { name: "Wire" })
        await say(promptOf("plain", "wire"))
        await hears("First answer.")
        await wire.locator(".wire-rows").getByText("RUN_FINISHED").first().waitFor()
        const rows = wire.locator(".wire-row")
        await wire.getByLabel("Direction").selectOption("host")
        expect(new Set(await rows.evaluateAll((all) => all.map((row) => row.getAttribute("data-from"))))).toEqual(
          new Set(["host"])
        )
        await wire.getByLabel("Direction").selectOption("")
        await wire.getByLabel("Type").selectOption("RUN_FINISHED")
        expect(await rows.count()).toBe(1)
        await wire.getByLabel("Type").selectOption("")
        await wire.getByLabel("Text to look for").fill("First answer")
        expect(await rows.count()).toBeGreaterThan(0)
        for (const text of await rows.allInnerTexts()) expect(text).not.toContain("system/init")
        await wire.getByLabel("Text to look for").fill("there is no such text")
        await wire.getByText("Nothing matches the filter.").waitFor()
        await wire.getByLabel("Text to look for").fill("")

        await wire.getByRole("button", { name: "Pause" }).click()
        const before = await rows.count()
        await say("Again.")
        await hears("Second answer.")
        expect(await rows.count()).toBe(before)
        await wire.getByRole("button", { name: "Follow" }).click()
        await rows.nth(before).waitFor()
      })())

  if (sweeping)
    it("marks an event that breaks a rule, and shows no more rows than a person reads", () => {
      const broken = [
        { type: "RUN_STARTED", threadId: "t", runId: "r" },
        { type: "TEXT_MESSAGE_CONTENT", messageId: "never-started", delta: "x" },
        { type: "RUN_FINISHED", threadId: "t", runId: "r" }
      ]
      const lines = Array.from({ length: 1000 }, (_, seq) => ({
        seq,
        at: 0,
        from: "agent",
        line: JSON.stringify({ type: "keep_alive", seq }),
        events: 0
      }))
      const events = broken.map((event) => ({ event, line: lines.at(-1)?.seq }))
      const sse = (entries: ReadonlyArray<unknown>) =>
        entries.map((entry, seq) => `id: ${seq}-a\ndata: ${JSON.stringify(entry)}\n\n`).join("")
      const answer = (body: string) => ({ status: 200, contentType: "text/event-stream", body })
      return inTab(
        stage,
        {
          thread: "marked",
          prepare: async (page) => {
            await page.route("**/api/sessions/marked/events*", (route) => route.fulfill(answer(sse(events))))
            await page.route("**/api/sessions/marked/wire*", (route) => route.fulfill(answer(sse(lines))))
          }
        },
        async ({ page }) => {
          const wire = page.getByRole("region", { name: "Wire" })
          const row = wire.locator(".wire-row").filter({ hasText: "TEXT_MESSAGE_CONTENT" })
          await row.locator(".wire-finding", { hasText: "never-started" }).waitFor()
          await wire.getByText("1 finding").waitFor()
          expect(await wire.locator(".wire-row").count()).toBeLessThanOrEqual(200)
          await wire.getByLabel("Findings only").check()
          expect(await wire.locator(".wire-row").count()).toBe(1)
          await picture(page, "finding")
          await wire.getByLabel("Findings only").uncheck()
          await wire.getByRole("button", { name: "Show 200 earlier rows" }).click()
          await wire.locator(".wire-row").nth(399).waitFor()
          expect(await wire.locator(".wire-row").count()).toBe(400)
        }
      )()
    })
}
