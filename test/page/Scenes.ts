/**
 * What the scripted model says in the tests of the page. Each scene is a conversation of its own: it answers the
 * thread whose prompt names it, so that one server plays all of them.
 */
import type { Block, JsonObject, Lane, ModelScript, Reply } from "@agentwire/fixtures"
import type { McpTool } from "@agentwire/fixtures/scenario"

const text = (...deltas: ReadonlyArray<string>): Block => ({ kind: "text", deltas })
const thinking = (...deltas: ReadonlyArray<string>): Block => ({ kind: "thinking", deltas, signature: "c2ln" })
const tool = (names: string, input: JsonObject): Block => ({
  kind: "tool",
  type: "tool_use",
  names: names.split("|"),
  input
})
const says = (...blocks: ReadonlyArray<Block>): Reply => ({ kind: "message", blocks })
const slowly = (dripMs: number, ...blocks: ReadonlyArray<Block>): Reply => ({ kind: "message", blocks, dripMs })
const bash = (command: string): Block => tool("Bash", { command, description: "Try it" })
const done = (words: string): Reply => says(text(words))

/** The words of an answer that takes a while. */
const longAnswer = Array.from({ length: 60 }, (_, index) => `word${index} `)

const helper = (name: string): Block =>
  tool("Agent|Task", {
    description: `Helper ${name}`,
    prompt: `[helper ${name}] Do your part.`,
    subagent_type: "general-purpose",
    run_in_background: false
  })

const scenes = {
  stream: [
    slowly(
      5,
      thinking("I think ", "about it."),
      text("# Title\n\n", "Some **bold** words", ' and a list:\n\n- one\n- two\n\n```json\n{"a": 1}\n```\n')
    )
  ],
  allow: [
    says(text("I make a file."), bash("echo made-by-the-agent > allowed.txt && cat allowed.txt")),
    done("It is made.")
  ],
  edit: [says(bash("echo first > edited.txt && cat edited.txt")), done("It ran.")],
  always: [
    says(tool("WebFetch", { url: "http://127.0.0.1:9/a", prompt: "What is there?" })),
    says(tool("WebFetch", { url: "http://127.0.0.1:9/b", prompt: "And there?" })),
    done("Both were tried.")
  ],
  deny: [says(bash("echo never > denied.txt")), done("Then not.")],
  keys: [says(bash("echo by-keyboard > keys.txt && cat keys.txt")), done("Thank you.")],
  fails: [says(bash("echo wrong > fails.txt; exit 3")), done("That failed.")],
  ask: [
    says(
      tool("AskUserQuestion", {
        questions: [
          {
            question: "Which colour?",
            header: "Colour",
            multiSelect: false,
            options: [
              { label: "Red", description: "Warm" },
              { label: "Blue", description: "Cold" }
            ]
          },
          {
            question: "Which sizes?",
            header: "Sizes",
            multiSelect: true,
            options: [
              { label: "Small", description: "S" },
              { label: "Large", description: "L" }
            ]
          }
        ]
      })
    ),
    done("Noted.")
  ],
  plan: [
    says(tool("EnterPlanMode", {})),
    says(tool("ExitPlanMode", { plan: "## The plan\n\n1. Look\n2. Leap" })),
    done("I begin.")
  ],
  form: [says(tool("mcp__demo__ask", {})), done("Now I know.")],
  accent: [says(text("A new colour."), tool("mcp__frontend__setAccent", { color: "teal" })), done("It is teal now.")],
  helpers: [says(text("I send a helper."), helper("one")), done("The helper is back.")],
  long: [says(text(...longAnswer)), done("And that was said between.")],
  hang: [{ kind: "message", blocks: [text("Before the pause.", "never")], break: { how: "hang", afterEvents: 4 } }],
  error: [{ kind: "error", status: 400, type: "invalid_request_error", message: "The model does not like this." }],
  dies: [says(text("I end myself."), bash("kill -9 $PPID; sleep 5; echo x > dies.txt")), done("Alive again.")],
  back: [done("Answer one."), done("Answer two."), done("Another two."), done("Answer to other words.")],
  plain: [done("First answer."), done("Second answer."), done("Third answer.")]
} satisfies Readonly<Record<string, ReadonlyArray<Reply>>>

/** The tool of the scene `form`: a server that asks the person. */
export const askingTool: McpTool = {
  name: "ask",
  description: "Asks the person",
  inputSchema: { type: "object", properties: {} },
  result: { content: [] },
  elicit: {
    mode: "form",
    message: "What is your name?",
    requestedSchema: {
      type: "object",
      properties: { name: { type: "string", title: "Name" }, news: { type: "boolean", title: "Send news" } },
      required: ["name"]
    }
  }
}

/** The name of a scene. */
export type SceneName = keyof typeof scenes

/** What to type for a scene. `take` tells plays of the same scene apart. */
export const promptOf = (name: SceneName, take: string): string => `Play ${name} for ${take}.`

const lanesOf = (take: string): ReadonlyArray<Lane> => [
  ...(Object.keys(scenes) as ReadonlyArray<SceneName>).map((name) => ({
    match: promptOf(name, take),
    replies: scenes[name]
  }))
]

const helperLane: Lane = {
  match: "[helper one]",
  replies: [
    says(text("The helper looks."), bash("echo helped > helped.txt && cat helped.txt")),
    done("The helper is done.")
  ]
}

/** All scenes, once for every take. */
export const scriptFor = (takes: ReadonlyArray<string>): ModelScript => ({
  replies: [done("There is no such scene.")],
  lanes: [helperLane, ...takes.flatMap(lanesOf)]
})
