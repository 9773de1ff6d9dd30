/**
 * Words for the turn that is open: sent once it has begun, and remembered until the CLI tells by their uuid what becomes of
 * them (docs/wire/claude-code.md §5.49).
 */
import { randomUUID } from "node:crypto"
import type * as Claude from "@agentwire/protocol/claude"
import { promptLine } from "@agentwire/protocol/claude"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { ConversationHost } from "../../session/Runtime.ts"
import type { AgentLink } from "./AgentLink.ts"
import type { ControlFailed } from "./HostRequests.ts"

/** What steered words need of their conversation. */
export interface SteeredWordsParts {
  readonly host: Pick<ConversationHost, "handleEvents" | "kept" | "locked" | "unheard">
  readonly tell: AgentLink["tell"]
  /** Has the CLI drop a message that it has not begun with. */
  readonly cancel: (uuid: string) => Effect.Effect<unknown, ControlFailed>
  /** Words were sent: the turn lasts until something becomes of them. */
  readonly foldSent: (said: ReadonlyArray<Model.Said>, uuid: string) => void
  /** No turn will hear what was sent with this uuid. Returns what follows from that. */
  readonly foldUnheard: (uuid: string) => ReadonlyArray<Model.Event>
  readonly inBackground: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

/** The words that were said to turns, and of which nothing is known yet. All is to be called under the session's lock. */
export interface SteeredWords {
  /** Whether there are none. */
  readonly isEmpty: () => boolean
  /** Says something to the turn that is open. */
  readonly steer: (command: Model.Steer) => Effect.Effect<void>
  /** Sends what could not be sent yet. */
  readonly sendWaiting: Effect.Effect<void>
  /** The CLI says what became of a message. */
  readonly lifecycleChanged: (message: Claude.CommandLifecycle) => Effect.Effect<void>
  /** The turn is over: what was not sent is not heard in it, and what was sent has a little time left. */
  readonly turnEnded: Effect.Effect<void>
  /** No turn hears any of it any more. */
  readonly giveUpAll: Effect.Effect<void>
}

/** How long the CLI may take to begin with what came too late for what it was doing. */
const patience = "10 seconds"

interface SteeredCommand {
  readonly command: Model.Steer
  isSent: boolean
}

/** No words yet. */
export const makeSteeredWords = ({
  cancel,
  foldSent,
  foldUnheard,
  host,
  inBackground,
  tell
}: SteeredWordsParts): SteeredWords => {
  /** What is for a turn and not taken up yet, by the uuids of the lines. What is not sent waits for the turn to begin. */
  const steers = new Map<string, SteeredCommand>()

  const giveUp = (isLost: (steer: SteeredCommand) => boolean): Effect.Effect<void> =>
    Effect.suspend(() => {
      const lost = [...steers].filter(([, steer]) => isLost(steer))
      for (const [uuid] of lost) steers.delete(uuid)
      return Effect.forEach(
        lost,
        ([uuid, { command }]) =>
          Effect.andThen(host.handleEvents(foldUnheard(uuid), undefined), host.unheard(command.id)),
        { discard: true }
      )
    })

  /** The CLI begins at once with what it has not taken up. What it never begins with must hold no turn open, and nothing up. */
  const takeBack = (uuids: ReadonlyArray<string>): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* Effect.sleep(patience)
      for (const uuid of uuids.filter((each) => steers.has(each))) {
        yield* Effect.ignore(cancel(uuid))
        const left = steers.get(uuid)
        if (left !== undefined) yield* host.locked(giveUp((each) => each === left))
      }
    })

  const sendWaiting: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(
      [...steers].filter(([, { isSent }]) => !isSent),
      ([uuid, steer]) =>
        Effect.map(tell(promptLine(steer.command, uuid)), (isSent) => {
          steer.isSent = isSent
          if (isSent) foldSent(steer.command.said, uuid)
        }),
      { discard: true }
    )
  )

  return {
    isEmpty: () => steers.size === 0,
    steer: (command) =>
      Effect.gen(function* () {
        const uuid = randomUUID()
        if (!(yield* host.kept)) return
        steers.set(uuid, { command, isSent: false })
        yield* sendWaiting
      }),
    sendWaiting,
    lifecycleChanged: ({ command_uuid: uuid, state }) => {
      const steer = steers.get(uuid)
      if (steer === undefined || state === "queued") return Effect.void
      steers.delete(uuid)
      return state === "started" || state === "completed" ? Effect.void : host.unheard(steer.command.id)
    },
    turnEnded: Effect.suspend(() =>
      steers.size === 0
        ? Effect.void
        : Effect.andThen(
            giveUp(({ isSent }) => !isSent),
            Effect.suspend(() => inBackground(takeBack([...steers.keys()])))
          )
    ),
    giveUpAll: giveUp(() => true)
  }
}
