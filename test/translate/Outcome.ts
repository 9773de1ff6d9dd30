/**
 * What a recorded session comes to: how its runs end, and the messages a client has then.
 */
import { loadTape, type TapeName } from "@agentwire/fixtures"
import { Agui, type Tape, Translate } from "@agentwire/protocol"
import { type Decoded, decodeLine } from "@agentwire/protocol/claude"

/** The lines the CLI wrote on a tape. */
export const linesOf = (tape: Tape.Tape): ReadonlyArray<Decoded> =>
  tape.frames
    .map((frame) => (frame._tag === "Data" && frame.from === "agent" && frame.channel !== "stderr" ? frame.data : ""))
    .join("")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => decodeLine(line))

/** Why a tape ends. */
export const endOf = (tape: Tape.Tape): Translate.FinishReason => {
  const exit = tape.frames.find((frame) => frame._tag === "Exit")
  return exit === undefined ? { type: "end" } : { type: "exit", code: exit.code, signal: exit.signal }
}

/** How the runs of a tape end, and the messages a client has then. Of an activity, its status is enough. */
export const outcomeOf = (name: TapeName): { ends: ReadonlyArray<string>; messages: ReadonlyArray<unknown> } => {
  const tape = loadTape(name)
  const events = [...Translate.translateMessages(linesOf(tape), { threadId: "t" }, endOf(tape))]
  return {
    ends: events.flatMap((event) => {
      if (event.type === "RUN_ERROR") return [`error ${event.code}`]
      return event.type === "RUN_FINISHED" ? [event.outcome?.type ?? "none"] : []
    }),
    messages: Agui.foldEvents(events).messages.map((message) =>
      message.role === "activity" ? { id: message.id, role: message.role, status: message.content["status"] } : message
    )
  }
}
