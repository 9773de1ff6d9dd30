/**
 * Threads whose folder is not below a root of the bridge: of another bridge on the same store, or from before the roots
 * changed. By every way that leads to a thread they are as if there were none.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, assert, describe, it, onTestFinished } from "vitest"
import { Bridge } from "../../src/embed/Bridge.ts"
import { BridgeError } from "../../src/embed/BridgeError.ts"
import { otherRoutes } from "../../src/face/management/OtherRoutes.ts"
import type { EndpointName } from "../../src/face/management/Paths.ts"
import { routeOf } from "../../src/face/management/Routes.ts"
import { workspaceIdOf } from "../../src/session/Workspaces.ts"
import { makeMemory } from "../../src/store/memory/Memory.ts"
import { layerMemoryStore } from "../../src/store/memory/MemoryStore.ts"
import { Store } from "../../src/store/Store.ts"
import { layerSqliteStore } from "../../src/store/sqlite/SqliteStore.ts"
import { echo } from "../AgentLines.ts"
import { fakeAgents } from "../FakeAgent.ts"
import { type Example, examples, params, send } from "../face/management/Examples.ts"
import { type Managed, type ManagedOptions, managed } from "../face/management/Managed.ts"
import { ask, codeOf, entering, eventsIn, type Got } from "../Serving.ts"

const base = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-roots-")))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const [mine, theirs, nobodys] = ["mine", "theirs", "nobodys"].map((name) => join(base, name)) as [
  string,
  string,
  string
]
for (const folder of [mine, theirs, nobodys]) mkdirSync(folder)

/** The thread that is not below the root, and one that there is not. */
const [known, unknown] = ["known", "unkno"] as const

/** A place for threads that several bridges share, and all that is in it. */
const sharedStore = () => {
  const memory = makeMemory()
  const store = Layer.suspend(() => layerMemoryStore({ memory }))
  const kept = () =>
    Effect.gen(function* () {
      const { entries, next, thread, workspaces } = yield* Store
      const all = [thread(known), next(known), entries(known, { path: [{ branch: 0 }] }), workspaces] as const
      return JSON.stringify(yield* Effect.all(all))
    }).pipe(Effect.provide(store), Effect.runPromise)
  return { store, kept }
}

type Shared = Required<Pick<ManagedOptions, "store">>

/** Somebody says something in the thread, in the other bridge. */
const withTheirs = (
  { store }: Shared,
  then: (bridge: Managed) => Promise<void> = async () => undefined
): Promise<void> =>
  managed(
    async (bridge) => {
      await bridge.client.sessions.create({ threadId: known })
      await ask(bridge.server, "POST", "/", entering, runOn(known))
      await then(bridge)
    },
    { store, session: { cwd: theirs }, roots: [theirs] }
  )

const withMine = ({ store }: Shared, use: (bridge: Managed) => Promise<void>): Promise<void> =>
  managed(use, { store, session: { cwd: mine }, roots: [mine] })

const runOn = (threadId: string): string =>
  JSON.stringify({ threadId, runId: "r", messages: [{ id: "m", role: "user", content: "Hi" }], tools: [], context: [] })

/** What anybody sees of an answer, without the name that was asked for. */
const seen = ({ body, status }: Got, threadId: string): unknown => [status, body.replaceAll(threadId, "…")]

/** Ways to a thread that is there already, beside the management API. Those that make threads are apart. */
const otherWays: ReadonlyArray<
  readonly [route: string, send: (bridge: Managed, threadId: string) => Promise<Got>, expected: RegExp]
> = [
  [
    "copilotkit.connect",
    ({ server }, threadId) => ask(server, "POST", "/agent/default/connect", entering, runOn(threadId)),
    /^$/
  ],
  [
    "copilotkit.stop",
    ({ server }, threadId) => ask(server, "POST", `/agent/default/stop/${threadId}`, entering),
    /"stopped":false/
  ],
  [
    "agui.run",
    ({ server }, threadId) =>
      ask(
        server,
        "POST",
        "/",
        entering,
        JSON.stringify({
          method: "agent/connect",
          params: { agentId: "default" },
          body: JSON.parse(runOn(threadId)) as unknown
        })
      ),
    /^$/
  ],
  ...(["POST", "GET", "DELETE"] as const).map(
    (method) =>
      [
        `mcp.${method.toLowerCase()}`,
        ({ server }: Managed, threadId: string) =>
          ask(
            server,
            method,
            `/mcp/${threadId}`,
            entering,
            method === "POST" ? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }) : undefined
          ),
        /SESSION_NOT_FOUND/
      ] as const
  ),
  ...(
    [
      ["message", "POST", "/message", { message: "Hi" }],
      ["stop", "POST", "/stop", {}],
      ["resume", "POST", "/resume", {}],
      ["archive", "DELETE", "", undefined],
      ["events", "GET", "/events", undefined]
    ] as const
  ).map(
    ([name, method, path, body]) =>
      [
        `normalised.${name}`,
        ({ server }: Managed, threadId: string) =>
          ask(
            server,
            method,
            `/sessions/${threadId}${path}`,
            entering,
            body === undefined ? undefined : JSON.stringify(body)
          ),
        /SESSION_NOT_FOUND/
      ] as const
  )
]

const endpoints = (Object.keys(examples) as ReadonlyArray<EndpointName>).filter((name) =>
  /:threadId|:workspaceId/.test(routeOf(name).path)
)

const exampleOf = (name: EndpointName): Example => examples[name]

/** Every way to a thread that is there, and what is answered where there is none. */
const asksForKnown = async (bridge: Managed): Promise<void> => {
  for (const name of endpoints) {
    const asked = (threadId: string, folder: string) =>
      send(bridge, name, exampleOf(name), { ...params, threadId, workspaceId: workspaceIdOf(folder) })
    const [got, nothing] = [await asked(known, theirs), await asked(unknown, nobodys)]
    assert.include(["SESSION_NOT_FOUND", "WORKSPACE_NOT_FOUND"], codeOf(nothing), name)
    assert.deepStrictEqual(seen(got, known), seen(nothing, unknown), name)
  }
  for (const [route, sent, expected] of otherWays) {
    const nothing = await sent(bridge, unknown)
    assert.match(nothing.body, expected, route)
    assert.deepStrictEqual(seen(await sent(bridge, known), known), seen(nothing, unknown), route)
  }
  assert.deepStrictEqual((await bridge.client.sessions.list()).sessions, [])
  assert.deepStrictEqual((await bridge.client.sessions.list({ workspaceId: workspaceIdOf(theirs) })).sessions, [])
  assert.deepStrictEqual((await bridge.client.workspaces.list()).workspaces, [])
}

/** Every way to make a thread of an id. */
const asksForNew = async ({ server }: Managed): Promise<void> => {
  const post = (path: string, body: object | string) =>
    ask(server, "POST", path, entering, typeof body === "string" ? body : JSON.stringify(body))
  assert.strictEqual(codeOf(await post("/api/sessions", { threadId: known })), "THREAD_EXISTS")
  assert.strictEqual(codeOf(await post("/sessions", { session_id: known })), "THREAD_EXISTS")
  assert.strictEqual(codeOf(await post("/", runOn(known))), "THREAD_EXISTS")
  const copilotkit = [
    await post("/agent/default/run", runOn(known)),
    await post("/", {
      method: "agent/run",
      params: { agentId: "default" },
      body: JSON.parse(runOn(known)) as unknown
    })
  ]
  for (const got of copilotkit)
    assert.deepStrictEqual(
      eventsIn(got).map((event) => (event.type === "RUN_ERROR" ? event.code : event.type)),
      ["THREAD_EXISTS"]
    )
}

describe("a thread of other folders", () => {
  it("is covered here by every way there is", () => {
    const apart = ["copilotkit.run", "copilotkit.info", "normalised.create", "page"]
    // They name no thread: an extension has the same sessions as everybody.
    const ofExtensions = otherRoutes.map(({ name }) => name).filter((name) => name.startsWith("extensions."))
    assert.deepStrictEqual(
      [...new Set([...otherWays.map(([route]) => route), ...apart, ...ofExtensions])].sort(),
      otherRoutes.map(({ name }) => name).sort()
    )
  })

  it("is not there for anybody, whether another bridge has it or not, and stays as it was", async () => {
    const shared = sharedStore()
    await withTheirs(shared, async () => {
      await withMine(shared, asksForKnown)
      await withMine(shared, asksForNew)
    })
    const before = await shared.kept()
    await withMine(shared, async (bridge) => {
      await asksForNew(bridge)
      await asksForKnown(bridge)
      await asksForNew(bridge)
    })
    assert.strictEqual(await shared.kept(), before)
  })

  it("is not there for a program either", async () => {
    const data = join(base, "data")
    await withTheirs({ store: layerSqliteStore({ folder: data }) })
    const bridge = new Bridge({ agent: fakeAgents(echo).layer, cwd: mine, data, port: 0 })
    onTestFinished(() => bridge.stop())
    await bridge.open()
    const ways: ReadonlyArray<(threadId: string) => Promise<unknown>> = [
      (id) => bridge.events(id).next(),
      (id) => bridge.getSession(id),
      (id) => bridge.startSession(id),
      (id) => bridge.disconnectSession(id),
      (id) => bridge.killSession(id),
      (id) => bridge.sendMessage(id, "Hi"),
      (id) => bridge.interrupt(id),
      (id) => bridge.approvals(id),
      (id) => bridge.approve(id, "q"),
      (id) => bridge.deny(id, "q"),
      (id) => bridge.answerTool(id, "call", { content: "" }),
      (id) => bridge.control(id, "mcp_status"),
      (id) => bridge.setModel(id, "m"),
      (id) => bridge.contextUsage(id),
      (id) => bridge.rewindFiles(id, "m"),
      (id) => bridge.mcpStatus(id),
      (id) => bridge.mcpMessage(id, "s", { jsonrpc: "2.0", method: "x" })
    ]
    const failure = async (asked: Promise<unknown>): Promise<unknown> =>
      asked.then(
        () => "fine",
        (error: unknown) => (error instanceof BridgeError ? [error.code, error.message] : error)
      )
    for (const way of ways) {
      const nothing = await failure(way(unknown))
      assert.strictEqual((nothing as ReadonlyArray<unknown>)[0], "SESSION_NOT_FOUND", way.toString())
      assert.deepStrictEqual(await failure(way(known)), nothing, way.toString())
    }
    assert.deepStrictEqual(await bridge.listSessions(), [])
    assert.strictEqual(
      ((await failure(bridge.createSession({ threadId: known }))) as ReadonlyArray<unknown>)[0],
      "THREAD_EXISTS"
    )
  })
})

describe("a thread below a root", () => {
  it("is there, whatever has become of its folder", async () => {
    const shared = sharedStore()
    await withTheirs(shared)
    rmSync(theirs, { recursive: true })
    const parent = { store: shared.store, session: { cwd: mine }, roots: [base] }
    await managed(async ({ client }) => {
      assert.strictEqual((await client.sessions.messages(known)).messages.length, 2)
      assert.strictEqual((await client.sessions.get(known)).threadId, known)
      assert.strictEqual((await client.workspaces.get(workspaceIdOf(theirs))).folder, theirs)
    }, parent)
    mkdirSync(theirs)
  })

  it("is not made where the folder of the bridge is not below a root", async () => {
    const shared = sharedStore()
    await managed(
      async (bridge) => {
        const got = await ask(bridge.server, "POST", "/", entering, runOn("t"))
        assert.strictEqual(codeOf(got), "FOLDER_REFUSED")
        assert.strictEqual(codeOf(await send(bridge, "sessions.create", { body: {} })), "FOLDER_REFUSED")
        await bridge.client.sessions.create({ threadId: "t", cwd: mine })
      },
      { store: shared.store, session: { cwd: theirs }, roots: [mine] }
    )
  })
})
