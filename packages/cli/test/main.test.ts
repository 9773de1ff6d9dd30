import { describe, expect, it } from "vitest"
import manifest from "../package.json" with { type: "json" }
import { commands } from "../src/commands/index.ts"
import { run } from "./run.ts"

describe("agentwire", () => {
  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("shows its commands: %j", async (args) => {
    const { code, err, out } = await run(args)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    for (const name of Object.keys(commands)) expect(out).toContain(name)
  })

  it("says its version", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, out: `${manifest.version}\n`, err: "" })
  })

  it.each(Object.keys(commands))("explains %s in two ways", async (name) => {
    const long = await run(["help", name])
    expect(long).toEqual(await run([name, "--help"]))
    expect(long.out).toContain(`Usage: agentwire ${name}`)
  })

  it.each([
    [["frobnicate"], 'There is no command "frobnicate". There are: decode, record'],
    [["toString"], 'There is no command "toString".'],
    [["--frobnicate"], "There is no option --frobnicate before the command."],
    [["decode", "--frobnicate"], "decode has no option --frobnicate."],
    [["decode"], "decode needs at least one FILE"],
    [["decode", "-", "--max-findings", "many"], '--max-findings takes a whole number from 1, not "many".']
  ])("says in one paragraph why it cannot do %j", async (args, words) => {
    const { code, err, out } = await run(args)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(words)
    expect(err.trim()).not.toContain("\n")
  })

  it("shows the stack trace only when asked", async () => {
    expect((await run(["decode", "--debug"])).err).toContain("    at ")
    expect((await run(["decode", "--debug", "no-such-file"])).err).toContain("    at ")
    expect((await run(["decode", "no-such-file"])).err).not.toContain("    at ")
  })
})
