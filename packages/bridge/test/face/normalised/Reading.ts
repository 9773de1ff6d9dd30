/**
 * Normalised events over HTTP, read with `fetch` as a page would.
 */
import type { NormalisedEvent } from "@agentwire/protocol/normalised"
import { readSse } from "@agentwire/protocol/wire"

/** A bridge, as these tests need it. */
export interface Served {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** An event with its id. */
export interface Numbered {
  readonly id: string
  readonly name: string
  readonly event: NormalisedEvent
}

/** Asks for something, and gives the status and the document. */
export const ask = async (
  { headers, url }: Served,
  method: string,
  path: string,
  body?: unknown
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> => {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
}

/** Reads the events of a session until one of them ends the reading, and then closes the connection. */
export const readUntil = async (
  { headers, url }: Served,
  path: string,
  isLast: (event: NormalisedEvent, count: number) => boolean,
  lastId?: string
): Promise<ReadonlyArray<Numbered>> => {
  const left = new AbortController()
  const response = await fetch(new URL(path, url), {
    headers: { ...headers, ...(lastId !== undefined && { "last-event-id": lastId }) },
    signal: left.signal
  })
  if (!response.ok || response.body === null) throw new Error(await response.text())
  const read: Array<Numbered> = []
  try {
    for await (const { data, event: name = "message", id = "" } of readSse(response.body)) {
      const event = JSON.parse(data) as NormalisedEvent
      read.push({ id, name, event })
      if (isLast(event, read.length)) return read
    }
  } finally {
    left.abort()
  }
  return read
}

/** Whether a turn of the main conversation is over. */
export const isDone = ({ data, type }: NormalisedEvent): boolean => type === "done" && data.subagent_id === undefined
