/**
 * A stand-in for the CLI that does what its prompts say, and keeps its conversation in a file, as the CLI does:
 *
 * - `[MARK] talk 5` says five words, `MARK:0` to `MARK:4`;
 * - `[MARK] ask 5` says the first, asks whether a command may run, and says the others;
 * - `[MARK] page 5` calls a tool of the application in between;
 * - `[MARK] recall` says the marks of all prompts that it remembers, in order;
 * - `[MARK] name` calls the conversation `Named by its agent`;
 * - `[MARK] started` says with which arguments, variables and MCP servers it was started.
 *
 * With LEDGER=FILE it writes down what it was told: its start, the prompts, what it asked, and every answer.
 *
 * With KEEPS=late a conversation is written down when its first answer ends, as 2.1.37 does: one that is killed before
 * cannot be resumed. With KEEPS=lagging a line is written a tenth of a second after it was said, as later versions do.
 */
import { randomUUID } from "node:crypto"
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import {
  answer,
  begin,
  delta,
  end,
  result as endTurn,
  endWithCall,
  file,
  init,
  interrupted,
  own,
  say,
  toolResult,
  uuid
} from "../bridge/CliLines.mjs"

if (process.argv.includes("--version")) {
  process.stdout.write("2.1.325 (Claude Code)\n")
  process.exit(0)
}

// --- what it remembers ---------------------------------------------------------------------

const flag = (name) => process.argv.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
const folder = join(process.env.HOME ?? "", ".claude", "projects", process.cwd().replaceAll(/[^a-zA-Z0-9]/g, "-"))
mkdirSync(folder, { recursive: true })
const fileOf = (id) => join(folder, `${id}.jsonl`)
const resumed = flag("--resume")
if (resumed !== undefined && !existsSync(fileOf(resumed))) {
  endTurn("", { ...interrupted, errors: [`No conversation found with session ID: ${resumed}`], terminal_reason: null })
  process.exit(1)
}
own.session_id = resumed ?? randomUUID()
const ledger = process.env.LEDGER
const note = (what, id) => ledger !== undefined && appendFileSync(ledger, `${what} ${id}\n`)
note("started", process.pid)

const textOf = ({ content }) => (typeof content === "string" ? content : content.map(({ text }) => text).join("\n"))
/** What a prompt asks for. It may bring what was said before, and was not heard. */
const ordersIn = (text) => [...text.matchAll(/\[([\w.-]+)\] (talk|ask|page|recall|name|started) ?(\d*)/g)]
const marksIn = ({ message }) => ordersIn(textOf(message)).map(([, mark]) => mark)

const lines = resumed === undefined ? [] : readFileSync(fileOf(resumed), "utf8").split("\n").filter(Boolean)
const remembered = lines
  .map((line) => JSON.parse(line))
  .filter(({ type }) => type === "user")
  .flatMap(marksIn)
const isNew = lines.length === 0
/** What is not written down yet. */
const unwritten = []
const writeDown = () => {
  const text = unwritten.splice(0).map((line) => `${JSON.stringify(line)}\n`)
  if (text.length > 0) appendFileSync(fileOf(own.session_id), text.join(""))
}
let isAnswered = false

file.keep = (line) => {
  unwritten.push({ ...line, sessionId: own.session_id })
  if (process.env.KEEPS === "late" && isNew && !isAnswered) return
  if (process.env.KEEPS !== "lagging") writeDown()
  else if (unwritten.length === 1) setTimeout(writeDown, 100)
}

// --- what it does --------------------------------------------------------------------------

/** Counts the turns, so that one that was interrupted says no more. */
let turn = 0
let inTurn = false
let server = "frontend"
/** The MCP servers that it was given, by name. */
let servers = []
/** What is waited for, by the id of the request. */
const waiting = new Map()

const ask = (request) =>
  new Promise((resolve) => {
    const request_id = uuid()
    waiting.set(request_id, resolve)
    note("asked", request_id)
    say({ type: "control_request", request_id, request })
  })

const soon = () => new Promise((resolve) => setTimeout(resolve, Math.random() < 0.5 ? 0 : 3))

const finish = (text, more) => {
  inTurn = false
  isAnswered = true
  if (process.env.KEEPS !== "lagging") writeDown()
  endTurn(text, more)
}

/** Says words, some of a row. False when it was interrupted. */
const sayWords = async (mark, from, until, mine) => {
  for (let n = from; n < until; n++) {
    await soon()
    if (turn !== mine) return false
    delta(`${mark}:${n} `)
  }
  return true
}

const words = (mark, from, until) => Array.from({ length: until - from }, (_, n) => `${mark}:${from + n} `).join("")

/** What a kind of prompt calls in the middle of its answer. */
const calls = {
  ask: async (mark) => {
    const call = { id: `toolu_${uuid()}`, name: "Bash", input: { command: `echo ${mark}` } }
    return {
      call,
      answered: async () => {
        const { response } = await ask({
          subtype: "can_use_tool",
          tool_name: call.name,
          tool_use_id: call.id,
          input: call.input
        })
        return response?.behavior === "allow" ? [`ran ${mark}`, false] : ["not allowed", true]
      }
    }
  },
  page: async (mark) => {
    const call = { id: `toolu_${uuid()}`, name: `mcp__${server}__note`, input: { mark } }
    return {
      call,
      answered: async () => {
        const { response } = await ask({
          subtype: "mcp_message",
          server_name: server,
          message: {
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "note", arguments: call.input, _meta: { "claudecode/toolUseId": call.id } }
          }
        })
        const { content, isError } = response?.mcp_response?.result ?? {}
        return [content?.[0]?.text ?? "nothing", isError === true]
      }
    }
  }
}

const wholeAnswers = {
  recall: () => `I remember ${remembered.join(" ")}.`,
  name: () => {
    say({ type: "system", subtype: "session_title_changed", title: "Named by its agent" })
    return "It has a name."
  },
  started: () => JSON.stringify({ args: process.argv.slice(2), variable: process.env.CHOSEN, servers })
}

const obey = async (line) => {
  const [, mark, kind, count] = ordersIn(textOf(line.message)).at(-1) ?? []
  remembered.push(...marksIn(line))
  for (const told of marksIn(line)) note("told", told)
  file.keep(line)
  const mine = ++turn
  inTurn = true
  init()
  begin()
  const whole = wholeAnswers[kind]?.()
  if (whole !== undefined) {
    delta(whole)
    end(whole)
    return finish(whole)
  }
  const total = Number(count)
  const before = kind === "talk" ? total : Math.min(1, total)
  if (!(await sayWords(mark, 0, before, mine))) return
  if (kind !== "talk") {
    const { answered, call } = await calls[kind](mark)
    endWithCall(words(mark, 0, before), call)
    const [content, isError] = await answered()
    if (turn !== mine) return
    toolResult(call.id, content, isError)
    begin()
    if (!(await sayWords(mark, before, total, mine))) return
  }
  const rest = kind === "talk" ? words(mark, 0, total) : words(mark, before, total)
  end(rest)
  finish(rest)
}

const heard = (line) => {
  const { request, request_id, response, type } = line
  if (type === "user") return void obey(line)
  if (type === "control_response") {
    const resolve = waiting.get(response.request_id)
    note("answered", response.request_id)
    waiting.delete(response.request_id)
    return resolve?.(response)
  }
  if (type !== "control_request") return
  if (request.subtype === "initialize") [server = server] = request.sdkMcpServers ?? []
  if (request.subtype === "mcp_set_servers") servers = Object.keys(request.servers)
  if (request.subtype === "mcp_set_servers")
    server = Object.entries(request.servers).find(([, { type: kind }]) => kind === "sdk")?.[0] ?? server
  answer(request_id, request.subtype === "mcp_set_servers" ? { added: [], removed: [], errors: {} } : {})
  if (request.subtype !== "interrupt" || !inTurn) return
  turn++
  for (const id of waiting.keys()) {
    note("cancelled", id)
    say({ type: "control_cancel_request", request_id: id })
  }
  waiting.clear()
  finish("", interrupted)
}

const input = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
input.on("line", (line) => heard(JSON.parse(line)))
input.on("close", () => process.exit(0))
