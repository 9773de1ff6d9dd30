/**
 * The class with promises: its life, its runs, its questions and what it tells, with agents that say what they are
 * told to.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { Bridge } from "../../src/embed/Bridge.ts"
import type { BridgeConfig } from "../../src/embed/BridgeConfig.ts"
import { BridgeError } from "../../src/embed/BridgeError.ts"
import type { BridgeEventName, BridgeEvents } from "../../src/embed/Listeners.ts"
import type { Extension } from "../../src/extension/Extension.ts"
import { ask, echo, init, isPrompt, result, text, toolUse } from "../AgentLines.ts"
import { type Behaviour, fakeAgents } from "../FakeAgent.ts"
import { everything, secret } from "../Options.ts"

/** A bridge of fake agents, stopped with the test. */
const bridgeOf = (behave: Behaviour = echo, config: BridgeConfig = {}) => {
  const { agents, layer } = fakeAgents(behave)
  const bridge = new Bridge({ agent: layer, cwd: "/", port: 0, ...config })
  onTestFinished(() => bridge.stop())
  return { bridge, agents }
}

const opened = async (behave: Behaviour = echo, config: BridgeConfig = {}) => {
  const made = bridgeOf(behave, config)
  await made.bridge.open()
  return made
}

/** The next thing of a name that a bridge tells. */
const next = <N extends BridgeEventName>(
  bridge: Bridge,
  name: N,
  isIt: (told: BridgeEvents[N]) => boolean = () => true
): Promise<BridgeEvents[N]> =>
  new Promise((resolve) => {
    const off = bridge.on(name, (told) => {
      if (!isIt(told)) return
      off()
      resolve(told)
    })
  })

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "fine",
    (error: unknown) => (error instanceof BridgeError ? error.code : error)
  )

/** An agent that asks before it uses a tool, and says what it was answered. */
const careful: Behaviour = (message, say) => {
  if (isPrompt(message))
    return say(init(), toolUse("toolu_1", "Bash", { command: "ls" }), ask("q1", "Bash", "toolu_1", { command: "ls" }))
  const answer = message["response"] as { readonly response?: unknown } | undefined
  if (message["type"] !== "control_response") return Effect.void
  return say(text(JSON.stringify(answer?.response)), result({ result: JSON.stringify(answer?.response) }))
}

/** An agent that never ends a turn. */
const endless: Behaviour = (message, say) => (isPrompt(message) ? say(init(), text("thinking")) : Effect.void)

/** It has begun. */
const isThinking = ({ event }: BridgeEvents["event"]): boolean =>
  event.type === "TEXT_MESSAGE_CONTENT" && event.delta === "thinking"

describe("the life of a bridge", () => {
  it("starts with a token of its own that opens the door, and stops", async () => {
    const { bridge } = bridgeOf()
    const { port, token, url } = await bridge.start()
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(token).toBe(bridge.token)
    expect(token?.length).toBeGreaterThan(20)
    expect(new Bridge().token).not.toBe(token)
    expect(bridge.runtimeUrl).toBe(url)
    expect((await fetch(`${url}/health`)).status).toBe(401)
    expect((await fetch(`${url}/health`, { headers: bridge.headers })).status).toBe(200)
    await bridge.stop()
    await expect(fetch(`${url}/health`, { headers: bridge.headers })).rejects.toThrow()
  })

  it("gives the same when it is started again, and waits for the same end when it is stopped again", async () => {
    const { bridge } = bridgeOf()
    const [first, second] = await Promise.all([bridge.start(), bridge.start()])
    expect(second).toEqual(first)
    await Promise.all([bridge.stop(), bridge.stop()])
    await bridge.stop()
  })

  it("says what is wrong before its start and after its end", async () => {
    const { bridge } = bridgeOf()
    expect(await codeOf(bridge.listSessions())).toBe("NOT_STARTED")
    expect(await codeOf(bridge.sendMessage("t", "Hi"))).toBe("NOT_STARTED")
    expect(await codeOf(bridge.events("t").next())).toBe("NOT_STARTED")
    expect(() => bridge.runtimeUrl).toThrow("start()")
    await bridge.start()
    await bridge.stop()
    expect(await codeOf(bridge.listSessions())).toBe("STOPPED")
    expect(await codeOf(bridge.start())).toBe("STOPPED")
    expect(await codeOf(bridge.open())).toBe("STOPPED")
    expect(() => bridge.runtimeUrl).toThrow("stopped")
  })

  it("can be stopped when it was never started, while it starts, and when it could not start", async () => {
    await bridgeOf().bridge.stop()
    const starting = bridgeOf().bridge
    const started = codeOf(starting.start())
    await starting.stop()
    expect(await started).toBe("fine")

    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as AddressInfo
    const { bridge } = bridgeOf(echo, { port })
    expect(await codeOf(bridge.start())).toBe("PORT_IN_USE")
    expect(await codeOf(bridge.listSessions())).toBe("NOT_STARTED")
    await new Promise((resolve) => taken.close(resolve))
    expect((await bridge.start()).port).toBe(port)
    await bridge.stop()
  })

  it.each<[string, BridgeConfig]>([
    ["UNSAFE", { token: "short" }],
    ["UNSAFE", { token: "none", host: "0.0.0.0" }],
    ["UNSAFE", { allowedOrigins: ["*"] }],
    ["CWD_BAD_ROOT", { cwd: "/no/such/folder" }],
    ["POLICY_UNREADABLE", { policy: "/no/such/policy.json" }]
  ])("refuses to start with the code %s", async (code, config) => {
    const { bridge } = bridgeOf(echo, config)
    expect(await codeOf(bridge.start())).toBe(code)
  })

  it("refuses options that there are not, and says what became of one", async () => {
    const refusal = (config: object) => bridgeOf(echo, config).bridge.start().then(String, String)
    expect(await refusal({ indexPath: "/threads.json" })).toMatch(/no option "indexPath"\. Name a folder with `data`/)
    expect(await refusal({ maxSession: 3 })).toMatch(/no option "maxSession"\. Those that there are: .*maxSessions/)
    expect(await refusal({ toString: 3 })).toMatch(/no option "toString"\. Those/)
    const { bridge } = bridgeOf(echo, { indexPath: undefined } as object)
    await bridge.start()
    expect(await codeOf(bridgeOf(echo, { indexPath: "/x" } as object).bridge.start())).toBe("BAD_OPTION")
  })

  it("ends its agents when it stops, and the runs they were in", async () => {
    const { agents, bridge } = await opened(endless)
    await bridge.createSession({ threadId: "t" })
    const spoken = next(bridge, "event", isThinking)
    const run = await bridge.sendMessage("t", "Hi")
    await spoken
    let ended = false
    const { exit } = agents
    agents.exit = (how) =>
      Effect.andThen(
        Effect.sync(() => (ended = true)),
        exit(how)
      )
    await bridge.stop()
    expect(ended).toBe(true)
    expect(await run.result).toMatchObject({ outcome: "cancelled", text: "thinking", error: undefined })
  })

  it("is stopped by await using", async () => {
    const { bridge } = bridgeOf()
    {
      await using using = bridge
      await using.start()
    }
    expect(await codeOf(bridge.listSessions())).toBe("STOPPED")
  })
})

describe("sessions", () => {
  it("are made, listed, told about, and forgotten", async () => {
    const { bridge } = await opened()
    const { threadId } = await bridge.createSession({ mode: "planner" })
    await bridge.createSession({ threadId: "b", start: true })
    const listed = (await bridge.listSessions()).map((session) => `${session.threadId} ${session.status}`)
    expect(listed.sort()).toEqual([`${threadId} idle`, "b connected"].sort())
    expect(await bridge.getSession(threadId)).toMatchObject({ mode: "planner", cwd: "/" })
    await bridge.disconnectSession("b")
    expect((await bridge.getSession("b")).status).toBe("disconnected")
    await bridge.killSession(threadId)
    expect(await codeOf(bridge.getSession(threadId))).toBe("SESSION_NOT_FOUND")
  })

  it("refuse what cannot be, with codes and in words of the class", async () => {
    const { bridge } = await opened()
    await bridge.createSession({ threadId: "t" })
    const failures: ReadonlyArray<readonly [string, () => Promise<unknown>]> = [
      ["THREAD_EXISTS", () => bridge.createSession({ threadId: "t" })],
      ["FOLDER_REFUSED", () => bridge.createSession({ cwd: "/no/such/folder" })],
      ["BAD_INPUT", () => bridge.createSession({ threadId: "" })],
      ["BAD_INPUT", () => bridge.createSession({ wrong: 1 } as object)],
      ["BAD_THREAD_ID", () => bridge.getSession("\n")],
      ["SESSION_NOT_FOUND", () => bridge.sendMessage("nobody", "Hi")],
      ["SESSION_NOT_FOUND", () => bridge.events("nobody").next()],
      ["SESSION_NOT_FOUND", () => bridge.killSession("nobody")],
      ["SESSION_NOT_FOUND", () => bridge.control("nobody", "interrupt")],
      ["NOTHING_PENDING", () => bridge.approve("t", "nothing")],
      ["AGENT_NOT_RUNNING", () => bridge.setModel("t", "opus")],
      ["AGENT_NOT_RUNNING", () => bridge.control("t", "mcp_status")],
      ["AGENT_NOT_RUNNING", () => bridge.updateEnvironment("t", { A: "1" })]
    ]
    for (const [code, call] of failures) {
      const error = await call().then(
        () => undefined,
        (failure: unknown) => failure
      )
      expect(error).toBeInstanceOf(BridgeError)
      expect(error).toMatchObject({ code })
      expect(String(error)).not.toMatch(/POST|body|_tag/)
    }
  })
})

describe("a run", () => {
  it("gives its events and its result", async () => {
    const { bridge } = await opened()
    await bridge.createSession({ threadId: "t" })
    const run = await bridge.sendMessage("t", "Hi")
    const types: Array<string> = []
    for await (const { type } of run) types.push(type)
    expect([types.at(0), types.at(-1)]).toEqual(["RUN_STARTED", "RUN_FINISHED"])
    expect(await run.result).toEqual({ outcome: "success", text: "You said: Hi", approvals: [], error: undefined })
    const again: Array<string> = []
    for await (const { type } of run) again.push(type)
    expect(again).toEqual(types)
  })

  it("of several is told apart from the others", async () => {
    const { bridge } = await opened(
      (message, say) =>
        isPrompt(message) ? say(init(), text(JSON.stringify(message["message"])), result()) : Effect.void,
      { busy: "queue" }
    )
    await bridge.createSession({ threadId: "t" })
    const runs = await Promise.all(["one", "two", "three"].map((words) => bridge.sendMessage("t", words)))
    const texts = await Promise.all(runs.map(async ({ result }) => (await result).text))
    expect(texts.map((said) => /one|two|three/.exec(said)?.[0])).toEqual(["one", "two", "three"])
  })

  it("that reached a limit has an error with its code", async () => {
    const { bridge } = await opened((message, say) =>
      isPrompt(message)
        ? say(init(), result({ subtype: "error_max_turns", errors: ["Enough."], is_error: true }))
        : Effect.void
    )
    await bridge.createSession({ threadId: "t" })
    const { error, outcome } = await (await bridge.sendMessage("t", "Hi")).result
    expect([outcome, error?.code, error?.message]).toEqual(["error", "error_max_turns", "Enough."])
  })

  it("that is stopped, or whose agent dies, has an outcome, and a second one at a time is refused", async () => {
    const { agents, bridge } = await opened(endless)
    await bridge.createSession({ threadId: "t" })
    const spoken = next(bridge, "event", isThinking)
    const run = await bridge.sendMessage("t", "Hi")
    await spoken
    expect(await codeOf(bridge.sendMessage("t", "More"))).toBe("THREAD_BUSY")
    await Effect.runPromise(agents.exit({ code: 3, stderr: "out of luck" }))
    const { error, outcome } = await run.result
    expect(outcome).toBe("error")
    expect(error).toMatchObject({ code: "process_exited", message: expect.stringContaining("out of luck") })
  })

  it("that cannot start its agent fails with the reason", async () => {
    const { bridge } = await opened(echo, { agent: { tapes: "/no/such/tape" } })
    await bridge.createSession({ threadId: "t" })
    const run = await bridge.sendMessage("t", "Hi")
    expect((await run.result).error).toMatchObject({ code: "NO_TAPE" })
    expect(await codeOf(bridge.startSession("t"))).toBe("START_FAILED")
  })
})

describe("questions", () => {
  it("are told once, listed and answered with yes, and the tool keeps its input", async () => {
    const { agents, bridge } = await opened(careful, { approvals: "event" })
    await bridge.createSession({ threadId: "t" })
    const asked = next(bridge, "approval")
    let times = 0
    bridge.on("approval", () => void times++)
    const run = await bridge.sendMessage("t", "Go")
    const { input, requestId, toolName } = await asked
    expect([requestId, toolName, input]).toEqual(["q1", "Bash", { command: "ls" }])
    expect(await bridge.approvals("t")).toMatchObject([{ threadId: "t", requestId: "q1", toolName: "Bash" }])
    const heard = next(bridge, "message", ({ line }) => line.includes("meanwhile"))
    await Effect.runPromise(agents.say(text("meanwhile")))
    await heard
    await bridge.approve("t", requestId)
    expect(JSON.parse((await run.result).text)).toMatchObject({ behavior: "allow", updatedInput: { command: "ls" } })
    expect(times).toBe(1)
    expect(await bridge.approvals("t")).toEqual([])
    expect(await codeOf(bridge.approve("t", requestId))).toBe("NOTHING_PENDING")
  })

  it("are answered with another input, or with no", async () => {
    const { bridge } = await opened(careful, { approvals: "event" })
    for (const [answer, expected] of [
      [
        (id: string) => bridge.approve("t1", id, { updatedInput: { command: "pwd" } }),
        { updatedInput: { command: "pwd" } }
      ],
      [
        (id: string) => bridge.deny("t2", id, "not now", { interrupt: true }),
        { behavior: "deny", message: "not now", interrupt: true }
      ]
    ] as const) {
      const threadId = `t${(await bridge.listSessions()).length + 1}`
      await bridge.createSession({ threadId })
      const asked = next(bridge, "approval")
      const run = await bridge.sendMessage(threadId, "Go")
      await answer((await asked).requestId)
      expect(JSON.parse((await run.result).text)).toMatchObject(expected)
    }
  })

  it("end the run where approvals are interrupts, and the run goes on when they are answered", async () => {
    const { bridge } = await opened(careful, { approvals: "interrupt" })
    await bridge.createSession({ threadId: "t" })
    const run = await bridge.sendMessage("t", "Go")
    expect(await run.result).toMatchObject({ outcome: "interrupt", approvals: ["q1"] })
    const over = next(
      bridge,
      "event",
      ({ event }) => event.type === "RUN_FINISHED" && event.outcome?.type === "success"
    )
    await bridge.approve("t", "q1")
    await over
  })

  it("are decided by a policy before anybody is asked; one that fails refuses", async () => {
    const { bridge } = await opened(careful, {
      approvals: "event",
      policy: async ({ mode }) => {
        if (mode === "broken") throw new Error("no idea")
        return mode === "free" ? { _tag: "Allow" } : { _tag: "Deny", message: "house rules" }
      }
    })
    const answerIn = async (mode: string): Promise<unknown> => {
      const { threadId } = await bridge.createSession({ mode })
      return JSON.parse((await (await bridge.sendMessage(threadId, "Go")).result).text)
    }
    expect(await answerIn("free")).toMatchObject({ behavior: "allow" })
    expect(await answerIn("strict")).toMatchObject({ behavior: "deny", message: "house rules" })
    expect(await answerIn("broken")).toMatchObject({ behavior: "deny" })
  })
})

describe("what a bridge tells", () => {
  it("is every event, message and status of every session, in order", async () => {
    const { bridge } = await opened()
    const told: Record<string, Array<unknown>> = { event: [], message: [], status: [], session: [], init: [] }
    for (const name of Object.keys(told) as ReadonlyArray<BridgeEventName>)
      bridge.on(name, (it) => told[name]?.push(it))
    await bridge.createSession({ threadId: "t" })
    const run = await bridge.sendMessage("t", "Hi")
    await run.result
    const closed = next(bridge, "session", ({ state }) => state === "closed")
    await bridge.killSession("t")
    await closed
    expect(told["session"]).toEqual([
      { threadId: "t", state: "opened" },
      { threadId: "t", state: "closed" }
    ])
    // Those of one entry of the log share its number.
    const events = (told["event"] ?? []) as ReadonlyArray<BridgeEvents["event"]>
    const numbers = events.map(({ seq }) => seq)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(events.map(({ event }) => event.type)).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "STATE_DELTA",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "CUSTOM",
      "RUN_FINISHED"
    ])
    expect(told["message"]?.map((it) => ((it as BridgeEvents["message"]).message as { type: string }).type)).toEqual([
      "control_response",
      "system",
      "assistant",
      "result"
    ])
    expect(told["init"]).toHaveLength(1)
    expect(told["status"]?.map((it) => (it as BridgeEvents["status"]).status)).toEqual([
      "starting",
      "connected",
      "active",
      "idle",
      "disconnected",
      "terminated"
    ])
  })

  it("goes on when a listener breaks: it is told of that, or the process is warned", async () => {
    const { bridge } = await opened()
    const off = bridge.on("session", () => {
      throw new Error("clumsy")
    })
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve))
    await bridge.createSession({ threadId: "a" })
    expect((await warned).message).toContain("clumsy")
    off()
    bridge.on("session", () => Promise.reject(new Error("late")))
    const failed = next(bridge, "error")
    await bridge.createSession({ threadId: "b" })
    expect(await failed).toMatchObject({ during: "session", error: new Error("late") })
    expect(await bridge.listSessions()).toHaveLength(2)
  })

  it("can be read from any point, and ends with the signal, the session and the bridge", async () => {
    const { bridge } = await opened()
    await bridge.createSession({ threadId: "t" })
    await (await bridge.sendMessage("t", "Hi")).result
    const all: Array<readonly [number, string]> = []
    for await (const { event, seq } of bridge.events("t", { from: 0 })) {
      all.push([seq, event.type])
      if (event.type === "RUN_FINISHED") break
    }
    expect(all[0]).toEqual([0, "RUN_STARTED"])
    // Events that AG-UI has no word for have numbers, too.
    const [seq] = all[2] ?? [0]
    const rest = bridge.events("t", { from: seq })
    expect((await rest.next()).value).toMatchObject({ seq })
    await rest.return()

    const soFar = bridge.events("t")
    const last = all.at(-1)?.[0] ?? 0
    expect((await soFar.next()).value).toMatchObject({
      seq: last,
      event: { type: "MESSAGES_SNAPSHOT", messages: [{ content: "Hi" }, { content: "You said: Hi" }] }
    })
    expect((await soFar.next()).value).toMatchObject({ event: { type: "STATE_SNAPSHOT" } })
    await soFar.return()

    const stop = new AbortController()
    const waiting = collect(bridge.events("t", { from: last + 1, signal: stop.signal }))
    stop.abort()
    expect(await waiting).toEqual([])
    const untilKilled = collect(bridge.events("t"))
    await bridge.createSession({ threadId: "u" })
    const untilStopped = collect(bridge.events("u"))
    await bridge.killSession("t")
    await untilKilled
    await bridge.getSession("u")
    await bridge.stop()
    await untilStopped.catch((error: unknown) => expect(error).toMatchObject({ code: "STOPPED" }))
  })
})

const collect = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

describe("what was said", () => {
  it("can be read, gone back to and forked", async () => {
    const { bridge } = await opened()
    await bridge.createSession({ threadId: "t" })
    for (const word of ["one", "two"]) await (await bridge.sendMessage("t", word)).result
    const { messages } = await bridge.messages("t")
    const [, , two] = messages
    await bridge.revert("t", { beforeMessageId: two?.id ?? "" })
    expect((await bridge.messages("t")).messages).toEqual(messages.slice(0, 2))
    expect((await bridge.messages("t", { branch: 0 })).messages).toEqual(messages)
    expect((await bridge.branches("t")).branches.map(({ branch, current }) => [branch, current])).toEqual([
      [1, true],
      [0, false]
    ])
    const forked = await bridge.fork("t", { branch: 0, title: "Another way" })
    expect(forked).toMatchObject({ forkOf: "t", title: "Another way" })
    expect((await bridge.messages(forked.threadId)).messages).toEqual(messages)
    expect(await codeOf(bridge.revert("t", { messageId: "none" }))).toBe("MESSAGE_NOT_FOUND")
  })
})

describe("asking the agent", () => {
  it("sends the control request of each method", async () => {
    const { agents, bridge } = await opened((message, say) => {
      const { request, request_id } = message as { request?: { subtype: string }; request_id: string }
      const response = answers[request?.subtype ?? ""] ?? {}
      return message["type"] === "control_request"
        ? say({ type: "control_response", response: { subtype: "success", request_id, response } })
        : Effect.void
    })
    await bridge.createSession({ threadId: "t", start: true })
    await bridge.setModel("t", "opus")
    await bridge.setPermissionMode("t", "plan")
    await bridge.set("t", { permissionMode: "acceptEdits", model: "haiku", effort: "low" })
    await bridge.setThinkingTokens("t", 1000)
    await bridge.updateEnvironment("t", { A: "1" })
    await bridge.mcpStatus("t")
    await bridge.setMcpServers("t", { s: { type: "http", url: "http://127.0.0.1:1/" } })
    await bridge.toggleMcpServer("t", "s", false)
    await bridge.reconnectMcpServer("t", "s")
    expect(await codeOf(bridge.rewindFiles("t", "nothing was said", { dryRun: true }))).toBe("MESSAGE_NOT_FOUND")
    expect(await codeOf(bridge.contextUsage("t"))).toBe("AGENT_BAD_ANSWER")
    expect(await codeOf(bridge.control("t", "get_settings"))).toBe("AGENT_BAD_ANSWER")
    const sent = agents.sent.map((line) => line["request"] ?? line).slice(1)
    expect(sent).toMatchObject([
      { subtype: "set_model", model: "opus" },
      { subtype: "set_permission_mode", mode: "plan" },
      { subtype: "set_model", model: "haiku" },
      { subtype: "set_permission_mode", mode: "acceptEdits" },
      { subtype: "apply_flag_settings", settings: { effortLevel: "low" } },
      { subtype: "set_max_thinking_tokens", max_thinking_tokens: 1000 },
      { type: "update_environment_variables", variables: { A: "1" } },
      { subtype: "mcp_status" },
      { subtype: "mcp_set_servers", servers: { s: { url: "http://127.0.0.1:1/" } } },
      { subtype: "mcp_toggle", serverName: "s", enabled: false },
      { subtype: "mcp_reconnect", serverName: "s" },
      { subtype: "get_context_usage" },
      { subtype: "get_settings" }
    ])
  })
})

/** What a CLI answers that is not empty. */
const answers: Readonly<Record<string, unknown>> = {
  set_permission_mode: { mode: "plan" },
  mcp_status: { mcpServers: [] },
  mcp_set_servers: { added: [], removed: [], errors: {} },
  rewind_files: { canRewind: true },
  // What lacks something is read all the same; these are no answers at all.
  get_context_usage: "much",
  get_settings: []
}

describe("hooks of the program", () => {
  const input = { session_id: "s", transcript_path: "/t", cwd: "/" }
  const tool = {
    ...input,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "c1"
  }

  /** An agent that calls a hook in its turn, and says what it was answered. */
  const calling =
    (event: object, callback_id = "agentwire-policy"): Behaviour =>
    (message, say) => {
      const request = { subtype: "hook_callback", callback_id, input: event, tool_use_id: "c1" }
      if (isPrompt(message)) return say(init(), { type: "control_request", request_id: "h1", request })
      const { response } = message as {
        readonly response?: { readonly request_id: string; readonly response: unknown }
      }
      if (response?.request_id !== "h1") return Effect.void
      return say(text(JSON.stringify(response.response)), result())
    }

  const answered = async (behave: Behaviour, config: BridgeConfig): Promise<unknown> => {
    const { bridge } = await opened(behave, config)
    await bridge.createSession({ threadId: "t" })
    const said = await (await bridge.sendMessage("t", "Go.")).result
    await bridge.stop()
    return JSON.parse(said.text)
  }

  it("are functions, and may return promises", async () => {
    const seen: Array<unknown> = []
    const answer = await answered(calling(tool), {
      hooks: {
        PreToolUse: [
          ({ tool_input, tool_name }, { signal, threadId, toolUseId }) => {
            seen.push([tool_name, tool_input, threadId, toolUseId, signal.aborted])
          },
          async () => ({
            hookSpecificOutput: {
              hookEventName: "PreToolUse",
              permissionDecision: "deny",
              permissionDecisionReason: "No."
            }
          })
        ]
      }
    })
    expect(seen).toEqual([["Bash", { command: "ls" }, "t", "c1", false]])
    expect(answer).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "No." }
    })
  })

  it("that throw or take too long are a no to a tool, and are told", async () => {
    for (const run of [
      () => {
        throw new Error("broken")
      },
      () => Promise.reject(new Error("broken")),
      () => new Promise<void>(() => undefined)
    ]) {
      const { bridge } = await opened(calling(tool), { hooks: { PreToolUse: { timeout: 20, run } } })
      const failed = next(bridge, "error")
      await bridge.createSession({ threadId: "t" })
      const { text: said } = await (await bridge.sendMessage("t", "Go.")).result
      expect(JSON.parse(said)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } })
      expect(await failed).toMatchObject({ during: "hook PreToolUse", error: expect.any(Error) })
      await bridge.stop()
    }
  })

  it("of other events that fail leave the agent alone", async () => {
    const stop = { ...input, hook_event_name: "Stop", stop_hook_active: false }
    const { bridge } = await opened(calling(stop, "agentwire-Stop-1"), {
      hooks: () => ({ Stop: () => Promise.reject(new Error("broken")) })
    })
    bridge.on("error", () => undefined)
    await bridge.createSession({ threadId: "t" })
    expect((await (await bridge.sendMessage("t", "Go.")).result).text).toBe("{}")
  })
})

describe("options of sessions", () => {
  it("are all the program's to choose", async () => {
    const { agents, bridge } = await opened(echo, { flags: { model: "m", disallowedTools: ["WebFetch"] } })
    const made = await bridge.createSession({ threadId: "t", ...everything, start: true })
    expect(agents.launched[0]?.options).toEqual(everything)
    expect(JSON.stringify(made)).not.toContain(secret)
  })

  it("of the bridge that do not fit keep it from starting", async () => {
    const { bridge } = bridgeOf(echo, { flags: { maxTurns: 0 } })
    expect(await codeOf(bridge.open())).toBe("BAD_OPTION")
  })

  it("are a run's to choose where the owner allows them, when its thread begins", async () => {
    const { agents, bridge } = bridgeOf(echo, { sessionOptions: ["model", "effort"] })
    const { url } = await bridge.start()
    let count = 0
    const run = async (threadId: string, sessionOptions: object) => {
      const id = String(++count)
      const response = await fetch(url, {
        method: "POST",
        headers: { ...bridge.headers, "content-type": "application/json" },
        body: JSON.stringify({
          threadId,
          runId: id,
          messages: [{ id, role: "user", content: "Hi" }],
          forwardedProps: { sessionOptions }
        })
      })
      return [response.status, await response.text()] as const
    }
    expect((await run("a", { model: "m", effort: "low" }))[0]).toBe(200)
    expect(agents.launched[0]?.options).toEqual({ model: "m", effort: "low" })
    expect((await run("a", { model: "other" }))[0]).toBe(200)
    expect((await bridge.getSession("a")).options).toEqual({ model: "m", effort: "low" })
    const [status, body] = await run("b", { model: "m", env: { KEY: secret } })
    expect([status, body.includes("OPTION_REFUSED"), body.includes(secret)]).toEqual([403, true, false])
    expect((await run("b", { effort: "silly" }))[0]).toBe(400)
    expect((await bridge.listSessions()).map(({ threadId }) => threadId)).toEqual(["a"])
  })
})

describe("a bridge with extensions", () => {
  it("has those of a program and those of a file, and gives them the answers that they are owed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "agentwire-bridge-extensions-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const answers: Array<string> = []
    const mine: Extension = {
      id: "mine",
      name: "Mine",
      methods: ["mine.ask"],
      sourceRoutes: ["mine"],
      start: (context) => {
        Object.assign(mine, {
          handleMethod: (_: string, { words }: { readonly words: string }) =>
            context.prompt({ content: words, source: "mine/1", threadId: "t" })
        })
      },
      handleSourceResponse: (_, { text: said }) => void answers.push(said)
    }
    const given = bridgeOf(echo, { extensions: [{ extension: mine }] }).bridge
    const { token, url } = await given.start()
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const called = await fetch(`${url}/ext/mine/call/ask`, { method: "POST", headers, body: '{"words":"Hello"}' })
    expect(await called.json()).toMatchObject({ result: { threadId: "t" } })
    await expect.poll(() => answers.length).toBe(1)

    writeFileSync(join(folder, "one.mjs"), 'export default { id: "one", name: "One" }')
    writeFileSync(join(folder, "all.json"), '{"extensions": [{"module": "one.mjs"}]}')
    const ofFile = bridgeOf(echo, { extensions: join(folder, "all.json"), data: join(folder, "data") }).bridge
    const place = await ofFile.start()
    const listed = await fetch(`${place.url}/extensions`, { headers: ofFile.headers })
    expect(await listed.json()).toMatchObject({ extensions: [{ id: "one", ok: true }] })
    expect(await codeOf(bridgeOf(echo, { extensions: join(folder, "none.json") }).bridge.open())).toBe(
      "EXTENSIONS_UNREADABLE"
    )
  })
})
