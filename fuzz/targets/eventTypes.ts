/** The types of AG-UI's events: words that mean something to whatever reads them. */
import * as Agui from "@agentwire/protocol/agui"

/** The types of events of both dialects. */
export const eventTypes: ReadonlyArray<string> = [
  ...new Set([...Agui.codecs["1.0"].catalog.members.keys(), ...Agui.codecs["0.0"].catalog.members.keys()])
]
