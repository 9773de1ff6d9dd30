import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { commands } from "../../src/commands/index.ts"
import { credentials } from "../../src/doctor/checks/Cli.ts"
import { topics } from "../../src/help/Topics.ts"
import { tokenVariable } from "../../src/serve/OptionWords.ts"
import { run } from "../run.ts"

describe("agentwire help", () => {
  it("lists commands and topics, and is the same as --help", async () => {
    const { code, out } = await run(["help"])
    expect(code).toBe(0)
    expect(out).toBe((await run(["--help"])).out)
    for (const name of [...Object.keys(commands), ...Object.keys(topics)])
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"))
  })

  it("has topics that are no commands", () => {
    expect(Object.keys(topics).filter((name) => Object.hasOwn(commands, name))).toEqual([])
  })

  it.each(Object.entries(topics))("tells of %s, in lines that fit a terminal", async (name, { text }) => {
    const { code, out } = await run(["help", name])
    expect(code).toBe(0)
    expect(out).toContain(text)
    expect(text.split("\n").filter(({ length }) => length > 92)).toEqual([])
  })

  it.each(Object.entries(topics))("names in %s only commands and options that there are", async (_, { text }) => {
    const all = await Promise.all(Object.values(commands).map(({ load }) => load()))
    const known = new Set(["help", "debug", ...all.flatMap(({ options }) => Object.keys(options))])
    const named = [...text.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)].map(([, option = ""]) => option)
    expect(named.filter((option) => !known.has(option))).toEqual([])
    for (const [, command = "", rest = ""] of text.matchAll(/^ +agentwire (\w+)(.*)$/gm)) {
      const options = Object.keys((await commands[command]?.load())?.options ?? {})
      expect(Object.keys(commands)).toContain(command)
      for (const [, option] of rest.matchAll(/--([a-z][a-z-]*)/g)) expect(options).toContain(option)
    }
  })

  it("lists every variable that is read", () => {
    const read = ["cli", "bridge", "fixtures"].flatMap((name) => {
      const source = fileURLToPath(new URL(`../../../${name}/src/`, import.meta.url))
      return readdirSync(source, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) => [...readFileSync(join(source, file), "utf8").matchAll(/\benv\["([A-Z_]+)"\]/g)])
        .map(([, variable = ""]) => variable)
    })
    expect(read).toContain("XDG_CACHE_HOME")
    const listed: ReadonlyArray<string> = topics["environment"]?.text.match(/\b[A-Z][A-Z_]+\b/g) ?? []
    expect([...new Set([...read, tokenVariable, ...credentials])].filter((name) => !listed.includes(name))).toEqual([])
  })

  it.each(["frobnicate", "toString", "__proto__"])("says that there is no %s", async (name) => {
    const { code, err } = await run(["help", name])
    expect(code).toBe(2)
    expect(err).toContain(`There is no command and no topic "${name}". There are: decode, `)
    expect(err).toContain("exit-codes")
  })

  it("takes one name", async () => {
    expect(await run(["help", "serve", "tapes"])).toMatchObject({ code: 2, out: "" })
  })
})
