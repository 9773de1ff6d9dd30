/**
 * The points that a conversation can go back to, as the lines of the main thread name them.
 */
import { anchorName } from "../Anchor.ts"
import type { Out } from "./Block.ts"
import { textIn } from "./Fields.ts"
import type { FoldState } from "./State.ts"

/** What a line says of itself. An odd one may lack any of it, and then nothing can go back to it. */
interface Line {
  readonly uuid?: unknown
  readonly session_id?: unknown
}

/** Names the point after a line, which is the point after an item; without one, after whatever was said last. */
export const anchorLine = ({ session }: FoldState, line: Line, id: string | undefined, out: Out): void => {
  // A session file may not say yet which session it is of.
  const sessionId = [session, textIn(line.session_id)].find((name) => name !== undefined && name !== "")
  const uuid = textIn(line.uuid)
  if (sessionId === undefined || uuid === undefined) return
  out.push({
    type: "anchored",
    lane: null,
    ...(id !== undefined && { id }),
    anchor: anchorName({ sessionId, uuid })
  })
}

/** The newest item of the main thread in some events. */
export const newestItem = (events: Out, from: number): string | undefined => {
  for (let at = events.length - 1; at >= from; at--) {
    const event = events[at]
    if (event?.type.startsWith("item_") === true && "id" in event && event.lane === null) return event.id
  }
  return undefined
}

/** A prompt is a line of the host: its session is known once the agent says so. */
export const anchorPrompt = (state: FoldState, out: Out): FoldState => {
  const { prompted } = state
  if (prompted === undefined) return state
  anchorLine(state, prompted, prompted.id, out)
  return { ...state, prompted: undefined }
}
