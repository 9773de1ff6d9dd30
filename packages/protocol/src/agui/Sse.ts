/**
 * Events as server-sent events: one frame each, framed with LF. Clients reject CRLF, a `[DONE]` at the end and
 * single line feeds between frames (docs/wire/ag-ui.md §3.3).
 */
import type { AguiEvent } from "./Event.ts"

/** An event as a frame of server-sent events. */
export const encodeSse = (event: AguiEvent): string =>
  event.type === "TEXT_MESSAGE_CONTENT" && keyCount(event) === 3
    ? `${textFrameHead(event.messageId)}${JSON.stringify(event.delta)}}\n\n`
    : `data: ${JSON.stringify(event)}\n\n`

/**
 * The frame of a piece of text, up to the piece: there are more of these than of all other events, and writing a
 * string is three times as fast as writing an object. The piece as JSON and `}\n\n` follow.
 */
export const textFrameHead = (messageId: string): string =>
  `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":${JSON.stringify(messageId)},"delta":`

const keyCount = (object: object): number => {
  let count = 0
  for (const _ in object) count++
  return count
}
