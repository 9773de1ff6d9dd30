/** The wire of `codex app-server`, as the commands read it. */
import * as Codex from "@agentwire/protocol/codex"
import type * as Tape from "@agentwire/protocol/tape"
import type { AnyDecoded, Listener, Reading } from "../Reading.ts"

const sides: Readonly<Record<Tape.Speaker, Codex.Side>> = { host: "client", agent: "server" }

/** Whose line it is that does not say so: requests and notifications tell, answers are the agent's unless it asked. */
const sidesOf = (decoded: AnyDecoded): ReadonlyArray<Codex.Side> => {
  const name = decoded._tag === "Known" ? decoded.name : decoded._tag === "Unknown" ? decoded.type : ""
  if (name === "response" || name === "response/error") return ["server", "client"]
  const isClient = Object.hasOwn(Codex.clientRequests, name) || Object.hasOwn(Codex.clientNotifications, name)
  return [isClient ? "client" : "server"]
}

/** Hears a line of Codex; where nobody says whose it is, it is the side's whose question it answers. */
export const hearCodex = (
  dialogue: Codex.Dialogue,
  decoded: AnyDecoded,
  from: Tape.Speaker | undefined
): Codex.Heard => {
  const [first, ...rest] = from === undefined ? sidesOf(decoded) : [sides[from]]
  const heard = dialogue.heed(first ?? "server", decoded as Codex.Decoded)
  if (heard.answers !== undefined) return heard
  const others = rest.map((side) => dialogue.heed(side, decoded as Codex.Decoded))
  return others.find(({ answers }) => answers !== undefined) ?? heard
}

const codexListener = (): Listener => {
  const dialogue = new Codex.Dialogue()
  return {
    take: (decoded, from) => {
      const { answers, result } = hearCodex(dialogue, decoded, from)
      if (answers === undefined || result === undefined) return undefined
      const raw = result._tag === "Known" ? (result.raw ?? result.value) : result.raw
      return { name: `response to ${answers}`, payload: result, drift: () => Codex.resultDrift(answers, raw) }
    }
  }
}

/** How it is read. */
export const reading: Reading = {
  decodeLine: Codex.decodeLine,
  decoder: Codex.decoder,
  drift: Codex.drift,
  listener: codexListener
}
