/**
 * Compares what was said as a wire tells it with what was said as the CLI's own files tell it, entry by entry.
 *
 * Entries are paired by their ids. Those of prompts, and of what the CLI says itself, are of each side's own making:
 * these are paired by their words. Sub-agents speak beside each other, so each lane is compared for itself.
 */
import { isDeepStrictEqual } from "node:util"
import type { TranscriptEntry } from "../../../src/model/Transcript.ts"

/** One difference. */
export type Difference =
  | { readonly side: "wire" | "file"; readonly entry: TranscriptEntry }
  | { readonly side: "both"; readonly wire: TranscriptEntry; readonly file: TranscriptEntry }

/** What differs between the two. */
export const differencesOf = (
  wire: ReadonlyArray<TranscriptEntry>,
  file: ReadonlyArray<TranscriptEntry>
): ReadonlyArray<Difference> => {
  const lanes = new Set([...wire, ...file].map(({ lane }) => lane))
  return [...lanes].flatMap((lane) => aligned(ofLane(wire, lane), ofLane(file, lane)))
}

const ofLane = (entries: ReadonlyArray<TranscriptEntry>, lane: string | null): ReadonlyArray<TranscriptEntry> =>
  entries.filter((entry) => entry.lane === lane).map(plain)

const isText = (content: unknown): content is string => typeof content === "string"

/** An entry without what each side makes up for itself. */
const plain = (entry: TranscriptEntry): TranscriptEntry => {
  switch (entry.kind) {
    case "prompt": {
      const { content } = entry
      const texts = isText(content) ? [content] : content.map((part) => (part.type === "text" ? part.text : undefined))
      return { ...entry, id: "prompt", content: texts.every(isText) ? texts.join("\n") : content }
    }
    case "text":
      return madeByCli.test(entry.id) ? { ...entry, id: "cli" } : entry
    case "call":
      return { ...entry, arguments: sorted(entry.arguments) }
    default:
      return entry
  }
}

/** The id of a text that no message of the API brought: a uuid, and on the wire the place of its block. */
const madeByCli = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?::0)?|result:\d+)$/

/** Arguments whose keys are in one order: the wire has them as they were streamed. */
const sorted = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), (_, value: unknown) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value
    )
  } catch {
    return json
  }
}

const keyOf = (entry: TranscriptEntry): string =>
  entry.kind === "prompt" || (entry.kind === "text" && entry.id === "cli")
    ? `${entry.kind} ${JSON.stringify(entry.kind === "prompt" ? entry.content : entry.text)}`
    : `${entry.kind} ${entry.id}`

/** The longest common subsequence of two lists by their keys, and what is in one of them alone. */
const aligned = (
  wire: ReadonlyArray<TranscriptEntry>,
  file: ReadonlyArray<TranscriptEntry>
): ReadonlyArray<Difference> => {
  const [a, b] = [wire.map(keyOf), file.map(keyOf)]
  const lengths = a.map(() => new Uint16Array(b.length + 1)).concat([new Uint16Array(b.length + 1)])
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i]
      if (row !== undefined) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const out: Array<Difference> = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [left, right] = [wire[i], file[j]]
    if (left !== undefined && right !== undefined && a[i] === b[j]) {
      if (!isDeepStrictEqual(left, right)) out.push({ side: "both", wire: left, file: right })
      i++
      j++
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      out.push({ side: "wire", entry: left })
      i++
    } else if (right !== undefined) {
      out.push({ side: "file", entry: right })
      j++
    }
  }
  return out
}
