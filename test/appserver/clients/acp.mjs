/**
 * codex-acp under a headless client of the Agent Client Protocol, made with its official SDK. What became of each case is
 * a line of JSON on stdout. How it is set is in the variable `JUDGE`.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { pathToFileURL } from "node:url"

const { codexPath, cwd, packages } = JSON.parse(process.env.JUDGE ?? "{}")
const require = createRequire(join(packages, "package.json"))
const acp = await import(pathToFileURL(require.resolve("@agentclientprotocol/sdk")).href)
const adapter = join(packages, "node_modules", "@agentclientprotocol", "codex-acp", "dist", "index.js")

const tell = (name, outcome) => process.stdout.write(`${JSON.stringify({ name, outcome })}\n`)
const isMade = (file) => (existsSync(join(cwd, file)) ? `${file} made` : `no ${file}`)

/** One process of the adapter, and what it says. */
const withAdapter = async (use) => {
  const env = { ...process.env, CODEX_PATH: codexPath, NO_BROWSER: "1", INITIAL_AGENT_MODE: "read-only" }
  const child = spawn(process.execPath, [adapter], { cwd, env, stdio: ["pipe", "pipe", "inherit"] })
  const heard = []
  const watchers = new Set()
  let decide = "allow_once"
  const client = acp
    .client({ name: "agentwire" })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      heard.push(params)
      for (const watch of [...watchers]) watch()
    })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      heard.push({ sessionId: params.sessionId, update: { sessionUpdate: "asked", ...params.toolCall } })
      const option = params.options.find(({ kind }) => kind === decide)
      return {
        outcome: option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId }
      }
    })
  const until = (isThere) =>
    new Promise((resolve) => {
      const watch = () => {
        if (!isThere()) return
        watchers.delete(watch)
        resolve()
      }
      watchers.add(watch)
      watch()
    })
  const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout))
  await client.connectWith(stream, async (agent) => {
    const welcome = await agent.request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientCapabilities: {}
    })
    const updates = (sessionId, from = 0) =>
      heard
        .slice(from)
        .filter((one) => one.sessionId === sessionId)
        .map(({ update }) => update)
    const said = (sessionId, from) =>
      updates(sessionId, from)
        .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
        .map(({ content }) => content.text)
        // What is missing on this machine is told as a message, too.
        .filter((text) => !text.startsWith("Config warning: "))
        .join("")
    const fresh = async () => {
      const { sessionId } = await agent.request(acp.methods.agent.session.new, { cwd, mcpServers: [] })
      return { sessionId }
    }
    const prompt = (sessionId, text) =>
      agent.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] })
    await use({
      agent,
      welcome,
      heard,
      updates,
      said,
      fresh,
      prompt,
      until,
      decideWith: (kind) => {
        decide = kind
      }
    })
  })
  child.stdin.end()
  await new Promise((resolve) => (child.exitCode !== null ? resolve() : child.once("exit", resolve)))
}

/** What a client sees of the calls: how each ended, and whether it was asked for. */
const calls = (updates) => {
  const byId = new Map()
  for (const update of updates) {
    if (!["tool_call", "tool_call_update", "asked"].includes(update.sessionUpdate)) continue
    const known = byId.get(update.toolCallId) ?? {}
    const { content, kind = known.kind, sessionUpdate, status = known.status } = update
    const diff = (content ?? []).find(({ type }) => type === "diff")
    byId.set(update.toolCallId, {
      kind,
      status,
      asked: known.asked || sessionUpdate === "asked",
      diff: known.diff ?? (diff && (known.asked ? "diff after" : `diff ${JSON.stringify(diff.newText)}`))
    })
  }
  return [...byId.values()].map(({ asked, diff, kind, status }) =>
    [kind, asked ? "asked" : "not asked", diff, status].filter(Boolean).join(", ")
  )
}

let kept
await withAdapter(async ({ agent, decideWith, fresh, heard, prompt, said, until, updates, welcome }) => {
  tell("hello", `protocol ${welcome.protocolVersion}`)
  const first = await fresh()
  kept = first.sessionId
  const answer = await prompt(kept, "[answer] Say hello.")
  tell("answer", `"${said(kept)}", ${answer.stopReason}`)
  const before = heard.length
  const second = await prompt(kept, "[again] And again.")
  tell("second turn", `"${said(kept, before)}", ${second.stopReason}`)

  for (const [name, kind] of [
    ["approve", "allow_once"],
    ["decline", "reject_once"]
  ]) {
    const { sessionId } = await fresh()
    decideWith(kind)
    const { stopReason } = await prompt(sessionId, `[${name}] Make a file.`)
    tell(name, `${calls(updates(sessionId)).join("; ")}; "${said(sessionId)}", ${stopReason}, ${isMade(`${name}.txt`)}`)
  }
  {
    const { sessionId } = await fresh()
    decideWith("allow_always")
    await prompt(sessionId, "[session] Once.")
    const from = heard.length
    const { stopReason } = await prompt(sessionId, "[session] Once more.")
    tell("for the session", `${calls(updates(sessionId, from)).join("; ")}; "${said(sessionId, from)}", ${stopReason}`)
  }
  {
    const { sessionId } = await fresh()
    decideWith("allow_once")
    const { stopReason } = await prompt(sessionId, "[patch] Write a note.")
    tell(
      "patch",
      `${calls(updates(sessionId)).join("; ")}; "${said(sessionId)}", ${stopReason}, ${isMade("patch.txt")}`
    )
  }
  {
    const { sessionId } = await fresh()
    const running = prompt(sessionId, "[cancel] Write for ever.")
    await until(() => said(sessionId) !== "")
    await agent.notify(acp.methods.agent.session.cancel, { sessionId })
    const { stopReason } = await running
    tell("interrupt", `"${said(sessionId)}", ${stopReason}`)
  }
  const { sessions } = await agent.request(acp.methods.agent.session.list, { cwd })
  tell(
    "list",
    sessions.some(({ sessionId }) => sessionId === kept) ? "has the first session" : "has not the first session"
  )
})

await withAdapter(async ({ agent, heard, prompt, said, until }) => {
  await agent.request(acp.methods.agent.session.load, { sessionId: kept, cwd, mcpServers: [] })
  tell("load", `"${said(kept)}"`)
  const from = heard.length
  const { stopReason } = await prompt(kept, "[resume] Go on.")
  await until(() => said(kept, from) !== "")
  tell("resume", `"${said(kept, from)}", ${stopReason}`)
})
