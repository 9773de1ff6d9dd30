/** What joins the gateway is what the extensions have: methods, what they tell, and how they are. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { ExtensionContext, SourceResponse } from "../../src/extension/Extension.ts"
import { Extensions } from "../../src/extension/ExtensionHost.ts"
import { GatewayExtensions } from "../../src/face/gateway/Extensions.ts"
import { layerGatewayExtensions } from "../../src/server/GatewayExtensionsLayer.ts"
import { hosting } from "../extension/Hosting.ts"
import { fakeSessions } from "../FakeSessions.ts"

/** What joins the gateway with these extensions. */
const joinedBy = (extensions: Extensions["Service"]) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const layer = layerGatewayExtensions.pipe(Layer.provide(Layer.succeed(Extensions, extensions)))
    return Context.get(yield* Layer.buildWithScope(layer, scope), GatewayExtensions)
  })

const gateway = Effect.gen(function* () {
  let context: ExtensionContext | undefined
  const { extensions } = yield* hosting([
    {
      extension: {
        id: "voice",
        name: "Voice",
        methods: ["voice.say"],
        events: ["voice.spoken"],
        start: (given) => {
          context = given
        },
        handleMethod: (_, { words }) => {
          if (words === undefined) throw new Error("Say what?")
          return context?.emit("voice.spoken", { words })
        },
        health: () => ({ ok: true, details: { voices: 2 } })
      }
    }
  ])
  return { extensions, joined: yield* joinedBy(extensions) }
})

const caller = { client: "c", sessionId: undefined }

describe("what joins the gateway", () => {
  it.live("has the methods of the extensions, and their failures", () =>
    Effect.gen(function* () {
      const { joined } = yield* gateway
      assert.deepStrictEqual([...joined.methods()], ["voice.say"])
      assert.strictEqual(yield* joined.call("voice.say", { words: "Hi" }, caller), true)
      const failure = yield* Effect.flip(joined.call("voice.say", {}, caller))
      assert.deepStrictEqual(
        [failure._tag, failure.code, failure.message],
        ["GatewayMethodFailed", "EXTENSION_FAILED", "Say what?"]
      )
      assert.deepStrictEqual(yield* joined.health, { voice: { ok: false, details: { voices: 2 } } })
    }).pipe(Effect.scoped)
  )

  it.live("notes prompts for the extension of their source, also those that are said into an open turn", () =>
    Effect.gen(function* () {
      const given: Array<SourceResponse> = []
      const fakes = fakeSessions()
      const { extensions } = yield* hosting(
        [
          {
            extension: {
              id: "mail",
              name: "Mail",
              sourceRoutes: ["mail"],
              handleSourceResponse: (_, response) => void given.push(response)
            }
          }
        ],
        { fakes }
      )
      const joined = yield* joinedBy(extensions)
      const fake = fakes.get("t")
      fake.say({ type: "turn_started", cause: "prompt", ticket: "another" })
      yield* joined.prompted?.({ sessionId: "t", promptId: "p", messageId: "m", source: "mail/1" }) ?? Effect.void
      fake.say({ type: "item_started", lane: null, id: "m", item: { kind: "prompt", content: "And this?" } })
      fake.finish({ type: "completed", result: "That, too." })
      while (given.length === 0) yield* Effect.sleep("5 millis")
      assert.deepInclude(given[0], { id: "p", source: "mail/1", text: "That, too.", outcome: "completed" })
    }).pipe(Effect.scoped)
  )

  it.live("tells what extensions tell, and nothing of sessions", () =>
    Effect.gen(function* () {
      const { extensions, joined } = yield* gateway
      const heard = yield* Effect.forkScoped(Stream.runCollect(Stream.take(joined.events, 1)), {
        startImmediately: true
      })
      yield* extensions.prompt({ content: "Hello" })
      yield* joined.call("voice.say", { words: "Hi" }, caller)
      assert.deepStrictEqual([...(yield* Fiber.join(heard))], [{ event: "voice.spoken", payload: { words: "Hi" } }])
    }).pipe(Effect.scoped)
  )
})
