/** Scenarios of turns: texts, interrupts, steers. */
import {
  type AppServerScenario,
  ask,
  askingThread,
  hello,
  interrupt,
  never,
  prompt,
  refused,
  turn,
  turnEnds,
  waitFor,
  words
} from "../Step.ts"

const aDelta = waitFor("item/agentMessage/delta")

const steer = (text: string) =>
  ask(
    "turn/steer",
    { threadId: "{{thread}}", expectedTurnId: "{{turn}}", input: [words(text)] },
    { holds: { turnId: "{{turn}}" } }
  )

const other = "01980000-0000-7000-8000-000000000000"

const slow = { say: ["I go ", "left", ...Array.from({ length: 12 }, () => " and on")], slowly: true } as const

/** They need a model. */
export const turnScenarios: ReadonlyArray<AppServerScenario> = [
  {
    id: "APP-020",
    title: "a turn with a text, from its start to its end",
    model: [{ say: ["Hello", ", ", "you."] }],
    steps: [
      ...hello(),
      askingThread(),
      prompt("Say hello."),
      waitFor("turn/started", { "turn.id": "{{turn}}" }),
      waitFor("item/completed", { "item.type": "userMessage", "item.content.0.text": "Say hello." }),
      aDelta,
      waitFor("item/completed", { "item.type": "agentMessage", "item.text": "Hello, you." }),
      waitFor("thread/tokenUsage/updated", { turnId: "{{turn}}" }),
      turnEnds()
    ]
  },
  {
    id: "APP-021",
    title: "two turns in one thread",
    model: [{ say: ["One."] }, { say: ["Two."] }],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("First."),
      prompt("Second."),
      waitFor("item/completed", { "item.text": "Two." }),
      turnEnds()
    ]
  },
  {
    id: "APP-022",
    title: "what was said is in the thread",
    model: [{ say: ["It is kept."] }],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("Keep it."),
      ask(
        "thread/read",
        { threadId: "{{thread}}", includeTurns: true },
        { holds: { "thread.turns.0.id": "{{turn}}", "thread.turns.0.status": "completed" } }
      ),
      ask("thread/turns/list", { threadId: "{{thread}}" }, { holds: { "data.0.id": "{{turn}}" } })
    ]
  },
  {
    id: "APP-023",
    title: "a prompt of a million characters",
    model: [{ say: ["That was long."] }],
    steps: [...hello(), askingThread(), ...turn("y".repeat(1_000_000))]
  },
  {
    id: "APP-024",
    title: "notifications that a client opted out of",
    model: [{ say: ["Not ", "in ", "pieces."] }],
    steps: [
      ...hello({ optOutNotificationMethods: ["item/agentMessage/delta", "thread/started"] }),
      askingThread(),
      ...turn("Whole, please."),
      never("item/agentMessage/delta"),
      never("thread/started")
    ]
  },
  {
    id: "APP-030",
    title: "an interrupt of a text, and a turn after it",
    model: [{ hang: ["I am ", "writing"] }, { say: ["Again."] }],
    steps: [...hello(), askingThread(), prompt("Write."), aDelta, interrupt, turnEnds("interrupted"), ...turn("Go on.")]
  },
  {
    id: "APP-031",
    title: "an interrupt of a turn that does not exist changes nothing",
    model: [{ hang: ["Still ", "here"] }],
    steps: [
      ...hello(),
      askingThread(),
      prompt("Write."),
      aDelta,
      refused("turn/interrupt", { threadId: "{{thread}}", turnId: other }),
      interrupt,
      turnEnds("interrupted")
    ]
  },
  {
    id: "APP-032",
    title: "a steer is part of the turn",
    model: [slow, { say: ["Going right."] }, { say: ["Going right."] }],
    steps: [
      ...hello(),
      askingThread(),
      prompt("Go left."),
      aDelta,
      steer("No, right."),
      waitFor("item/completed", { "item.type": "userMessage", "item.content.0.text": "No, right." }),
      turnEnds()
    ]
  },
  {
    id: "APP-033",
    title: "a steer of another turn is refused",
    model: [{ hang: ["Here"] }],
    steps: [
      ...hello(),
      askingThread(),
      prompt("Write."),
      aDelta,
      refused("turn/steer", { threadId: "{{thread}}", expectedTurnId: other, input: [words("No.")] }),
      interrupt,
      turnEnds("interrupted"),
      refused("turn/steer", { threadId: "{{thread}}", expectedTurnId: "{{turn}}", input: [words("Late.")] })
    ]
  },
  {
    id: "APP-034",
    title: "turn/start while a turn runs is a steer of it",
    model: [slow, { say: ["Both."] }, { say: ["Both."] }],
    steps: [
      ...hello(),
      askingThread(),
      prompt("One."),
      aDelta,
      ask("turn/start", { threadId: "{{thread}}", input: [words("Two.")] }, { holds: { "turn.id": "{{turn}}" } }),
      waitFor("item/completed", { "item.type": "userMessage", "item.content.0.text": "Two." }),
      turnEnds()
    ]
  },
  {
    id: "APP-035",
    title: "a review is a turn, and says what is reviewed and what it came to",
    model: [{ say: ["All is well."] }],
    steps: [
      ...hello(),
      askingThread(),
      ask(
        "review/start",
        { threadId: "{{thread}}", target: { type: "custom", instructions: "Look at notes.md." }, delivery: "inline" },
        { save: { turn: "turn.id" }, holds: { reviewThreadId: "{{thread}}" } }
      ),
      waitFor("item/completed", { "item.type": "enteredReviewMode", "item.review": "Look at notes.md." }),
      waitFor("item/completed", { "item.type": "exitedReviewMode", "item.review": "All is well." }),
      turnEnds()
    ]
  }
]
