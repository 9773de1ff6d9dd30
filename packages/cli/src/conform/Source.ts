/** Loads what the AG-UI events were made from: a tape, or NDJSON as the CLI wrote it. */
import type { Decoded } from "@agentwire/protocol/claude"
import { Failure } from "../Failure.ts"
import { chunksOf } from "../InputFile.ts"
import { Held, type Limits } from "../Limits.ts"
import { claudeMessage, type WireItem, WireSource } from "../WireSource.ts"

/** What a message and a value in it take at least. */
const [messageBytes, valueBytes] = [256, 64]

const valuesIn = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0
  let values = 1
  for (const each of Object.values(value)) values += 1 + valuesIn(each)
  return values
}

/** What the agent said in a session. Throws a {@link Failure} when the file is not a session. */
export const loadSource = async (file: string, limits: Limits): Promise<ReadonlyArray<Decoded>> => {
  const source = new WireSource({ ...limits, file })
  const held = new Held(file, limits)
  const messages: Array<Decoded> = []
  const take = (wire: ReadonlyArray<WireItem>): void => {
    for (const one of wire) {
      if (one._tag === "Wrong" || one.from === "host") continue
      held.add(messageBytes + valueBytes * valuesIn(one._tag === "Known" ? one.message : one.raw))
      messages.push(claudeMessage(one, source, file))
    }
  }
  for await (const chunk of chunksOf(file)) {
    held.add(chunk.length)
    take(await source.push(chunk))
  }
  take(await source.end())
  if (messages.every(({ _tag }) => _tag === "Invalid"))
    throw new Failure(`${file} is not a session of the CLI: --source takes a tape, or NDJSON as the CLI writes it.`)
  return messages
}
