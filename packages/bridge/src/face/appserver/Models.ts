/**
 * The models that a client may choose from: those that a running agent has named, and until one has, the names that its
 * program always takes.
 */
import type { ResultOf } from "@agentwire/protocol/codex"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { Call } from "./Call.ts"

type Model = ResultOf<"model/list">["data"][number]

/** How hard a model may think, in the words that both sides have. */
const efforts: Model["supportedReasoningEfforts"] = [
  { reasoningEffort: "low", description: "Fast" },
  { reasoningEffort: "medium", description: "Balanced" },
  { reasoningEffort: "high", description: "Thorough" }
]

/** Aliases that the programs take without an account being asked. */
const always: Readonly<Record<"claude" | "codex", ReadonlyArray<readonly [id: string, name: string]>>> = {
  claude: [
    ["default", "Default"],
    ["opus", "Opus"],
    ["sonnet", "Sonnet"],
    ["haiku", "Haiku"]
  ],
  codex: [["default", "Default"]]
}

const modelOf = (id: string, displayName: string, description: string, isDefault: boolean): Model => ({
  id,
  model: id,
  displayName,
  description,
  hidden: false,
  supportedReasoningEfforts: efforts,
  defaultReasoningEffort: "medium",
  inputModalities: ["text", "image"],
  supportsPersonality: false,
  additionalSpeedTiers: [],
  serviceTiers: [],
  defaultServiceTier: null,
  upgrade: null,
  upgradeInfo: null,
  availabilityNux: null,
  isDefault
})

/** What an agent says of its models when it starts. */
const namedBy = (facts: Readonly<Record<string, unknown>>): ReadonlyArray<readonly [string, string, string]> => {
  const greeting = facts["greeting"]
  const models = isRecord(greeting) ? greeting["models"] : undefined
  return (Array.isArray(models) ? models : []).flatMap((model: unknown) => {
    if (!isRecord(model)) return []
    const { description, displayName, value } = model
    return typeof value === "string" && value !== ""
      ? [[value, String(displayName ?? value), String(description ?? "")] as const]
      : []
  })
}

/** The models. */
export const modelsOf = ({ client }: Call): Effect.Effect<ReadonlyArray<Model>> =>
  Effect.gen(function* () {
    const { agent, runtime } = client.shared.options
    const told = yield* Effect.forEach([...client.follows.values()], ({ session }) => session.native.facts)
    const named = told.map(namedBy)
    const found =
      named.find((models) => models.length > 0) ?? always[runtime].map(([id, name]) => [id, name, ""] as const)
    const chosen = agent?.model
    const known =
      chosen === undefined || found.some(([id]) => id === chosen) ? found : [[chosen, chosen, ""] as const, ...found]
    const first = chosen ?? known[0]?.[0]
    return known.map(([id, name, description]) => modelOf(id, name, description, id === first))
  })

/** Whether the program of a runtime can know a model of this name: what is another maker's is not passed on. */
export const isModelOf = (runtime: "claude" | "codex", model: string): boolean =>
  runtime === "codex" ? model !== "default" : !/^(?:gpt|o\d|codex|gemini)\b/i.test(model)
