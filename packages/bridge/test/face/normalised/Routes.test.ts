/**
 * Normalised events over HTTP, from `fetch` to fake agents and back.
 */
import { loadTape, tapes } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import type { NormalisedEvent } from "@agentwire/protocol/normalised"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { init, isPrompt, ask as question, result, text, toolResult, toolUse } from "../../AgentLines.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import { entering } from "../../Serving.ts"
import { type ManagedOptions, managed } from "../management/Managed.ts"
import { ask, isDone, type Numbered, readUntil, type Served } from "./Reading.ts"

const withBridge = (use: (bridge: Served) => Promise<void>, options: ManagedOptions = {}): Promise<void> =>
  managed(({ server }) => use({ url: server.url, headers: { authorization: entering.authorization } }), options)

const codeOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): unknown =>
  (body["error"] as { readonly code: string } | undefined)?.code

const typesOf = (read: ReadonlyArray<Numbered>): ReadonlyArray<string> => read.map(({ event: { type } }) => type)

/** An agent that says all that the CLI said on a tape, when it is prompted. */
const replaying = (scenario: string): { readonly behave: Behaviour; readonly turns: number } => {
  const entry = tapes.find((each) => each.scenario === scenario && each.version === "2.1.325")
  if (entry === undefined) throw new Error(`no tape of ${scenario}`)
  const lines: Array<Line> = []
  for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
    if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
    const said = JSON.parse(line.text) as Line
    if (!String(said["type"]).startsWith("control_")) lines.push(said)
  }
  return {
    behave: (message, say) => (isPrompt(message) ? say(...lines) : Effect.void),
    turns: lines.filter(({ type }) => type === "result").length
  }
}

/** Whether so many turns are over. */
const afterTurns = (turns: number): ((event: NormalisedEvent) => boolean) => {
  let left = turns
  return (event) => isDone(event) && --left === 0
}

describe("a session", () => {
  it("is made, told something, and read from its beginning", () =>
    withBridge(async (bridge) => {
      const made = await ask(bridge, "POST", "/sessions", { session_id: "s", runtime: "claude" })
      assert.deepStrictEqual(made, { status: 201, body: { id: "s", session_id: "s", runtime: "Claude Code" } })
      const sent = await ask(bridge, "POST", "/sessions/s/message", { message: "Hello" })
      assert.strictEqual(sent.status, 202)
      const read = await readUntil(bridge, "/sessions/s/events", isDone)
      assert.deepStrictEqual(typesOf(read), ["session_ready", "thinking", "session_ready", "delta", "result", "done"])
      for (const { event, name } of read) assert.strictEqual(name, event.type)
      assert.deepInclude(read[3]?.event.data, { text: "You said: Hello" })
      const [, ...rest] = typesOf(read)
      const later = await readUntil(bridge, `/sessions/s/events?from=${String(sent.body["from"])}`, isDone)
      assert.deepStrictEqual(typesOf(later), rest)
      // It is a session as every other.
      const managed = await ask(bridge, "GET", "/api/sessions/s")
      assert.deepInclude(managed.body, { threadId: "s" })
    }))

  it("tells the agent what the application wants it to know", () =>
    withBridge(async (bridge) => {
      await ask(bridge, "POST", "/sessions", { session_id: "s" })
      await ask(bridge, "POST", "/sessions/s/message", { message: "Hi", node_context: { page: "/home" } })
      const read = await readUntil(bridge, "/sessions/s/events", isDone)
      const said = read.flatMap(({ event }) => (event.type === "delta" ? [event.data.text] : [])).join("")
      assert.include(said, '{"page":"/home"}')
    }))

  it("takes one turn at a time, and stops it", () =>
    withBridge(
      async (bridge) => {
        await ask(bridge, "POST", "/sessions", { session_id: "s" })
        assert.deepStrictEqual((await ask(bridge, "POST", "/sessions/s/stop")).body, { stopped: false })
        await ask(bridge, "POST", "/sessions/s/message", { message: "Go" })
        await readUntil(bridge, "/sessions/s/events", ({ type }) => type === "delta")
        assert.strictEqual(codeOf(await ask(bridge, "POST", "/sessions/s/message", { message: "More" })), "THREAD_BUSY")
        assert.deepStrictEqual((await ask(bridge, "POST", "/sessions/s/stop")).body, { stopped: true })
        const read = await readUntil(bridge, "/sessions/s/events", isDone)
        assert.deepInclude(read.at(-1)?.event.data, { outcome: "cancelled", stopped: true })
      },
      {
        behave: (message, say) => {
          if (isPrompt(message)) return say(init(), text("Once upon"))
          if (message["type"] !== "control_request") return Effect.void
          const id = message["request_id"]
          return say(
            { type: "control_response", response: { subtype: "success", request_id: id, response: {} } },
            result({ subtype: "error_during_execution", terminal_reason: "aborted_streaming" })
          )
        }
      }
    ))

  it("asks for permission, and says what was decided and done", () =>
    withBridge(
      async (bridge) => {
        await ask(bridge, "POST", "/sessions", { session_id: "s" })
        await ask(bridge, "POST", "/sessions/s/message", { message: "Go" })
        const asked = await readUntil(bridge, "/sessions/s/events", ({ type }) => type === "permission_request")
        assert.deepInclude(asked.at(-1)?.event.data, {
          request_id: "q",
          tool_name: "Bash",
          tool_input: { command: "cat a | grep b" },
          tool_use_id: "toolu_1"
        })
        await ask(bridge, "POST", "/api/sessions/s/approvals/q", { behavior: "allow" })
        const rest = await readUntil(bridge, "/sessions/s/events", isDone, asked.at(-1)?.id)
        assert.deepStrictEqual(typesOf(rest), ["permission_resolved", "tool_result", "delta", "result", "done"])
        assert.deepInclude(rest[0]?.event.data, { allowed: true, by: "answered" })
        assert.deepInclude(rest[1]?.event.data, { file_path: "a", is_file_read: true, summary: "a" })
      },
      {
        session: { approvals: "event" },
        behave: (message, say) => {
          const input = { command: "cat a | grep b" }
          if (isPrompt(message))
            return say(init(), toolUse("toolu_1", "Bash", input), question("q", "Bash", "toolu_1", input))
          return message["type"] === "control_response"
            ? say(toolResult("toolu_1", "b"), text("Seen."), result())
            : Effect.void
        }
      }
    ))

  it("is put away and taken back", () =>
    withBridge(async (bridge) => {
      await ask(bridge, "POST", "/sessions", { session_id: "s" })
      await ask(bridge, "POST", "/sessions/s/message", { message: "One" })
      const first = await readUntil(bridge, "/sessions/s/events", isDone)
      assert.deepStrictEqual((await ask(bridge, "DELETE", "/sessions/s")).body, { archived: true })
      assert.deepInclude((await ask(bridge, "GET", "/api/sessions/s")).body, { archived: true, status: "disconnected" })
      assert.deepStrictEqual(await ask(bridge, "POST", "/sessions/s/resume"), {
        status: 200,
        body: { id: "s", session_id: "s", runtime: "Claude Code", provider_session_id: "provider-1", resumed: true }
      })
      assert.deepInclude((await ask(bridge, "GET", "/api/sessions/s")).body, { archived: false })
      await ask(bridge, "POST", "/sessions/s/message", { message: "Two" })
      const rest = await readUntil(bridge, "/sessions/s/events", isDone, first.at(-1)?.id)
      assert.deepStrictEqual(typesOf(rest), ["thinking", "delta", "result", "done"])
    }))
})

describe("a reader that was cut off", () => {
  it.each(["subagent_background", "subagent_parallel", "three_tool_turns"])(
    "after any event of %s has the same list in the end",
    (scenario) => {
      const { behave, turns } = replaying(scenario)
      return withBridge(
        async (bridge) => {
          await ask(bridge, "POST", "/sessions", { session_id: "s" })
          await ask(bridge, "POST", "/sessions/s/message", { message: "Go" })
          const all = await readUntil(bridge, "/sessions/s/events", afterTurns(turns))
          assert.isAbove(all.length, 10)
          assert.strictEqual(new Set(all.map(({ id }) => id)).size, all.length)
          for (const [index, { id }] of all.slice(0, -1).entries()) {
            const wanted = all.slice(index + 1)
            const rest = await readUntil(bridge, "/sessions/s/events", (_, count) => count === wanted.length, id)
            assert.deepStrictEqual(rest, wanted)
          }
        },
        { behave }
      )
    }
  )

  it("begins anew where its numbers are those of a session that was forgotten", () =>
    withBridge(async (bridge) => {
      const talk = async (): Promise<ReadonlyArray<Numbered>> => {
        await ask(bridge, "POST", "/sessions", { session_id: "s" })
        await ask(bridge, "POST", "/sessions/s/message", { message: "Hi" })
        return readUntil(bridge, "/sessions/s/events", isDone)
      }
      const before = await talk()
      await ask(bridge, "DELETE", "/api/sessions/s")
      const after = await talk()
      const lost = before.at(-1)?.id.replace(/-.*/, "-1") ?? ""
      assert.deepStrictEqual(await readUntil(bridge, "/sessions/s/events", isDone, lost), after)
    }))
})

describe("the stream", () => {
  it("is kept alive while nothing happens", () =>
    withBridge(
      async (bridge) => {
        await ask(bridge, "POST", "/sessions", { session_id: "s" })
        const left = new AbortController()
        const response = await fetch(new URL("/sessions/s/events", bridge.url), {
          headers: bridge.headers,
          signal: left.signal
        })
        let said = ""
        for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          said += chunk
          if (said.includes(": keep-alive")) break
        }
        left.abort()
        assert.match(said, /^event: session_ready\nid: -1-\w+\ndata: \{.*\}\n\n: keep-alive/)
      },
      { http: { sse: { keepAlive: 20 } } }
    ))
})

describe("what does not fit", () => {
  const cases = [
    ["POST", "/sessions", { runtime: "codex" }, 404, "AGENT_NOT_FOUND"],
    ["POST", "/sessions", { session_id: 1 }, 400, "BAD_INPUT"],
    ["POST", "/sessions", { session_id: "s" }, 409, "THREAD_EXISTS"],
    ["POST", "/sessions", { params: { workingDir: "relative" } }, 403, "FOLDER_REFUSED"],
    ["POST", "/sessions", { params: { env: { A: "b" } } }, 403, "OPTION_REFUSED"],
    ["POST", "/sessions/s/message", {}, 400, "BAD_INPUT"],
    ["POST", "/sessions/s/message", { message: "" }, 400, "BAD_INPUT"],
    ["POST", "/sessions/none/message", { message: "Hi" }, 404, "SESSION_NOT_FOUND"],
    ["POST", "/sessions/none/stop", undefined, 404, "SESSION_NOT_FOUND"],
    ["POST", "/sessions/none/resume", undefined, 404, "SESSION_NOT_FOUND"],
    ["POST", "/sessions/s/resume", { provider_session_id: "other" }, 409, "THREAD_EXISTS"],
    ["DELETE", "/sessions/none", undefined, 404, "SESSION_NOT_FOUND"],
    ["GET", "/sessions/none/events", undefined, 404, "SESSION_NOT_FOUND"],
    ["GET", "/sessions/s/events?from=x", undefined, 400, "BAD_INPUT"]
  ] as const

  it("is refused with a code", () =>
    withBridge(async (bridge) => {
      await ask(bridge, "POST", "/sessions", { session_id: "s" })
      for (const [method, path, body, status, code] of cases) {
        const got = await ask(bridge, method, path, body)
        assert.deepStrictEqual([got.status, codeOf(got)], [status, code], `${method} ${path}`)
      }
    }))

  it("needs the token", () =>
    withBridge(async (bridge) => {
      assert.strictEqual(codeOf(await ask({ ...bridge, headers: {} }, "POST", "/sessions", {})), "UNAUTHORIZED")
    }))
})
