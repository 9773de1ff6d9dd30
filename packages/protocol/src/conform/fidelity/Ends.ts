/**
 * Whether runs end as the turns of the session did.
 */
import type { Dialect } from "../../agui/Dialect.ts"
import { type Finding, findingAt, quote } from "../Finding.ts"
import type { Rule } from "../Rule.ts"
import { fidelityRules } from "../rules/Fidelity.ts"
import type { Rendering, Terminal } from "./Rendering.ts"
import type { Ending, Session } from "./Session.ts"

/**
 * How a run may end, by how its turn did. An interrupt outcome is never a lie here: a bridge may end a run to ask, while
 * the turn continues. 0.0 has no `cancelled`, so that a stopped run may end as plainly finished there.
 */
const truths: Readonly<Record<Ending, Readonly<Record<Dialect, ReadonlyArray<Terminal>>>>> = {
  success: { "1.0": ["success", "interrupt"], "0.0": ["success", "interrupt"] },
  refused: { "1.0": ["success", "interrupt", "error"], "0.0": ["success", "interrupt", "error"] },
  stopped: { "1.0": ["cancelled", "error", "abort", "interrupt"], "0.0": ["success", "error", "abort", "interrupt"] },
  failed: { "1.0": ["error", "abort", "cancelled", "interrupt"], "0.0": ["error", "abort", "interrupt"] }
}

const ruleOf = (ending: Ending): Rule =>
  fidelityRules[ending === "success" || ending === "refused" ? "AGUI-FIDELITY-014" : "AGUI-FIDELITY-013"]

/**
 * Compares the ends. Turns and runs need not be as many (background turns, calls the application executes): then only
 * what all turns have in common can be compared.
 */
export const compareEnds = (
  { endings: ended, unended, utterances }: Session,
  { terminals }: Rendering,
  dialect: Dialect,
  frontendTools: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  if (ended.length === 0) {
    const claim = terminals.findLast(({ terminal }) => terminal === "success")
    if (claim === undefined || utterances.length === 0 || frontendTools.length > 0) return []
    return [
      findingAt(
        fidelityRules["AGUI-FIDELITY-015"],
        claim.index,
        "The session ended without a result, and the run ends as a success.",
        claim.event
      )
    ]
  }
  // The agent was gone before its last turn was over; a bridge may have begun a run for it by then, or not.
  const endings =
    unended === undefined || terminals.length <= ended.length
      ? ended
      : [...ended, { ending: "failed" as const, line: unended }]
  if (endings.length === terminals.length)
    return endings.flatMap(({ ending, line }, i) => {
      const end = terminals[i]
      if (end === undefined || truths[ending][dialect].includes(end.terminal)) return []
      const message = `The turn was a ${words[ending]} (line ${line}), and the run ends as ${quote(end.terminal)}.`
      return [findingAt(ruleOf(ending), end.index, message, end.event)]
    })
  const [first] = endings
  if (first === undefined || endings.some(({ ending }) => ending !== first.ending)) return []
  return terminals
    .filter(({ terminal }) => !truths[first.ending][dialect].includes(terminal))
    .slice(0, 1)
    .flatMap(({ event, index, terminal }) =>
      // With calls the application executes, runs end while the turn continues.
      terminal === "success" && frontendTools.length > 0
        ? []
        : [
            findingAt(
              ruleOf(first.ending),
              index,
              `Every turn was a ${words[first.ending]}, and a run ends as ${quote(terminal)}.`,
              event
            )
          ]
    )
}

const words: Readonly<Record<Ending, string>> = {
  success: "success",
  refused: "refusal",
  stopped: "stop",
  failed: "failure"
}
