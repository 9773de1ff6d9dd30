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
const tui = "Codex TUI 0.166.0"
const acp = "codex-acp 2.6.0"
const acpx = "codex-acp 2.6.0 under acpx 0.19.1"

const onClaude = (client: string, name: string, why: string): Difference => ({ server: claude, client, name, why })

const aNoGoesOn = "A no is offered beside the end of the turn, and codex-acp takes it: the turn goes on."
const theSession = "The session is what is offered, not a prefix of commands."

/** The differences there are. */
export const knownDifferences: ReadonlyArray<Difference> = [
  onClaude(tui, "for the session", theSession),
  onClaude(acp, "decline", aNoGoesOn),
  onClaude(acpx, "decline", aNoGoesOn)
]

/** The cases of a client on a server that end otherwise. */
export const differencesOf = (server: string, client: string): ReadonlyArray<string> =>
  knownDifferences.filter((each) => each.server === server && each.client === client).map(({ name }) => name)
