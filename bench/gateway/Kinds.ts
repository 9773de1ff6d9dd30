/** The kinds of clients: what they subscribe to, and how many of a hundred are of each. */

/** A kind of client. */
export interface Kind {
  readonly name: string
  readonly share: number
  readonly events: ReadonlyArray<string>
  /** Only this session; undefined: all. */
  readonly session?: number
}

/** The kinds. */
export const kinds: ReadonlyArray<Kind> = [
  { name: "all", share: 40, events: ["session.*"] },
  { name: "everything", share: 10, events: ["*"] },
  { name: "one", share: 30, events: ["session.*"], session: 0 },
  { name: "named", share: 10, events: ["session.content_block_delta"], session: 1 },
  { name: "ends", share: 10, events: ["session.turn_stop"] }
]

/** Whether a client of a kind is told what a session says. */
export const wants = ({ events, session }: Kind, spoken: number): boolean =>
  !events.includes("session.turn_stop") && (session === undefined || session === spoken)
