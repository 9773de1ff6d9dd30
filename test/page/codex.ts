/** Tests of the page in front of the real Codex, and of the choice of an agent in the demo. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { ResponsesLane } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { expect, it } from "vitest"
import { picture } from "./Browser.ts"
import { openTab, serveCodexPage, servePage, threadOf } from "./ServedPage.ts"
import type { Stage } from "./Stage.ts"

/** Each scene answers the thread whose prompt names it. */
const lanes: ReadonlyArray<ResponsesLane> = [
  {
    match: "Play stream.",
    replies: [
      {
        kind: "response",
        dripMs: 5,
        items: [
          { kind: "reasoning", summary: [["I think ", "about it."]] },
          { kind: "text", deltas: ["# Title\n\n", "Some **bold** words", " and an end."] }
        ]
      }
    ]
  },
  {
    match: "Play work.",
    replies: [
      { kind: "command", command: "echo made-by-codex > allowed.txt && cat allowed.txt" },
      {
        kind: "response",
        items: [
          {
            kind: "custom",
            name: "apply_patch",
            input: "*** Begin Patch\n*** Add File: poem.txt\n+Bytes become a stream\n+and stay\n*** End Patch"
          }
        ]
      },
      { kind: "text", deltas: ["Both are ", "made."] }
    ]
  }
]

/** Registers the tests. */
export const codexTests = (stage: Stage): void => {
  it("runs on Codex: an answer, a command, a patch with its diff, a reload, the wire", async () => {
    const served = await serveCodexPage({ replies: [{ kind: "text", deltas: ["No scene."] }], lanes })
    const { card, close, complaints, hears, page, say } = await openTab(stage().browser, served)
    const wire = page.getByRole("region", { name: "Wire" })
    try {
      await page.locator(".agent", { hasText: "Codex 0.166.0" }).waitFor()
      expect(await page.getByRole("group", { name: "Agent" }).count()).toBe(0)
      await wire.locator(".wire-columns").getByText("Codex").waitFor()

      await say("Play stream.")
      await page.getByRole("heading", { name: "Title" }).waitFor()
      await hears("and an end.")
      const row = wire.locator(".wire-row").filter({ hasText: "item/agentMessage/delta" }).filter({ hasText: "bold" })
      await row.getByText("TEXT_MESSAGE_CONTENT").waitFor()
      await wire.locator(".wire-rows").getByText("RUN_FINISHED").first().waitFor()
      expect(await wire.getByText("not a message").count()).toBe(0)

      await say("Play work.")
      const dialog = page.getByRole("dialog")
      await dialog.getByText("echo made-by-codex").first().waitFor()
      // Codex runs what it asked about and nothing else.
      expect(await dialog.getByRole("button", { name: /Edit/ }).count()).toBe(0)
      await picture(page, "codex-command")
      await dialog.getByRole("button", { name: "Allow", exact: true }).click()
      const diff = page.getByRole("dialog").locator(".patch")
      await diff.getByText("poem.txt").waitFor()
      await diff.locator('[data-mark="+"]', { hasText: "+Bytes become a stream" }).waitFor()
      expect(readFileSync(join(served.project, "allowed.txt"), "utf8")).toBe("made-by-codex\n")
      expect(existsSync(join(served.project, "poem.txt"))).toBe(false)
      await picture(page, "codex-patch")
      await page.getByRole("dialog").getByRole("button", { name: "Allow", exact: true }).click()
      await hears("Both are made.")
      expect(readFileSync(join(served.project, "poem.txt"), "utf8")).toBe("Bytes become a stream\nand stay\n")
      await card("commandExecution").first().waitFor()
      await page.locator('.chat section[data-tool="fileChange"][data-state="done"]').waitFor()
      const question = wire.locator(".wire-row").filter({ hasText: "item/fileChange/requestApproval" })
      await question.locator(".wire-events").getByText("tool_approval_request").waitFor()
      expect(await wire.locator(".wire-finding").allInnerTexts()).toEqual([])

      await page.reload()
      await page.getByRole("heading", { name: "Title" }).waitFor()
      await hears("and an end.")
      await hears("Both are made.")
      await page.locator('.chat section[data-tool="commandExecution"][data-state="done"]').waitFor()
      await picture(page, "codex")

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        wire.getByRole("button", { name: "Download tape" }).click()
      ])
      const { tape, wrong } = Tape.parseTape(readFileSync(await download.path()))
      expect([wrong, tape?.header.runtime]).toEqual([[], { name: "codex", version: "0.166.0" }])
      expect(complaints).toEqual([])
    } finally {
      await close()
      await served.close()
    }
  })

  it("lets a person choose the agent of a new thread in the demo, and keeps the choice", async () => {
    const served = await servePage({ replies: [] }, "--demo", "--speed", "instant")
    const { close, hears, page } = await openTab(stage().browser, served)
    try {
      const choice = page.getByRole("group", { name: "Agent" })
      expect(await choice.getByRole("radio", { name: "Claude Code" }).isChecked()).toBe(true)
      await page.getByRole("button", { name: /Send two helpers/ }).waitFor()
      await choice.getByRole("radio", { name: "Claude Code" }).focus()
      await page.keyboard.press("ArrowRight")
      await page.locator(".agent", { hasText: "Codex, demo agent" }).waitFor()
      expect(await choice.getByRole("radio", { name: "Codex" }).evaluate((radio) => radio.matches(":focus"))).toBe(true)
      await page.getByRole("button", { name: /Send two helpers/ }).waitFor({ state: "detached" })
      await picture(page, "demo-codex")
      await page.getByRole("button", { name: /Make this page teal/ }).click()
      await page.locator('html[data-accent="teal"]').waitFor()
      await page.locator('[data-copilot-running="false"]').waitFor()
      const thread = threadOf(page)
      await page.getByRole("button", { name: "New thread" }).click()
      expect(await choice.getByRole("radio", { name: "Claude Code" }).isChecked()).toBe(true)
      await page.goBack()
      await page.waitForFunction((id) => location.hash.includes(id), thread)
      await hears(/in its own words/)
      await page.locator(".agent", { hasText: "Codex" }).waitFor()
      expect(await choice.count()).toBe(0)
    } finally {
      await close()
      await served.close()
    }
  })
}
