/** The answer to a prompt is that of its turn, whatever else is said in the session. */
import type * as Model from "@agentwire/protocol/model"
import { describe, expect, it } from "vitest"
import { hearTurn, nothingHeard } from "../../src/extension/TurnAnswer.ts"
import { openText, wholeText } from "../FakeSessions.ts"

const prompt = { ticket: "mine", messageId: "said" }
const answerTo = (...events: ReadonlyArray<Model.Event>) =>
  events.reduce((heard, event) => hearTurn(prompt, heard, event), nothingHeard).answer

const begins = (ticket: string): Model.Event => ({ type: "turn_started", cause: "prompt", ticket })
const ends: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }
const subagent = wholeText("s", "Not this.").map((event) => ({ ...event, lane: "call" }) as Model.Event)

describe("hearTurn", () => {
  it.each([
    [
      "the last text of its turn",
      [begins("mine"), ...wholeText("a", "One."), ...wholeText("b", "T", "wo."), ends],
      "Two."
    ],
    ["nothing of the turn before", [begins("other"), ...wholeText("a", "No."), ends, begins("mine"), ends], ""],
    [
      "nothing of the turn after",
      [begins("mine"), ...wholeText("a", "Yes."), ends, begins("other"), ...wholeText("b", "No."), ends],
      "Yes."
    ],
    ["nothing of a sub-agent", [begins("mine"), ...wholeText("a", "Yes."), ...subagent, ends], "Yes."],
    ["what was said until it was cut", [begins("mine"), ...openText("a", "So f"), ends], "So f"],
    [
      "the rest of a turn that its words went into",
      [
        begins("other"),
        ...wholeText("a", "Before."),
        { type: "item_started", lane: null, id: "said", item: { kind: "prompt", content: "x" } },
        ...wholeText("b", "After."),
        ends
      ],
      "After."
    ]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Model.Event>, string]>)("is %s", (_, events, text) => {
    expect(answerTo(...events)).toMatchObject({ outcome: "completed", text })
  })

  it("is not there before the turn is over", () => {
    expect(answerTo(begins("mine"), ...wholeText("a", "One."))).toBeUndefined()
    expect(answerTo(begins("other"), ends)).toBeUndefined()
  })
})
