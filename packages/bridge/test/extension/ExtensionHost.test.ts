/** Extensions of both kinds: their methods, events, prompts and what they keep. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Extension, ExtensionEvent, SourceResponse } from "../../src/extension/Extension.ts"
import type { ExtensionChoice } from "../../src/extension/ExtensionHost.ts"
import { healthUntil, hosting, moduleOf } from "./Hosting.ts"

const text = `
  let context
  const heard = []
  export default (config) => ({
    id: "echo",
    name: "Echo",
    methods: ["echo.say", "echo.heard", "echo.keep", "echo.tell", "echo.prompt", "echo.config"],
    events: ["echo.told"],
    sourceRoutes: ["echo"],
    start: (given) => {
      context = given
      context.on("session.turn_*", ({ type, payload }) => heard.push([type, payload.threadId]))
      context.on("echo.*", ({ type, payload }) => heard.push([type, payload]))
    },
    handleSourceResponse: (source, response) => { heard.push([source, response.text]) },
    handleMethod: async (method, params) => {
      switch (method) {
        case "echo.say": return params
        case "echo.heard": return heard
        case "echo.config": return [config, context.config]
        case "echo.tell": return context.emit("echo.told", params)
        case "echo.prompt": return context.prompt(params)
        case "echo.keep":
          await context.store.set("one", params)
          await context.store.set("two", 2)
          await context.store.delete("two")
          return [await context.store.get("one"), await context.store.get("none"), await context.store.list()]
      }
    },
    health: () => ({ ok: true, details: { heard: heard.length } })
  })
`

/** The same extension in a thread of its own, and in that of the bridge. */
const kinds = [
  ["in a thread of its own", (module: string): ExtensionChoice => ({ module, config: { greeting: "hi" } })],
  [
    "in the thread of the bridge",
    (module: string): ExtensionChoice => ({
      extension: async (config) => (await import(module)).default(config),
      config: { greeting: "hi" }
    })
  ]
] as const

describe.each(kinds)("an extension %s", (_, choose) => {
  it.live("answers methods, with what it was configured with", () =>
    Effect.gen(function* () {
      const { extensions, healthOf } = yield* hosting([choose(yield* moduleOf(text))])
      expect([...extensions.methods()]).toContain("echo.say")
      expect(yield* extensions.call("echo.say", { a: [1, null, "x"] })).toEqual({ a: [1, null, "x"] })
      expect(yield* extensions.call("echo.config", {})).toEqual([{ greeting: "hi" }, { greeting: "hi" }])
      expect(yield* Effect.flip(extensions.call("echo.none", {}))).toMatchObject({ code: "EXTENSION_METHOD_UNKNOWN" })
      expect(yield* healthOf("echo")).toMatchObject({
        id: "echo",
        name: "Echo",
        status: "running",
        ok: true,
        details: { heard: 0 },
        counters: { calls: 2, failures: 0 }
      })
    }).pipe(Effect.scoped)
  )

  it.live("hears what happens in sessions and what is told, and tells", () =>
    Effect.gen(function* () {
      const hosted = yield* hosting([choose(yield* moduleOf(text))])
      const { extensions } = hosted
      const told: Array<ExtensionEvent> = []
      extensions.subscribe("echo.*", (event) => told.push(event))
      expect(extensions.subscribe("no pattern", () => undefined)).toBeUndefined()
      expect(yield* extensions.call("echo.tell", { loud: true })).toBe(true)
      const { threadId } = (yield* extensions.call("echo.prompt", { content: "Hello", source: "echo/1" })) as {
        threadId: string
      }
      yield* healthUntil(hosted, "echo", ({ details }) => details?.["heard"] === 4)
      const heard = (yield* extensions.call("echo.heard", {})) as ReadonlyArray<unknown>
      expect(heard).toHaveLength(4)
      for (const each of [
        ["echo.told", { loud: true }],
        ["session.turn_started", threadId],
        ["session.turn_ended", threadId],
        ["echo/1", "You said: Hello"]
      ])
        expect(heard).toContainEqual(each)
      expect(told).toEqual([{ type: "echo.told", payload: { loud: true } }])
    }).pipe(Effect.scoped)
  )

  it.live("keeps things by key", () =>
    Effect.gen(function* () {
      const { extensions } = yield* hosting([choose(yield* moduleOf(text))])
      expect(yield* extensions.call("echo.keep", { a: 1 })).toEqual([{ a: 1 }, null, [{ key: "one", value: { a: 1 } }]])
    }).pipe(Effect.scoped)
  )
})

const plain = (more: Partial<Extension>): ExtensionChoice => ({ extension: { id: "plain", name: "Plain", ...more } })

describe("extensions", () => {
  it.live.each([
    ["an id of others", { id: "session" }],
    ["an id that is none", { id: "No Id" }],
    ["a method that is not its own", { methods: ["other.say"] }],
    ["an event that is not its own", { events: ["session.turn_ended"] }],
    ["methods that are no list", { methods: "plain.say" as never }],
    ["no name", { name: "" }]
  ] as ReadonlyArray<readonly [string, Partial<Extension>]>)("with %s does not start, and says so", ([, more]) =>
    Effect.gen(function* () {
      const { extensions } = yield* hosting([plain(more)])
      expect(yield* extensions.health).toMatchObject([
        { status: "failed", ok: false, lastError: { code: "EXTENSION_INVALID" } }
      ])
      expect([...extensions.methods()]).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("have their ids and their source routes for themselves", () =>
    Effect.gen(function* () {
      const { extensions } = yield* hosting([
        plain({ sourceRoutes: ["mail"] }),
        plain({}),
        plain({ id: "other", sourceRoutes: ["mail"] }),
        { module: yield* moduleOf("export default 12") },
        { module: yield* moduleOf("syntax error") }
      ])
      expect((yield* extensions.health).map(({ status }) => status)).toEqual([
        "running",
        "failed",
        "failed",
        "failed",
        "failed"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("prompt for their own sources only, and are told what is wrong with a prompt", () =>
    Effect.gen(function* () {
      const heard: Array<SourceResponse> = []
      const asking: Extension = {
        id: "asking",
        name: "Asking",
        methods: ["asking.do"],
        sourceRoutes: ["asking"],
        start: (context) => {
          Object.assign(asking, { handleMethod: (_: string, params: never) => context.prompt(params) })
        },
        handleSourceResponse: (_, response) => void heard.push(response)
      }
      const { extensions } = yield* hosting([
        { extension: asking },
        plain({ sourceRoutes: ["mail"], handleSourceResponse: () => undefined })
      ])
      const ask = (params: Readonly<Record<string, unknown>>) => Effect.result(extensions.call("asking.do", params))
      for (const [params, words] of [
        [{ content: "x", source: "mail/1" }, "Nobody answers for the source"],
        [{ content: "x", source: "none/1" }, "Nobody answers for the source"],
        [{ content: "x", source: "../x" }, "does not fit at $.source"],
        [{ content: 12 }, "does not fit at $.content"],
        [{ content: "x", threadId: "full" }, "SESSION_LIMIT"]
      ] as const)
        expect(yield* ask(params)).toMatchObject({ failure: { message: expect.stringContaining(words) } })
      // The same prompt again is the same prompt.
      const first = yield* extensions.prompt({ content: "once", source: "asking/1", id: "a-name" })
      expect(first).toMatchObject({ id: "a-name" })
      expect(yield* extensions.prompt({ content: "for nobody" })).toMatchObject({ threadId: expect.any(String) })
      expect(yield* Effect.flip(extensions.prompt({ content: "x", source: "none/2" }))).toMatchObject({
        code: "EXTENSION_BAD_REQUEST"
      })
      while (heard.length === 0) yield* Effect.sleep("5 millis")
      expect(heard).toMatchObject([{ id: "a-name", outcome: "completed", text: "You said: once", attempt: 0 }])
    }).pipe(Effect.scoped)
  )

  it.live("are stopped with the bridge", () =>
    Effect.gen(function* () {
      const stopped: Array<string> = []
      yield* Effect.scoped(hosting([plain({ stop: () => void stopped.push("plain") })]))
      expect(stopped).toEqual(["plain"])
    })
  )
})
