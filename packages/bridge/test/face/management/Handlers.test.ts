/**
 * What the endpoints do that their shapes do not tell.
 */
import { Tape } from "@agentwire/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { ManagementError } from "../../../src/client/ManagementError.ts"
import type { PolicyDecision } from "../../../src/policy/Policy.ts"
import { shownOptions } from "../../../src/session/OptionRules.ts"
import { ask, init, isPrompt, result, text, toolUse } from "../../AgentLines.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import { everything, secret } from "../../Options.ts"
import { type Managed, managed } from "./Managed.ts"

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof ManagementError ? error.code : String(error))
  )

/** An agent that asks before it goes on, and says what it was told. */
const asking =
  (...question: Parameters<typeof ask>): Behaviour =>
  (message, say) => {
    const { response } = message as { readonly response?: { readonly response: Line } }
    if (isPrompt(message)) return say(init(), toolUse("toolu_1", question[1], question[3]), ask(...question))
    if (message["type"] === "control_response") return say(text(JSON.stringify(response?.response)), result())
    return Effect.void
  }

const event = { session: { approvals: "event" } } as const

/** Sends a prompt and waits until somebody is asked. */
const untilAsked = async ({ client }: Managed): Promise<void> => {
  await client.sessions.create({ threadId: "t" })
  const { from } = await client.sessions.send("t", { content: "go" })
  for await (const frame of client.sessions.events("t", { from }))
    if (frame.event === "message" && frame.data.type === "CUSTOM") return
}

/** What the agent says in the run that is open, when it has ended. */
const untilEnd = async ({ client }: Managed): Promise<string> => {
  let said = ""
  let prompt: string | undefined
  for await (const { data, event } of client.sessions.events("t", { from: 0 })) {
    if (event !== "message") continue
    if (data.type === "TEXT_MESSAGE_START" && data.role === "user") prompt = data.messageId
    if (data.type === "TEXT_MESSAGE_CONTENT" && data.messageId !== prompt) said += data.delta
    if (data.type === "RUN_FINISHED" || data.type === "RUN_ERROR") return said
  }
  return said
}

describe("approvals", () => {
  it("are listed, answered once, and the agent is told", () =>
    managed(
      async (bridge) => {
        const { client } = bridge
        await untilAsked(bridge)
        const { approvals } = await client.approvals.list("t")
        assert.deepStrictEqual(
          approvals.map(({ requestId }) => requestId),
          ["q"]
        )
        assert.strictEqual((await client.sessions.get("t")).approvals, 1)
        await client.approvals.answer("t", "q", { behavior: "allow", updatedInput: { command: "pwd" } })
        assert.strictEqual(await codeOf(client.approvals.answer("t", "q", { behavior: "deny" })), "NOTHING_PENDING")
        assert.deepStrictEqual(JSON.parse(await untilEnd(bridge)), {
          behavior: "allow",
          updatedInput: { command: "pwd" }
        })
      },
      { behave: asking("q", "Bash", "toolu_1", { command: "ls" }), ...event }
    ))

  it("are events that say which line asked, although others came while the policy was thinking", () => {
    const thinking = Deferred.makeUnsafe<PolicyDecision>()
    return managed(
      async ({ client }) => {
        await client.sessions.create({ threadId: "t" })
        await client.sessions.send("t", { content: "go" })
        let question: number | undefined
        for await (const { data, event } of client.sessions.wire("t", { from: 0 })) {
          if (event !== "message") continue
          if (data.line.includes("can_use_tool")) question = data.seq
          if (data.line.includes("Meanwhile.")) break
        }
        Deferred.doneUnsafe(thinking, Effect.succeed({ _tag: "Ask" }))
        const lines = new Map<string, number | undefined>()
        for await (const { data, event } of client.sessions.events("t", { from: 0, lines: true })) {
          if (event === "message") lines.set(data.event.type, data.line)
          if (lines.has("CUSTOM")) break
        }
        assert.isDefined(question)
        assert.strictEqual(lines.get("CUSTOM"), question)
        assert.isAbove(lines.get("TEXT_MESSAGE_END") ?? 0, question ?? 0)
        assert.isUndefined(lines.get("RUN_STARTED"), "a prompt is told before its line is sent")
      },
      {
        behave: (message, say) =>
          isPrompt(message)
            ? say(init(), toolUse("toolu_1", "Bash"), ask("q", "Bash", "toolu_1"), text("Meanwhile."))
            : Effect.void,
        session: { approvals: "event", policy: () => Deferred.await(thinking) }
      }
    )
  })

  it("can be refused with a reason", () =>
    managed(
      async (bridge) => {
        await untilAsked(bridge)
        await bridge.client.approvals.answer("t", "q", { behavior: "deny", message: "Not here.", interrupt: true })
        assert.deepStrictEqual(JSON.parse(await untilEnd(bridge)), {
          behavior: "deny",
          message: "Not here.",
          interrupt: true
        })
      },
      { behave: asking("q", "Bash", "toolu_1", { command: "ls" }), ...event }
    ))

  it("keep waiting when an answer is none", () =>
    managed(
      async (bridge) => {
        const { client } = bridge
        await untilAsked(bridge)
        assert.strictEqual(await codeOf(client.approvals.answer("t", "q", { behavior: "allow" })), "BAD_INPUT")
        const wrong = client.approvals.answer("t", "q", { behavior: "allow", answers: { Other: "x" } })
        assert.strictEqual(await codeOf(wrong), "BAD_INPUT")
        await client.approvals.answer("t", "q", { behavior: "allow", answers: { "Which?": ["a", "b"] } })
        const { updatedInput } = JSON.parse(await untilEnd(bridge)) as { readonly updatedInput: Line }
        assert.deepStrictEqual(updatedInput["answers"], { "Which?": "a, b" })
      },
      {
        behave: asking("q", "AskUserQuestion", "toolu_1", {
          questions: [
            { question: "Which?", header: "W", multiSelect: true, options: [{ label: "a", description: "" }] }
          ]
        }),
        ...event
      }
    ))
})

describe("a session", () => {
  it("takes one message at a time, and says where its run begins", () =>
    managed(
      async ({ client }) => {
        await client.sessions.create({ threadId: "t" })
        const first = await client.sessions.send("t", { content: "go" })
        assert.strictEqual(await codeOf(client.sessions.send("t", { content: "more" })), "THREAD_BUSY")
        for await (const frame of client.sessions.events("t", { from: first.from })) {
          assert(frame.event === "message" && frame.data.type === "RUN_STARTED")
          assert.strictEqual(frame.data.runId, first.runId)
          break
        }
      },
      { behave: () => Effect.void }
    ))

  it("is made once, and forgotten when it is removed", () =>
    managed(async ({ client }) => {
      await client.sessions.create({ threadId: "t", mode: "planner" })
      assert.strictEqual(await codeOf(client.sessions.create({ threadId: "t" })), "THREAD_EXISTS")
      assert.deepStrictEqual(
        (await client.sessions.list()).sessions.map(({ mode, threadId }) => [threadId, mode]),
        [["t", "planner"]]
      )
      await client.sessions.remove("t")
      assert.strictEqual(await codeOf(client.sessions.remove("t")), "SESSION_NOT_FOUND")
      assert.deepStrictEqual(await client.sessions.list(), { sessions: [], hasMore: false })
    }))

  it("is named after its first prompt", () =>
    managed(async (bridge) => {
      const { client } = bridge
      await client.sessions.create({ threadId: "t" })
      assert.isFalse("title" in (await client.sessions.get("t")))
      await client.sessions.send("t", { content: "Paint the shed" })
      await untilEnd(bridge)
      assert.strictEqual((await client.sessions.get("t")).title, "Paint the shed")
      assert.strictEqual((await client.sessions.list()).sessions[0]?.title, "Paint the shed")
    }))

  it("is counted in the health of the server", () =>
    managed(async ({ client }) => {
      await client.sessions.create({})
      await client.sessions.create({})
      assert.deepStrictEqual((await client.server.health()).sessions, { idle: 2 })
      assert.match(await client.server.metrics(), /^# HELP /m)
    }))

  it("tells why an agent does not do what it is asked", () => {
    const refusing: Behaviour = (message, say) =>
      message["type"] === "control_request"
        ? say({
            type: "control_response",
            response: { subtype: "error", request_id: message["request_id"], error: "I will not." }
          })
        : Effect.void
    return managed(
      async ({ client }) => {
        await client.sessions.create({ threadId: "t" })
        assert.strictEqual(await codeOf(client.sessions.setModel("t", { model: null })), "AGENT_NOT_RUNNING")
        assert.strictEqual(await codeOf(client.sessions.setEnvironment("t", { variables: {} })), "AGENT_NOT_RUNNING")
        await client.sessions.start("t")
        const refused = client.sessions.setModel("t", { model: null })
        assert.strictEqual(await codeOf(refused), "AGENT_REFUSED")
        await refused.catch((error: unknown) => assert.match(String(error), /I will not\./))
        await client.sessions.setEnvironment("t", { variables: { A: "b" } })
      },
      { behave: refusing, http: { sessionOptions: ["env"] } }
    )
  })

  it("has the options that it was made with, and shows them without secrets", () =>
    managed(
      async ({ agents, client }) => {
        const made = await client.sessions.create({ threadId: "t", ...everything })
        assert.deepStrictEqual(made.options, shownOptions(everything))
        const wire = JSON.stringify([made, await client.sessions.get("t"), await client.sessions.list()])
        assert.notInclude(wire, secret)
        await client.sessions.start("t")
        assert.deepStrictEqual(agents.launched[0]?.options, everything)
      },
      { http: { sessionOptions: ["env", "hooks", "mcpConfig", "mcpCommands", "extraArgs"] } }
    ))

  it("is not made with options that do not fit, or that callers may not choose", () =>
    managed(async ({ client }) => {
      const create = (options: object) => client.sessions.create({ threadId: "t", ...options })
      const refused = async (options: object) => {
        const error = await create(options).catch((error: unknown) => error)
        assert(error instanceof ManagementError)
        return [error.code, error.message] as const
      }
      for (const [name, value] of Object.entries(everything))
        if (["env", "hooks", "mcpConfig", "mcpServers", "extraArgs"].includes(name)) {
          const [code, message] = await refused({ [name]: value })
          assert.strictEqual(code, "OPTION_REFUSED", name)
          assert.notInclude(message, secret)
        }
      for (const [options, place] of [
        [{ effort: secret }, "$.effort"],
        [{ mcpServers: { a: { type: "http", url: secret } } }, "$.mcpServers.a"],
        [{ env: { "not a name": secret } }, "$.env"],
        [{ maxTurns: 0 }, "$.maxTurns"],
        [{ modle: "m" }, "$.modle"],
        [{ hooks: { Stop: [{ hooks: [{ type: "command" }] }] } }, "$.hooks.Stop[0].hooks[0].command"]
      ] as const) {
        const [code, message] = await refused(options)
        assert.strictEqual(code, "BAD_INPUT", place)
        assert.include(message, place)
        assert.notInclude(message, secret)
      }
      assert.strictEqual((await refused({ addDirs: ["/no/such/folder"] }))[0], "FOLDER_REFUSED")
      assert.deepStrictEqual(await client.sessions.list(), { sessions: [], hasMore: false })
      await create({ mcpServers: { web: { type: "http", url: "http://127.0.0.1:1/" } }, effort: "low" })
    }))

  it("gives away no values of variables and headers, neither to whom it asks for the servers nor on the wire", () => {
    const servers = {
      web: { type: "http", url: "http://127.0.0.1:1/", headers: { Authorization: secret } },
      run: { command: "x", env: { KEY: secret } }
    } as const
    const status = { mcpServers: [{ name: "web", status: "connected", config: servers.web }] }
    const telling: Behaviour = (message, say) => {
      const { request_id, request } = message as { request_id?: string; request?: { readonly subtype: string } }
      const response = request?.subtype === "mcp_status" ? status : { added: [], removed: [], errors: {} }
      return message["type"] === "control_request"
        ? say({ type: "control_response", response: { subtype: "success", request_id, response } })
        : Effect.void
    }
    return managed(
      async ({ agents, client }) => {
        await client.sessions.create({ threadId: "t" })
        await client.sessions.start("t")
        await client.mcp.setServers("t", { servers })
        await client.sessions.setEnvironment("t", { variables: { KEY: secret } })
        assert.include(JSON.stringify(agents.sent), secret)
        const { mcpServers } = await client.mcp.status("t")
        assert.deepInclude(mcpServers[0]?.config, { headers: { Authorization: "…" } })
        const lines = []
        for await (const { data, event } of client.sessions.wire("t", { from: 0 })) {
          if (event === "message") lines.push(data.line)
          if (lines.length === 7) break
        }
        assert.match(lines.join("\n"), /update_environment_variables/)
        assert.notInclude(lines.join("\n"), secret)
        assert.notInclude(await client.sessions.tape("t", { redact: false }), secret)
        assert.notInclude(JSON.stringify(await client.sessions.get("t")), secret)
      },
      { behave: telling, http: { sessionOptions: ["env", "mcpCommands"] } }
    )
  })

  it("has no commands as MCP servers that a caller sets, unless the owner says so", () =>
    managed(async ({ client }) => {
      await client.sessions.create({ threadId: "t" })
      await client.sessions.start("t")
      const command = client.mcp.setServers("t", { servers: { a: { command: "x" } } })
      assert.strictEqual(await codeOf(command), "OPTION_REFUSED")
    }))

  it("puts files back to a prompt by the id that its client knows", () => {
    const off = "File rewinding is not enabled."
    const rewinding: Behaviour = (message, say) => {
      if (isPrompt(message)) return say(init(), text("Done."), result())
      const { request_id, request } = message as { request_id?: string; request?: Line }
      if (request?.["subtype"] !== "rewind_files") return Effect.void
      const fields = request["dry_run"] === true ? { response: { canRewind: true } } : { error: off }
      const subtype = request["dry_run"] === true ? "success" : "error"
      return say({ type: "control_response", response: { subtype, request_id, ...fields } })
    }
    return managed(
      async (bridge) => {
        const { agents, client } = bridge
        await client.sessions.create({ threadId: "t" })
        const { messageId } = await client.sessions.send("t", { content: "Go." })
        await untilEnd(bridge)
        await client.sessions.rewindFiles("t", { messageId, dryRun: true })
        const prompt = agents.sent.find(isPrompt)
        assert.deepInclude(agents.sent.at(-1)?.["request"], { user_message_id: prompt?.["uuid"], dry_run: true })
        assert.strictEqual(await codeOf(client.sessions.rewindFiles("t", { messageId })), "CHECKPOINTING_OFF")
        assert.strictEqual(await codeOf(client.sessions.rewindFiles("t", { messageId: "other" })), "MESSAGE_NOT_FOUND")
      },
      { behave: rewinding }
    )
  })
})

describe("a tape of a session", () => {
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ"

  it("has the lines of the wire, sealed, and without secrets unless they are asked for", () =>
    managed(async (bridge) => {
      const { client } = bridge
      await client.sessions.create({ threadId: "t" })
      await client.sessions.send("t", { content: `My key is ${secret}` })
      await untilEnd(bridge)
      for (const redact of [undefined, false]) {
        const tapeText = await client.sessions.tape("t", redact === undefined ? {} : { redact })
        const { tape, wrong } = Tape.parseTape(new TextEncoder().encode(tapeText))
        assert.deepStrictEqual(wrong, [])
        assert.strictEqual(tape?.end?.end, tape?.frames.length)
        assert.deepStrictEqual(
          Tape.tapeLines(tape?.frames ?? []).map(({ from }) => from),
          bridge.agents.sent.length === 2 ? ["host", "agent", "host", "agent", "agent", "agent"] : []
        )
        assert.strictEqual(tapeText.includes(secret), redact === false)
      }
    }))
})
