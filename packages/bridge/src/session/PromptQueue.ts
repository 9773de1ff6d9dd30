/**
 * The prompts that wait for their turn, in order.
 *
 * Each is kept from when it is accepted until its turn begins: whoever was told that it is accepted must not lose it with
 * the bridge. What is kept changes in the same step as the log, so that no prompt is in both, or in neither.
 */
import type * as Model from "@agentwire/protocol/model"
import type { WaitingPrompt } from "../store/StoredThread.ts"
import type { BranchRequest } from "./Branching.ts"

/**
 * A prompt that waits for the turn before it to end, or for the agent to go back; or words that wait to be heard in the turn
 * that is open.
 */
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
  /** Those that are kept until they are heard: all but who only goes back. */
  readonly kept: () => ReadonlyArray<WaitingPrompt>
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
  /** Lets one wait to be heard in the turn that is open. */
  readonly steer: (queued: QueuedPrompt) => void
  /** Those that wait to be heard in the turn that is open. */
  readonly steering: () => ReadonlyArray<QueuedPrompt>
  /** The one of which something was heard, by the id of what was said. It waits no more. */
  readonly heard: (said: string) => QueuedPrompt | undefined
  /** One with this ticket, or all, will not be heard in the turn: it waits for one of its own, before all others. */
  readonly missed: (ticket?: string) => void
  /** The turn of the one that was taken begins with the next event, or it has none. */
  readonly begun: () => void
  /** Nothing begins any more. What waits stays kept, for the next bridge to tell. */
  readonly abandon: () => ReadonlyArray<QueuedPrompt>
}

/** No prompts. `keep` is called with those to be kept, whenever they change. */
export const makePromptQueue = (keep: (waiting: ReadonlyArray<WaitingPrompt> | undefined) => void): PromptQueue => {
  const queue: Array<QueuedPrompt> = []
  let steering: ReadonlyArray<QueuedPrompt> = []
  let taken: QueuedPrompt | undefined
  let isKept = false

  const waiting = (): ReadonlyArray<QueuedPrompt> => [...(taken === undefined ? [] : [taken]), ...steering, ...queue]

  const kept = (): ReadonlyArray<WaitingPrompt> =>
    waiting().flatMap(({ branch, said, ticket }) => (branch?.done === undefined ? [{ ticket, said }] : []))

  const changed = (): void => {
    const prompts = kept()
    if (prompts.length === 0 && !isKept) return
    isKept = prompts.length > 0
    keep(isKept ? prompts : undefined)
  }

  return {
    waiting,
    kept,
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
    steer: (queued) => {
      steering = [...steering, queued]
      changed()
    },
    steering: () => steering,
    heard: (said) => {
      const found = steering.find((each) => each.said.some(({ id }) => id === said))
      if (found === undefined) return undefined
      steering = steering.filter((each) => each !== found)
      changed()
      return found
    },
    missed: (ticket) => {
      const late = steering.filter((each) => ticket === undefined || each.ticket === ticket)
      if (late.length === 0) return
      steering = steering.filter((each) => !late.includes(each))
      // Whoever goes back does so first: what was said to the turn that was left is said on the other branch.
      const goesBack = queue.findIndex(({ branch }) => branch?.done === undefined)
      queue.splice(goesBack === -1 ? queue.length : goesBack, 0, ...late)
      changed()
    },
    begun: () => {
      if (taken === undefined) return
      taken = undefined
      changed()
    },
    abandon: () => {
      steering = []
      return queue.splice(0)
    }
  }
}
