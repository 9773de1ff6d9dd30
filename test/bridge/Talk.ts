/**
 * Clients that talk with the model through a bridge and a real CLI, and compare what they show with what the model is asked,
 * each time.
 */
import { join } from "node:path"
import { type JsonObject, type ModelScript, startModel } from "@agentwire/fixtures"
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { SharedSessionOptions } from "../../packages/bridge/src/embed/BridgeLayer.ts"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { layerSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { setUp } from "./AgentSetup.ts"
import { newestOf, type Said, sent } from "./ModelRequest.ts"
import { allowAlways, type ClientAgent, listening, type Place, run } from "./OnBridge.ts"

/** What a client shows. */
export const shown = ({ messages }: Pick<ClientAgent, "messages">): ReadonlyArray<Said> =>
  messages.flatMap((message): ReadonlyArray<Said> => {
    if (message.role === "user") return [["user", String(message.content)]]
    if (message.role === "tool") return [["result", String(message.content)]]
    if (message.role !== "assistant") return []
    const calls = (message.toolCalls ?? []).map(({ id }): Said => ["call", id])
    return message.content === undefined || message.content === "" ? calls : [["assistant", message.content], ...calls]
  })

/** A client of a thread, which compares what it shows with what the model is asked, each time. */
export class Talk {
  readonly agent: ClientAgent
  private readonly asked: ReadonlyArray<JsonObject>

  constructor(agent: ClientAgent, asked: ReadonlyArray<JsonObject>) {
    this.agent = agent
    this.asked = asked
  }

  get messages(): ClientAgent["messages"] {
    return this.agent.messages
  }

  /**
   * Runs with a list. What the model is asked in the end is what the client shows then, but for the last answer. Clients do
   * not run without a word to every question that is open: what is asked is dismissed.
   */
  async with(messages: ClientAgent["messages"]): Promise<ReadonlyArray<Said>> {
    this.agent.setMessages([...messages])
    const resume = this.agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" as const }))
    const { error } = await run(this.agent, resume.length === 0 ? {} : { resume })
    expect(error).toBeUndefined()
    const now = shown(this.agent)
    expect(sent(newestOf(this.asked))).toEqual(now.slice(0, -1))
    return now
  }

  say(words: string, to: ClientAgent["messages"] = this.messages): Promise<ReadonlyArray<Said>> {
    return this.with([...to, { id: crypto.randomUUID(), role: "user", content: words }])
  }

  /** The messages before the first that says something. */
  before(words: string): ClientAgent["messages"] {
    return this.messages.slice(
      0,
      this.messages.findIndex(({ content }) => content === words)
    )
  }

  /** The messages up to the first that says something. */
  through(words: string): ClientAgent["messages"] {
    return this.messages.slice(0, this.messages.findIndex(({ content }) => content === words) + 1)
  }
}

/** What a test has of a bridge. */
export type TalkPlace = Pick<Place, "url" | "kit" | "asked" | "session">

/** One bridge after the other on the same store, with a real CLI and a model that keeps what it is asked. */
export const bridges = (
  version: string,
  script: ModelScript,
  ...lives: ReadonlyArray<(place: TalkPlace) => Promise<void>>
): Effect.Effect<void> => bridgesWith(version, script, { policy: allowAlways }, ...lives)

/** The same, with sessions of another kind. */
export const bridgesWith = (
  version: string,
  script: ModelScript,
  chosen: Partial<SharedSessionOptions>,
  ...lives: ReadonlyArray<(place: TalkPlace) => Promise<void>>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const asked: Array<JsonObject> = []
    const { options, project } = yield* setUp(version, { replies: [] })
    const model = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startModel({ script, onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body)) })
      ),
      ({ close }) => Effect.promise(close)
    )
    const agents = cliLauncher({ ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } })
    const store = layerSqliteStore({ folder: join(project, "..", "data") })
    const session = { cwd: project, ...chosen }
    for (const life of lives)
      yield* Effect.scoped(listening(agents, { session, store }, (place) => life({ ...place, asked })))
  }).pipe(Effect.scoped)
