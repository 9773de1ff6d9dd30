/**
 * What the face knows of what a client has had, from one request to the next: what it has shown and said, and what was sent
 * to it. Needed for clients that do not say it themselves, because their application replaces the shared state.
 */
import type * as Agui from "@agentwire/protocol/agui"

/** A request that a client has made. */
export interface ClientRequest {
  /** The newest entry that it shows; of one that goes back, that after which it does. */
  readonly shows: Agui.SeenMark | undefined
  /** The message of a person that it ends with. */
  readonly said: string | undefined
  /** The branch that it continues; undefined: it goes back, and shows less than its client has had. */
  readonly continues: number | undefined
}

/** A client of whom nothing is known. */
export const unknownClient: Agui.SentTo = { shown: [], said: undefined, sent: [], unsure: undefined }

/** How many branches are remembered of a client: those that it has been on last. */
const maxBranches = 16

/** Adds the newest entry of a branch, in place of an older one. */
const withMark = (marks: ReadonlyArray<Agui.SeenMark>, mark: Agui.SeenMark): ReadonlyArray<Agui.SeenMark> =>
  [...marks.filter(({ branch }) => branch !== mark.branch), mark].slice(-maxBranches)

/** Adds an entry that may be older than others of its branch. */
const alsoMark = (marks: ReadonlyArray<Agui.SeenMark>, mark: Agui.SeenMark): ReadonlyArray<Agui.SeenMark> =>
  [...marks.filter(({ branch, last }) => branch !== mark.branch || last !== mark.last), mark].slice(-maxBranches)

/** What is known of a client after a request of it. */
export const afterRequest = (client: Agui.SentTo, { continues, said, shows }: ClientRequest): Agui.SentTo => ({
  ...client,
  shown: shows === undefined ? client.shown : (continues === undefined ? alsoMark : withMark)(client.shown, shows),
  said: said === undefined || continues === undefined ? undefined : { branch: continues, last: said }
})

/** What is known of a client to whom something was sent. */
export interface Delivered extends Pick<ClientRequest, "said"> {
  readonly branch: number
  /** The newest entry of the conversation that its client has then. */
  readonly newest: string | undefined
  /** Its run is over, and the answer with it. */
  readonly isWhole: boolean
  /** It came in one piece to a client that had nothing: whoever shows any of it has all of it. Default no. */
  readonly isAll?: boolean
}

/** What is known of a client after something was sent to it. What it said on its way back is where it went. */
export const afterDelivery = (
  client: Agui.SentTo,
  { branch, isAll = false, isWhole, newest, said }: Delivered
): Agui.SentTo => {
  const mark = isWhole && newest !== undefined ? { branch, last: newest } : undefined
  return {
    shown: isAll && mark !== undefined ? withMark(client.shown, mark) : client.shown,
    said: client.said ?? (said === undefined ? undefined : { branch, last: said }),
    sent: mark === undefined ? client.sent : withMark(client.sent, mark),
    unsure: isWhole ? undefined : branch
  }
}
