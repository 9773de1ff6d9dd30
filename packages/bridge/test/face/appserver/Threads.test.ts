/**
 * Threads through Codex's protocol: they are those of the bridge, whoever began them.
 */
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { leaveOf } from "../../../src/face/appserver/Leave.ts"
import { wireIdOf } from "../../../src/face/appserver/ThreadIds.ts"
import { echo, init, isPrompt, result, text } from "../../AgentLines.ts"
import type { Message } from "./CodexClient.ts"
import { connected, type TestClient } from "./Connected.ts"

const listIn = (answer: Message, key = "data"): ReadonlyArray<Message> => answer[key] as ReadonlyArray<Message>

const threadIn = (answer: Message): Message => (isRecord(answer["thread"]) ? answer["thread"] : {})

const turnsIn = (thread: Message): ReadonlyArray<Message> => listIn(thread, "turns")

/** A client that has said hello. */
const greeted = async (connect: () => TestClient): Promise<TestClient> => {
  const client = connect()
  await client.hello()
  return client
}

describe("a thread", () => {
  it("that a client begins is one of the bridge, and everybody is told", () =>
    connected(async ({ connect, sessions }) => {
      const [client, other] = [await greeted(connect), await greeted(connect)]
      const thread = await client.start()
      await client.turn(thread, "Hello there")
      const found = await Effect.runPromise(sessions.summary(thread))
      assert.deepInclude(found, { title: "Hello there", archived: false })
      const { thread: told } = await other.notified("thread/started")
      assert.strictEqual(isRecord(told) && told["id"], thread)
      // Only who follows it hears more.
      assert.deepStrictEqual(other.items(), [])
      assert.strictEqual(client.methods().indexOf("thread/started"), 0)
    }))

  it("of another face has an id as clients read them, and is theirs, too", () =>
    connected(async ({ connect, sessions }) => {
      await Effect.runPromise(sessions.create("my thread", {}))
      const client = await greeted(connect)
      const id = wireIdOf("my thread")
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      await client.ask("thread/resume", { threadId: id })
      assert.strictEqual((await client.turn(id, "Hi"))["status"], "completed")
      assert.deepStrictEqual(
        listIn(await client.ask("thread/list")).map((each) => each["id"]),
        [id]
      )
      assert.deepInclude(await Effect.runPromise(sessions.summary("my thread")), { title: "Hi" })
    }))

  it("is read whole, in turns and in items, with the ids that were streamed", () =>
    connected(async ({ connect }) => {
      const client = await greeted(connect)
      const thread = await client.start()
      const turns = [
        await client.turn(thread, "One"),
        await client.turn(thread, "Two"),
        await client.turn(thread, "Three")
      ]
      const ids = turns.map(({ id }) => id)
      const read = threadIn(await client.ask("thread/read", { threadId: thread, includeTurns: true }))
      assert.deepStrictEqual(
        turnsIn(read).map(({ id }) => id),
        ids
      )
      const items = turnsIn(read).flatMap((turn) => listIn(turn, "items").map(({ id }) => id))
      assert.deepStrictEqual(
        items,
        client.items().map(({ id }) => id)
      )
      const page = await client.ask("thread/turns/list", { threadId: thread, limit: 2 })
      assert.deepStrictEqual(
        listIn(page).map(({ id }) => id),
        [ids[2], ids[1]]
      )
      const rest = await client.ask("thread/turns/list", { threadId: thread, limit: 2, cursor: page["nextCursor"] })
      assert.deepStrictEqual(
        listIn(rest).map(({ id }) => id),
        [ids[0]]
      )
      assert.strictEqual(rest["nextCursor"], null)
      const all = await client.ask("thread/items/list", { threadId: thread, turnId: ids[1] })
      assert.deepStrictEqual(
        listIn(all).map(({ turnId }) => turnId),
        [ids[1], ids[1]]
      )
    }))

  it("is loaded by codex-acp, which reads its items backwards to find where they end", () =>
    connected(async ({ connect }) => {
      const client = await greeted(connect)
      const threadId = await client.start()
      const before = await client.ask("thread/resume", { threadId, excludeTurns: true })
      assert.deepInclude(before, { itemsBackwardsCursor: null, turnsBackwardsCursor: null })
      const turn = await client.turn(threadId, "One")
      const { itemsBackwardsCursor: cursor, turnsBackwardsCursor } = await client.ask("thread/resume", {
        threadId,
        excludeTurns: true
      })
      assert.strictEqual(turnsBackwardsCursor, turn["id"])
      const page = { threadId, turnId: null, limit: 1 }
      const [last] = listIn(await client.ask("thread/items/list", { ...page, cursor, sortDirection: "desc" }))
      assert.deepInclude(last?.["item"], { type: "agentMessage" })
      const all = listIn(
        await client.ask("thread/items/list", { ...page, cursor: null, limit: 100, sortDirection: "asc" })
      )
      assert.deepStrictEqual(all.at(-1), last)
      assert.strictEqual(all.length, 2)
    }))

  it("is listed once something was said in it", () =>
    connected(async ({ connect }) => {
      const client = await greeted(connect)
      const thread = await client.start()
      assert.deepStrictEqual(listIn(await client.ask("thread/list")), [])
      assert.deepStrictEqual((await client.ask("thread/loaded/list"))["data"], [thread])
      await client.turn(thread, "Hi")
      assert.strictEqual(listIn(await client.ask("thread/list")).length, 1)
      const here = [{ sectionId: null, sourceKinds: [] }, { sourceKinds: ["vscode"] }, { searchTerm: "hi", cwd: ["/"] }]
      for (const query of here) assert.lengthOf(listIn(await client.ask("thread/list", query)), 1)
      // The TUI asks for its pinned threads, and for those of sub-agents: there are none of them here.
      const elsewhere = [{ sectionId: "pinned" }, { sourceKinds: ["exec", "appServer"] }, { parentThreadId: thread }]
      for (const query of elsewhere) assert.lengthOf(listIn(await client.ask("thread/list", query)), 0)
    }))

  it("is named, put away, taken back and forgotten", () =>
    connected(async ({ connect, sessions }) => {
      const client = await greeted(connect)
      const thread = await client.start()
      await client.turn(thread, "Hi")
      await client.ask("thread/name/set", { threadId: thread, name: "A name" })
      assert.deepStrictEqual(await client.notified("thread/name/updated"), { threadId: thread, threadName: "A name" })
      await client.ask("thread/archive", { threadId: thread })
      await client.notified("thread/archived")
      assert.deepStrictEqual(listIn(await client.ask("thread/list")), [])
      assert.match(await client.refusal("thread/resume", { threadId: thread }), /is archived/)
      assert.strictEqual(listIn(await client.ask("thread/list", { archived: true })).length, 1)
      await client.ask("thread/unarchive", { threadId: thread })
      assert.deepStrictEqual(await client.ask("thread/unsubscribe", { threadId: thread }), { status: "unsubscribed" })
      assert.deepStrictEqual(await client.ask("thread/unsubscribe", { threadId: thread }), { status: "notSubscribed" })
      await client.ask("thread/delete", { threadId: thread })
      assert.isUndefined(await Effect.runPromise(sessions.summary(thread)))
    }))

  it("that is only for a title costs no agent", () =>
    connected(async ({ agents, connect, sessions }) => {
      const client = await greeted(connect)
      const thread = await client.start({ ephemeral: true })
      const outputSchema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] }
      const turn = await client.say(
        thread,
        "Generate a title.\n\nUser prompt:\nFix the login of the page, please, soon!",
        {
          outputSchema
        }
      )
      const { items } = await client.ended(turn)
      assert.deepStrictEqual(
        (items as ReadonlyArray<Message>).map((item) => item["text"]),
        ['{"title":"Fix the login of the page"}']
      )
      assert.deepStrictEqual([agents.launched.length, await Effect.runPromise(sessions.list)], [0, []])
    }))

  it("that is gone with its connection is forgotten with it", () =>
    connected(async ({ connect, sessions }) => {
      const client = await greeted(connect)
      const thread = await client.start({ ephemeral: true })
      assert.strictEqual((await client.turn(thread, "Hi"))["status"], "completed")
      assert.strictEqual((await Effect.runPromise(sessions.list)).length, 1)
      await client.leave()
      assert.deepStrictEqual(await Effect.runPromise(sessions.list), [])
    }))

  it("takes no prompt while it is busy: words go into the turn", () =>
    connected(
      async ({ connect }) => {
        const client = await greeted(connect)
        const thread = await client.start()
        const turn = await client.say(thread, "Go")
        await client.notified("item/agentMessage/delta")
        assert.strictEqual(await client.say(thread, "And this"), turn)
        assert.match(
          await client.refusal("turn/interrupt", { threadId: thread, turnId: "x" }),
          /^expected active turn id `x` but found `/
        )
        await client.ask("turn/interrupt", { threadId: thread, turnId: turn })
        assert.strictEqual((await client.ended(turn))["status"], "interrupted")
      },
      {
        behave: (message, say) => {
          if (isPrompt(message)) return say(init(), text("Once upon"))
          if (message["type"] !== "control_request") return Effect.void
          return say(
            {
              type: "control_response",
              response: { subtype: "success", request_id: message["request_id"], response: {} }
            },
            result({ subtype: "error_during_execution", terminal_reason: "aborted_streaming" })
          )
        }
      }
    ))
})

describe("what a client may choose", () => {
  const never = { approvalPolicy: "never", sandbox: "danger-full-access" }

  it("is no more than its operator lets it, and it is told", () =>
    connected(async ({ agents, connect }) => {
      const client = await greeted(connect)
      const answer = await client.ask("thread/start", { ...never, model: "gpt-5.5" })
      assert.deepInclude(answer, { approvalPolicy: "never", sandbox: { type: "dangerFullAccess" }, model: "default" })
      const warned = client.heard.filter(({ method }) => method === "warning").length
      await client.notified("warning", ({ message }) => String(message).includes("--session-options permissionMode"))
      await client.notified("warning", ({ message }) => String(message).includes("gpt-5.5"))
      assert.isAtMost(warned, 2)
      await client.turn(String(threadIn(answer)["id"]), "Hi")
      assert.strictEqual(agents.launched[0]?.options.permissionMode, "dontAsk")
    }))

  it("is said where a turn wants another folder than its thread has", () =>
    connected(async ({ connect }) => {
      const client = await greeted(connect)
      const thread = await client.start({ cwd: "/" })
      await client.ended(await client.say(thread, "Hi", { cwd: "/" }))
      assert.notInclude(client.methods(), "warning")
      await client.ended(await client.say(thread, "Hi", { cwd: "/tmp" }))
      await client.notified("warning", ({ message }) => String(message).startsWith("The folder of a thread stays"))
    }))

  it("is a policy of Codex in which it asks to leave the sandbox, where the operator says so", async () => {
    const modeOf = (params: object, sessionOptions: ReadonlyArray<"permissionMode"> = []) =>
      Effect.runPromise(leaveOf(params, { runtime: "codex", cwd: "/", sessionOptions })).then(
        ({ agent }) => agent.permissionMode
      )
    const readOnly = { approvalPolicy: "on-request", sandbox: "read-only" }
    assert.strictEqual(await modeOf(readOnly, ["permissionMode"]), "on-request-read-only")
    assert.strictEqual(await modeOf(readOnly), "untrusted")
    // The sandbox is Codex's own: one that is stricter is had by everybody.
    assert.strictEqual(await modeOf({ ...readOnly, approvalPolicy: "untrusted" }), "read-only")
  })

  it("is all that it wants where the operator says so", () =>
    connected(
      async ({ agents, connect }) => {
        const client = await greeted(connect)
        await client.turn(await client.start(never), "Hi")
        assert.strictEqual(agents.launched[0]?.options.permissionMode, "bypassPermissions")
      },
      { server: { sessionOptions: ["permissionMode"] } }
    ))

  it("is said of a thread that is resumed as it applies, and holds from its next turn on", () =>
    connected(
      async ({ agents, connect }) => {
        const client = await greeted(connect)
        const thread = await client.start({ approvalPolicy: "on-request", sandbox: "read-only" })
        await client.turn(thread, "Hi")
        assert.isUndefined(agents.launched[0]?.options.permissionMode)
        const modes = () =>
          agents.sent.flatMap((message) => {
            const { mode, subtype } = isRecord(message["request"]) ? message["request"] : {}
            return subtype === "set_permission_mode" ? [mode] : []
          })
        const other = await greeted(connect)
        const resumed = await other.ask("thread/resume", { threadId: thread, approvalPolicy: "never" })
        assert.deepInclude(resumed, { approvalPolicy: "never", activePermissionProfile: null })
        await other.turn(thread, "Hi")
        assert.deepEqual(modes(), ["dontAsk"])
        // The new settings are told to whoever follows the thread.
        for (const each of [client, other])
          assert.deepNestedInclude(await each.notified("thread/settings/updated"), {
            "threadSettings.approvalPolicy": "never"
          })
        const again = await other.ask("thread/resume", { threadId: thread })
        assert.deepInclude(again, { approvalPolicy: "never" })
        // The policy alone is meant beside the sandbox that there is, and somebody is asked again.
        await other.ended(await other.say(thread, "Hi", { sandboxPolicy: { type: "workspaceWrite" } }))
        await other.ended(await other.say(thread, "Hi", { approvalPolicy: "on-request" }))
        await other.ended(await other.say(thread, "Hi", { approvalPolicy: "untrusted" }))
        await other.turn(thread, "Hi")
        assert.deepEqual(modes(), ["dontAsk", "acceptEdits", "default"])
        assert.match(
          await other.refusal("thread/resume", { threadId: thread, permissions: "mine" }),
          /no permission profile/
        )
      },
      { server: { sessionOptions: ["permissionMode"] } }
    ))

  it("is changed without a turn, as the TUI's menus do, and holds from the next one on", () =>
    connected(
      async ({ agents, connect }) => {
        const client = await greeted(connect)
        const thread = await client.start()
        const wish = { approvalPolicy: "never", permissions: ":danger-full-access", model: "haiku", effort: "low" }
        assert.deepEqual(await client.ask("thread/settings/update", { threadId: thread, ...wish }), {})
        assert.deepNestedInclude(await client.notified("thread/settings/updated"), {
          threadId: thread,
          "threadSettings.approvalPolicy": "never",
          "threadSettings.activePermissionProfile.id": ":danger-full-access",
          "threadSettings.model": "haiku",
          "threadSettings.effort": "low"
        })
        assert.lengthOf(agents.launched, 0)
        await client.turn(thread, "Hi")
        assert.include(JSON.stringify(agents.sent), '"mode":"bypassPermissions"')
        assert.match(await client.refusal("thread/settings/update", { threadId: "x" }), /thread not found/)
      },
      { server: { sessionOptions: ["permissionMode"] } }
    ))

  it("is refused without a turn where it may not be chosen, and nothing is changed", () =>
    connected(async ({ agents, connect }) => {
      const client = await greeted(connect)
      const threadId = await client.start()
      const refusal = (wish: object) => client.refusal("thread/settings/update", { threadId, ...wish })
      assert.match(await refusal({ approvalPolicy: "never", permissions: ":danger-full-access" }), /session-options/)
      assert.match(await refusal({ approvalsReviewer: "auto_review" }), /Questions are for people/)
      assert.match(await refusal({ model: "gpt-5.5" }), /no model gpt-5.5/)
      await client.ask("thread/settings/update", { threadId, approvalPolicy: "on-request", permissions: ":read-only" })
      assert.deepNestedInclude(await client.notified("thread/settings/updated"), {
        "threadSettings.activePermissionProfile.id": ":read-only",
        "threadSettings.sandboxPolicy.type": "dangerFullAccess"
      })
      await client.turn(threadId, "Hi")
      assert.isUndefined(agents.launched[0]?.options.permissionMode)
    }))

  it("is told as it was where the agent refuses it, and not asked for again", () =>
    connected(
      async ({ agents, connect }) => {
        const client = await greeted(connect)
        const thread = await client.start()
        await client.ended(await client.say(thread, "Hi", { approvalPolicy: "never", permissions: ":workspace" }))
        await client.notified("warning", ({ message }) => message === "I will not.")
        const { threadSettings } = await client.notified("thread/settings/updated")
        assert.deepInclude(threadSettings, { approvalPolicy: "on-request", activePermissionProfile: null })
        await client.turn(thread, "Hi")
        const tries = agents.sent.filter((line) => JSON.stringify(line).includes("set_permission_mode"))
        assert.lengthOf(tries, 1)
      },
      {
        behave: (message, say) =>
          message["type"] === "control_request"
            ? say({
                type: "control_response",
                response: { subtype: "error", request_id: message["request_id"], error: "I will not." }
              })
            : echo(message, say),
        server: { sessionOptions: ["permissionMode"] }
      }
    ))

  it("is said of a turn that wants more than it may, once", () =>
    connected(async ({ connect }) => {
      const client = await greeted(connect)
      const thread = await client.start()
      const wish = { approvalPolicy: "on-request", sandboxPolicy: { type: "workspaceWrite" } }
      for (const words of ["Hi", "Hi again"]) await client.ended(await client.say(thread, words, wish))
      const warned = client.heard.filter(({ method }) => method === "warning")
      assert.lengthOf(warned, 1)
      assert.include(JSON.stringify(warned), "--session-options permissionMode")
    }))

  it("changes nothing of the operator's where it says nothing, and asks by default", () =>
    connected(async ({ agents, connect }) => {
      const client = await greeted(connect)
      const answer = await client.ask("thread/start", { approvalPolicy: "on-request", sandbox: "workspace-write" })
      assert.deepInclude(answer, { approvalPolicy: "on-request" })
      await client.notified("warning", ({ message }) => String(message).includes("no sandbox of the operating system"))
      await client.turn(String(threadIn(answer)["id"]), "Hi")
      assert.isUndefined(agents.launched[0]?.options.permissionMode)
    }))
})
