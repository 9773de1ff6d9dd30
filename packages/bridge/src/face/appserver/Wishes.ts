/**
 * What clients want of threads, as far as they have said: a turn may name an approval policy and mean it beside the sandbox
 * that its thread was begun with, and what is wanted of a thread that is resumed holds from its next turn on.
 */
import { isRecord } from "@agentwire/protocol/wire"

/** What is wanted, by the names of the protocol. */
export type Wish = Readonly<Record<string, unknown>>

/** The wishes of clients, by the names of their threads. */
export interface Wishes {
  /** What a thread is begun with. */
  readonly begin: (threadId: string, params: unknown) => void
  /** What is wanted of a thread from its next turn on. All that is wanted of it then. */
  readonly later: (threadId: string, params: unknown) => Wish
  /** What is wanted of a thread for a turn, and what was wanted before. */
  readonly forTurn: (threadId: string, params: unknown) => { readonly wish: Wish; readonly before: Wish }
}

/** Spellings of one thing: who says one of them leaves the others. */
const sandboxes: ReadonlyArray<string> = ["sandbox", "sandboxPolicy", "permissions"]

/** What belongs together: how much is done, and whether somebody is asked about the rest. */
const autonomy: ReadonlyArray<string> = ["approvalPolicy", ...sandboxes]

const others: ReadonlyArray<string> = [
  "model",
  "effort",
  "summary",
  "personality",
  "serviceTier",
  "modelProvider",
  "approvalsReviewer"
]

const names: ReadonlyArray<string> = [...autonomy, ...others]

const picked = (params: unknown, keys: ReadonlyArray<string>): Wish =>
  Object.fromEntries(
    Object.entries(isRecord(params) ? params : {}).filter(
      ([key, value]) => keys.includes(key) && value !== undefined && value !== null
    )
  )

const says = (wish: Wish, keys: ReadonlyArray<string>): boolean => keys.some((key) => key in wish)

const merged = (before: Wish, said: Wish): Wish => ({
  ...(says(said, sandboxes) ? picked(before, ["approvalPolicy", ...others]) : before),
  ...said
})

interface Kept {
  readonly wish: Wish
  /** The agent has not been told. */
  readonly isDue: boolean
}

const nothing: Kept = { wish: {}, isDue: false }

/** The threads whose wishes are known: a server may run for long, and nobody says that a thread is over. */
const maxThreads = 1000

/** No wishes yet. */
export const makeWishes = (): Wishes => {
  const kept = new Map<string, Kept>()
  const keep = (threadId: string, next: Kept): void => {
    kept.delete(threadId)
    kept.set(threadId, next)
    for (const oldest of kept.keys()) {
      if (kept.size <= maxThreads) break
      kept.delete(oldest)
    }
  }
  return {
    begin: (threadId, params) => keep(threadId, { wish: picked(params, names), isDue: false }),
    later: (threadId, params) => {
      const before = kept.get(threadId) ?? nothing
      const said = picked(params, names)
      const wish = merged(before.wish, said)
      keep(threadId, { wish, isDue: before.isDue || says(said, names) })
      return wish
    },
    forTurn: (threadId, params) => {
      const before = kept.get(threadId) ?? nothing
      const said = picked(params, names)
      const wish = merged(before.wish, said)
      keep(threadId, { wish, isDue: false })
      const own = says(said, autonomy) ? { ...picked(wish, autonomy), ...said } : said
      return { wish: before.isDue ? wish : own, before: before.wish }
    }
  }
}
