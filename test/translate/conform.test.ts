/**
 * Our own rules on our own translator: on tapes, in both dialects, no rule is broken, and the events say what
 * the session said.
 */
import { loadTape } from "@agentwire/fixtures"
import { type Agui, Conform, Translate } from "@agentwire/protocol"
import { expect, test } from "vitest"
import { chosenTapes } from "../../packages/fixtures/test/Sweep.ts"
import { endOf, linesOf } from "./Outcome.ts"

test.each<Agui.Dialect>(["1.0", "0.0"])("tapes conform in dialect %s", (dialect) => {
  const findings = chosenTapes.flatMap((entry) => {
    const tape = loadTape(entry)
    const lines = linesOf(tape)
    const events = [...Translate.translateMessages(lines, { threadId: "t", dialect }, endOf(tape))]
    // A session in which no turn begins has no run, and so no events to judge.
    if (events.length === 0) return []
    return [...Conform.checkEvents(events, { dialect }).findings, ...Conform.checkFidelity(lines, events, { dialect })]
      .filter(({ level }) => level !== "info")
      .map(({ message, rule }) => `${entry.scenario} ${entry.version} ${entry.transport}: ${rule} ${message}`)
  })
  expect(findings).toEqual([])
})
