/** Nothing that anybody saw is lost when the whole bridge is killed. `npm run kills` kills many more. */
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Laws from "./Laws.ts"
import { eventsOf, frame, ledgerOf, user, words } from "./Samples.ts"

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const main = fileURLToPath(new URL("main.ts", import.meta.url))

it.each([
  ["bridges", []],
  ["gateways before a runtime", ["--tiers"]]
])("holds for four kills of %s with a fixed seed", async (_, more) => {
  // In a process of its own: the official clients leave the promise of a run that was cut to nobody.
  const args = ["--import", tsx, "--conditions=agentwire-source", main, "--seed", "7", "--kills", "4", ...more]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  expect(stdout).toContain("5 kills in 1 worlds, 0 of them with a breach")
})

describe("the laws notice", () => {
  const log = eventsOf("RUN_STARTED r-m", "RUN_FINISHED")
  const ledger = ledgerOf("m", 2)
  const brought = ledgerOf("m", 2)
  for (const number of [1, 2]) brought.bring("a", number)()
  brought.bring("b", 3)

  it.each([
    ["an event that is gone", Laws.keepsFrames("a", [frame(0, "x"), frame(1, "y")], [frame(0, "x")])],
    ["an event that has changed", Laws.keepsFrames("a", [frame(0, "x")], [frame(0, "z")])],
    ["a number that goes back", Laws.numbersGrow([frame(3, "x"), frame(2, "y")])],
    [
      "a turn that was cut",
      Laws.nothingIsCut([
        frame(0, '{"type":"RUN_STARTED","runId":"r-m"}'),
        frame(1, '{"type":"RUN_ERROR","code":"BRIDGE_ENDED"}')
      ])
    ],
    ["an agent that was started twice", Laws.toldOnce("started 1\nstarted 2", 1)],
    ["a prompt that was told twice", Laws.toldOnce("told m\ntold m", 1)],
    ["an answer that was given twice", Laws.toldOnce("asked q\nanswered q\nanswered q", 1)],
    ["an answer that is lost", Laws.toldOnce("asked q", 1)],
    ["a run without an end", Laws.runsEnd(eventsOf("RUN_STARTED r-m"))],
    ["a prompt that is gone", Laws.saysEverythingOnce(ledger, [], log)],
    ["a prompt that is there twice", Laws.saysEverythingOnce(ledger, [user("m"), user("m"), words("m:0 m:1 ")], log)],
    ["a word that is missing", Laws.saysEverythingOnce(ledger, [user("m"), words("m:1 ")], log)],
    ["a word that is there twice", Laws.saysEverythingOnce(ledger, [user("m"), words("m:0 m:0 ")], log)],
    ["an end that was lost", Laws.saysEverythingOnce(ledger, [user("m"), words("m:0 ")], log)],
    ["a page that lacks a message", Laws.showsTheSame("a", () => false, [], [user("m")])],
    ["a page that has one twice", Laws.showsTheSame("a", () => false, [user("m"), user("m")], [user("m")])],
    ["an agent that was told twice", Laws.remembersAnswered([], ["m", "m"])],
    ["an agent that has forgotten", Laws.remembersAnswered([words("m:0 ")], [])],
    ["a state that nobody has brought last", Laws.keepsState(brought, 1)],
    ["an older title", Laws.keepsNewest("title", { given: 3, kept: 2 }, 1)]
  ])("%s", (_, breaches) => {
    expect(breaches).not.toEqual([])
  })

  it("nothing about a state that is the last of somebody", () => {
    expect([2, 3].flatMap((number) => Laws.keepsState(brought, number))).toEqual([])
    expect(Laws.keepsState(ledger, 0)).toEqual([])
  })

  it("nothing where nothing is wrong", () => {
    const messages = [user("m"), words("m:0 m:1 ")]
    expect([
      ...Laws.numbersGrow(log),
      ...Laws.runsEnd(log),
      ...Laws.saysEverythingOnce(ledger, messages, log),
      ...Laws.showsTheSame("a", () => false, messages, messages),
      ...Laws.keepsMessages("a", ledger, [user("m"), words("m:0 ")], messages),
      ...Laws.remembersAnswered(messages, ["m"])
    ]).toEqual([])
  })
})
