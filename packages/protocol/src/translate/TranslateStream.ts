/**
 * The translator around a stream of messages: the pull form for any iterable, and the Effect form.
 *
 * Both fold `step`, keep the chunking of their input, and end with `finish`.
 */
import * as Stream from "effect/Stream"
import type { AguiEvent } from "../agui/Event.ts"
import type { TranslateOptions } from "./Options.ts"
import type { RuntimeMessages, RuntimeName } from "./Runtimes.ts"
import { type FinishReason, finish, initialState, type State, type Stepped, step } from "./Translator.ts"

/** Takes the translation through several messages. */
export const stepAll = <R extends RuntimeName>(
  state: State<R>,
  messages: ReadonlyArray<RuntimeMessages[R]>
): Stepped<R> => {
  const events: Array<AguiEvent> = []
  let next = state
  for (const message of messages) {
    const [after, given] = step(next, message)
    next = after
    for (const event of given) events.push(event)
  }
  return [next, events]
}

/** The events of a session, message by message. */
export function* translateMessages<R extends RuntimeName = "claude">(
  messages: Iterable<RuntimeMessages[R]>,
  options: TranslateOptions<R>,
  reason?: FinishReason
): Generator<AguiEvent, void> {
  let state = initialState(options)
  for (const message of messages) {
    const [next, events] = step(state, message)
    state = next
    yield* events
  }
  yield* finish(state, reason)
}

/** The events of a stream of messages. */
export const translateStream =
  <N extends RuntimeName = "claude">(options: TranslateOptions<N>, reason?: FinishReason) =>
  <E, R>(messages: Stream.Stream<RuntimeMessages[N], E, R>): Stream.Stream<AguiEvent, E, R> =>
    Stream.mapAccumArray(messages, () => initialState(options), stepAll<N>, {
      onHalt: (state) => [...finish(state, reason)]
    })
