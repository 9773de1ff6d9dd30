/** A scripted model that does what the prompts of `agentwire conform` ask for. */
import { type JsonObject, type Model, type ModelScript, startModel, Variables } from "@agentwire/fixtures"
import { longPrompt, plainPrompt } from "../../packages/cli/src/conform/live/LiveScenario.ts"
import { allScenarios } from "../../packages/cli/src/conform/live/scenarios/index.ts"

type Reply = ModelScript["replies"][number]

const says = (...deltas: ReadonlyArray<string>): Reply => ({ kind: "message", blocks: [{ kind: "text", deltas }] })

const calls = (...tools: ReadonlyArray<readonly [name: string, input: JsonObject]>): Reply => ({
  kind: "message",
  blocks: tools.map(([name, input]) => ({ kind: "tool", type: "tool_use", names: [name], input }))
})

const line = "Repeat the following line exactly, and nothing else: "
const color = calls(["mcp__frontend__conform_set_color", { color: "teal" }])
const file = calls(["Bash", { command: "echo hello > conform-approval.txt", description: "Writes a word" }])

const tagOf = (id: string): string => `(${id})`

/** What the scenarios ask, each in words of its own, so that the model can tell them apart. */
export const prompts: Readonly<Record<string, string>> = Object.fromEntries(
  allScenarios.map(({ id, prompt }) => [id, `${prompt} ${tagOf(id)}`])
)

const unicode = (prompts["LIVE-003"] ?? "").slice(line.length).replace(tagOf("LIVE-003"), "").trim()

/** What the model does for a scenario, from the first request to the last, which is repeated. */
const replies: Readonly<Record<string, ReadonlyArray<Reply>>> = {
  "LIVE-003": [says(unicode)],
  "LIVE-010": [calls(["Read", { file_path: "{{project}}/notes.txt" }]), says("It returned a note.")],
  "LIVE-011": [color, says("It is set.")],
  "LIVE-012": [color, says("The code is QX-", "7431.")],
  "LIVE-013": [
    calls(["mcp__frontend__conform_weather", { city: "Oslo" }], ["mcp__frontend__conform_clock", { city: "Lima" }]),
    says("Rain, and noon.")
  ],
  "LIVE-014": [color, says("It is set.")],
  "LIVE-030": [says("{{codeword}}")],
  "LIVE-031": [says("OK")],
  "LIVE-040": [file, says("It is written.")],
  "LIVE-041": [file, says("Then not.")],
  "LIVE-042": [file, says("Hello.")]
}

/** So long that something can be done meanwhile, and not longer. */
const long = (dripMs: number): Reply => ({
  kind: "message",
  blocks: [{ kind: "text", deltas: Array.from({ length: 60 }, (_, i) => `number ${i + 1} in words\n`) }],
  dripMs
})

const script: ModelScript = {
  replies: [says("Hello.")],
  lanes: [
    { match: "What is my codeword?", replies: [says("{{codeword}}")] },
    { match: plainPrompt, replies: [says("Hel", "lo.")] },
    // The run of one thread has to last until that of another is under way.
    { match: tagOf("LIVE-022"), replies: [long(100)] },
    { match: longPrompt, replies: [long(25)] },
    ...Object.entries(replies).map(([id, replies]) => ({ match: tagOf(id), replies }))
  ]
}

/** Starts the model. It finds codewords in what it is asked. */
export const startConformModel = (project: string): Promise<Model> => {
  const variables = new Variables()
  variables.set("project", project)
  return startModel({
    script,
    variables,
    onRequest: (_, body) => {
      const word = /KESTREL-[0-9A-F]{8}/.exec(JSON.stringify(body["messages"] ?? ""))?.[0]
      if (word !== undefined) variables.set("codeword", word)
    }
  })
}
