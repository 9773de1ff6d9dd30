/**
 * Where a client of Codex sees another outcome on ours than on the real Codex, and why. A case that is not here ends
 * alike; one that is here and ends alike is out of date.
 */

/** One case that ends otherwise. */
export interface Difference {
  readonly server: string
  readonly client: string
  readonly name: string
  readonly why: string
}

const claude = "agentwire with Claude Code"
const codex = "agentwire with Codex"
const tui = "Codex TUI 0.166.0"
const acp = "codex-acp 2.6.0"
const acpx = "codex-acp 2.6.0 under acpx 0.19.1"
const aiApp = "ai-sdk-provider-codex-app-server 1.1.7"

const onClaude = (client: string, name: string, why: string): Difference => ({ server: claude, client, name, why })

const onCodex = (client: string, name: string, why: string): Difference => ({ server: codex, client, name, why })

const aNoGoesOn = "A no is offered beside the end of the turn, and codex-acp takes it: the turn goes on."
const theSession = "The session is what is offered, not a prefix of commands."

/** The differences there are. */
export const knownDifferences: ReadonlyArray<Difference> = [
  onClaude(tui, "for the session", theSession),
  onClaude(tui, "patch", "A file outside of the project is named by its way from there."),
  onClaude(acp, "decline", aNoGoesOn),
  onClaude(acpx, "decline", aNoGoesOn),
  onClaude(aiApp, "command", "A client cannot have an agent that asks for nothing, and this one answers no question."),
  onCodex(tui, "for the session", theSession),
  onCodex(acp, "decline", aNoGoesOn),
  onCodex(acpx, "decline", aNoGoesOn)
]

/** The cases of a client on a server that end otherwise. */
export const differencesOf = (server: string, client: string): ReadonlyArray<string> =>
  knownDifferences.filter((each) => each.server === server && each.client === client).map(({ name }) => name)
