/**
 * Extensions that misbehave: nobody else notices. Beside each, another extension answers, a session does, and the health of
 * the one that misbehaves says what it did.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ExtensionLimits } from "../../src/extension/ExtensionLimits.ts"
import type { Health } from "../../src/extension/Schemas.ts"
import { type Hosted, healthUntil, hosting, moduleOf } from "./Hosting.ts"

/** Limits that a test can wait for. */
const limits: Partial<ExtensionLimits> = {
  startMs: 2000,
  stopMs: 200,
  methodMs: 400,
  eventMs: 200,
  sourceMs: 400,
  healthMs: 400,
  aliveMs: 400,
  maxEvents: 5,
  maxTold: 20,
  maxLogLines: 5,
  maxDocuments: 3,
  maxAnswerCharacters: 10_000,
  maxDocumentCharacters: 1000,
  maxAttempts: 3,
  retryMs: 1,
  maxRestarts: 2,
  restartMs: 1,
  memoryMb: 32
}

const secret = "hunter2-hunter2"

/** The extension that behaves. */
const good = `export default {
  id: "good", name: "Good", methods: ["good.say"], events: ["good.told"], sourceRoutes: ["good"],
  start: (context) => { context.on("*", () => {}) },
  handleMethod: (_, params) => params,
  handleSourceResponse: () => {}
}`

/** One that misbehaves: what it does where. */
const bad = (parts: string, before = "") => `
  ${before}
  let context
  export default { id: "bad", name: "Bad", methods: ["bad.do"], events: ["bad.told"], sourceRoutes: ["bad"],
    start: (given) => { context = given },
    handleMethod: () => "did",
    ${parts}
  }`

/** The line to the bridge itself: nothing keeps an extension from it. */
const port = `import { parentPort } from "node:worker_threads"`

const call = ({ extensions }: Hosted) => extensions.call("bad.do", {})

type Way = readonly [
  what: string,
  module: string,
  /** What makes it misbehave, once it runs. */
  provoke: (hosted: Hosted) => Effect.Effect<unknown, unknown>,
  /** What its health says in the end. */
  shows: (health: Health) => boolean
]

const failed =
  (code: string, words = "") =>
  ({ lastError }: Health): boolean =>
    lastError?.code === code && lastError.message.includes(words)

const restarted = ({ counters, status }: Health): boolean =>
  counters.restarts > 0 && (status === "running" || status === "failed")

/** What it does with a source: a prompt of its own, whose answer it gets. */
const prompted = ({ extensions }: Hosted) => extensions.prompt({ content: "Hello", source: "bad/1" })

const ways: ReadonlyArray<Way> = [
  ["throws when it is loaded", `throw new Error("not today")`, () => Effect.void, ({ status }) => status === "failed"],
  [
    "throws when it starts",
    bad(`start: () => { throw new Error("no") }`),
    () => Effect.void,
    ({ status }) => status === "failed"
  ],
  ["never has started", bad(`start: () => new Promise(() => {})`), () => Effect.void, failed("EXTENSION_TIMEOUT")],
  [
    "throws in a method",
    bad(`handleMethod: () => { throw new Error("broken ${secret}") }`),
    call,
    failed("EXTENSION_FAILED", "broken [redacted]")
  ],
  [
    "throws what is no error",
    bad(`handleMethod: () => { throw Object.create(null) }`),
    call,
    failed("EXTENSION_FAILED")
  ],
  ["never answers a method", bad(`handleMethod: () => new Promise(() => {})`), call, failed("EXTENSION_TIMEOUT")],
  ["answers what is no JSON", bad(`handleMethod: () => 1n`), call, failed("EXTENSION_FAILED")],
  [
    "answers in circles",
    bad(`handleMethod: () => { const a = {}; a.a = a; return a }`),
    call,
    failed("EXTENSION_FAILED")
  ],
  ["answers without end", bad(`handleMethod: () => "x".repeat(20_000)`), call, failed("EXTENSION_FAILED", "too many")],
  ["spins", bad(`handleMethod: () => { for (;;) {} }`), call, restarted],
  ["ends the process", bad(`handleMethod: () => process.exit(1)`), call, restarted],
  [
    "throws where nobody catches",
    bad(`handleMethod: () => { setTimeout(() => { throw new Error("late") }) }`),
    call,
    restarted
  ],
  ["rejects where nobody catches", bad(`handleMethod: () => { Promise.reject(new Error("late")) }`), call, restarted],
  [
    "fills its memory",
    bad(`handleMethod: () => { const all = []; for (;;) all.push(new Array(100_000).fill(all.length)) }`),
    call,
    restarted
  ],
  [
    "is gone again and again",
    bad(`start: () => { setTimeout(() => process.exit(0), 20) }`),
    () => Effect.void,
    ({ status }) => status === "failed"
  ],
  [
    "floods others with events",
    bad(`handleMethod: () => { for (let i = 0; i < 100_000; i++) context.emit("bad.told", i) }`),
    call,
    ({ counters }) => counters.emitsRefused > 90_000
  ],
  [
    "tells what it may not",
    bad(`handleMethod: () => { context.emit("session.turn_ended", {}) }`),
    call,
    failed("EXTENSION_BAD_REQUEST", "not in its")
  ],
  [
    "floods the log",
    bad(
      `handleMethod: () => { for (let i = 0; i < 10_000; i++) { context.log.info("noise " + i); console.log("noise") } }`
    ),
    call,
    ({ counters }) => counters.logsDropped > 9000
  ],
  [
    "does not come to an end with an event",
    bad(`start: (given) => { given.on("session.*", () => new Promise(() => {})) }`),
    (hosted) => Effect.andThen(hosted.extensions.prompt({ content: "a" }), hosted.extensions.prompt({ content: "b" })),
    ({ counters }) => counters.eventsDropped > 0 && counters.timeouts > 0
  ],
  [
    "throws at an event",
    bad(`start: (given) => { given.on("session.*", () => { throw new Error("not that") }) }`),
    (hosted) => hosted.extensions.prompt({ content: "a" }),
    failed("EXTENSION_FAILED", "not that")
  ],
  [
    "listens to what is no pattern",
    bad(`start: (given) => { given.on("(a+)+", () => {}) }`),
    () => Effect.void,
    failed("EXTENSION_BAD_REQUEST")
  ],
  [
    "asks for too much at once",
    bad(`handleMethod: () => Promise.all(Array.from({ length: 2000 }, () => context.store.list()))`),
    call,
    failed("EXTENSION_FAILED", "too much at once")
  ],
  [
    "keeps more than it may",
    bad(`handleMethod: async () => { for (let i = 0; i < 10; i++) await context.store.set("key-" + i, i) }`),
    call,
    failed("EXTENSION_FAILED", "keeps 3 things already")
  ],
  [
    "keeps things elsewhere",
    bad(`handleMethod: () => context.store.set("../../elsewhere", 1)`),
    call,
    failed("EXTENSION_FAILED", "A key has")
  ],
  [
    "never takes an answer",
    bad(`handleSourceResponse: () => { throw new Error("no") }`),
    prompted,
    ({ counters }) => counters.undelivered === 1 && counters.owed === 0
  ],
  [
    "does not say how it is",
    bad(`health: () => { throw new Error("who knows") }`),
    () => Effect.void,
    failed("EXTENSION_FAILED", "who knows")
  ],
  ["says something odd of how it is", bad(`health: () => "fine"`), () => Effect.void, failed("EXTENSION_INVALID")],
  [
    "says what nobody can read, past its context",
    bad(`handleMethod: () => { parentPort.postMessage(null); return "did" }`, port),
    call,
    restarted
  ],
  [
    "says something of the wrong kind, past its context",
    bad(`handleMethod: () => { parentPort.postMessage({ tag: "emit", type: {}, value: 1 }); return "did" }`, port),
    call,
    restarted
  ],
  [
    "answers twice, and what it was not asked",
    bad(
      `handleMethod: () => {
        for (let id = 0; id < 50; id++)
          for (const ok of [true, false]) parentPort.postMessage({ tag: "answer", id, ok, value: "twice {" })
        return "did"
      }`,
      port
    ),
    call,
    ({ counters, status }) => counters.calls > 0 && status === "running"
  ],
  [
    "floods others past its context",
    bad(
      `handleMethod: () => {
        for (let i = 0; i < 100_000; i++) parentPort.postMessage({ tag: "emit", type: "bad.told", value: "1" })
      }`,
      port
    ),
    call,
    restarted
  ],
  [
    "listens to everything, and says something about each",
    bad(`start: (given) => { for (let i = 0; i < 100; i++) given.on("*", () => given.emit("bad.told", i)) }`),
    (hosted) => hosted.extensions.prompt({ content: "a" }),
    ({ counters }) => counters.eventsDropped > 0
  ],
  ["does not stop", bad(`stop: () => new Promise(() => {})`), () => Effect.void, ({ status }) => status === "running"]
]

describe("an extension that misbehaves", () => {
  it.live.each(ways)("%s, and nobody else notices", ([, text, provoke, shows]) =>
    Effect.gen(function* () {
      const module = yield* moduleOf(text)
      const hosted = yield* hosting([
        { module, limits, config: { password: secret } },
        { module: yield* moduleOf(good) }
      ])
      const { extensions, healthOf, lines } = hosted
      const provoked = yield* Effect.forkScoped(Effect.exit(provoke(hosted)))
      // While it does so.
      expect(yield* extensions.call("good.say", { now: 1 })).toEqual({ now: 1 })
      yield* extensions.prompt({ content: "Hello", source: "good/1" })
      yield* Fiber.join(provoked)
      const id = (yield* extensions.health)[0]?.id ?? ""
      const health = yield* healthUntil(hosted, id, shows)
      expect(JSON.stringify(health)).not.toContain(secret)
      expect(lines.join("\n")).not.toContain(secret)
      // And afterwards.
      expect(yield* extensions.call("good.say", { later: 2 })).toEqual({ later: 2 })
      yield* healthUntil(hosted, "good", ({ counters }) => counters.owed === 0)
      expect(yield* healthOf("good")).toMatchObject({
        ok: true,
        status: "running",
        counters: { failures: 0, timeouts: 0, restarts: 0, eventsDropped: 0, undelivered: 0 }
      })
    }).pipe(Effect.scoped)
  )
})
