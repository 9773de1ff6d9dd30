/**
 * Walks the table of the management API against a running server.
 */
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { api, type Endpoint } from "../../../src/face/management/Api.ts"
import { openApi } from "../../../src/face/management/OpenApi.ts"
import type { EndpointName } from "../../../src/face/management/Paths.ts"
import { routeOf } from "../../../src/face/management/Routes.ts"
import { echo, init, ask as question, toolUse } from "../../AgentLines.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import { ask, codeOf, entering, token } from "../../Serving.ts"
import { agreeable, examples, params, pathOf, send } from "./Examples.ts"
import { type Managed, managed } from "./Managed.ts"

const names = Object.keys(examples) as ReadonlyArray<EndpointName>

/** Reads a stream for as long as it takes to see its head. */
const head = async ({ server }: Managed, name: EndpointName): Promise<{ status: number; type: string | null }> => {
  const leaving = new AbortController()
  const response = await fetch(`${server.url}${pathOf(name)}${examples[name].query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal
  })
  leaving.abort()
  return { status: response.status, type: response.headers.get("content-type") }
}

const document = openApi() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
}

const operationOf = (name: EndpointName): Operation => {
  const { method, path } = routeOf(name)
  const found = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]
  assert(found !== undefined, `${name} is in the document`)
  return found
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** What is wrong with a value, by a schema of the document. */
const problemsOf = (schema: object, value: unknown): string => {
  const check = ajv.compile({ ...schema, components: document.components })
  return check(value) ? "" : ajv.errorsText(check.errors)
}

/** A session in which everything there is an example for can be done. */
const prepare = async (bridge: Managed): Promise<void> => {
  const threadId = params["threadId"] ?? ""
  await bridge.client.sessions.create({ threadId })
  await bridge.client.sessions.start(threadId)
}

/** A run whose prompt has an id of the client's. */
const runAs = async ({ server }: Managed, id: string): Promise<void> => {
  const threadId = params["threadId"]
  const messages = [{ id, role: "user", content: "Hi" }]
  await ask(server, "POST", "/", entering, JSON.stringify({ threadId, runId: `run-${id}`, messages }))
}

const asking: Line = question("ask-1", "Bash", "toolu_1", { command: "ls" })

/** An agent whose answers are none. */
const odd: Behaviour = (message, say) =>
  message["type"] === "control_request"
    ? say({
        type: "control_response",
        response: { subtype: "success", request_id: message["request_id"], response: "what?" }
      })
    : echo(message, say)

describe("every endpoint", () => {
  it("answers its example with the status and the document that are promised", async () => {
    await managed(
      async (bridge) => {
        await prepare(bridge)
        const session = await Effect.runPromise(bridge.sessions.open(params["threadId"] ?? ""))
        for (const name of names) {
          const { output }: Endpoint = api[name]
          if (output._tag === "Stream") {
            assert.deepStrictEqual(await head(bridge, name), { status: 200, type: "text/event-stream" }, name)
            continue
          }
          if (name === "approvals.answer") {
            await Effect.runPromise(bridge.agents.say(init(), toolUse("toolu_1", "Bash"), asking))
            while ((await Effect.runPromise(session.waiting)).length === 0) await new Promise(setImmediate)
          }
          if (name === "sessions.rewindFiles") await runAs(bridge, "u")
          const got = await send(bridge, name)
          // Nobody calls a tool of the application here.
          if (name === "tools.answer") {
            assert.strictEqual(codeOf(got), "NOTHING_PENDING")
            continue
          }
          // The run before is over here: `Steering.test.ts` has one that is open.
          if (name === "sessions.steer") {
            assert.strictEqual(codeOf(got), "NOTHING_TO_STEER")
            continue
          }
          // These agents keep nothing by themselves.
          if (name === "sessions.adopt") {
            assert.strictEqual(codeOf(got), "AGENT_UNSUPPORTED")
            continue
          }
          assert.strictEqual(got.status, output._tag === "Json" ? output.status : 200, `${name}: ${got.body}`)
          const described = operationOf(name).responses[got.status]?.content ?? {}
          const [[type, { schema }] = ["", { schema: {} }]] = Object.entries(described)
          assert.strictEqual(got.headers["content-type"]?.split(";")[0], type, name)
          if (output._tag === "Json") assert.strictEqual(problemsOf(schema, JSON.parse(got.body)), "", name)
        }
      },
      { behave: agreeable, session: { approvals: "event" }, http: { sessionOptions: ["env"] } }
    )
  })

  it("takes what its document takes, and refuses what it does not name, with where", async () => {
    await managed(
      async (bridge) => {
        await prepare(bridge)
        for (const name of names) {
          const { body, query } = examples[name]
          const schema = operationOf(name).requestBody?.content["application/json"]?.schema
          assert.strictEqual(schema === undefined, body === undefined, name)
          const more = { ...(body as object), surprise: 1 }
          if (schema !== undefined) {
            assert.strictEqual(problemsOf(schema, body), "", name)
            assert.notStrictEqual(problemsOf(schema, more), "", name)
          }
          const got = await send(bridge, name, { ...(query !== undefined && { query }), body: more })
          assert.strictEqual(codeOf(got), "BAD_INPUT", name)
          assert.match(got.body, /\$\.surprise/, name)
          const asked = await send(bridge, name, { ...(body !== undefined && { body }), query: "?surprise=1" })
          assert.strictEqual(codeOf(asked), "BAD_INPUT", name)
          assert.match(asked.body, /\$\.surprise/, name)
        }
        assert.strictEqual((await bridge.client.sessions.list()).sessions.length, 1, "nothing was done")
      },
      { behave: agreeable }
    )
  })

  it("refuses who has no token, and threads nobody knows or may have", async () => {
    await managed(async (bridge) => {
      for (const name of names) {
        const bare = await send(bridge, name, examples[name], params, { "content-type": "application/json" })
        assert.strictEqual(codeOf(bare), "UNAUTHORIZED", name)
        if (!routeOf(name).path.includes(":threadId")) continue
        assert.strictEqual(codeOf(await send(bridge, name)), "SESSION_NOT_FOUND", name)
        const bad = await send(bridge, name, examples[name], { ...params, threadId: "a\nb" })
        assert.strictEqual(codeOf(bad), "BAD_THREAD_ID", name)
      }
      assert.deepStrictEqual(
        await bridge.client.sessions.list(),
        { sessions: [], hasMore: false },
        "asking makes no session"
      )
    })
  })

  it("refuses with codes that its document names only", async () => {
    await managed(
      async (bridge) => {
        const threadId = params["threadId"] ?? ""
        await bridge.client.sessions.create({ threadId })
        const seen = new Set<string>()
        // First while the agent does not run, then with one that answers nothing as it should.
        const starting: ReadonlyArray<EndpointName> = ["sessions.start", "sessions.send"]
        const others = names.filter((name) => !starting.includes(name) && !/disconnect|remove/.test(name))
        for (const name of [...others, ...starting, ...others]) {
          const { output, refusals }: Endpoint = api[name]
          if (output._tag === "Stream") continue
          const got = await send(bridge, name)
          if (got.status < 300) continue
          const code = codeOf(got)
          seen.add(code)
          assert.include(refusals, code, name)
          const schema = operationOf(name).responses[got.status]?.content["application/json"]?.schema
          assert(schema !== undefined, `${name} says nothing of ${got.status}`)
          assert.strictEqual(problemsOf(schema, JSON.parse(got.body)), "", name)
          assert.notStrictEqual(problemsOf(schema, { error: { code: "OTHER", message: "" } }), "", name)
        }
        assert.includeMembers([...seen], ["AGENT_NOT_RUNNING", "AGENT_BAD_ANSWER", "NOTHING_PENDING"])
      },
      { behave: odd }
    )
  })
})
