/** The catalogue of conformance rules as a page: a table for each family. */
import type { Family, Level, Rule } from "../packages/protocol/src/conform/Rule.ts"

const titles: Readonly<Record<Family, string>> = {
  run: "Runs",
  identity: "Identity",
  version: "Versions",
  text: "Text messages",
  "tool-call": "Tool calls",
  "tool-result": "Tool results",
  reasoning: "Reasoning",
  state: "State",
  messages: "Messages snapshots",
  activity: "Activities",
  step: "Steps",
  subagent: "Subagents",
  interrupt: "Interrupts",
  chunk: "Chunks",
  custom: "Custom and raw events",
  usage: "Token usage",
  wire: "The wire",
  fidelity: "Fidelity of bridges from Claude Code",
  schema: "The shape of events"
}

const counted = (rules: ReadonlyArray<Rule>, level: Level): number =>
  rules.filter((rule) => rule.level === level).length

const head = (rules: ReadonlyArray<Rule>): string => `# Conformance rules

${rules.length} rules: ${counted(rules, "error")} errors, ${counted(rules, "warning")} warnings, ${counted(rules, "info")} infos. This page is made from the catalogue in \`packages/protocol/src/conform/rules\` by \`npm run rules\`.

- **error**: the specification says MUST, or a client ends the run. The verdict is \`fail\`.
- **warning**: the specification says SHOULD, or clients continue and lose content. The verdict is \`warn\`.
- **info**: legal, and worth knowing. The verdict is \`pass\`.

Where a rule names a client and its stage, that client rejects a breach; a test runs both clients beside the rules on generated and broken streams. Dialect 1.0 is \`@ag-ui/client\` 1.0.0; dialect 0.0 is \`@ag-ui/client\` 0.0.59, the one inside CopilotKit 1.74 and 1.75. Sections of the specification are those of <https://docs.ag-ui.com/spec/1.0>.

Ids are stable: a rule that is removed leaves its number unused.
`

const cell = (text: string): string => text.replaceAll("|", "\\|")

const row = ({ dialects, id, level, requirement, spec }: Rule): string =>
  `| ${id} | ${level} | ${cell(requirement)} | ${dialects.join(", ")} | ${cell(spec)} |`

/** The page. */
export const ruleTable = (rules: ReadonlyArray<Rule>): string => {
  const families = [...new Set(rules.map(({ family }) => family))]
  const tables = families.map((family) =>
    [
      `\n## ${titles[family]}\n`,
      "| rule | level | a producer owes | dialects | from |",
      "|---|---|---|---|---|",
      ...rules.filter((rule) => rule.family === family).map(row)
    ].join("\n")
  )
  return `${head(rules)}${tables.join("\n")}\n`
}
