/** Colours for a terminal, and how untrusted text is shown on one. */

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

const sgr =
  (on: number, off: number): Wrap =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`

const same: Wrap = (text) => text

/** Styles as escape sequences. */
export const coloured: Paint = {
  bad: sgr(31, 39),
  doubtful: sgr(33, 39),
  good: sgr(32, 39),
  quiet: sgr(2, 22),
  strong: sgr(1, 22)
}

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
export const paintFor = (stream: MaybeTerminal, env: Environment): Paint => (isColoured(stream, env) ? coloured : plain)

/**
 * A text of a stranger, on one line and unable to steer the terminal: control characters, and those that turn the
 * direction of writing, are shown by their number.
 */
export const escapeControls = (text: string): string =>
  text.replace(
    /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
