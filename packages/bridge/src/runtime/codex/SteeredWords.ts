/**
 * Words for the turn that is open. They are heard when the server repeats them; of a turn that begins they are sent once it
 * has its id.
 */
import { randomUUID } from "node:crypto"
import { turnSteer } from "@agentwire/protocol/codex"
import type { Peer } from "@agentwire/protocol/jsonrpc"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { ConversationHost } from "../../session/Runtime.ts"

/** What steered words need of their conversation. */
export interface SteeredWordsParts {
  readonly host: Pick<ConversationHost, "kept" | "locked" | "unheard">
  readonly request: Peer["request"]
  /** Where the server is: the thread that it has, and the turn that is open, once their ids are known. */
  readonly turn: () => { readonly threadId: string | undefined; readonly turnId: string | undefined }
  /** Words were said to a turn. */
  readonly foldSteer: (said: ReadonlyArray<Model.Said>, uuid: string) => void
  /** No turn will hear what was said with this uuid. */
  readonly foldUnheard: (uuid: string) => void
  readonly inBackground: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

/** What was said to turns and is not heard yet. All is to be called under the session's lock. */
export interface SteeredWords {
  /** Says something to the turn that is open. */
  readonly steer: (command: Model.Steer) => Effect.Effect<void>
  /** Sends what could not be sent before the turn had its id. */
  readonly sendWaiting: Effect.Effect<void>
  /** Forgets those that were heard, by their uuids. */
  readonly forgetHeard: (isHeard: (uuid: string) => boolean) => void
  /** The turn is over. Those that are on their way are answered: with a no, or as those of a turn that is over. */
  readonly turnEnded: Effect.Effect<void>
  /** No turn hears any of it any more. */
  readonly giveUpAll: Effect.Effect<void>
}

/** Words on their way into a turn. */
interface SentSteer {
  readonly command: Model.Steer
  /** The turn that they were sent to; undefined while its id is not known. */
  turnId: string | undefined
  /** The server has taken them, and has not repeated them yet. */
  isTaken: boolean
}

/** No words yet. */
export const makeSteeredWords = ({
  foldSteer,
  foldUnheard,
  host,
  inBackground,
  request,
  turn
}: SteeredWordsParts): SteeredWords => {
  /** By the uuids that they are sent with. */
  const steers = new Map<string, SentSteer>()

  const giveUp = (isLost: (sent: SentSteer) => boolean): Effect.Effect<void> =>
    Effect.suspend(() => {
      const lost = [...steers].filter(([, sent]) => isLost(sent))
      for (const [uuid] of lost) {
        steers.delete(uuid)
        foldUnheard(uuid)
      }
      return Effect.forEach(lost, ([, { command }]) => host.unheard(command.id), { discard: true })
    })

  const send = (uuid: string, sent: SentSteer): Effect.Effect<void> => {
    const { threadId, turnId } = turn()
    if (threadId === undefined || turnId === undefined) return Effect.void
    sent.turnId = turnId
    const isThis = (each: SentSteer): boolean => each === sent
    return inBackground(
      request("turn/steer", turnSteer(threadId, turnId, sent.command, uuid)).pipe(
        Effect.matchEffect({
          onFailure: () => host.locked(giveUp(isThis)),
          onSuccess: () =>
            host.locked(
              Effect.suspend(() => {
                sent.isTaken = true
                return turn().turnId === turnId ? Effect.void : giveUp(isThis)
              })
            )
        })
      )
    )
  }

  const sendWaiting: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(
      [...steers].filter(([, sent]) => sent.turnId === undefined),
      ([uuid, sent]) => send(uuid, sent),
      { discard: true }
    )
  )

  return {
    steer: (command) =>
      Effect.gen(function* () {
        const uuid = randomUUID()
        if (!(yield* host.kept)) return
        foldSteer(command.said, uuid)
        steers.set(uuid, { command, turnId: undefined, isTaken: false })
        yield* sendWaiting
      }),
    sendWaiting,
    forgetHeard: (isHeard) => {
      for (const uuid of [...steers.keys()].filter(isHeard)) steers.delete(uuid)
    },
    turnEnded: giveUp(({ isTaken, turnId }) => isTaken || turnId === undefined),
    giveUpAll: giveUp(() => true)
  }
}
