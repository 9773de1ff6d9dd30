/**
 * Every shell command of the README and the documents does what they say, as it is printed. The documents are read side
 * by side, by readers with a machine each; the commands of one document go on in one terminal, and what serves stays in
 * another.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, it } from "vitest"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { type Shown, shellBlocks } from "./Blocks.ts"
import { makeWorld } from "./World.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => join("docs", name))].filter((name) =>
  name.endsWith(".md")
)

/** Of this repository itself: what they do is tested where it is done. */
const ownScripts = /^(?:npm (?:start|test|run|install|ci)\b|git clone\b|cd\b)/

/** `npx agentwire x` and `agentwire x` are the same; what a document repeats need not be. */
const seen = new Set<string>()
const isNew = ({ command }: Shown): boolean => {
  const plain = command.replace(/^npx /, "")
  return !seen.has(plain) && seen.add(plain).size > 0
}

const chapters = documents
  .map((file) => [file, shellBlocks(readFileSync(join(root, file), "utf8")).flat()] as const)
  .map(([file, shown]) => [file, shown.filter((each) => !ownScripts.test(each.command) && isNew(each))] as const)
  .filter(([, shown]) => shown.length > 0)

/** What a command may end with: 0, or what its comment says. */
const expectedCode = ({ comment }: Shown): number => Number(/exit code (\d)/.exec(comment)?.[1] ?? 0)

/** Commands that play dozens of scenarios to a CLI, and which of them are enough outside of a sweep. */
const long: ReadonlyArray<readonly [command: RegExp, enough: string]> = [
  [/agentwire drift --cli "\$\(which claude\)"$/, "plain_text tool_denied"],
  [/agentwire conform --cli "\$\(which claude\)"$/, "--only CLI-plain_text --only CLI-tool_denied"]
]

const asPlayed = (command: string): string => {
  const enough = sweeping ? undefined : long.find(([pattern]) => pattern.test(command))?.[1]
  return enough === undefined ? command : `${command} ${enough}`
}

describe.concurrent("the commands of", () => {
  it("all documents are found", ({ expect }) => {
    const commands = chapters.flatMap(([, shown]) => shown.map(({ command }) => command))
    expect(commands.length).toBeGreaterThan(20)
    for (const [pattern] of long) expect(commands.filter((command) => pattern.test(command))).toHaveLength(1)
  })

  it.for(chapters)("%s", { timeout: 900_000 }, async ([, shown], { expect }) => {
    const world = await makeWorld()
    try {
      for (const each of shown) {
        const { code, output } = await world.run(asPlayed(each.command))
        expect.soft(code, `line ${each.line}: ${each.command}\n${output}`).toBe(expectedCode(each))
      }
    } finally {
      await world.close()
    }
  })
})
