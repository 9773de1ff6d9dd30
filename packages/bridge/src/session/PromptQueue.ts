/**
 * The prompts that wait for their turn, in order.
 *
 * Each is kept from when it is accepted until its turn begins: whoever was told that it is accepted must not lose it with
 * the bridge. What is kept changes in the same step as the log, so that no prompt is in both, or in neither.
 */
import type * as Model from "@agentwire/protocol/model"
import type { WaitingPrompt } from "../store/StoredThread.ts"
import type { BranchRequest } from "./Branching.ts"

/** A prompt that waits for the turn before it to end, or for the agent to go back. */
export interface QueuedPrompt {
  readonly ticket: string
  /** What the agent is told. Undefined once it is dropped: its turn ends as it begins. */
  prompt: Model.Prompt | undefined
  /** What everybody is shown of it, also when the agent is never told. */
  readonly said: ReadonlyArray<Model.Said>
  /** It came with answers: whoever gave them reads nothing but this prompt's turn, so nobody answers more. */
  readonly followsAnswers: boolean
  /** The conversation goes back to here first. With `done` that is all: no turn follows. */
  readonly branch?: Omit<BranchRequest, "ticket">
}

/** The prompts that wait for their turn. */
export interface PromptQueue {
  /** All that wait, that whose turn is next first. */
  readonly waiting: () => ReadonlyArray<QueuedPrompt>
  /** How many wait behind the one that was taken. */
  readonly length: () => number
  /** Lets one wait behind all others. */
  readonly add: (queued: QueuedPrompt) => void
  /** Lets one wait before all others. */
  readonly addFirst: (queued: QueuedPrompt) => void
  /** Takes the next. It waits until {@link PromptQueue.begun}. */
  readonly take: () => QueuedPrompt | undefined
  /** Takes one that did not wait behind others. */
  readonly takeAtOnce: (queued: QueuedPrompt) => void
  /** The turn of the one that was taken begins with the next event, or it has none. */
  readonly begun: () => void
  /** Nothing begins any more. What waits stays kept, for the next bridge to tell. */
  readonly abandon: () => ReadonlyArray<QueuedPrompt>
}

/** No prompts. `keep` is called with those to be kept, whenever they change. */
export const makePromptQueue = (keep: (waiting: ReadonlyArray<WaitingPrompt> | undefined) => void): PromptQueue => {
  const queue: Array<QueuedPrompt> = []
  let taken: QueuedPrompt | undefined
  let isKept = false

  const waiting = (): ReadonlyArray<QueuedPrompt> => (taken === undefined ? queue : [taken, ...queue])

  const changed = (): void => {
    const prompts = waiting().flatMap(({ branch, said, ticket }) =>
      branch?.done === undefined ? [{ ticket, said }] : []
    )
    if (prompts.length === 0 && !isKept) return
    isKept = prompts.length > 0
    keep(isKept ? prompts : undefined)
  }

  return {
    waiting,
    length: () => queue.length,
    add: (queued) => {
      queue.push(queued)
      changed()
    },
    addFirst: (queued) => {
      queue.unshift(queued)
      changed()
    },
    take: () => {
      taken = queue.shift()
      return taken
    },
    takeAtOnce: (queued) => {
      taken = queued
      changed()
    },
    begun: () => {
      if (taken === undefined) return
      taken = undefined
      changed()
    },
    abandon: () => queue.splice(0)
  }
}
