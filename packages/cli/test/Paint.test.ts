import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  coloured,
  escapeControls,
  isColoured,
  isTerminal,
  marked,
  paintFor,
  plain,
  visible,
  withMarks
} from "../src/Paint.ts"
import { agentwireArgs } from "./AgentwireCommand.ts"

const source = fileURLToPath(new URL("../src/", import.meta.url))

const terminal = { isTTY: true }

describe("colours", () => {
  it.each([
    [terminal, {}, true],
    [terminal, { TERM: "xterm-256color" }, true],
    [terminal, { NO_COLOR: "" }, true],
    [terminal, { NO_COLOR: "1" }, false],
    [terminal, { NO_COLOR: "0" }, false],
    [terminal, { TERM: "dumb" }, false],
    [{}, {}, false],
    [{ isTTY: false }, { TERM: "xterm" }, false]
  ])("on %j with %j: %j", (stream, env, wanted) => {
    expect(isColoured(stream, env)).toBe(wanted)
    expect(paintFor(stream, env)).toBe(wanted ? marked : plain)
  })

  it("are all that NO_COLOR forbids", () => {
    expect(isTerminal(terminal, { NO_COLOR: "1" })).toBe(true)
  })

  it("are decided upon in one place", () => {
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
    const own = files.filter((name) => /NO_COLOR"\]|\\u001b\[\$|\\x1b\[/.test(readFileSync(join(source, name), "utf8")))
    expect(own).toEqual(["Paint.ts"])
  })

  it("are not in a pipe, whatever the terminal is", () => {
    const tape = fileURLToPath(new URL("../../../examples/tool_approved.ndjson", import.meta.url))
    const { stderr, stdout } = spawnSync(process.execPath, [...agentwireArgs, "decode", tape], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], TERM: "xterm-256color" }
    })
    expect(stdout).toContain("known")
    expect(stdout + stderr).not.toContain("\u001b")
  })
})

describe("a text of a stranger", () => {
  it("cannot steer the terminal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeControls(text)).not.toMatch(
          /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u
        )
        expect(visible(text)).not.toMatch(
          /[^\P{Cc}\n\t]|[\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u
        )
      })
    )
    for (const hidden of [
      "a\u200bb",
      "a\u200db",
      "a\u2060b",
      "a\ufeffb",
      "a\u00adb",
      "a\u3164b",
      "a\ufe0fb",
      "a\u{e0041}b"
    ]) {
      expect(escapeControls(hidden)).toMatch(/^a(?:\\u[0-9a-f]{4}){1,2}b$/)
      expect(JSON.parse(`"${escapeControls(hidden)}"`)).toBe(hidden)
    }
    for (const whole of ["👩‍💻", "👩🏽‍🚀", "❤️", "1️⃣", "می‌خواهم", "क्‍ष"]) expect(escapeControls(whole)).toBe(whole)
    expect(escapeControls("\ud800 😀")).toBe("\\ud800 😀")
    expect(escapeControls("\u001b]0;title\u0007 \u009b1m ü 😀")).toBe("\\u001b]0;title\\u0007 \\u009b1m ü 😀")
  })

  it("does not get the colours that we paint with", () => {
    const forged = coloured.bad("x")
    expect(visible(forged)).toBe("\\u001b[31mx\\u001b[39m")
    expect(visible(marked.bad(forged))).toBe("\u001b[31m\\u001b[31mx\\u001b[39m\u001b[39m")
    expect(visible(withMarks(forged))).toBe(forged)
  })

  it("says the same as JSON, whatever it says", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        expect(JSON.parse(visible(JSON.stringify({ value, text })))).toEqual(
          JSON.parse(JSON.stringify({ value, text }))
        )
      })
    )
  })
})
