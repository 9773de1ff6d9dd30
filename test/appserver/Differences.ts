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

/** The differences there are. */
export const knownDifferences: ReadonlyArray<Difference> = []

/** The cases of a client on a server that end otherwise. */
export const differencesOf = (server: string, client: string): ReadonlyArray<string> =>
  knownDifferences.filter((each) => each.server === server && each.client === client).map(({ name }) => name)
