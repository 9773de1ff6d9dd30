import { describe, expect, it } from "vitest"
import type { UserLine } from "../../../src/claude/transcript/Line.ts"
import { commandIn, outputIn, wordsOf } from "../../../src/claude/transcript/UserWords.ts"
import { prompt, result } from "./Write.ts"

const words = (text: string, more = {}) => wordsOf(prompt("u", null, text, more) as object as UserLine)

describe("whose words a line has", () => {
  it.each([
    ["Hi", {}, "prompt"],
    ["Hi", { origin: { kind: "human" } }, "prompt"],
    ["Hi", { isMeta: true }, "made_up"],
    ["<system-reminder>…</system-reminder>", {}, "made_up"],
    ["Operation stopped by hook: Enough.", {}, "made_up"],
    ["We talked.", { isCompactSummary: true }, "summary"],
    ["[Request interrupted by user for tool use]", {}, "interruption"],
    ["<local-command-stdout>Done.</local-command-stdout>", {}, "output"],
    ["<task-notification>\n<task-id>x</task-id></task-notification>", {}, "event"],
    ["Go on.", { origin: { kind: "coordinator" } }, "event"],
    ["<command-name>/compact</command-name>", {}, "prompt"]
  ])("%j with %j is %s", (text, more, kind) => {
    expect(words(text, more).kind).toBe(kind)
  })

  it("are a tool's where there is a result", () => {
    expect(wordsOf(result("u", null, "t", "x") as object as UserLine)).toEqual({ kind: "results" })
  })
})

describe("a command", () => {
  it.each([
    ["<command-name>/compact</command-name>\n  <command-args>keep it</command-args>", "/compact keep it"],
    [
      "<command-message>greet</command-message>\n<command-name>/greet</command-name>\n<command-args></command-args>",
      "/greet"
    ],
    ["<command-name>greet</command-name>", "/greet"],
    ["<bash-input>ls -l</bash-input>", "!ls -l"],
    ["I said <command-name>/x</command-name>", undefined],
    ["Hi", undefined]
  ])("%j was typed as %j", (text, typed) => {
    expect(commandIn(text)).toBe(typed)
  })

  it.each([
    ["<local-command-stdout>Compacted </local-command-stdout>", "Compacted "],
    ["<local-command-stderr>Error</local-command-stderr>", "Error"],
    ["<bash-stdout>out</bash-stdout><bash-stderr>err</bash-stderr>", "outerr"],
    ["<bash-stdout>out</bash-stdout>", "out"],
    ["<local-command-stdout>cut", undefined]
  ])("%j printed %j", (text, printed) => {
    expect(outputIn(text)).toBe(printed)
  })
})
