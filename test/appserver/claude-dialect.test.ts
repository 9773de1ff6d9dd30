/**
 * The dialect claude-app-server in front of the real Claude Code: the session that its document shows, line by line, an
 * approval in the mode that asks, and every method of the table in docs/claude-app-server.md.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { installCli } from "@agentwire/fixtures"
import { notifications, requests } from "@agentwire/protocol/claudeappserver"
import { isRecord } from "@agentwire/protocol/wire"
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import type { Beat } from "../../packages/cli/src/conform/appserver/Script.ts"
import { makeStage, type Stage } from "../../packages/cli/src/conform/appserver/Stage.ts"
import { agentwireCommand } from "../../packages/cli/test/AgentwireCommand.ts"

type Message = Readonly<Record<string, unknown>>

/** A server, spoken to in lines. */
interface Talk {
  readonly stage: Stage
  /** Writes a line as it is, and waits for the answer to its id. */
  readonly line: (text: string) => Promise<Message>
  readonly ask: (method: string, params?: object) => Promise<Message>
  /** Waits for the next notification of a method. */
  readonly heard: (method: string) => Promise<Message>
  readonly all: ReadonlyArray<Message>
}

const talking = async (beats: ReadonlyArray<Beat>, use: (talk: Talk) => Promise<void>): Promise<void> => {
  const stage = await makeStage(beats)
  const { args, program } = await installCli("2.1.325")
  const [node, ...words] = agentwireCommand
  const given = ["app-server", "--dialect", "claude-app-server", "--cli", args[0] ?? program]
  const child = spawn(node, [...words, ...given], {
    cwd: stage.project,
    env: stage.env,
    stdio: ["pipe", "pipe", "inherit"]
  })
  const all: Array<Message> = []
  const watchers = new Set<() => void>()
  createInterface({ input: child.stdout }).on("line", (line) => {
    all.push(JSON.parse(line))
    for (const watch of [...watchers]) watch()
  })
  const next = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = all.find(fits)
        if (found === undefined) return
        watchers.delete(look)
        resolve(found)
      }
      watchers.add(look)
      look()
    })
  let id = 100
  const line: Talk["line"] = (text) => {
    child.stdin.write(`${text}\n`)
    const asked = JSON.parse(text).id
    return next((message) => message["id"] === asked)
  }
  const seen = new Set<Message>()
  const talk: Talk = {
    stage,
    all,
    line,
    ask: (method, params) => line(JSON.stringify({ jsonrpc: "2.0", method, params, id: ++id })),
    heard: async (method) => {
      const found = await next((message) => message["method"] === method && !seen.has(message))
      seen.add(found)
      return fields(found["params"])
    }
  }
  try {
    await use(talk)
  } finally {
    child.stdin.end()
    await once(child, "close")
    await stage.close()
  }
}

const fields = (value: unknown): Message => (isRecord(value) ? value : {})

/** Every notification is what its schema says. */
const checked = (all: ReadonlyArray<Message>): void => {
  const schemas: Readonly<Record<string, Schema.Top>> = notifications
  for (const message of all) {
    expect(message["jsonrpc"]).toBe("2.0")
    const schema = typeof message["method"] === "string" ? schemas[message["method"]] : undefined
    if (schema !== undefined) expect(Schema.is(schema as Schema.Codec<unknown>)(message["params"])).toBe(true)
  }
}

it("runs the session that its document shows", async () => {
  await talking([{ say: ["There ", "is nothing."] }], async ({ all, heard, line, stage }) => {
    const there = (text: string) => text.replaceAll("/tmp/my-project", stage.project)
    const hello = await line(
      there(
        '{"jsonrpc":"2.0","method":"initialize","params":{"client":{"name":"demo","version":"1.0"},"cwd":"/tmp/my-project"},"id":1}'
      )
    )
    expect(fields(fields(hello["result"])["server"])["name"]).toBe("claude-app-server")
    expect(await heard("initialized")).toEqual({ server: "claude-app-server" })
    const begun = await line(
      there(
        '{"jsonrpc":"2.0","method":"thread/start","params":{"cwd":"/tmp/my-project","permission_mode":"acceptEdits"},"id":2}'
      )
    )
    const thread = String(fields(begun["result"])["thread_id"])
    const turn = await line(
      '{"jsonrpc":"2.0","method":"turn/start","params":{"thread_id":"<id from above>","content":"List the files in this project and summarize what it does."},"id":3}'.replace(
        "<id from above>",
        thread
      )
    )
    const turnId = fields(turn["result"])["turn_id"]
    expect(await heard("turn/started")).toEqual({ thread_id: thread, turn_id: turnId })
    expect(await heard("turn/completed")).toMatchObject({ turn_id: turnId, status: "completed", items_count: 1 })
    const pieces = all.flatMap(({ method, params }) =>
      method === "item/progress" ? [fields(fields(params)["delta"])["text"]] : []
    )
    expect(pieces.join("")).toBe("There is nothing.")
    checked(all)
  })
})

it("asks in the default mode, and answers every method", async () => {
  const beats: ReadonlyArray<Beat> = [
    { run: "touch made.txt" },
    { say: ["Made."] },
    { write: "note.txt", content: "A note.\n" },
    { say: ["Not written."] },
    { hang: ["I ", "write"] }
  ]
  await talking(beats, async ({ all, ask, heard, stage }) => {
    const asked = new Set<string>()
    const result = async (method: keyof typeof requests, params: object = {}): Promise<Message> => {
      asked.add(method)
      const answer = await ask(method, params)
      expect(
        Schema.is(requests[method].result as Schema.Codec<unknown>)(answer["result"]),
        JSON.stringify(answer)
      ).toBe(true)
      return fields(answer["result"])
    }
    expect(fields((await ask("thread/start"))["error"])).toMatchObject({ code: -32600 })
    await result("initialize", { client: { name: "demo" }, permission_mode: "default" })
    expect(fields((await ask("thread/dream"))["error"])).toMatchObject({ code: -32601 })
    expect(fields((await ask("turn/start", {}))["error"])).toMatchObject({ code: -32602 })
    // Only where the operator lets clients choose it.
    expect(await result("thread/start", { permission_mode: "bypassPermissions" })).toMatchObject({
      permission_mode: "default"
    })
    const { thread_id } = await result("thread/start")
    await result("turn/start", { thread_id, content: "Make a file." })
    const question = await heard("approval/request")
    expect(question).toMatchObject({ tool_name: "bash", input: { command: "touch made.txt" } })
    await result("approval/respond", { request_id: question["request_id"], approved: true })
    expect(await heard("turn/completed")).toMatchObject({ status: "completed" })
    expect(existsSync(join(stage.project, "made.txt"))).toBe(true)

    await result("turn/start", { thread_id, content: "Write a note." })
    const second = await heard("approval/request")
    expect(second).toMatchObject({ tool_name: "write_file" })
    await result("approval/respond", { request_id: second["request_id"], approved: false })
    await heard("turn/completed")
    expect(existsSync(join(stage.project, "note.txt"))).toBe(false)

    await result("turn/start", { thread_id, content: "Write for ever." })
    // Those before are of other turns.
    while (!JSON.stringify(await heard("item/progress")).includes("I ")) expect(all.length).toBeLessThan(1000)
    await result("turn/steer", { thread_id, content: "And more." })
    await result("turn/interrupt", { thread_id })
    expect(await heard("turn/completed")).toMatchObject({ status: "interrupted" })

    expect(await result("thread/resume", { thread_id })).toMatchObject({
      turns: [
        { status: "completed", content: "Make a file." },
        { content: "Write a note." },
        { status: "interrupted" },
        { content: "And more." }
      ]
    })
    expect((await result("thread/fork", { thread_id }))["forked_from"]).toBe(thread_id)
    await result("model/list")
    await result("skills/list")
    expect(await result("app/list")).toEqual({ apps: [] })
    expect([...asked].sort()).toEqual(Object.keys(requests).sort())
    checked(all)
  })
})

it("has a row for every method in the docs", () => {
  const page = readFileSync(new URL("../../docs/claude-app-server.md", import.meta.url), "utf8")
  for (const method of [...Object.keys(requests), ...Object.keys(notifications)])
    expect(page).toContain(`| \`${method}\` |`)
})
