/** Server-sent events of a response: `EventSource` cannot send the token. */

/** One event of a stream. */
export interface SseFrame {
  readonly id: string
  /** Empty where the stream names none. */
  readonly event: string
  /** The data as JSON. */
  readonly data: unknown
}

/** The events of a stream. Comments and events without data give nothing. */
export async function* readSse(body: ReadableStream<Uint8Array>): AsyncGenerator<SseFrame> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const frames = (rest + decoder.decode(value, { stream: true })).split("\n\n")
      rest = frames.pop() ?? ""
      for (const text of frames) {
        const frame = frameOf(text)
        if (frame !== undefined) yield frame
      }
    }
  } finally {
    await reader.cancel()
  }
}

const frameOf = (text: string): SseFrame | undefined => {
  const fields = { id: "", event: "", data: "" }
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":")
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/^ /, "")
    if (name === "data") fields.data += value
    else if (name === "id" || name === "event") fields[name] = value
  }
  return fields.data === "" ? undefined : { ...fields, data: JSON.parse(fields.data) }
}
