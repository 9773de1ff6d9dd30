/** Scenarios of commands and patches that a person decides about. */
import {
  type AppServerScenario,
  askingThread,
  commandQuestion,
  decide,
  file,
  hello,
  interrupt,
  never,
  patchQuestion,
  prompt,
  type Step,
  turnEnds,
  waitFor
} from "../Step.ts"

const make = { run: "echo made > made.txt" } as const

const touch = { run: "touch made.txt" } as const

const patch = { write: "note.txt", content: "A note.\n" } as const

const resolved = waitFor("serverRequest/resolved", { threadId: "{{thread}}" })

const isCommand = { "item.type": "commandExecution" } as const

const isPatch = { "item.type": "fileChange" } as const

const untilCommand: ReadonlyArray<Step> = [
  ...hello(),
  askingThread(),
  prompt("Make a file."),
  waitFor("item/started", isCommand),
  waitFor(commandQuestion, { turnId: "{{turn}}" })
]

const acceptedForSession: ReadonlyArray<Step> = [
  decide("acceptForSession"),
  turnEnds(),
  prompt("Again."),
  waitFor("item/started", isCommand),
  waitFor("item/completed", { ...isCommand, "item.status": "completed" }),
  turnEnds(),
  never(commandQuestion, { turnId: "{{turn}}" })
]

const untilPatch: ReadonlyArray<Step> = [
  ...hello(),
  // Where it may write, Codex asks for leave only outside of the project.
  askingThread({ sandbox: "read-only" }),
  prompt("Write a note."),
  waitFor("item/started", isPatch),
  waitFor(patchQuestion, { turnId: "{{turn}}" })
]

/** They need a model. */
export const questionScenarios: ReadonlyArray<AppServerScenario> = [
  {
    id: "APP-040",
    title: "a command is asked for and accepted",
    model: [make, { say: ["Made."] }],
    steps: [
      ...untilCommand,
      file("made.txt", null),
      decide("accept"),
      resolved,
      waitFor("item/completed", { ...isCommand, "item.status": "completed", "item.exitCode": 0 }),
      turnEnds(),
      file("made.txt", "made\n")
    ]
  },
  {
    id: "APP-041",
    title: "a command is declined, and the turn goes on",
    model: [make, { say: ["Not made."] }],
    steps: [
      ...untilCommand,
      decide("decline"),
      resolved,
      waitFor("item/completed", { ...isCommand, "item.status": "declined" }),
      waitFor("item/completed", { "item.type": "agentMessage" }),
      turnEnds(),
      file("made.txt", null)
    ]
  },
  {
    id: "APP-042",
    title: "a command is cancelled, and the turn with it",
    model: [make, { say: ["Never said."] }],
    steps: [...untilCommand, decide("cancel"), resolved, turnEnds("interrupted"), file("made.txt", null)]
  },
  {
    id: "APP-043",
    title: "a command is accepted for the session: the same one is not asked for again",
    model: [touch, { say: ["Once."] }, touch, { say: ["Twice."] }],
    steps: [...untilCommand, ...acceptedForSession]
  },
  {
    id: "APP-044",
    title: "an answer that is no decision runs nothing",
    model: [make, { say: ["Not made."] }],
    steps: [
      ...untilCommand,
      decide("approve"),
      waitFor("item/completed", isCommand),
      turnEnds(),
      file("made.txt", null)
    ]
  },
  {
    id: "APP-045",
    title: "an error as the answer runs nothing",
    model: [make, { say: ["Not made."] }],
    steps: [
      ...untilCommand,
      { do: "refuse", message: "Nobody can decide." },
      waitFor("item/completed", isCommand),
      turnEnds(),
      file("made.txt", null)
    ]
  },
  {
    id: "APP-046",
    title: "an interrupt withdraws the question, and a late answer does nothing",
    model: [make, { say: ["Never said."] }],
    steps: [
      ...untilCommand,
      interrupt,
      turnEnds("interrupted"),
      decide("accept"),
      { do: "ask", method: "thread/loaded/list", params: {}, gets: "result" },
      file("made.txt", null)
    ]
  },
  {
    id: "APP-047",
    title: "a command whose output goes into a file is accepted for the session",
    model: [make, { say: ["Once."] }, make, { say: ["Twice."] }],
    steps: [...untilCommand, ...acceptedForSession]
  },
  {
    id: "APP-050",
    title: "a patch is shown, asked for and accepted",
    model: [patch, { say: ["Written."] }],
    steps: [
      ...untilPatch,
      file("note.txt", null),
      decide("accept"),
      resolved,
      waitFor("item/completed", { ...isPatch, "item.status": "completed" }),
      turnEnds(),
      file("note.txt", "A note.\n")
    ]
  },
  {
    id: "APP-051",
    title: "a patch is declined",
    model: [patch, { say: ["Not written."] }],
    steps: [
      ...untilPatch,
      decide("decline"),
      resolved,
      waitFor("item/completed", { ...isPatch, "item.status": "declined" }),
      turnEnds(),
      file("note.txt", null)
    ]
  },
  {
    id: "APP-052",
    title: "a patch is cancelled, and the turn with it",
    model: [patch, { say: ["Never said."] }],
    steps: [...untilPatch, decide("cancel"), resolved, turnEnds("interrupted"), file("note.txt", null)]
  },
  {
    id: "APP-053",
    title: "a patch is accepted for the session: the same file is not asked for again",
    model: [patch, { say: ["Once."] }, { ...patch, content: "Another note.\n" }, { say: ["Twice."] }],
    steps: [
      ...untilPatch,
      decide("acceptForSession"),
      turnEnds(),
      prompt("Write it anew."),
      waitFor("item/started", isPatch),
      waitFor("item/completed", { ...isPatch, "item.status": "completed" }),
      turnEnds(),
      never(patchQuestion, { turnId: "{{turn}}" }),
      file("note.txt", "Another note.\n")
    ]
  }
]
