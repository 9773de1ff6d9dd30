/** Reviews: the prompt that asks for one, and what clients are told of its turn. */
import { describe, expect, it } from "vitest"
import { AppServer, type Model } from "../../src/index.ts"
import { written } from "./Conversations.ts"

const targets = [
  [{ type: "uncommittedChanges" }, "current changes"],
  [{ type: "baseBranch", branch: "release/1.0" }, "changes against 'release/1.0'"],
  [{ type: "commit", sha: "0123456789abcdef", title: null }, "commit 0123456"],
  [{ type: "custom", instructions: "Look at notes.md." }, "Look at notes.md."]
] as const

it("what is reviewed is known by the prompt that asks for it", () => {
  for (const [target, words] of targets) expect(AppServer.reviewOf(AppServer.reviewPrompt(target) ?? "")).toBe(words)
  const unknown = { type: "everything" } as unknown as Parameters<typeof AppServer.reviewPrompt>[0]
  expect(AppServer.reviewPrompt(unknown)).toBeUndefined()
})

const id = AppServer.reviewIdOf("01a1")
const began: Model.Event = { type: "turn_started", cause: "prompt" }
const asked: Model.Event = {
  type: "item_started",
  lane: null,
  id,
  item: { kind: "prompt", content: AppServer.reviewPrompt({ type: "uncommittedChanges" }) ?? "" }
}
const text: ReadonlyArray<Model.Event> = [
  { type: "item_started", lane: null, id: "m", item: { kind: "text" } },
  { type: "item_grew", lane: null, id: "m", delta: "One thing." },
  { type: "item_ended", lane: null, id: "m" }
]

type Item = { readonly type: string; readonly id?: unknown; readonly review?: unknown }

/** The items that are completed, in order, and the notifications of the end. */
const told = (events: ReadonlyArray<Model.Event>) => {
  const outs = written(events.map((event, index) => ({ at: 1000 * index, event }))).parts.flat()
  return outs.flatMap((out): ReadonlyArray<readonly [string, unknown]> => {
    if (out._tag !== "Notification") return []
    if (out.method === "turn/completed") return [["turn/completed", out.params.turn.status]]
    if (out.method !== "item/completed") return []
    const item = out.params.item as Item
    return [[item.type, item.review]]
  })
}

describe("a review", () => {
  it("begins before its prompt, and ends before its turn with what it came to", () => {
    const over: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }
    expect(told([began, asked, ...text, over])).toEqual([
      ["enteredReviewMode", "current changes"],
      ["userMessage", undefined],
      ["agentMessage", undefined],
      ["exitedReviewMode", "One thing."],
      ["turn/completed", "completed"]
    ])
  })

  it("that is interrupted ends, too", () => {
    const over: Model.Event = { type: "turn_ended", outcome: { type: "cancelled" } }
    expect(told([began, asked, over])).toEqual([
      ["enteredReviewMode", "current changes"],
      ["userMessage", undefined],
      ["exitedReviewMode", ""],
      ["turn/completed", "interrupted"]
    ])
  })

  it("is no more once its turn is over", () => {
    const over: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }
    const types = told([began, asked, over, began, ...text, over]).map(([type]) => type)
    expect(types.filter((type) => type === "exitedReviewMode")).toHaveLength(1)
  })

  it("of Codex's own has Codex's items, though it says so before its turn begins", () => {
    const notice = (name: string, review: string): Model.Event => ({
      type: "noticed",
      lane: null,
      name,
      value: { id: name, review }
    })
    const over: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }
    const events = [notice("review_entered", "notes.md"), began, notice("review_exited", "All is well."), over]
    expect(told(events)).toEqual([
      ["enteredReviewMode", "notes.md"],
      ["exitedReviewMode", "All is well."],
      ["turn/completed", "completed"]
    ])
  })
})
