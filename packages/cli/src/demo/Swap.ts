/**
 * Recorded text that gives way to text of now: what a person edited before they allowed it, the words of a refusal,
 * what a tool of the page answered. Whatever the recorded CLI repeated of the old text is then of the new one.
 */
import { isRecord } from "@agentwire/protocol/wire"

/** A text and what takes its place. */
export type Swap = readonly [recorded: string, now: string]

/** A line with the texts of now, one swap after the other. */
export const applySwaps = (line: string, swaps: ReadonlyArray<Swap>): string =>
  swaps.reduce((text, [recorded, now]) => text.replaceAll(inJson(recorded), () => inJson(now)), line)

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The texts that differ between what was recorded and what came now; what only one of them has does not matter. */
export const swapsBetween = (recorded: unknown, now: unknown): ReadonlyArray<Swap> => {
  if (now === undefined) return []
  if (typeof recorded === "string") return recorded === now || recorded === "" ? [] : [[recorded, asText(now)]]
  if (Array.isArray(recorded))
    return recorded.flatMap((item: unknown, index) => swapsBetween(item, Array.isArray(now) ? now[index] : undefined))
  return isRecord(recorded)
    ? Object.entries(recorded).flatMap(([key, item]) => swapsBetween(item, isRecord(now) ? now[key] : undefined))
    : []
}

const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
