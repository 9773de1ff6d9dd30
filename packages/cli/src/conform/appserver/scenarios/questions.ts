/** Scenarios of commands and patches that a person decides about. */
import type { JsonObject } from "@agentwire/fixtures"
import {
  type AppServerScenario,
  answer,
  askingThread,
  commandQuestion,
  decide,
  file,
  type Holds,
  hello,
  interrupt,
  never,
  patchQuestion,
  prompt,
  refused,
  type Step,
  turnEnds,
  waitFor
} from "../Step.ts"

const make = { run: "echo made > made.txt" } as const

const touch = { run: "touch made.txt" } as const

const patch = { write: "note.txt", content: "A note.\n" } as const

const weather = {
  type: "function",
  name: "weather",
  description: "The weather in a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] }
} as const

const isTool = { "item.type": "dynamicToolCall" } as const

/** A thread with tools of the client, up to a call of one. */
const untilTool = (tools: ReadonlyArray<JsonObject>, asked: Holds): ReadonlyArray<Step> => [
  ...hello({ experimentalApi: true }),
  askingThread({ dynamicTools: tools }),
  prompt("How is the weather?"),
  waitFor("item/started", isTool),
  waitFor("item/tool/call", { turnId: "{{turn}}", tool: "weather", "arguments.city": "Rome", ...asked })
]

const said = (text: string) => [{ type: "inputText", text }] as const

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
  },
  {
    id: "APP-054",
    title: "a tool that the client has brought is called, and has the client's result",
    model: [{ call: "weather", with: { city: "Rome" } }, { say: ["Sunny."] }],
    steps: [
      ...untilTool([weather], { namespace: null }),
      answer({ contentItems: said("Sunny, 25 degrees"), success: true }),
      waitFor("item/completed", {
        ...isTool,
        "item.status": "completed",
        "item.success": true,
        "item.contentItems.0.text": "Sunny, 25 degrees"
      }),
      turnEnds()
    ]
  },
  {
    id: "APP-055",
    title: "a tool of a group that the client has brought is called by both names, and fails",
    model: [{ call: "weather", group: "sky", with: { city: "Rome" } }, { say: ["Nobody knows."] }],
    steps: [
      ...untilTool([{ type: "namespace", name: "sky", description: "What is above.", tools: [weather] }], {
        namespace: "sky"
      }),
      answer({ contentItems: said("No such city"), success: false }),
      waitFor("item/completed", {
        ...isTool,
        "item.status": "failed",
        "item.success": false,
        "item.contentItems.0.text": "No such city"
      }),
      turnEnds()
    ]
  },
  {
    id: "APP-056",
    title: "tools of one name, and of names that no model takes, are refused",
    model: [],
    steps: [
      ...hello({ experimentalApi: true }),
      refused("thread/start", { cwd: "{{project}}", dynamicTools: [weather, weather] }),
      refused("thread/start", { cwd: "{{project}}", dynamicTools: [{ ...weather, name: "a tool" }] })
    ]
  }
]
