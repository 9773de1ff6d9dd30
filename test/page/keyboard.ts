/**
 * Tests of the dialog by keyboard: keys that were meant for something else answer nothing, and all that can be
 * answered can be answered by keyboard alone.
 */
/// <reference lib="dom" />
import type { Locator, Page } from "playwright-core"
import { expect, it } from "vitest"
import { firstOf, sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { promptOf, type SceneName } from "./Scenes.ts"
import { inTab, type Stage } from "./Stage.ts"

/** A form of the dialog, and how it is answered by keyboard. */
interface FormCase {
  readonly form: string
  readonly scene: SceneName
  /** What only this form has. */
  readonly button: string
  readonly answer: (page: Page) => Promise<void>
  /** What is sent when that was all. */
  readonly sent: unknown
  readonly end: string
}

const cases: ReadonlyArray<FormCase> = [
  {
    form: "permission",
    scene: "keys",
    button: "Edit and allow…",
    answer: (page) => pressOn(page, "Allow", "Space"),
    sent: { approved: true },
    end: "Thank you."
  },
  {
    form: "plan",
    scene: "plan",
    button: "Begin",
    answer: (page) => pressOn(page, "Begin", "Enter"),
    sent: { approved: true },
    end: "I begin."
  },
  {
    form: "choice",
    scene: "ask",
    button: "Do not answer",
    answer: (page) => pressOn(page, "Do not answer", "Space"),
    sent: { approved: false },
    end: "Noted."
  },
  {
    form: "elicitation",
    scene: "form",
    button: "Decline",
    answer: (page) => pressOn(page, "Decline", "Enter"),
    sent: { action: "decline" },
    end: "Now I know."
  }
]

/** Registers the tests. */
export const keyboardTests = (stage: Stage): void => {
  it.each(firstOf(1, cases))("takes no answer from who types when the dialog opens ($form)", (each) =>
    inTab(stage, {}, async ({ hears, page, say }) => {
      const answers = answersOf(page)
      const dialog = page.getByRole("dialog")
      const wanted = dialog.getByRole("button", { name: each.button })
      const allow = dialog.getByRole("button", { name: "Allow", exact: true })
      await say(promptOf(each.scene, "typing"))
      await typeUntilShown(page, dialog, answers)
      expect(answers).toEqual([])
      // Some forms come after a permission.
      if (!(await wanted.isVisible())) {
        await allow.click()
        await dialog.filter({ has: allow }).waitFor({ state: "detached" })
        answers.length = 0
        await typeUntilShown(page, wanted, answers)
        expect(answers).toEqual([])
      }
      expect(await dialog.locator(":checked").count()).toBe(0)
      expect(await dialog.locator("input:not([type=checkbox], [type=radio])").evaluateAll(valuesOf)).toEqual(
        expect.not.arrayContaining([expect.stringMatching(/./)])
      )
      await each.answer(page)
      await hears(each.end)
      expect(answers).toEqual([each.sent])
    })()
  )

  it("does nothing at Space and Enter before somebody moves to a button", () =>
    inTab(stage, {}, async ({ hears, page, say }) => {
      const answers = answersOf(page)
      await say(promptOf("keys", "rest"))
      await whenCalm(page)
      for (const key of ["Space", "Enter", "Space", "Enter"]) await page.keyboard.press(key)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("DIALOG")
      // To "Deny…", and back out of it again, which leads to no button either.
      await pressOn(page, "Deny…", "Enter")
      await pressOn(page, "Back", "Enter")
      for (const key of ["Enter", "Space"]) await page.keyboard.press(key)
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("DIALOG")
      expect(answers).toEqual([])
      await pressOn(page, "Allow", "Enter")
      await hears("Thank you.")
      expect(answers).toEqual([{ approved: true }])
    })())

  it("keeps the focus in the dialog, which is named and described, and denies nothing at Escape", () =>
    inTab(stage, {}, async ({ hears, page, say }) => {
      const answers = answersOf(page)
      await say(promptOf("allow", "escape"))
      await whenCalm(page)
      const dialog = page.getByRole("dialog", { name: /Bash|command/i })
      await dialog.waitFor()
      const about = await dialog.evaluate(
        (shown) => document.getElementById(shown.getAttribute("aria-describedby") ?? "")?.textContent
      )
      expect(about).toContain("echo made-by-the-agent")
      for (const key of [...Array(12).fill("Tab"), ...Array(12).fill("Shift+Tab")]) {
        await page.keyboard.press(key)
        // The end of a page leads to the browser, and from there to its beginning.
        expect(await page.evaluate(() => document.activeElement?.matches("body, dialog, dialog *"))).toBe(true)
      }
      // The second one closes a dialog that only refuses to be cancelled.
      for (const key of ["Escape", "Escape", "Tab", "Escape", "Escape"]) await page.keyboard.press(key)
      expect(await dialog.evaluate((shown) => shown.matches(":modal"))).toBe(true)
      // What closes it all the same, such as the button "back" of a phone, opens it again.
      await dialog.evaluate((shown) => (shown as HTMLDialogElement).close())
      await page.locator("dialog:modal").waitFor()
      expect(answers).toEqual([])
      await pressOn(page, "Allow", "Enter")
      await hears("It is made.")
    })())

  if (sweeping)
    it("does nothing while a key is held", () =>
      inTab(stage, {}, async ({ hears, page, say }) => {
        const answers = answersOf(page)
        await say(promptOf("deny", "held"))
        await page.keyboard.down("Space")
        await page.getByRole("dialog").waitFor()
        for (let repeats = 0; repeats < 5; repeats++) await page.keyboard.down("Space")
        await page.keyboard.up("Space")
        await whenCalm(page)
        await tabTo(page, "Deny…")
        // Held for too long, Enter would send the form that it has opened.
        for (let repeats = 0; repeats < 5; repeats++) await page.keyboard.down("Enter")
        await page.keyboard.up("Enter")
        await page.getByLabel(/^Why not/).waitFor()
        expect(answers).toEqual([])
        await page.keyboard.type("Not by accident.")
        await page.keyboard.press("Enter")
        await hears("Then not.")
        expect(answers).toEqual([{ approved: false, reason: "Not by accident." }])
      })())
}

const valuesOf = (fields: ReadonlyArray<Element>): ReadonlyArray<string> =>
  fields.map((field) => (field as HTMLInputElement).value)

/** The answers that a page has sent. */
const answersOf = (page: Page): Array<unknown> => {
  const answers: Array<unknown> = []
  page.on("request", (request) => {
    const body = JSON.parse(request.postData() ?? "{}") as { readonly resume?: ReadonlyArray<{ payload?: unknown }> }
    for (const { payload, ...how } of body.resume ?? []) answers.push(payload ?? how)
  })
  return answers
}

/** Types words in the chat until something is shown, or was answered already, and does not stop at once. */
const typeUntilShown = async (page: Page, shown: Locator, answers: ReadonlyArray<unknown>): Promise<void> => {
  while (answers.length === 0 && !(await shown.isVisible())) await page.keyboard.type("on and ")
  await page.keyboard.type("and then, because it is late \n this too \n and ")
}

/** Waits until the keyboard may answer. */
const whenCalm = (page: Page): Promise<void> => page.locator("dialog button:enabled").first().waitFor()

/** Moves to a button as people do. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  await whenCalm(page)
  for (let tabs = 0; tabs < 30; tabs++) {
    await page.keyboard.press("Tab")
    if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return
  }
  throw new Error(`No Tab leads to ${name}.`)
}

const pressOn = async (page: Page, name: string, key: "Space" | "Enter"): Promise<void> => {
  await tabTo(page, name)
  await page.keyboard.press(key)
}
