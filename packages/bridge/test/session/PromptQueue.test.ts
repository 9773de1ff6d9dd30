/** The prompts that wait for their turn, and what is kept of them. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { BranchFailed, WentBack } from "../../src/session/Branching.ts"
import { makePromptQueue, type QueuedPrompt } from "../../src/session/PromptQueue.ts"
import type { WaitingPrompt } from "../../src/store/StoredThread.ts"

const prompt = (ticket: string): QueuedPrompt => {
  const said = [{ id: `m-${ticket}`, content: ticket }]
  return { ticket, said, prompt: { type: "prompt", said }, followsAnswers: false }
}

const setting = () => {
  const kept: Array<ReadonlyArray<string> | undefined> = []
  const note = (waiting: ReadonlyArray<WaitingPrompt> | undefined) => kept.push(waiting?.map(({ ticket }) => ticket))
  return { kept, queue: makePromptQueue(note) }
}

describe("what is kept", () => {
  it("is every prompt until its turn begins, in order", () => {
    const { kept, queue } = setting()
    queue.add(prompt("a"))
    queue.add(prompt("b"))
    expect(queue.take()?.ticket).toBe("a")
    expect(kept).toEqual([["a"], ["a", "b"]])
    queue.begun()
    queue.take()
    queue.begun()
    expect(kept.slice(2)).toEqual([["b"], undefined])
  })

  it("is one, too, that waits for nothing but the agent to go back", () => {
    const { kept, queue } = setting()
    queue.takeAtOnce(prompt("a"))
    expect(queue.waiting().map(({ ticket }) => ticket)).toEqual(["a"])
    expect(kept).toEqual([["a"]])
  })

  it("is nothing of going back without a prompt, and nothing is written for it", () => {
    const { kept, queue } = setting()
    const done = Deferred.makeUnsafe<WentBack, BranchFailed>()
    queue.addFirst({ ...prompt("back"), prompt: undefined, said: [], branch: { find: Effect.never, done } })
    queue.take()
    queue.begun()
    expect(kept).toEqual([])
  })

  it("stays when the session ends", () => {
    const { kept, queue } = setting()
    queue.add(prompt("a"))
    expect(queue.abandon()).toHaveLength(1)
    expect(queue.waiting()).toEqual([])
    expect(kept).toEqual([["a"]])
  })
})

it("gives those first that go back, and says how many are behind", () => {
  const { queue } = setting()
  queue.add(prompt("a"))
  queue.addFirst(prompt("b"))
  expect(queue.take()?.ticket).toBe("b")
  expect(queue.length()).toBe(1)
})
