import { describe, expect, it } from "vitest"
import { sessionOfScenario } from "./Kept.ts"
import { answer, fileOf, prompt } from "./Write.ts"

const asked = prompt("p", null, "  Write\n a   poem. ")

describe("the title of a session", () => {
  it("is the person's, else the provider's, else the first prompt", () => {
    const person = { type: "custom-title", customTitle: "Mine" }
    const provider = { type: "ai-title", aiTitle: "A poem" }
    expect(fileOf([asked, provider, person]).facts).toMatchObject({ title: "Mine", titleBy: "person" })
    expect(fileOf([asked, provider]).facts).toMatchObject({ title: "A poem", titleBy: "provider" })
    expect(fileOf([asked]).facts).toMatchObject({ title: "Write a poem.", titleBy: "prompt" })
    expect(fileOf([]).facts).toMatchObject({ title: undefined, titleBy: undefined })
  })

  it("is the last that was given", () => {
    const titles = ["One", "Two"].map((customTitle) => ({ type: "custom-title", customTitle }))
    expect(fileOf([...titles, asked]).facts.title).toBe("Two")
  })

  it("is no reminder, no summary and no output of a command", () => {
    const made = [
      prompt("a", null, "<local-command-caveat>…</local-command-caveat>", { isMeta: true }),
      prompt("b", "a", "We talked.", { isCompactSummary: true }),
      prompt("c", "b", "<local-command-stdout>Done.</local-command-stdout>")
    ]
    expect(fileOf([...made, asked]).facts.firstPrompt).toBe("Write a poem.")
  })
})

describe("the first prompt", () => {
  it("is said in words, and a command only where there are none", () => {
    const command = prompt("c", null, "<command-name>/clear</command-name>")
    expect(fileOf([command, asked]).facts.firstPrompt).toBe("Write a poem.")
    expect(fileOf([command]).facts.title).toBe("/clear")
  })
})

describe("a session", () => {
  it("was active when something was said last, not when its file was written to", () => {
    const { facts } = fileOf([
      { ...asked, timestamp: "2026-01-01T00:00:00.000Z", cwd: "/home/ada", version: "2.1.325", gitBranch: "main" },
      answer("a", "p", "m", "Roses.", { timestamp: "2026-01-01T00:00:01.000Z", cwd: "/home/ada/x" }),
      { type: "custom-title", customTitle: "Mine", timestamp: "2026-02-01T00:00:00.000Z" }
    ])
    expect(facts).toMatchObject({
      cwd: "/home/ada",
      version: "2.1.325",
      gitBranch: "main",
      model: "claude",
      createdAt: Date.UTC(2026, 0, 1),
      activeAt: Date.UTC(2026, 0, 1, 0, 0, 1)
    })
  })

  it("of a real CLI tells all of it", () => {
    expect(sessionOfScenario("plain_text", "2.1.325").facts).toMatchObject({
      version: "2.1.325",
      entrypoint: "sdk-cli",
      mode: "default",
      firstPrompt: "Hi",
      isSidechain: false,
      cwd: expect.stringContaining("/project"),
      sessionId: sessionOfScenario("plain_text", "2.1.325").sessionId
    })
  })
})
