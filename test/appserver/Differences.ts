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
const aiCli = "ai-sdk-provider-codex-cli 2.2.1"
const aiApp = "ai-sdk-provider-codex-app-server 1.1.7"

const onClaude = (client: string, name: string, why: string): Difference => ({ server: claude, client, name, why })

const noOutput = "Claude Code says of a command without output that there was none."

/** The differences there are. */
export const knownDifferences: ReadonlyArray<Difference> = [
  onClaude(tui, "approve", `The command is shown as words, with its redirection in quotes. ${noOutput}`),
  onClaude(tui, "decline", "The command is shown as words, with its redirection in quotes."),
  onClaude(tui, "for the session", `The session is what is offered, not a prefix of commands. ${noOutput}`),
  onClaude(tui, "for the session, again", noOutput),
  onClaude(tui, "patch", "A file outside of the project is named by its way from there."),
  onClaude(tui, "list", "The thread that a TUI begins is listed before anything was said in it."),
  onClaude(acp, "decline", "A no is offered beside the end of the turn, and codex-acp takes it: the turn goes on."),
  onClaude(acp, "for the session", "Claude Code suggests nothing to remember for a command with a redirection."),
  onClaude(acp, "load", "The history that codex-acp reads page by page is empty."),
  onClaude(aiCli, "answer", "The usage does not come to it."),
  onClaude(aiApp, "command", "A client cannot have an agent that asks for nothing, and this one answers no question.")
]

/** The cases of a client on a server that end otherwise. */
export const differencesOf = (server: string, client: string): ReadonlyArray<string> =>
  knownDifferences.filter((each) => each.server === server && each.client === client).map(({ name }) => name)
