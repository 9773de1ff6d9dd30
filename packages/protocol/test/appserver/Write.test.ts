/** What clients of the app-server are told, case by case. */
import { describe, expect, it } from "vitest"
import { changesOf } from "../../src/appserver/Diff.ts"
import { AppServer, type Model } from "../../src/index.ts"
import type { JsonObject } from "../../src/wire/Open.ts"
import { options, written } from "./Conversations.ts"

/** What a client is told of some events, a second apart. */
const told = (events: ReadonlyArray<Model.Event>): ReadonlyArray<AppServer.AppServerOut> =>
  written(events.map((event, index) => ({ at: 1_700_000_000_000 + 1000 * index, event }))).parts.flat()

const began: Model.Event = { type: "turn_started", cause: "prompt" }
const over: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }

const call = (
  id: string,
  tool: string,
  action: Model.Action,
  input: object,
  lane: Model.Lane = null
): ReadonlyArray<Model.Event> => [
  { type: "item_started", lane, id, item: { kind: "call", tool, action, parent: "m" } },
  { type: "item_grew", lane, id, delta: JSON.stringify(input) },
  { type: "item_ended", lane, id }
]

const answered = (id: string, content: string, more: object = {}): Model.Event => ({
  type: "call_answered",
  lane: null,
  id,
  content,
  failed: false,
  ...more
})

const permission = (tool: string, input: Record<string, unknown>, id = "c"): Model.Event => ({
  type: "request_opened",
  lane: null,
  request: {
    id: "r",
    kind: "permission",
    message: `May it use ${tool}?`,
    call: id,
    tool,
    input,
    remember: [{ id: "always", label: tool }],
    details: {}
  }
})

const closed = (verdict: string): Model.Event => ({
  type: "request_closed",
  lane: null,
  id: "r",
  by: "answered",
  verdict
})

/** A message in one word: what it is about. */
const gist = (out: AppServer.AppServerOut): string => {
  if (out._tag === "Resolved") return "resolved"
  const { item, status } = out.params as {
    readonly item?: { readonly type: string; readonly status?: string }
    readonly status?: { readonly type: string; readonly activeFlags?: ReadonlyArray<string> }
  }
  const about = item === undefined ? [status?.type, ...(status?.activeFlags ?? [])] : [item.type, item.status]
  return [out.method, ...about.filter((word) => word !== undefined)].join(" ")
}

const itemsIn = (outs: ReadonlyArray<AppServer.AppServerOut>, method: "item/started" | "item/completed") =>
  outs.flatMap((out) =>
    out._tag === "Notification" && out.method === method ? [(out.params as { readonly item: unknown }).item] : []
  )

describe("the order", () => {
  it("of a turn with a prompt and an answer is Codex's own", () => {
    const usage = { input: 100, output: 10, cachedInput: 40, cacheWriteInput: 5 }
    const outs = told([
      began,
      { type: "item_started", lane: null, id: "p", item: { kind: "prompt", content: "Hi" } },
      { type: "item_started", lane: null, id: "t", item: { kind: "text" } },
      { type: "item_grew", lane: null, id: "t", delta: "Hel" },
      { type: "item_grew", lane: null, id: "t", delta: "lo." },
      { type: "item_ended", lane: null, id: "t" },
      { type: "spent", usage },
      { ...over, usage } as Model.Event
    ])
    expect(outs.map(gist)).toEqual([
      "thread/status/changed active",
      "turn/started",
      "item/started userMessage",
      "item/completed userMessage",
      "item/started agentMessage",
      "item/agentMessage/delta",
      "item/agentMessage/delta",
      "item/completed agentMessage",
      "thread/tokenUsage/updated",
      "thread/status/changed idle",
      "turn/completed"
    ])
    const [spent, , end] = outs.slice(-3)
    expect(spent?._tag === "Notification" && spent.params).toMatchObject({
      tokenUsage: { last: { inputTokens: 100, cachedInputTokens: 40, cacheWriteInputTokens: 5, totalTokens: 110 } }
    })
    expect(end?._tag === "Notification" && end.params).toMatchObject({
      turn: {
        id: AppServer.turnIdOf(options.threadId, 1),
        status: "completed",
        itemsView: "summary",
        items: [{ type: "agentMessage", text: "Hello." }],
        startedAt: 1_700_000_000,
        durationMs: 7000
      }
    })
  })

  it("counts a model call whole: what comes later without input is of the same call", () => {
    const usage = { input: 100, output: 1, cachedInput: 40, cacheWriteInput: 5 }
    const later = { ...usage, output: 10 }
    const outs = told([began, { type: "spent", usage }, { type: "spent", usage: later }, { ...over, usage: later }])
    expect(
      outs.flatMap((out) => (out._tag === "Notification" && out.method === "thread/tokenUsage/updated" ? [out] : []))
    ).toMatchObject([
      { params: { tokenUsage: { last: { inputTokens: 100, outputTokens: 1 } } } },
      { params: { tokenUsage: { last: { inputTokens: 100, outputTokens: 10 }, total: { totalTokens: 110 } } } }
    ])
  })

  it("of a command that is asked about is Codex's own", () => {
    const outs = told([
      began,
      ...call("c", "Bash", "command", { command: "cat a.txt", description: "Look" }),
      permission("Bash", { command: "cat a.txt" }),
      closed("allow"),
      answered("c", "one\n", { exitCode: 0 }),
      over
    ])
    expect(outs.map(gist).slice(2, -2)).toEqual([
      "item/started commandExecution inProgress",
      "thread/status/changed active waitingOnApproval",
      "item/commandExecution/requestApproval",
      "resolved",
      "thread/status/changed active",
      "item/completed commandExecution completed"
    ])
    const ask = outs.find((out) => out._tag === "Ask")
    expect(ask?._tag === "Ask" && ask.params).toMatchObject({
      itemId: "c",
      command: "/bin/bash -lc 'cat a.txt'",
      commandActions: [{ type: "read", command: "cat a.txt", name: "a.txt", path: "a.txt" }],
      availableDecisions: ["accept", "acceptForSession", "decline", "cancel"]
    })
    expect(itemsIn(outs, "item/completed")[0]).toMatchObject({ aggregatedOutput: "one\n", exitCode: 0 })
  })

  it("of a command is told with its shell, and with what it wrote", () => {
    const commands = ["echo 'a b' > it's", "/bin/bash -lc 'ls -l'"]
    const items = commands.map((command) => {
      const [last] = told([
        began,
        ...call("c", "Bash", "command", { command }),
        answered("c", "(Bash completed with no output)")
      ]).slice(-1)
      return last?._tag === "Notification" && last.method === "item/completed" ? last.params.item : undefined
    })
    expect(items).toMatchObject([
      {
        command: String.raw`/bin/bash -lc 'echo '\''a b'\'' > it'\''s'`,
        commandActions: [{ type: "unknown", command: "echo 'a b' > it's" }],
        aggregatedOutput: ""
      },
      { command: "/bin/bash -lc 'ls -l'", commandActions: [{ type: "listFiles", command: "ls -l" }] }
    ])
  })

  it("of a command that is refused", () => {
    const outs = told([
      began,
      ...call("c", "Bash", "command", { command: "rm a" }),
      permission("Bash", { command: "rm a" }),
      closed("deny"),
      answered("c", "The user does not want this.", { failed: true }),
      over
    ])
    expect(itemsIn(outs, "item/completed")[0]).toMatchObject({
      status: "declined",
      aggregatedOutput: null,
      exitCode: null
    })
  })

  it("of a failure tells it twice", () => {
    const outs = told([
      began,
      { type: "turn_ended", outcome: { type: "failed", code: "rate_limit", message: "Too many." } }
    ])
    expect(outs.map(gist).slice(2)).toEqual(["thread/status/changed systemError", "error", "turn/completed"])
    expect(outs[3]).toMatchObject({
      params: { willRetry: false, error: { codexErrorInfo: "rateLimitExceeded", additionalDetails: "rate_limit" } }
    })
    expect(outs[4]).toMatchObject({
      params: { turn: { status: "failed", error: { message: "Too many." }, items: [] } }
    })
  })
})

describe("changes of files", () => {
  it("are there with their diffs before anybody is asked", () => {
    const outs = told([
      began,
      ...call("c", "Edit", "edit", { file_path: "/work/a.ts", old_string: "one\ntwo\n", new_string: "one\nzwei\n" }),
      permission("Edit", { file_path: "/work/a.ts" })
    ])
    expect(outs.map(gist).slice(2)).toEqual([
      "item/started fileChange inProgress",
      "thread/status/changed active waitingOnApproval",
      "item/fileChange/requestApproval"
    ])
    expect(itemsIn(outs, "item/started")[0]).toMatchObject({
      changes: [
        {
          path: "/work/a.ts",
          kind: { type: "update", move_path: null },
          diff: "@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n"
        }
      ]
    })
  })

  it("are of files where they are, whichever way leads there", () => {
    const changed = (file_path: string) => changesOf({ file_path, content: "a" }).map(({ path }) => path)
    expect(changed("/work/project/../note.txt")).toEqual(["/work/note.txt"])
    expect(changed("/work//./a/../../../x")).toEqual(["/x"])
    expect(changed("../note.txt")).toEqual(["../note.txt"])
  })

  it("of several places are hunks in their order, and written files are additions", () => {
    const outs = told([
      began,
      ...call("c", "MultiEdit", "edit", {
        file_path: "/work/a.ts",
        edits: [
          { old_string: "a", new_string: "b" },
          { old_string: "", new_string: "c" }
        ]
      }),
      answered("c", "done"),
      ...call("w", "Write", "write", { file_path: "/work/new.txt", content: "new\n" }),
      answered("w", "done"),
      over
    ])
    expect(itemsIn(outs, "item/started")).toMatchObject([
      { changes: [{ diff: "@@ -1 +1 @@\n-a\n+b\n@@ -2,0 +3 @@\n+c\n" }] },
      { changes: [{ path: "/work/new.txt", kind: { type: "add" }, diff: "new\n" }] }
    ])
    const diffs = outs.flatMap((out) =>
      out._tag === "Notification" && out.method === "turn/diff/updated" ? [out.params.diff] : []
    )
    expect(diffs.length).toBe(2)
    expect(diffs[1]).toContain(
      "diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n"
    )
  })
})

describe("other calls", () => {
  it("of MCP servers are asked about as Codex asks", () => {
    const outs = told([
      began,
      ...call("c", "mcp__demo__erase", "other", { text: "x" }),
      permission("mcp__demo__erase", { text: "x" }),
      closed("allow"),
      answered("c", "erased"),
      over
    ])
    const ask = outs.find((out) => out._tag === "Ask")
    expect(ask).toMatchObject({
      method: "mcpServer/elicitation/request",
      params: {
        serverName: "demo",
        mode: "form",
        _meta: { codex_approval_kind: "mcp_tool_call", persist: ["session"], tool_params: { text: "x" } },
        requestedSchema: { type: "object", properties: {} }
      }
    })
    expect(itemsIn(outs, "item/completed")[0]).toMatchObject({
      type: "mcpToolCall",
      server: "demo",
      tool: "erase",
      result: { content: [{ type: "text", text: "erased" }] }
    })
  })

  it("write down steps, propose plans and ask", () => {
    const outs = told([
      began,
      ...call("s", "TodoWrite", "other", {
        todos: [
          { content: "Look", status: "completed", activeForm: "Looking" },
          { content: "Leap", status: "in_progress", activeForm: "Leaping" }
        ]
      }),
      answered("s", "ok"),
      ...call("p", "ExitPlanMode", "question", { plan: "# Plan\n" }),
      answered("p", "ok"),
      over
    ])
    expect(outs.map(gist).slice(2, -2)).toEqual([
      "turn/plan/updated",
      "item/started plan",
      "item/plan/delta",
      "item/completed plan"
    ])
    expect(outs[2]).toMatchObject({
      params: {
        plan: [
          { step: "Look", status: "completed" },
          { step: "Leap", status: "inProgress" }
        ]
      }
    })
  })

  it("that start sub-agents have threads and turns of their own", () => {
    const child = AppServer.laneThreadId(options.threadId, "c")
    const outs = told([
      began,
      ...call("c", "Task", "agent", { prompt: "Say hello.", description: "greet", subagent_type: "x" }),
      { type: "lane_opened", lane: "c", parent: null, name: "x" },
      { type: "item_started", lane: "c", id: "t", item: { kind: "text" } },
      { type: "item_grew", lane: "c", id: "t", delta: "Hello." },
      { type: "item_ended", lane: "c", id: "t" },
      { type: "lane_closed", lane: "c", outcome: { type: "completed" } },
      answered("c", "Hello."),
      over
    ])
    const threads = outs.map((out) => {
      const { threadId } = out._tag === "Resolved" ? out : (out.params as { readonly threadId: string })
      return `${threadId === child ? "child" : "main"} ${gist(out)}`
    })
    expect(threads.slice(2, -2)).toEqual([
      "main item/started collabAgentToolCall inProgress",
      "main item/completed collabAgentToolCall completed",
      "main item/started collabAgentToolCall inProgress",
      "child thread/status/changed active",
      "child turn/started",
      "child item/started userMessage",
      "child item/completed userMessage",
      "child item/started agentMessage",
      "child item/agentMessage/delta",
      "child item/completed agentMessage",
      "child thread/status/changed idle",
      "child turn/completed",
      "main item/completed collabAgentToolCall completed"
    ])
    expect(itemsIn(outs, "item/completed").at(-1)).toMatchObject({
      tool: "wait",
      receiverThreadIds: [child],
      agentsStates: { [child]: { status: "completed", message: "Hello." } }
    })
  })
})

describe("what is cut off", () => {
  it("is closed at once, and continues in an item of its own", () => {
    const outs = told([
      began,
      { type: "item_started", lane: null, id: "t", item: { kind: "text" } },
      { type: "item_grew", lane: null, id: "t", delta: "One" },
      { type: "item_ended", lane: null, id: "t", abandoned: true },
      { type: "item_grew", lane: null, id: "t", delta: " two" },
      { type: "item_ended", lane: null, id: "t" },
      over
    ])
    expect(itemsIn(outs, "item/completed")).toMatchObject([
      { id: "t", text: "One" },
      { id: "t:2", text: " two" }
    ])
  })
})

describe("questions", () => {
  it("about a command offer what Codex offers, where the agent is Codex", () => {
    const offered = (details: JsonObject) => {
      const input = { command: "make" }
      const [asked] = told([
        began,
        ...call("c", "commandExecution", "command", input),
        {
          type: "request_opened",
          lane: null,
          request: {
            id: "q",
            kind: "permission",
            message: "?",
            call: "c",
            tool: "commandExecution",
            input,
            remember: [],
            details
          }
        }
      ]).filter(({ _tag }) => _tag === "Ask")
      return asked?._tag === "Ask" && "availableDecisions" in asked.params && asked.params.availableDecisions
    }
    const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["make"] } }
    expect(offered({ availableDecisions: ["accept", amendment, "cancel"] })).toEqual(["accept", amendment, "cancel"])
    for (const odd of [[], [7], "accept", undefined])
      expect(offered({ availableDecisions: odd })).toEqual(["accept", "decline", "cancel"])
  })

  it("are asked again of whoever joins, after their calls", () => {
    const before = [
      began,
      ...call("c", "Write", "write", { file_path: "/work/a", content: "a" }),
      permission("Write", { file_path: "/work/a", content: "a" })
    ]
    const history = new AppServer.ThreadHistory(options)
    for (const [at, event] of before.entries()) history.apply({ at, event })
    const [, asked] = AppServer.openQuestions(history.cursor, 10)
    expect(asked.map(gist)).toEqual(["item/fileChange/requestApproval"])
  })
})

describe("ThreadHistory", () => {
  const turn = (name: string): ReadonlyArray<Model.Event> => [
    began,
    { type: "item_started", lane: null, id: `p${name}`, item: { kind: "prompt", content: name } },
    { type: "item_started", lane: null, id: `t${name}`, item: { kind: "text" } },
    { type: "item_grew", lane: null, id: `t${name}`, delta: name },
    { type: "item_ended", lane: null, id: `t${name}` },
    over
  ]
  const idsOf = (events: ReadonlyArray<Model.Event>) =>
    AppServer.turnsOf(
      events.map((event, at) => ({ at, event })),
      options
    ).map(({ items }) => items.map((item) => ("id" in item ? item.id : "")))

  it("keeps to the path that the conversation is on", () => {
    const back = (branch: number, from: Model.EntryPlace | null): Model.Event => ({
      type: "branched",
      branch,
      from,
      after: null,
      anchor: null
    })
    const first = [...turn("a"), ...turn("b")]
    const second = [...first, back(1, { branch: 0, position: 1 }), ...turn("c")]
    expect(idsOf(first)).toEqual([
      ["pa", "ta"],
      ["pb", "tb"]
    ])
    expect(idsOf(second)).toEqual([
      ["pa", "ta"],
      ["pc", "tc"]
    ])
    expect(idsOf([...second, back(2, { branch: 0, position: 3 }), ...turn("d")])).toEqual([
      ["pa", "ta"],
      ["pb", "tb"],
      ["pd", "td"]
    ])
    expect(idsOf([...second, back(2, null), ...turn("e")])).toEqual([["pe", "te"]])
  })
})

describe("ids", () => {
  it("are UUIDs, the same for the same names and others for others", () => {
    const ids = Array.from({ length: 5000 }, (_, number) => AppServer.turnIdOf("t", number))
    expect(new Set(ids).size).toBe(5000)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(AppServer.turnIdOf("t", 1)).toBe(ids[1])
    expect(AppServer.laneThreadId("t", "turn")).not.toBe(AppServer.turnIdOf("t", 1))
  })
})
