/** Context and state of the application are told again when the model has forgotten them. */
import type { Lane, Reply } from "@agentwire/fixtures"
import { says, saysWith } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import { agentAt, onBridge, wires } from "../OnBridge.ts"
import { ask, lastMessage, wordsTo } from "./Marked.ts"

/** How the CLI asks for the summary that it goes on with. */
const summary: Lane = {
  match: "create a detailed summary",
  replies: [says("<analysis>Short.</analysis><summary>We talked.</summary>")]
}

const context = [{ description: "The page that is open", value: "the-page-of-lamps" }]
const state = { lamp: "the-amber-lamp" }

/** Long enough for something to be worth leaving out. */
const long = (word: string): Reply => says(`${word} `.repeat(400))

/** How a model comes to forget: what it says, and the prompts that lead there. */
const ways = {
  "/clear": { replies: [long("one"), says("After.")], prompts: ["1", "/clear"] },
  "/compact": {
    replies: [long("one"), long("two"), long("three"), says("After.")],
    prompts: ["1", "2", "3", "/compact"]
  },
  // The CLI compacts before the prompt that follows: that prompt is on its way already, the one after it is not.
  "a compaction of its own": {
    replies: [
      long("one"),
      long("two"),
      saysWith({ usage: { input_tokens: 185_000 } }, "Nearly full."),
      says("Compacted."),
      says("After.")
    ],
    prompts: ["1", "2", "3", "4"]
  }
} as const satisfies Readonly<
  Record<string, { readonly replies: ReadonlyArray<Reply>; readonly prompts: ReadonlyArray<string> }>
>

/** Each way on the newest CLI, and the one that 2.1.197 does not say out loud. 2.1.37 knows no `/clear`. */
const cases = [
  ...(Object.keys(ways) as ReadonlyArray<keyof typeof ways>).map((way) => [way, wires[0]] as const),
  ["/clear", wires[1]]
] as const

describe.each(cases)("after %s, with %s", (way, wire) => {
  it.live("the next prompt has context and state with it", () => {
    const { prompts, replies } = ways[way]
    return onBridge(
      wire,
      { replies: [...replies], lanes: [summary] },
      {
        // 2.1.325 does not believe that the scripted 185,000 tokens fill the window, unless that is made smaller.
        launcher: { inherit: { PATH: process.env["PATH"] ?? "", CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" } },
        session: { agent: { model: "claude-sonnet-4-5" } }
      },
      async ({ asked, url }) => {
        const agent = agentAt(url)
        agent.setState(state)
        for (const prompt of prompts) expect(await ask(agent, prompt, { context })).toMatchObject({ error: undefined })
        expect(lastMessage(asked[0])).toMatch(/the-page-of-lamps.*the-amber-lamp/s)
        expect(asked.some((body) => lastMessage(body).includes(summary.match))).toBe(way !== "/clear")
        agent.setState(state)
        expect(await ask(agent, "What now?", { context })).toMatchObject({ error: undefined })
        expect(wordsTo(agent).at(-1)).toBe("After.")
        expect(lastMessage(asked.at(-1))).toContain("What now?")
        expect(lastMessage(asked.at(-1))).toMatch(/the-page-of-lamps.*the-amber-lamp/s)
      }
    )
  })
})
