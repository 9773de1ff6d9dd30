/** Files of Codex's app-server. */
import * as Codex from "@agentwire/protocol/codex"
import { hearCodex } from "../../runtime/wires/Codex.ts"
import { events } from "../Events.ts"
import type { MakeFold, Message } from "../Fold.ts"
import { transcript } from "../Transcript.ts"

/** Both sides are heard where they are there: an answer is read as what it answers. */
export const fold: MakeFold = (format, { runtime: _, ...options }) => {
  const listener = hearing()
  return format === "messages"
    ? transcript(Codex.initialFold({}), Codex.endFold, (state, one) => Codex.foldMessage(state, listener(one)))
    : events({ ...options, runtime: "codex" }, format, listener)
}

const hearing = (): ((message: Message) => Codex.Heard) => {
  const dialogue = new Codex.Dialogue()
  return (message) => hearCodex(dialogue, message, message.from)
}
