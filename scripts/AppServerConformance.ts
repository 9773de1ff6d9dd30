/** The page of the conformance of app-servers: rules, scenarios, and where the real Codex differs from them. */
import { appServerRuleList, appServerScenarios } from "../packages/cli/src/conform/appserver/index.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const rules = appServerRuleList.map(
  ({ id, level, requirement, spec }) => `| ${id} | ${level} | ${cell(requirement)} | ${cell(spec)} |`
)

const scenarios = appServerScenarios.map(
  ({ id, model, over, title }) =>
    `| ${id} | ${cell(title)} | ${model === undefined ? "nothing" : "a model"}${over === undefined ? "" : ", several clients"} |`
)

/** The page. */
export const appServerPage = `# Conformance of servers of Codex's app-server protocol

\`agentwire conform --app-server\` plays ${scenarios.length} scenarios to a server and judges every message of it by ${rules.length} rules. The real
\`codex app-server\` 0.166.0 breaks none that is an error. This page is made from the rules and scenarios by
\`npm run rules\`; how the command is used is in [conformance.md](conformance.md).

- **error**: a client breaks or loses something, and the real Codex was never seen to do it.
- **warning**: clients should not have to live with it, but the real Codex does it in the cases that the rule names.

## Rules

| rule | level | a server owes | from |
|---|---|---|---|
${rules.join("\n")}

"Strictly" is as a program in Rust would read it: a key of another type is an error even where no answer depends on it.

## Scenarios

| scenario | what is played | needs |
|---|---|---|
${scenarios.join("\n")}

What needs a model can only be played to a command that is started here. At a URL it is skipped, as what could not be
determined.

## Where the real Codex 0.166.0 breaks a rule

| rule | when | seen in |
|---|---|---|
| APP-ITEM-005 | a text or a thought is cut by an interrupt, a steer or the loss of the stream; a command is interrupted; a patch is cancelled; a review ends | APP-030 to APP-035, APP-046, APP-052 |
| APP-QUESTION-003 | an interrupt leaves a question open: it is resolved right after the end of the turn | APP-046 |
| APP-TURN-006 | a command in the background writes or ends after its turn | no scenario: recordings |
| APP-TURN-009 | a turn may begin a moment before turn/start is answered | no scenario: once in eighty recordings |
| APP-ANSWER-008 | an interrupt that comes after the end of its turn is never answered | no scenario: recordings |

\`agentwire app-server\` with Claude Code 2.1.325 behind it plays all scenarios as they are written, and breaks no rule. With
Codex behind it (\`--runtime codex --session-options permissionMode\`) it plays all but APP-055: its agent knows the tool of a
group by one name, \`GROUP__TOOL\`, and the model of the scenario calls it by two.

The rules hold on every recording of Codex 0.166.0 that the project keeps, too, and each has a conversation that keeps it
and one that breaks it (\`packages/protocol/test/appserverconform\`).
`
