/** Colours for a terminal, and how untrusted text is shown on one. */

import { randomUUID } from "node:crypto"

/** Something that wraps a text. */
export type Wrap = (text: string) => string

/** The few styles the reports need. */
export interface Paint {
  readonly bad: Wrap
  readonly doubtful: Wrap
  readonly good: Wrap
  readonly quiet: Wrap
  readonly strong: Wrap
}

/** A style as an escape sequence, begun by ESC or by what stands for it. */
const sgr =
  (start: string, on: number, off: number): Wrap =>
  (text) =>
    `${start}[${on}m${text}${start}[${off}m`

const same: Wrap = (text) => text

const styles = (start: string): Paint => ({
  bad: sgr(start, 31, 39),
  doubtful: sgr(start, 33, 39),
  good: sgr(start, 32, 39),
  quiet: sgr(start, 2, 22),
  strong: sgr(start, 1, 22)
})

/** Styles as escape sequences. */
export const coloured: Paint = styles("\u001b")

/** What stands for ESC until a text is shown. Nobody can guess it, so nobody else's escape sequences get through. */
const mark = `\u{f0000}${randomUUID()}`

/** Styles that only {@link visible} turns into escape sequences. */
export const marked: Paint = styles(mark)

/** A coloured text that has no escape sequences but our own, for {@link visible}. */
export const withMarks = (text: string): string => text.replaceAll("\u001b", mark)

/** No styles. */
export const plain: Paint = { bad: same, doubtful: same, good: same, quiet: same, strong: same }

/** What a stream says of itself: whether it is a terminal. */
export interface MaybeTerminal {
  readonly isTTY?: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Whether a person watches this stream, on a terminal that can do more than write lines. */
export const isTerminal = ({ isTTY }: MaybeTerminal, env: Environment): boolean =>
  isTTY === true && env["TERM"] !== "dumb"

/** Whether what is written there may have colours: a person is watching and has not said otherwise (no-color.org). */
export const isColoured = (stream: MaybeTerminal, env: Environment): boolean =>
  isTerminal(stream, env) && (env["NO_COLOR"] ?? "") === ""

/** The styles for a stream. */
export const paintFor = (stream: MaybeTerminal, env: Environment): Paint => (isColoured(stream, env) ? marked : plain)

/**
 * What steers a terminal, or makes a text look like another: control characters (C0, DEL, C1), those that turn the
 * direction of writing or are not seen at all, line separators, and halves of characters, for which a terminal gets
 * what is not UTF-8. Of what is not seen, a joiner stays in an emoji and in the scripts that are written with it, and
 * a variant after an emoji.
 */
const steering =
  /[\p{Cc}\p{Cs}\u2028\u2029\ufff9-\ufffb]|(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{DI}|(?<![\p{ExtPict}\p{EMod}\p{Mn}\p{Mc}\p{Script=Arabic}])(?:\u200c|\u200d)|(?<![\p{ExtPict}#*0-9])(?:\ufe0e|\ufe0f)/gu

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`
  ).join("")

/** A text of a stranger, on one line and unable to steer the terminal: what could is shown by its number. */
export const escapeControls = (text: string): string => text.replace(steering, escaped)

/**
 * A whole output as a terminal may get it: of what could steer it, only line feeds, tabs and our own colours are left.
 * Everything a command writes for people goes through here. The numbers are written as JSON writes them, so JSON that
 * goes through here still says the same.
 */
export const visible = (text: string): string =>
  text
    .replace(steering, (character) => (character === "\n" || character === "\t" ? character : escaped(character)))
    .replaceAll(mark, "\u001b")
