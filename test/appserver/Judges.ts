/** Every client of Codex that judges a server. */
import { headlessClients, runHeadless, type Told } from "./Headless.ts"
import type { ServerKind } from "./Servers.ts"
import { runTui } from "./Tui.ts"

/** A client that judges. */
export interface Judge {
  readonly name: string
  /** Plays its cases to a server. What it shows is kept in a folder, where there is one. */
  readonly run: (kind: ServerKind, screens: string | undefined) => Promise<ReadonlyArray<Told>>
  /** It is not run every day: another one does the same with another client. */
  readonly isRare?: boolean
}

/** The judges. */
export const judges: ReadonlyArray<Judge> = [
  { name: "Codex TUI 0.166.0", run: runTui },
  ...headlessClients.map((client) => ({
    name: client.name,
    run: (kind: ServerKind) => runHeadless(client, kind),
    ...(client.isRare === true && { isRare: true })
  }))
]
