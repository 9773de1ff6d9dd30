/**
 * codex-acp under acpx, a headless client of the Agent Client Protocol from somebody else. What became of each case is a
 * line of JSON on stdout. How it is set is in the variable `JUDGE`.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"

const { codexPath, cwd, packages } = JSON.parse(process.env.JUDGE ?? "{}")
const acpx = join(packages, "node_modules", "acpx", "dist", "cli.js")
const adapter = join(packages, "node_modules", "@agentclientprotocol", "codex-acp", "dist", "index.js")
const agent = [process.execPath, adapter].map((word) => JSON.stringify(word)).join(" ")
const env = { ...process.env, CODEX_PATH: codexPath, NO_BROWSER: "1", INITIAL_AGENT_MODE: "read-only" }

const tell = (name, outcome) => process.stdout.write(`${JSON.stringify({ name, outcome })}\n`)
const isMade = (file) => (existsSync(join(cwd, file)) ? `${file} made` : `no ${file}`)

/** Runs acpx: the messages of the protocol that it saw, and its exit code. `seen` is told of each as it comes. */
const run = (words, { seen = () => {}, permission = "--deny-all" } = {}) =>
  new Promise((resolve) => {
    const options = ["--agent", agent, "--cwd", cwd, "--ttl", "60", "--format", "json", "--json-strict", permission]
    const child = spawn(process.execPath, [acpx, ...options, ...words], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "inherit"]
    })
    const messages = []
    createInterface({ input: child.stdout }).on("line", (line) => {
      messages.push(JSON.parse(line))
      seen(messages)
    })
    child.once("close", (code) => resolve({ code, messages }))
  })

const updatesOf = (messages) =>
  messages.flatMap(({ method, params }) => (method === "session/update" ? [params.update] : []))

const said = (messages) =>
  updatesOf(messages)
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => content.text)
    .filter((text) => !text.startsWith("Config warning: "))
    .join("")

const endOf = ({ code, messages }) => {
  const stop = messages.map(({ result }) => result?.stopReason).find((reason) => reason !== undefined)
  return `"${said(messages)}", ${stop ?? "no end"}, exit ${code}`
}

const calls = (messages) => {
  const asked = new Set(
    messages.flatMap(({ method, params }) =>
      method === "session/request_permission" ? [params.toolCall.toolCallId] : []
    )
  )
  const byId = new Map()
  for (const update of updatesOf(messages)) {
    if (!["tool_call", "tool_call_update"].includes(update.sessionUpdate)) continue
    const known = byId.get(update.toolCallId) ?? {}
    byId.set(update.toolCallId, { kind: update.kind ?? known.kind, status: update.status ?? known.status })
  }
  return [...byId]
    .map(([id, { kind, status }]) => `${kind}, ${asked.has(id) ? "asked" : "not asked"}, ${status}`)
    .join("; ")
}

await run(["sessions", "new"])
tell("answer", endOf(await run(["prompt", "[answer] Say hello."])))
tell("second turn", endOf(await run(["prompt", "[again] And again."])))
for (const [name, permission] of [
  ["approve", "--approve-all"],
  ["decline", "--deny-all"],
  ["patch", "--approve-all"]
]) {
  const outcome = await run(["exec", `[${name}] Make a file.`], { permission })
  tell(name, `${calls(outcome.messages)}; ${endOf(outcome)}, ${isMade(`${name}.txt`)}`)
}
{
  let cancelled
  await run(["sessions", "new", "-s", "long"])
  const outcome = await run(["prompt", "-s", "long", "[cancel] Write for ever."], {
    seen: (messages) => {
      if (said(messages) !== "") cancelled ??= run(["cancel", "-s", "long"])
    }
  })
  await cancelled
  tell("interrupt", endOf(outcome))
}
await run(["sessions", "close", "long"])
const kept = (await run(["status"])).messages[0]?.acpxSessionId
// The process that it keeps for the next prompt ends with the session: what is taken up is the adapter's.
await run(["sessions", "close"])
await run(["sessions", "new", "--resume-session", kept])
tell("resume", endOf(await run(["prompt", "[resume] Go on."])))
await run(["sessions", "close"])
const listed = await run(["sessions", "list"])
tell("list", `${listed.messages[0]?.sessions?.length} sessions`)
