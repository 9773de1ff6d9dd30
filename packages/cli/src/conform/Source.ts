/** Loads what the AG-UI events were made from: a tape, or NDJSON as the CLI wrote it. */

import { createReadStream } from "node:fs"
import { gunzipped } from "@agentwire/fixtures"
import type { Decoded } from "@agentwire/protocol/claude"
import { Failure, fileFailure } from "../Failure.ts"
import { type Wire, WireSource } from "../WireSource.ts"

/** What the agent said in a session. Throws a {@link Failure} when the file is not a session. */
export const loadSource = async (file: string): Promise<ReadonlyArray<Decoded>> => {
  const source = new WireSource()
  const messages: Array<Decoded> = []
  const take = (wire: ReadonlyArray<Wire>): void => {
    for (const one of wire) if (one._tag !== "Wrong" && one.from !== "host") messages.push(one)
  }
  try {
    for await (const chunk of gunzipped(createReadStream(file, { highWaterMark: 1 << 18 }))) take(source.push(chunk))
  } catch (error) {
    throw fileFailure(file, error)
  }
  take(source.end())
  if (messages.every(({ _tag }) => _tag === "Invalid"))
    throw new Failure(`${file} is not a session of the CLI: --source takes a tape, or NDJSON as the CLI writes it.`)
  return messages
}
