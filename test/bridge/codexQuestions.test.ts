/**
 * Every kind of question that the real Codex asks, through the bridge, with every kind of answer; and what may be changed
 * about a thread while it lives. One bridge, a thread for each.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { McpTool } from "@agentwire/fixtures/scenario"
import type * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Session } from "../../packages/bridge/src/session/Session.ts"
import type { ResponsesReply } from "../../packages/fixtures/src/codex/Responses.ts"
import type { JsonObject } from "../../packages/fixtures/src/Json.ts"
import { startMcpHttp } from "../../packages/fixtures/src/Mcp.ts"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { withCodex } from "./CodexBridge.ts"
import { networkTests } from "./CodexNetwork.ts"

const calls = (name: string, given: JsonObject, namespace?: string): ResponsesReply => ({
  kind: "response",
  items: [{ kind: "call", name, arguments: given, ...(namespace !== undefined && { namespace }) }]
})

const patches = (name: string, line: string): ResponsesReply => ({
  kind: "response",
  items: [
    { kind: "custom", name: "apply_patch", input: `*** Begin Patch\n*** Add File: ${name}\n+${line}\n*** End Patch` }
  ]
})

const says = (words: string): ResponsesReply => ({ kind: "text", deltas: [words] })

const allow: Model.Answer = { type: "allow" }
const decline: Model.Answer = { type: "deny", reason: "No." }
const cancel: Model.Answer = { type: "deny", reason: "No.", interrupt: true }
const remember = (...ids: ReadonlyArray<string>): Model.Answer => ({ type: "allow", remember: ids })

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

let prompts = 0

/** Says something, answers what is asked in order, and gives what was asked, once the turn is over. */
const ask = async (
  session: Session,
  ...answers: ReadonlyArray<Model.Answer | ((asked: Model.Request) => Model.Answer)>
) => {
  const { turns } = session.log.situation()
  const id = `p${prompts++}`
  const prompt = { type: "prompt", said: [{ id, content: "Go." }] } as const
  await Effect.runPromise(
    session.submit(() => Result.succeed({ ticket: id, answers: [], results: [], tools: [], prompt }))
  )
  const asked: Array<Model.Request> = []
  for (const answer of answers) {
    const open = () => [...session.log.situation().requests.values()].map(({ request }) => request)
    await until(() => open().some((each) => !asked.some((known) => known.id === each.id)))
    const request = open().find((each) => !asked.some((known) => known.id === each.id))
    if (request === undefined) throw new Error("nothing is asked")
    asked.push(request)
    await Effect.runPromise(session.answer(request.id, typeof answer === "function" ? answer(request) : answer))
  }
  await until(() => session.log.situation().turns > turns && session.log.situation().turn === undefined)
  return asked
}

const plain = { type: "object", properties: { text: { type: "string" } } } as const

const tools: ReadonlyArray<McpTool> = [
  {
    name: "erases",
    description: "Erases",
    inputSchema: plain,
    annotations: { destructiveHint: true, readOnlyHint: false },
    result: { content: [{ type: "text", text: "erased" }] }
  },
  {
    name: "asks",
    description: "Asks the person",
    inputSchema: plain,
    annotations: { readOnlyHint: true },
    result: {},
    elicit: {
      message: "What is your name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
    }
  }
]

/** The items of a request to the model. */
const itemsOf = (
  request: Readonly<Record<string, unknown>> | undefined
): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const input = request?.["input"]
  return Array.isArray(input) ? input.filter(isRecord) : []
}

const questions = {
  questions: [
    {
      id: "color",
      header: "Color",
      question: "Which color?",
      options: [
        { label: "Red", description: "Like fire." },
        { label: "Blue", description: "Like water." }
      ]
    }
  ]
}

const wider = [
  calls("request_permissions", {
    reason: "To write there.",
    permissions: { file_system: { write: ["/tmp/agentwire-out"] } }
  })
]

const planMode = {
  collaborationMode: {
    mode: "plan",
    settings: { model: "gpt-5.5", reasoning_effort: null, developer_instructions: null }
  }
}

describe("what the real Codex asks", () => {
  it.live(
    "is answered: once, for the session, for good, no, and no and stop",
    () =>
      Effect.gen(function* () {
        const mcp = yield* Effect.acquireRelease(
          Effect.promise(() => startMcpHttp(tools)),
          ({ close }) => Effect.promise(close)
        )
        yield* withCodex(
          [
            { kind: "command", command: "touch one" },
            { kind: "command", command: "mkdir never" },
            { kind: "command", command: "touch one" },
            says("Known."),
            patches("a.txt", "one"),
            says("Made."),
            patches("b.txt", "two"),
            says("Not made."),
            ...wider,
            ...wider,
            ...wider,
            says("Wider."),
            calls("erases", { text: "a" }, "mcp__demo"),
            calls("erases", { text: "b" }, "mcp__demo"),
            calls("erases", { text: "c" }, "mcp__demo"),
            says("Erased."),
            calls("erases", { text: "d" }, "mcp__demo"),
            says("Unasked."),
            calls("asks", { text: "a" }, "mcp__demo"),
            calls("asks", { text: "b" }, "mcp__demo"),
            calls("asks", { text: "c" }, "mcp__demo"),
            says("Asked."),
            calls("request_user_input", questions),
            says("Blue it is.")
          ],
          {
            codex: { tables: ["[features]", "request_permissions_tool = true"] },
            session: { approvals: "interrupt", agent: { mcpServers: { demo: { type: "http", url: mcp.url } } } }
          },
          async ({ asked, project, session: open }) => {
            /** What the calls gave back, as the model was told last. */
            const outputs = (): ReadonlyArray<string> =>
              itemsOf(asked.at(-1)).flatMap(({ output, type }) =>
                type === "function_call_output" ? [typeof output === "string" ? output : JSON.stringify(output)] : []
              )
            // A rule that Codex suggests is kept for other threads, too; a cancel ends the turn.
            const first = await open("first")
            expect(await ask(first, remember("/execpolicy"), cancel)).toMatchObject([
              { kind: "permission", suggestions: [{ id: "/execpolicy" }] },
              { kind: "permission" }
            ])
            expect(existsSync(join(project, "one"))).toBe(true)
            expect(existsSync(join(project, "never"))).toBe(false)
            const second = await open("second")
            expect(await ask(second)).toEqual([])
            expect(asked).toHaveLength(4)

            // Who sends back all that was shown allows just that.
            const files = await open("files")
            const [patch] = await ask(files, (request) => ({
              type: "allow",
              ...(request.kind !== "form" && { input: request.input })
            }))
            expect(patch).toMatchObject({
              kind: "permission",
              tool: "fileChange",
              input: { changes: [{ diff: "one\n" }] }
            })
            expect(readFileSync(join(project, "a.txt"), "utf8")).toBe("one\n")
            await ask(files, decline)
            expect(existsSync(join(project, "b.txt"))).toBe(false)

            // Permissions that the model asks for: none, for the turn, for the session.
            const wide = await open("wide")
            await Effect.runPromise(wide.start)
            await Effect.runPromise(wide.native.request("thread/settings/update", { approvalPolicy: "on-request" }))
            const [more] = await ask(wide, decline, allow, remember("session"))
            expect(more).toMatchObject({ kind: "permission", tool: "requestPermissions", reason: "To write there." })
            expect(outputs().map((output) => JSON.parse(output))).toMatchObject([
              { permissions: {}, scope: "turn" },
              { permissions: { file_system: { write: ["/tmp/agentwire-out"] } }, scope: "turn" },
              { permissions: { file_system: { write: ["/tmp/agentwire-out"] } }, scope: "session" }
            ])

            // A tool of an MCP server, asked about as a form that nobody fills in.
            const tools = await open("tools")
            const [erase] = await ask(tools, decline, allow, remember("session"))
            expect(erase).toMatchObject({
              ...{ kind: "permission", tool: "mcp__demo__erases", input: { text: "a" } },
              ...{ remember: [{ id: "session" }], suggestions: [{ id: "/always" }] }
            })
            expect(outputs().map((output) => output.includes("erased"))).toEqual([false, true, true])
            expect(await ask(tools)).toEqual([])

            // A form of the MCP server itself: filled in, declined, dismissed.
            await Effect.runPromise(tools.native.request("thread/settings/update", { approvalPolicy: "on-request" }))
            const filled = { type: "filled", content: { name: "Ada" } } as const
            const [form] = await ask(tools, filled, { type: "declined" }, { type: "dismissed" })
            expect(form).toMatchObject({ kind: "form", server: "demo", schema: { required: ["name"] } })
            const [ada, declined, dismissed] = outputs().slice(-3)
            expect(ada).toContain("Ada")
            expect(declined).toContain("decline")
            expect(dismissed).toContain("cancel")

            // A question of the model, in plan mode.
            const plans = await open("plans")
            await Effect.runPromise(plans.start)
            await Effect.runPromise(plans.native.request("thread/settings/update", planMode))
            const [question] = await ask(plans, { type: "chosen", answers: { "Which color?": "Blue" } })
            expect(question).toMatchObject({ kind: "choice", choices: [{ question: "Which color?", header: "Color" }] })
            expect(outputs()).toEqual(['{"answers":{"color":{"answers":["Blue"]}}}'])
          }
        )
      }).pipe(Effect.scoped),
    60000
  )
})

describe("a thread of the real Codex", () => {
  it.live("changes while it lives, stays so in its next process, and has its own requests", () =>
    withCodex(
      [
        says("One."),
        says("Two."),
        { kind: "command", command: "touch unasked" },
        says("Three."),
        says("Four."),
        says("What was said.")
      ],
      { session: { approvals: "interrupt" } },
      async ({ asked, project, session: open }) => {
        const session = await open()
        const request = (method: string, body: Readonly<Record<string, unknown>> = {}) =>
          Effect.runPromise(session.native.request(method, body))
        const chosen = () => ({ model: asked.at(-1)?.["model"], effort: asked.at(-1)?.["reasoning"] })
        await ask(session)
        expect(chosen().model).toBe("gpt-5.5")
        await Effect.runPromise(session.set({ model: "gpt-5.4", effort: "high" }))
        await ask(session)
        expect(chosen()).toMatchObject({ model: "gpt-5.4", effort: { effort: "high" } })
        await Effect.runPromise(session.set({ permissionMode: "full-access" }))
        const wrong = [{ permissionMode: "plan" }, { model: null }] as const
        const refusals = await Promise.all(wrong.map((each) => Effect.runPromise(Effect.flip(session.set(each)))))
        expect(refusals.map((refused) => refused.code)).toEqual(["REFUSED", "UNSUPPORTED"])
        await Effect.runPromise(session.disconnect)
        expect(await ask(session)).toEqual([])
        expect(existsSync(join(project, "unasked"))).toBe(true)
        expect(chosen()).toMatchObject({ model: "gpt-5.4", effort: { effort: "high" } })
        expect(await Effect.runPromise(session.options)).toMatchObject({
          ...{ model: "gpt-5.4", effort: "high", permissionMode: "full-access" }
        })

        expect(await request("skills/list")).toHaveProperty("data")
        expect(await request("thread/read")).toHaveProperty(
          "thread.id",
          await Effect.runPromise(session.providerSessionId)
        )
        expect(await request("thread/turns/list")).toMatchObject({ data: [{}, {}, {}] })
        expect(await request("thread/list")).toHaveProperty("data")
        const { data } = (await request("thread/turns/list")) as {
          readonly data: ReadonlyArray<{ readonly id: string }>
        }
        expect(data).toHaveLength(3)
        await ask(session)
        const { turns } = session.log.situation()
        await request("thread/compact/start")
        await until(() => session.log.situation().turns > turns && session.log.situation().turn === undefined)
        expect(session.log.situation().resets).toBe(1)
        await request("thread/archive")
        await request("thread/unarchive")
      }
    )
  )
})

if (sweeping) networkTests()
