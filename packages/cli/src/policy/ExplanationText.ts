/** What a policy says about a call, in lines for people. */
import type { Explanation, PolicyFinding, PolicyPart } from "@agentwire/bridge/policy"

/** An explanation as text. */
export const explanationText = ({ decision, doubts, fallback, parts, reason }: Explanation): string =>
  [
    `${decision}: ${reason}`,
    "",
    ...parts.flatMap((part) => partLines(part, fallback)),
    ...doubts.map((doubt) => `  not understood: ${doubt}`)
  ].join("\n")

const partLines = ({ decision, findings, what }: PolicyPart, fallback: string): ReadonlyArray<string> => [
  `  ${(decision ?? "-").padEnd(5)}  ${what.replaceAll("\n", "\\n")}`,
  ...(findings.length === 0
    ? [
        `         ${decision === undefined ? "no rule fits, and none has to" : `no rule fits; the default is ${fallback}`}`
      ]
    : findings.map(findingLine))
]

const findingLine = ({ effect, match, place, reason }: PolicyFinding): string =>
  `         ${place} ${match === "maybe" ? "may fit" : "fits"} (${effect})${reason === undefined ? "" : `: ${reason}`}`
