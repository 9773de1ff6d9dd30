/**
 * What was said, the lists, the workspaces and what was begun elsewhere, as programs see them.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Agui } from "@agentwire/protocol"
import * as Layer from "effect/Layer"
import { afterAll, assert, describe, it } from "vitest"
import type { Client } from "../../../src/client/Client.ts"
import { ManagementError } from "../../../src/client/ManagementError.ts"
import { workspaceIdOf } from "../../../src/session/Workspaces.ts"
import { makeMemory } from "../../../src/store/memory/Memory.ts"
import { layerMemoryStore } from "../../../src/store/memory/MemoryStore.ts"
import { keepSession } from "../../KeptProjects.ts"
import { type ManagedOptions, managed } from "./Managed.ts"

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof ManagementError ? error.code : String(error))
  )

const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-library-")))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A folder below the root of these tests. */
const folder = (name: string): string => {
  mkdirSync(join(root, name), { recursive: true })
  return join(root, name)
}

/** A bridge that works below the root. */
const here = (more: ManagedOptions = {}): ManagedOptions => ({ session: { cwd: root }, roots: [root], ...more })

/** Says something, and waits for the answer. */
const say = async (client: Client, threadId: string, content: string): Promise<void> => {
  const { from } = await client.sessions.send(threadId, { content })
  for await (const { data, event } of client.sessions.events(threadId, { from }))
    if (event === "message" && data.type === "RUN_FINISHED") return
}

const words = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<unknown> => messages.map(({ content }) => content)

/** All messages of a session, in pages of a size. */
const allMessages = async (client: Client, threadId: string, limit: number): Promise<ReadonlyArray<Agui.Message>> => {
  const messages: Array<Agui.Message> = []
  for await (const page of client.sessions.messages.pages(threadId, { limit })) {
    assert.isAtMost(page.messages.length, limit)
    assert.strictEqual(page.hasMore, page.before !== undefined)
    messages.unshift(...page.messages)
  }
  return messages
}

describe("what was said", () => {
  it("is given in pages, the newest first, wherever the session is and without an agent", async () => {
    const memory = makeMemory()
    const store = Layer.suspend(() => layerMemoryStore({ memory }))
    const expected = ["one", "two", "three"].flatMap((word) => [word, `You said: ${word}`])
    await managed(async ({ client }) => {
      await client.sessions.create({ threadId: "t" })
      for (const word of ["one", "two", "three"]) await say(client, "t", word)
      const newest = await client.sessions.messages("t", { limit: 4 })
      assert.deepStrictEqual(words(newest.messages), expected.slice(2))
      assert.deepStrictEqual([newest.total, newest.hasMore], [6, true])
      const rest = await client.sessions.messages("t", { limit: 4, before: newest.before ?? "" })
      assert.deepStrictEqual(words(rest.messages), expected.slice(0, 2))
      assert.deepStrictEqual([rest.total, rest.hasMore, rest.before], [undefined, false, undefined])
      for await (const { data, event } of client.sessions.events("t")) {
        assert(event === "snapshot")
        for (let limit = 1; limit <= 7; limit++)
          assert.deepStrictEqual(await allMessages(client, "t", limit), data.messages)
        break
      }
      // Another bridge of the same store reads it, though it may not have it.
      await managed(async (other) => {
        assert.deepStrictEqual(words(await allMessages(other.client, "t", 4)), expected)
        assert.strictEqual(await codeOf(other.client.sessions.get("t")), "THREAD_ELSEWHERE")
      }, here({ store }))
    }, here({ store }))
    await managed(async ({ agents, client, sessions }) => {
      assert.deepStrictEqual(words(await allMessages(client, "t", 4)), expected)
      assert.deepStrictEqual(agents.launched, [])
      assert.deepStrictEqual(
        (await client.sessions.list()).sessions.map(({ status }) => status),
        ["disconnected"]
      )
      assert.isDefined(sessions)
    }, here({ store }))
  })

  it("is not given for a cursor of something else", () =>
    managed(async ({ client }) => {
      await client.sessions.create({ threadId: "t" })
      for (const word of ["one", "two"]) await say(client, "t", word)
      const { before = "" } = await client.sessions.messages("t", { limit: 1 })
      for (const wrong of [`${before}x`, "x", "1-", "-1-0", `${before}-1`])
        assert.strictEqual(await codeOf(client.sessions.messages("t", { before: wrong })), "BAD_CURSOR", wrong)
      await client.sessions.remove("t")
      assert.strictEqual(await codeOf(client.sessions.messages("t", { before })), "SESSION_NOT_FOUND")
      for (const query of [{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }])
        assert.strictEqual(await codeOf(client.sessions.messages("t", query)), "BAD_INPUT")
    }, here()))
})

describe("the list of sessions", () => {
  const ids = async (pages: AsyncIterable<{ readonly sessions: ReadonlyArray<{ readonly threadId: string }> }>) => {
    const all: Array<ReadonlyArray<string>> = []
    for await (const { sessions } of pages) all.push(sessions.map(({ threadId }) => threadId))
    return all
  }

  it("comes in pages, that with the newest message first", () =>
    managed(async ({ client }) => {
      for (const threadId of ["a", "b", "c", "d", "e"]) await client.sessions.create({ threadId })
      for (const threadId of ["d", "b"]) await say(client, threadId, "Hi")
      const [first, ...rest] = (await ids(client.sessions.list.pages({ limit: 2 }))) as [ReadonlyArray<string>]
      assert.deepStrictEqual(first, ["b", "d"])
      assert.deepStrictEqual([...rest].flat().sort(), ["a", "c", "e"])
      assert.strictEqual(rest.length, 2)
      assert.strictEqual(await codeOf(client.sessions.list({ before: "WzEsMl0" })), "BAD_CURSOR")
      assert.strictEqual(await codeOf(client.sessions.list({ before: "%%%" })), "BAD_CURSOR")
    }, here()))

  it("has what is archived, unless it is not wanted; what a person says of a session stays", () =>
    managed(async ({ client }) => {
      for (const threadId of ["a", "b"]) await client.sessions.create({ threadId })
      const changed = await client.sessions.change("a", { archived: true, title: "Shed", summary: "About paint" })
      assert.deepInclude(changed, { threadId: "a", archived: true, title: "Shed", summary: "About paint" })
      await say(client, "a", "Something else")
      assert.deepInclude(await client.sessions.get("a"), { title: "Shed", summary: "About paint", archived: true })
      const listed = async (query: { readonly archived?: boolean }) =>
        (await client.sessions.list(query)).sessions.map(({ threadId }) => threadId)
      assert.deepStrictEqual([...(await listed({}))].sort(), ["a", "b"])
      assert.deepStrictEqual(await listed({ archived: true }), ["a"])
      assert.deepStrictEqual(await listed({ archived: false }), ["b"])
      await client.sessions.change("a", { archived: false })
      assert.deepStrictEqual(await listed({ archived: true }), [])
      assert.strictEqual(await codeOf(client.sessions.change("none", { archived: true })), "SESSION_NOT_FOUND")
      assert.strictEqual(await codeOf(client.sessions.change("none", { title: "x" })), "SESSION_NOT_FOUND")
    }, here()))

  it("leaves out other folders, and is as full as it is wanted all the same", async () => {
    const store = Layer.suspend(() => layerMemoryStore({ memory }))
    const memory = makeMemory()
    const [inside, outside] = [folder("inside"), folder("outside")]
    await managed(async ({ client }) => {
      for (const n of [0, 1, 2, 3, 4, 5])
        await client.sessions.create({ threadId: `t${n}`, cwd: n % 2 === 0 ? inside : outside })
    }, here({ store }))
    await managed(
      async ({ client }) => {
        const pages = await ids(client.sessions.list.pages({ limit: 2 }))
        assert.deepStrictEqual(
          pages.map(({ length }) => length),
          [2, 1]
        )
        assert.deepStrictEqual(pages.flat().sort(), ["t0", "t2", "t4"])
        assert.deepStrictEqual(
          (await client.workspaces.list()).workspaces.map((workspace) => workspace.folder),
          [inside]
        )
        assert.strictEqual(await codeOf(client.workspaces.get(workspaceIdOf(outside))), "WORKSPACE_NOT_FOUND")
        assert.strictEqual(await codeOf(client.workspaces.remove(workspaceIdOf(outside))), "WORKSPACE_NOT_FOUND")
      },
      here({ store, session: { cwd: inside }, roots: [inside] })
    )
  })
})

describe("workspaces", () => {
  it("are found or made by their folder, whatever way leads there", () =>
    managed(async ({ client }) => {
      const shed = folder("shed")
      symlinkSync(shed, join(root, "way"))
      const made = await client.workspaces.open({ folder: shed })
      assert.deepInclude(made, { name: "shed", folder: shed })
      assert.deepStrictEqual(await client.workspaces.open({ folder: join(root, "way"), name: "Other" }), made)
      await client.sessions.create({ threadId: "t", cwd: join(root, "way") })
      assert.strictEqual((await client.sessions.get("t")).workspaceId, made.id)
      assert.strictEqual((await client.workspaces.list()).workspaces.length, 1)
      assert.strictEqual(await codeOf(client.workspaces.open({ folder: "/" })), "FOLDER_REFUSED")
      assert.strictEqual(await codeOf(client.workspaces.open({ folder: join(root, "none") })), "FOLDER_REFUSED")
    }, here()))

  it("have the sessions of their folder, of which one is active", () =>
    managed(async ({ client }) => {
      const [one, two] = [folder("one"), folder("two")]
      for (const [threadId, cwd] of [
        ["a", one],
        ["b", one],
        ["c", two]
      ] as const)
        await client.sessions.create({ threadId, cwd })
      const workspaceId = (await client.sessions.get("a")).workspaceId ?? ""
      const active = async () => (await client.workspaces.get(workspaceId)).activeThreadId
      assert.strictEqual(await active(), "b", "that which was made last")
      const { sessions } = await client.sessions.list({ workspaceId })
      assert.deepStrictEqual(sessions.map(({ threadId }) => threadId).sort(), ["a", "b"])
      const changed = await client.workspaces.change(workspaceId, { name: "One", activeThreadId: "a" })
      assert.deepInclude(changed, { name: "One", activeThreadId: "a" })
      assert.strictEqual(
        await codeOf(client.workspaces.change(workspaceId, { activeThreadId: "c" })),
        "SESSION_NOT_FOUND"
      )
      assert.strictEqual(await active(), "a")
      await client.sessions.remove("a")
      assert.strictEqual(await active(), undefined, "it is gone")
      await client.workspaces.change(workspaceId, { activeThreadId: "b" })
      assert.isFalse("activeThreadId" in (await client.workspaces.change(workspaceId, { activeThreadId: null })))
    }, here()))

  it("are forgotten without their sessions, and are the same when they are made again", () =>
    managed(async ({ client }) => {
      const kept = folder("kept")
      await client.sessions.create({ threadId: "t", cwd: kept })
      const workspaceId = (await client.sessions.get("t")).workspaceId ?? ""
      await client.workspaces.change(workspaceId, { name: "Kept" })
      await client.workspaces.remove(workspaceId)
      assert.strictEqual(await codeOf(client.workspaces.remove(workspaceId)), "WORKSPACE_NOT_FOUND")
      assert.strictEqual(await codeOf(client.workspaces.change(workspaceId, { name: "x" })), "WORKSPACE_NOT_FOUND")
      assert.strictEqual((await client.sessions.get("t")).status, "idle")
      const again = await client.workspaces.open({ folder: kept })
      assert.deepInclude(again, { id: workspaceId, name: "kept" })
      assert.strictEqual((await client.sessions.list({ workspaceId: again.id })).sessions.length, 1)
    }, here()))
})

describe("what was begun elsewhere", () => {
  const projects = join(root, "projects")

  it("is listed, becomes a session with its history, and goes on where it was", () => {
    const [terminal, other, elsewhere] = [folder("terminal"), folder("other"), realpathSync(tmpdir())]
    const id = keepSession(projects, terminal, "parallel_tools")
    const second = keepSession(projects, other, "plain_text")
    const outside = keepSession(projects, elsewhere, "subagent")
    return managed(async ({ agents, client }) => {
      const idsIn = async (query: { readonly cwd?: string; readonly limit?: number } = {}) => {
        const ids: Array<string> = []
        for await (const { conversations } of client.sessions.adoptable.pages(query))
          ids.push(...conversations.map(({ providerSessionId }) => providerSessionId))
        return ids.sort()
      }
      assert.deepStrictEqual(await idsIn(), [id, second].sort())
      assert.deepStrictEqual(await idsIn({ limit: 1 }), [id, second].sort())
      assert.deepStrictEqual(await idsIn({ cwd: terminal }), [id])
      assert.strictEqual(await codeOf(client.sessions.adoptable({ cwd: elsewhere })), "FOLDER_REFUSED")
      assert.strictEqual(await codeOf(client.sessions.adoptable({ before: "x" })), "BAD_CURSOR")
      assert.strictEqual(await codeOf(client.sessions.adopt(outside)), "SESSION_NOT_FOUND")
      assert.strictEqual(await codeOf(client.sessions.adopt(id.slice(0, 8))), "SESSION_NOT_FOUND")

      const adopted = await client.sessions.adopt(id, { mode: "planner" })
      assert.deepInclude(adopted, {
        threadId: id,
        providerSessionId: id,
        cwd: terminal,
        mode: "planner",
        adopted: true,
        status: "idle"
      })
      assert.strictEqual(adopted.workspaceId, workspaceIdOf(terminal))
      const { messages, total } = await client.sessions.messages(id)
      assert.strictEqual(messages.length, total)
      const calls = messages.flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
      const answered = messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []))
      assert.isAbove(calls.length, 1)
      assert.deepStrictEqual(answered.sort(), calls.map((call) => call.id).sort())
      assert.deepStrictEqual(agents.launched, [], "nothing is started")

      assert.deepStrictEqual(await idsIn(), [second])
      assert.strictEqual(await codeOf(client.sessions.adopt(id, { threadId: "again" })), "THREAD_EXISTS")
      await say(client, id, "Go on")
      assert.strictEqual(agents.launched[0]?.resume, id)
      const after = await client.sessions.messages(id)
      assert.deepStrictEqual(after.messages.slice(0, messages.length), messages)
      assert.deepStrictEqual(words(after.messages.slice(messages.length)), ["Go on", "You said: Go on"])
      assert.strictEqual((await client.sessions.adopt(second, { threadId: "mine" })).threadId, "mine")
    }, here({ projects }))
  })

  it("is nothing where nobody has used the agent, or it keeps nothing", async () => {
    for (const options of [{}, { projects: join(root, "none") }])
      await managed(async ({ client }) => {
        assert.deepStrictEqual(await client.sessions.adoptable(), { conversations: [], hasMore: false })
      }, here(options))
  })
})
