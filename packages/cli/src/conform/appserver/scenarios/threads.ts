/** Scenarios of threads: kept, named, resumed, forked, put away, and followed by several clients. */
import {
  type AppServerScenario,
  ask,
  askingThread,
  by,
  commandQuestion,
  decide,
  hello,
  prompt,
  type Step,
  turn,
  turnEnds,
  waitFor,
  words
} from "../Step.ts"

const aText = { say: ["It is ", "said."] } as const

/** Follows the thread of another client. */
const follow: ReadonlyArray<Step> = [
  ...hello(),
  ask("thread/resume", { threadId: "{{thread}}" }, { holds: { "thread.id": "{{thread}}" } })
]

/** They need a model. */
export const threadScenarios: ReadonlyArray<AppServerScenario> = [
  {
    id: "APP-060",
    title: "a thread is named and listed",
    model: [aText],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("Say it."),
      ask("thread/name/set", { threadId: "{{thread}}", name: "A name" }),
      waitFor("thread/name/updated", { threadId: "{{thread}}", threadName: "A name" }),
      ask("thread/list", {}, { holds: { "data.0.id": "{{thread}}", "data.0.name": "A name" } })
    ]
  },
  {
    id: "APP-061",
    title: "a thread is resumed by another client after the first one left",
    model: [aText, { say: ["And more."] }],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("Say it."),
      { do: "leave" },
      ...by(
        "b",
        ...hello(),
        ask(
          "thread/resume",
          { threadId: "{{thread}}", cwd: "{{project}}", approvalPolicy: "untrusted", sandbox: "workspace-write" },
          { holds: { "thread.id": "{{thread}}", "thread.turns.0.status": "completed" } }
        ),
        prompt("Go on."),
        waitFor("item/completed", { "item.text": "And more." }),
        turnEnds()
      )
    ]
  },
  {
    id: "APP-062",
    title: "a thread is forked: the copy has what was said, and an id of its own",
    model: [aText, { say: ["In the fork."] }],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("Say it."),
      ask(
        "thread/fork",
        { threadId: "{{thread}}" },
        { save: { fork: "thread.id" }, holds: { "thread.forkedFromId": "{{thread}}" } }
      ),
      waitFor("thread/started", { "thread.id": "{{fork}}" }),
      ask("turn/start", { threadId: "{{fork}}", input: [words("And here?")] }, { save: { turn: "turn.id" } }),
      waitFor("turn/completed", { threadId: "{{fork}}", "turn.status": "completed" })
    ]
  },
  {
    id: "APP-063",
    title: "a thread is put away and taken out again",
    model: [aText],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("Say it."),
      ask("thread/archive", { threadId: "{{thread}}" }),
      waitFor("thread/archived", { threadId: "{{thread}}" }),
      ask("thread/list", { archived: true }, { holds: { "data.0.id": "{{thread}}" } }),
      ask("thread/unarchive", { threadId: "{{thread}}" }),
      waitFor("thread/unarchived", { threadId: "{{thread}}" }),
      ask("thread/list", {}, { holds: { "data.0.id": "{{thread}}" } })
    ]
  },
  {
    id: "APP-070",
    title: "two clients see the same turn",
    over: "websocket",
    model: [{ say: ["To ", "begin."] }, { say: ["To ", "both."] }],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("Begin."),
      ...by("b", ...follow),
      prompt("Tell both."),
      ...by("b", waitFor("item/completed", { "item.text": "To both." }), turnEnds()),
      turnEnds()
    ]
  },
  {
    id: "APP-071",
    title: "two clients are asked, the first answer wins, and the other one is told",
    over: "websocket",
    model: [{ say: ["Ready."] }, { run: "echo made > made.txt" }, { say: ["Made."] }],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("Begin."),
      ...by("b", ...follow),
      prompt("Make a file."),
      waitFor(commandQuestion, { turnId: "{{turn}}" }),
      ...by("b", waitFor(commandQuestion, { turnId: "{{turn}}" }), decide("accept")),
      waitFor("serverRequest/resolved", { threadId: "{{thread}}" }),
      turnEnds(),
      { do: "file", path: "made.txt", content: "made\n" },
      ...by("b", turnEnds())
    ]
  },
  {
    id: "APP-072",
    title: "a client that leaves takes no turn with it",
    over: "websocket",
    model: [
      { say: ["Ready."] },
      { say: ["On ", ...Array.from({ length: 12 }, () => "and on "), "to the end."], slowly: true }
    ],
    steps: [
      ...hello(),
      askingThread(),
      ...turn("Begin."),
      ...by("b", ...follow),
      prompt("Take your time."),
      waitFor("item/agentMessage/delta"),
      { do: "leave" },
      ...by("b", turnEnds())
    ]
  }
]
