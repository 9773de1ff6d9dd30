/** How counts and places are put into words, the same in every report. */
import type { Judged, Subject, Summary } from "../Subject.ts"

const several = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

/** Counts, without those that are zero; "nothing found" when all are. */
export const countWords = ({ errors, expected, infos, warnings }: Omit<Summary, "verdict">): string => {
  const parts = [
    errors > 0 ? several(errors, "error") : "",
    warnings > 0 ? several(warnings, "warning") : "",
    infos > 0 ? several(infos, "info") : "",
    expected > 0 ? `${expected} expected` : ""
  ].filter((part) => part !== "")
  return parts.length === 0 ? "nothing found" : parts.join(", ")
}

/** How many events there were, or how long it took. */
export const sizeWords = ({ durationMs, events }: Pick<Subject, "durationMs" | "events">): string =>
  events !== undefined
    ? several(events, "event")
    : durationMs !== undefined
      ? `${(durationMs / 1000).toFixed(1)} s`
      : ""

/** What a finding says, after where it is: events count from 0, lines from 1, and the stream as a whole is nowhere. */
export const findingWords = ({ expected, index, line, message }: Judged): string => {
  const where = line === undefined ? "" : `line ${line}`
  const place = index < 0 ? where : `event ${index}${where === "" ? "" : ` (${where})`}`
  return `${expected === true ? "(expected) " : ""}${place === "" ? "" : `${place}: `}${message}`
}
