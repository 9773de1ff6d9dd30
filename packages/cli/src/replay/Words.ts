/** What a replay has to say to a person: which line did not fit, and what never came. */
import type { Tape } from "@agentwire/protocol"

const shownDifferences = 20
const shownLines = 10

const looser: Readonly<Record<Tape.ReplayMatch, string>> = {
  strict: "shape takes other words, none takes anything",
  shape: "none takes anything",
  none: "anything goes"
}

/** Why a line of the host ended the replay. */
export const describeMismatch = ({ line, nearest }: Tape.Mismatch, match: Tape.ReplayMatch): string => {
  const sent = `replay: the host sent a line that the tape does not expect (--match ${match}; ${looser[match]}).\n  it sent: ${shorten(line)}`
  if (nearest === undefined) return `${sent}\n  The tape expects nothing more from the host.`
  const { differences, expected } = nearest
  return [
    sent,
    `  nearest, frame ${expected.frame} of the tape: ${shorten(expected.line)}`,
    ...differences.slice(0, shownDifferences).map((difference) => `  ${describeDifference(difference, "the host")}`),
    ...more(differences.length - shownDifferences)
  ].join("\n")
}

/** One difference in a line. */
const describeDifference = ({ actual, expected, path }: Tape.Difference, who: string): string =>
  `${path}: the tape has ${value(expected)}, ${who} has ${value(actual)}`

/** What of the tape was never asked for; undefined when all of it was. */
export const describeMissed = ({ heldBack, lines }: ReturnType<typeof Tape.missedLines>): string | undefined => {
  if (lines.length === 0 && heldBack === 0) return undefined
  return [
    `replay: ${count(lines.length, "line")} of the host never came, and ${count(heldBack, "frame")} of the agent waited for that.`,
    ...lines.slice(0, shownLines).map(({ frame, line }) => `  frame ${frame} of the tape: ${shorten(line)}`),
    ...more(lines.length - shownLines)
  ].join("\n")
}

/** What a live agent said differently from the tape. */
export const describeTapeDifference = (found: Tape.TapeDifference): string => {
  switch (found._tag) {
    case "OnlyLeft":
      return `frame ${found.left} of the tape, ${found.name}, did not come: ${value(found.value)}`
    case "OnlyRight":
      return `${found.name} came, and is not on the tape: ${value(found.value)}`
    case "Changed":
      return [
        `frame ${found.left} of the tape, ${found.name}, came otherwise:`,
        ...found.differences.slice(0, shownDifferences).map((each) => `  ${describeDifference(each, "the CLI")}`),
        ...more(found.differences.length - shownDifferences)
      ].join("\n")
  }
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`

const more = (number: number): ReadonlyArray<string> => (number > 0 ? [`  … and ${number} more`] : [])

const value = (part: unknown): string => (part === undefined ? "nothing" : shorten(JSON.stringify(part)))

/** A line short enough to read. */
export const shorten = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)
