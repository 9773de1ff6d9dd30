import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { codexCapabilities } from "../../src/runtime/codex/Capabilities.ts"
import {
  type Conversation,
  type ConversationHost,
  type ConversationOptions,
  Runtime
} from "../../src/session/Runtime.ts"
import { kindProblem, layerRuntimes } from "../../src/session/Runtimes.ts"

/** A runtime that notes whom it was opened for. */
const noting = (kind: string, opened: Array<string>): Layer.Layer<Runtime> =>
  Layer.succeed(Runtime, {
    kind,
    name: `The ${kind}`,
    agents: [{ kind, name: `The ${kind}`, capabilities: codexCapabilities(false) }],
    open: ({ threadId }) =>
      Effect.sync(() => {
        opened.push(`${kind}:${threadId}`)
        return {} as Conversation
      })
  })

const conversation = (threadId: string, runtime?: string): ConversationOptions =>
  ({ threadId, agent: runtime === undefined ? {} : { runtime } }) as ConversationOptions

describe("layerRuntimes", () => {
  it.effect("opens a session with the kind that it names, else with the first", () => {
    const opened: Array<string> = []
    return Effect.gen(function* () {
      const runtime = yield* Runtime
      expect(runtime).toMatchObject({ kind: "a", name: "The a", kinds: ["a", "b"] })
      expect(runtime.agents).toMatchObject([{ kind: "a" }, { kind: "b" }])
      for (const options of [conversation("1"), conversation("2", "b"), conversation("3", "a")])
        yield* Effect.scoped(runtime.open(options, {} as ConversationHost))
      expect(opened).toEqual(["a:1", "b:2", "a:3"])
    }).pipe(Effect.provide(layerRuntimes(noting("a", opened), noting("b", opened))))
  })
})

describe("kindProblem", () => {
  it("names the kinds that there are", () => {
    expect(kindProblem({ kind: "a", kinds: ["a", "b"] }, "b")).toBeUndefined()
    expect(kindProblem({ kind: "a" }, undefined)).toBeUndefined()
    expect(kindProblem({ kind: "a" }, "b")).toMatchObject({
      code: "BAD_OPTION",
      message: 'The option runtime does not fit: this bridge has no "b". It has: a.'
    })
  })
})
