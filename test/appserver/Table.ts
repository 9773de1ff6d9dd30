/** What became of each case with each server, side by side. */
import { type Difference, differencesOf, knownDifferences } from "./Differences.ts"
import type { Told } from "./Headless.ts"

/** What a client told of one server. */
export interface Outcomes {
  readonly server: string
  readonly told: ReadonlyArray<Told>
}

const outcomeOf = ({ told }: Outcomes, name: string): string =>
  told.find((one) => one.name === name)?.outcome ?? "(nothing)"

const namesIn = (outcomes: ReadonlyArray<Outcomes>): ReadonlyArray<string> => [
  ...new Set(outcomes.flatMap(({ told }) => told.map(({ name }) => name)))
]

/** The cases that did not end alike with all servers. */
export const differences = (outcomes: ReadonlyArray<Outcomes>): ReadonlyArray<string> =>
  namesIn(outcomes).filter((name) => new Set(outcomes.map((one) => outcomeOf(one, name))).size > 1)

/** What is not as `Differences.ts` says, for one server: cases that differ unknown to it, and known ones that do not. */
export const surprises = (
  client: string,
  real: ReadonlyArray<Told>,
  { server, told }: Outcomes
): { readonly unknown: ReadonlyArray<string>; readonly stale: ReadonlyArray<string> } => {
  const differ = differences([
    { server: "", told: real },
    { server, told }
  ])
  const known = differencesOf(server, client)
  return {
    unknown: differ.filter((name) => !known.includes(name)),
    stale: known.filter((name) => !differ.includes(name))
  }
}

const whyOf = (client: string, server: string, name: string): string | undefined =>
  knownDifferences.find((each) => each.client === client && each.server === server && each.name === name)?.why

/** The outcomes of a client as a table: a row for each case; where all servers agree, what they agree on. */
export const tableOf = (client: string, outcomes: ReadonlyArray<Outcomes>): string => {
  const differ = new Set(differences(outcomes))
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", "⏎")
  const rows = namesIn(outcomes).map((name) => {
    if (!differ.has(name))
      return `| ${name} | same | ${cell(outcomeOf(outcomes[0] ?? { server: "", told: [] }, name))} |`
    const each = outcomes.map((one) => {
      const why = whyOf(client, one.server, name)
      return `${one.server}: ${cell(outcomeOf(one, name))}${why === undefined ? "" : ` (known: ${why})`}`
    })
    return `| ${name} | **differs** | ${each.join("<br>")} |`
  })
  const servers = outcomes.map(({ server }) => server).join(", ")
  return [`\n## ${client}: ${servers}\n`, "| case | | outcome |", "|---|---|---|", ...rows].join("\n")
}

/** The known differences as a table, as the documents have it. */
export const differenceTable = (known: ReadonlyArray<Difference>): string =>
  [
    "| client | in front of | case | why it ends otherwise than with Codex itself |",
    "|---|---|---|---|",
    ...known.map(({ client, name, server, why }) => `| ${client} | ${server} | ${name} | ${why} |`)
  ].join("\n")
