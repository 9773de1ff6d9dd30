/** Why something was replaced, in a line for each: where it was, what stands there now, and what gave it away. */
import type { Tape } from "@agentwire/protocol"

/** The place of a secret, in words. */
export const placeOf = ({ frame, place }: Pick<Tape.Finding, "frame" | "place">): string =>
  frame === 0 ? `header, ${place}` : `frame ${frame}, ${place}`

/** A line for each secret that was found. The secrets themselves are in none of them. */
export const explained = (findings: ReadonlyArray<Tape.Finding>): ReadonlyArray<string> =>
  findings.map((finding) => {
    const { because, placeholder, rule } = finding
    return `  ${placeOf(finding)}: ${placeholder} ${because} (rule: ${rule})`
  })
