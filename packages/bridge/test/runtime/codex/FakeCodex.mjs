#!/usr/bin/env node
/**
 * Plays `codex app-server`: as little of it as a session needs, and misbehaving as `FAKE` in its environment says. At each
 * prompt it asks what nobody understands, and says in its answer what it was answered.
 */
import { createInterface } from "node:readline"

const mode = process.env.FAKE ?? ""
if (process.argv.includes("--version")) {
  process.stdout.write("codex-cli 0.166.0\n")
  process.exit(0)
}

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const say = (method, params) => write({ method, params, emittedAtMs: 0 })
const threadId = `thread-${process.pid}`
const answers = new Map()
let turns = 0

const turnOf = (id, status) => ({ id, items: [], itemsView: "notLoaded", status, error: null })

const odd = [
  { id: 0, method: "nobody/knows", params: { threadId } },
  { id: 1, method: "item/commandExecution/requestApproval", params: { threadId, turnId: 7, itemId: null } },
  { id: 2, method: "item/tool/call", params: "no params at all" },
  { id: 3, method: "attestation/generate", params: {} }
]

const begin = (id) => {
  const turnId = `turn-${process.pid}-${++turns}`
  answers.clear()
  write({ id, result: { turn: turnOf(turnId, "inProgress") } })
  say("turn/started", { threadId, turn: turnOf(turnId, "inProgress") })
  if (mode === "mute") return
  for (const request of odd) write(request)
  process.stdout.write("not a line of JSON\n")
}

const end = () => {
  const turnId = `turn-${process.pid}-${turns}`
  const text = JSON.stringify([...answers].sort(([a], [b]) => a - b).map(([, { error }]) => error?.code ?? "answered"))
  const item = { type: "agentMessage", id: `message-${turns}`, text, phase: null }
  say("item/started", { item: { ...item, text: "" }, threadId, turnId, startedAtMs: 0 })
  say("item/completed", { item, threadId, turnId, completedAtMs: 0 })
  say("turn/completed", { threadId, turn: turnOf(turnId, "completed") })
}

const methods = {
  initialize: (id) => mode !== "silent" && write({ id, result: { userAgent: "fake" } }),
  "thread/start": (id) =>
    write({ id, result: { thread: { id: threadId, turns: [] }, model: "m", cwd: process.cwd() } }),
  "thread/resume": (id, params) =>
    write({ id, error: { code: -32600, message: `no rollout found for thread id ${params.threadId}` } }),
  "thread/fork": (id) => write({ id, error: { code: -32600, message: "no such turn" } }),
  "turn/start": begin,
  "turn/interrupt": (id, { turnId }) => {
    write({ id, result: {} })
    say("turn/completed", { threadId, turn: turnOf(turnId, "interrupted") })
  }
}

if (mode === "dies") {
  process.stderr.write("error: no home for me\n")
  process.exit(3)
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, ...answer } = JSON.parse(line)
  if (method === undefined) {
    answers.set(id, answer)
    if (answers.size === odd.length) end()
    return
  }
  if (id === undefined) return
  const known = methods[method]
  if (known === undefined) write({ id, error: { code: -32600, message: `unknown variant ${method}` } })
  else known(id, params)
})
