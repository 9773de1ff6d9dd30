/** The extensions of `examples/extensions` do what they say, each in a thread of its own. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Documents, memoryDocuments } from "../../src/extension/Documents.ts"
import type { Extension, ExtensionContext, PromptAccepted } from "../../src/extension/Extension.ts"
import { loadExtensionFile } from "../../src/extension/ExtensionFile.ts"
import type { Page } from "../../src/extension/Schemas.ts"
import { fakeSessions } from "../FakeSessions.ts"
import { type Hosted, healthUntil, hosting } from "./Hosting.ts"

const example = (name: string): string =>
  fileURLToPath(new URL(`../../../../examples/extensions/${name}`, import.meta.url))

/** What a receiver got. */
interface Got {
  readonly headers: IncomingMessage["headers"]
  readonly body: Readonly<Record<string, unknown>>
}

/** A receiver of answers; `statuses` are what it says, one after the other, and then 204. */
const receiver = (...statuses: Array<number>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const got: Array<Got> = []
      const server = createServer(async (request, response) => {
        const chunks: Array<Buffer> = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        got.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
        response.writeHead(statuses.shift() ?? 204).end()
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return { got, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/answers` }
    }),
    ({ server }) => Effect.sync(() => server.close().closeAllConnections())
  )

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!holds()) yield* Effect.sleep("5 millis")
  })

describe("the webhook", () => {
  const post = (
    { extensions }: Hosted,
    path: string,
    body: unknown,
    { headers = {}, method = "POST" }: { readonly headers?: Record<string, string>; readonly method?: string } = {}
  ): Effect.Effect<Page | undefined, unknown> => extensions.page("webhook", { method, path, query: {}, headers, body })

  it.live("prompts, and posts the answer until somebody takes it", () =>
    Effect.gen(function* () {
      const { got, url } = yield* receiver(503, 500)
      const config = { hooks: { deploys: { url, token: "a-secret-token", threadId: "deploys" } } }
      const hosted = yield* hosting([{ module: example("webhook.mjs"), config, limits: { retryMs: 1 } }])
      const accepted = yield* post(hosted, "/deploys", { text: "Is it up?" })
      expect(accepted).toMatchObject({ status: 202, json: { threadId: "deploys" } })
      const id = (accepted as { readonly json: { readonly id: string } }).json.id
      yield* until(() => got.length === 3)
      for (const { body, headers } of got) {
        expect(body).toEqual({ id, outcome: "completed", text: "You said: Is it up?" })
        expect(headers).toMatchObject({ authorization: "Bearer a-secret-token", "idempotency-key": id })
      }
      const health = yield* healthUntil(hosted, "webhook", ({ counters }) => counters.owed === 0)
      expect(health).toMatchObject({ ok: true, counters: { failures: 2, undelivered: 0 } })
      expect(health.lastError?.message).toContain("500")
    }).pipe(Effect.scoped)
  )

  it.live("prompts once for one key, and says what is wrong", () =>
    Effect.gen(function* () {
      const { url } = yield* receiver()
      const fakes = fakeSessions()
      const hosted = yield* hosting([{ module: example("webhook.mjs"), config: { hooks: { a: { url } } } }], { fakes })
      const headers = { "idempotency-key": "order-7" }
      const first = yield* post(hosted, "/a", { text: "Go" }, { headers })
      expect(yield* post(hosted, "/a", { text: "Go" }, { headers })).toEqual(first)
      expect(fakes.get("webhook-a").submissions).toHaveLength(1)
      // The session is at work.
      expect(yield* post(hosted, "/a", { text: "More" })).toMatchObject({ status: 503 })
      for (const [path, body, more, status] of [
        ["/none", { text: "x" }, {}, 404],
        ["/a", undefined, { method: "GET" }, 405],
        ["/a", { words: "x" }, {}, 400],
        ["/a", { text: "x" }, { headers: { "idempotency-key": "../x" } }, 400]
      ] as const)
        expect(yield* post(hosted, path, body, more)).toMatchObject({ status })
    }).pipe(Effect.scoped)
  )

  it.live("prompts once for one key also when its answer was taken, and after a restart", () =>
    Effect.gen(function* () {
      const { got, url } = yield* receiver()
      const [documents, fakes] = [memoryDocuments(), fakeSessions()]
      const headers = { "idempotency-key": "order-7" }
      const life = (use: (hosted: Hosted) => Effect.Effect<void, unknown>) =>
        Effect.scoped(
          Effect.flatMap(
            hosting([{ module: example("webhook.mjs"), config: { hooks: { a: { url } } } }], { documents, fakes }),
            use
          )
        )
      const again = (hosted: Hosted) =>
        Effect.map(post(hosted, "/a", { text: "Go" }, { headers }), (answer) =>
          expect(answer).toMatchObject({ status: 202, json: { id: "a-order-7", threadId: "webhook-a" } })
        )
      yield* life((hosted) =>
        Effect.gen(function* () {
          yield* again(hosted)
          fakes.get("webhook-a").finish()
          yield* until(() => got.length === 1)
          yield* healthUntil(hosted, "webhook", ({ counters }) => counters.owed === 0)
          yield* again(hosted)
        })
      )
      yield* life(again)
      expect(fakes.get("webhook-a").submissions).toHaveLength(1)
    })
  )

  it.live("does not start without a place for its answers", () =>
    Effect.gen(function* () {
      const { extensions } = yield* hosting([{ module: example("webhook.mjs"), config: { hooks: { a: {} } } }])
      expect(yield* extensions.health).toMatchObject([
        { status: "failed", lastError: { message: expect.stringContaining("The hook a needs a url") } }
      ])
    }).pipe(Effect.scoped)
  )
})

describe("the scheduler", () => {
  const start = (documents: Documents, fakes = fakeSessions()) =>
    Effect.map(
      hosting([{ module: example("scheduler.mjs"), config: { retryMs: 20 } }], { documents, fakes }),
      (hosted) => ({
        ...hosted,
        fakes,
        call: (name: string, params = {}) => hosted.extensions.call(`scheduler.${name}`, params)
      })
    )
  const soon = () => new Date(Date.now() + 50).toISOString()
  const later = () => new Date(Date.now() + 3_600_000).toISOString()

  it.live("prompts at a time, tells the answer, and forgets the job", () =>
    Effect.gen(function* () {
      const { call, extensions, fakes } = yield* start(memoryDocuments())
      const told: Array<unknown> = []
      extensions.subscribe("scheduler.answered", ({ payload }) => told.push(payload))
      expect(yield* call("add", { id: "one", content: "Good morning", at: soon(), threadId: "t" })).toMatchObject({
        id: "one"
      })
      yield* until(() => fakes.get("t").submissions.length === 1)
      fakes.get("t").finish({ type: "completed", result: "Morning." })
      yield* until(() => told.length === 1)
      expect(told[0]).toMatchObject({ job: "one", threadId: "t", outcome: "completed", text: "Morning." })
      expect(yield* call("list")).toEqual({ jobs: [] })
    }).pipe(Effect.scoped)
  )

  it.live("keeps jobs over a restart, and does once what was due meanwhile", () =>
    Effect.gen(function* () {
      const documents = memoryDocuments()
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { call } = yield* start(documents)
          for (const id of ["due", "later", "cancelled"])
            yield* call("add", { id, content: id, at: later(), everyMs: 1000, threadId: id })
          expect(yield* call("cancel", { id: "cancelled" })).toEqual({ cancelled: true })
          expect(yield* call("cancel", { id: "cancelled" })).toEqual({ cancelled: false })
        })
      )
      // As long as the bridge was down, it was due many times.
      const [due] = yield* documents.list("extension-scheduler")
      const ago = new Date(Date.now() - 60_000).toISOString()
      yield* documents.put("extension-scheduler", due?.key ?? "", { ...(due?.value as object), at: ago })
      const { call, fakes } = yield* start(documents)
      yield* until(() => fakes.get("due").submissions.length === 1)
      const jobs = () =>
        Effect.map(call("list"), (list) => (list as { readonly jobs: ReadonlyArray<{ id: string; at: string }> }).jobs)
      while (((yield* jobs())[0]?.at ?? ago) === ago) yield* Effect.sleep("5 millis")
      const [next, other] = yield* jobs()
      expect([next?.id, other?.id]).toEqual(["due", "later"])
      expect(Date.parse(next?.at ?? "")).toBeGreaterThan(Date.now() - 1000)
      expect(fakes.get("later").submissions).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.live("forgets a job that is cancelled while it is given", () =>
    Effect.gen(function* () {
      const kept = new Map<string, unknown>()
      let accept: ((accepted: PromptAccepted) => void) | undefined
      const context: ExtensionContext = {
        config: {},
        log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
        on: () => () => undefined,
        emit: () => true,
        prompt: () =>
          new Promise((resolve) => {
            accept = resolve
          }),
        interrupt: async () => false,
        store: {
          get: async (key) => kept.get(key),
          set: async (key, value) => void kept.set(key, value),
          delete: async (key) => void kept.delete(key),
          list: async () => [...kept].map(([key, value]) => ({ key, value }))
        }
      }
      const { default: make } = (yield* Effect.promise(() => import(example("scheduler.mjs")))) as {
        readonly default: (config: unknown) => Extension
      }
      const scheduler = make({})
      const ask = (method: string, params = {}) =>
        Effect.promise(async () => scheduler.handleMethod?.(`scheduler.${method}`, params))
      yield* Effect.promise(async () => scheduler.start?.(context))
      yield* ask("add", { id: "a", content: "Go", at: new Date().toISOString(), everyMs: 60_000 })
      yield* until(() => accept !== undefined)
      expect(yield* ask("cancel", { id: "a" })).toEqual({ cancelled: true })
      accept?.({ id: "p", threadId: "t" })
      yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
      yield* Effect.promise(async () => scheduler.stop?.())
      expect(yield* ask("list")).toEqual({ jobs: [] })
    }).pipe(Effect.scoped)
  )

  it.live("tries again when the session is busy, and says what is wrong with a job", () =>
    Effect.gen(function* () {
      const { call, extensions, fakes } = yield* start(memoryDocuments())
      yield* extensions.prompt({ content: "Work", threadId: "t" })
      yield* call("add", { content: "Then this", at: soon(), threadId: "t" })
      yield* Effect.sleep("100 millis")
      expect(fakes.get("t").submissions).toHaveLength(1)
      fakes.get("t").finish()
      yield* until(() => fakes.get("t").submissions.length === 2)
      for (const [params, words] of [
        [{ content: "x", at: "tomorrow" }, "is a time"],
        [{ at: later() }, "is what to prompt with"],
        [{ content: "x", at: later(), id: "../x" }, "has letters"],
        [{ content: "x", at: later(), everyMs: 1 }, "at least a second"]
      ] as const)
        expect(yield* Effect.flip(call("add", params))).toMatchObject({ message: expect.stringContaining(words) })
    }).pipe(Effect.scoped)
  )
})

it.live("the file of the examples names both", () =>
  Effect.gen(function* () {
    const chosen = yield* loadExtensionFile(example("extensions.json"))
    expect(chosen.map(({ module }) => module)).toEqual([example("webhook.mjs"), example("scheduler.mjs")])
    const { extensions } = yield* hosting(chosen)
    expect((yield* extensions.health).map(({ id, ok }) => [id, ok])).toEqual([
      ["webhook", true],
      ["scheduler", true]
    ])
  }).pipe(Effect.scoped)
)
