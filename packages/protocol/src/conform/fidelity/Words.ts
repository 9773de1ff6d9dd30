/**
 * Whether what was said and thought in a session is shown: all of it, once, attributed to the right speaker.
 */
import { type Finding, findingAt, findingOfStream, quote } from "../Finding.ts"
import { fidelityRules } from "../rules/Fidelity.ts"
import type { Owner } from "../Stream.ts"
import type { Rendering, Shown } from "./Rendering.ts"
import type { Session, Utterance } from "./Session.ts"

/** Stands where something was found, so that what is left on both sides does not grow together. */
const cut = "\u0000"

/** Shorter ones are found in anything. */
const tellingLength = 12

const kinds = {
  text: { lost: fidelityRules["AGUI-FIDELITY-001"], twice: fidelityRules["AGUI-FIDELITY-002"], what: "text" },
  thinking: { lost: fidelityRules["AGUI-FIDELITY-003"], twice: fidelityRules["AGUI-FIDELITY-004"], what: "thinking" }
} as const

/** Compares what was said with what is shown. Message boundaries are the bridge's to choose. */
export const compareWords = (session: Session, rendering: Rendering): ReadonlyArray<Finding> =>
  (["text", "thinking"] as const).flatMap((kind) =>
    compareKind(
      kind,
      session.utterances.filter((utterance) => utterance.kind === kind && longest(utterance).trim() !== ""),
      rendering.messages.filter((message) => message.kind === kind),
      rendering.events
    )
  )

const longest = ({ wordings }: Utterance): string =>
  wordings.reduce((best, wording) => (wording.length > best.length ? wording : best), "")

const compareKind = (
  kind: "text" | "thinking",
  utterances: ReadonlyArray<Utterance>,
  messages: ReadonlyArray<Shown>,
  events: number
): ReadonlyArray<Finding> => {
  const { lost, twice, what } = kinds[kind]
  const findings: Array<Finding> = []
  const tracks = tracksOf(messages)

  const take = ({ wordings }: Pick<Utterance, "wordings">, mine: (owner: Owner) => boolean): boolean => {
    for (const [owner, track] of tracks) {
      if (!mine(owner)) continue
      for (const wording of [...wordings].sort((a, b) => b.length - a.length)) {
        if (wording === "" || !track.includes(wording)) continue
        tracks.set(
          owner,
          track.replace(wording, () => cut)
        )
        // What was streamed and what came whole may differ, when pieces got lost: a bridge may have shown both.
        for (const other of wordings) if (!wording.includes(other)) take({ wordings: [other] }, mine)
        return true
      }
    }
    return false
  }

  // Long ones first: a short one is easily found inside a long one and would tear it.
  const order = [...utterances].sort(
    (a, b) => longest(b).length - longest(a).length || Number(a.optional) - Number(b.optional)
  )
  for (const utterance of order) {
    const { line, optional, parent } = utterance
    const own = (owner: Owner) => (owner === undefined) === (parent === undefined)
    if (take(utterance, own)) continue
    const excerpt = longest(utterance)
    if (take(utterance, (owner) => !own(owner))) {
      findings.push(
        findingOfStream(
          fidelityRules["AGUI-FIDELITY-012"],
          parent === undefined
            ? `The agent's own ${what} ${quote(excerpt)} (line ${line}) is attributed to a subagent.`
            : `The ${what} ${quote(excerpt)} (line ${line}) of a sub-agent is not attributed to one.`,
          events,
          excerpt
        )
      )
    } else if (!optional)
      findings.push(
        findingOfStream(
          parent === undefined ? lost : fidelityRules["AGUI-FIDELITY-011"],
          `The ${what} ${quote(excerpt)} (line ${line})${parent === undefined ? "" : " of a sub-agent"} is missing.`,
          events,
          excerpt
        )
      )
  }

  for (const wording of new Set(utterances.flatMap(({ wordings }) => wordings))) {
    const again = [...tracks.values()].some((track) => isAgain(wording, track))
    const message = again ? messages.findLast(({ text }) => text.includes(wording)) : undefined
    if (again)
      findings.push(
        message === undefined
          ? findingOfStream(twice, `The ${what} ${quote(wording)} is there more often than it was said.`, events)
          : findingAt(
              twice,
              message.index,
              `The ${what} ${quote(wording)} is there more often than it was said, again in message ${quote(message.id)}.`,
              message.event
            )
      )
  }
  return findings
}

const isAgain = (wording: string, track: string): boolean => {
  const telling = wording.trim()
  if (telling === "") return false
  if (telling.length >= tellingLength) return track.includes(telling)
  return track.split(cut).some((left) => left.trim() === telling)
}

/** All that each owner said, in the order the messages began. */
const tracksOf = (messages: ReadonlyArray<Shown>): Map<Owner, string> => {
  const tracks = new Map<Owner, string>()
  for (const { owner, text } of messages) tracks.set(owner, (tracks.get(owner) ?? "") + text)
  return tracks
}
