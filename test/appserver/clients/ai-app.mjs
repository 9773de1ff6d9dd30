/**
 * ai-sdk-provider-codex-app-server. It answers no approvals (docs/wire/codex.md §3.4), so its threads ask for none. What
 * became of each case is a line of JSON on stdout. How it is set is in the variable `JUDGE`.
 */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const setting = JSON.parse(process.env.JUDGE ?? "{}")
const { codexPath, cwd, packages, part } = setting
const folder = join(packages, "node_modules", "ai-sdk-provider-codex-app-server")
const { createCodexAppServer } = await import(pathToFileURL(join(folder, "dist", "index.js")).href)

const tell = (name, outcome) => process.stdout.write(`${JSON.stringify({ name, outcome })}\n`)
const isMade = (file) => (existsSync(join(cwd, file)) ? `${file} made` : `no ${file}`)

let session
const settings = {
  codexPath,
  cwd,
  logger: false,
  threadMode: "persistent",
  approvalMode: "never",
  sandboxMode: "danger-full-access",
  onSessionCreated: (created) => {
    session = created
  }
}

/** A turn of a model, as the provider tells it. */
const turn = async (model, text, interrupts = false) => {
  const seen = { text: "", tools: [], end: "" }
  try {
    const { stream } = await model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text }] }] })
    for await (const part of stream) {
      if (part.type === "text-delta") {
        if (seen.text === "" && interrupts) void session.interrupt()
        seen.text += part.delta
      }
      if (part.type === "tool-call") seen.tools.push(part.toolName)
      if (part.type === "error") seen.end = "an error"
      if (part.type === "finish") seen.end = part.finishReason.unified ?? part.finishReason
    }
  } catch (error) {
    seen.end = `an error: ${error.message}`
  }
  const tools = [...new Set(seen.tools)].join(", ")
  return [`"${seen.text}"`, tools && `tools ${tools}`, seen.end].filter(Boolean).join(", ")
}

const fresh = () => createCodexAppServer({ defaultSettings: settings })("gpt-5.5")

/** All but the resume. */
const begin = async () => {
  const model = fresh()
  tell("answer", await turn(model, "[answer] Say hello."))
  const thread = session.threadId
  tell("second turn", await turn(model, "[again] And again."))
  tell("same thread", session.threadId === thread ? "yes" : "no")
  tell("command", `${await turn(fresh(), "[run] Make a file.")}, ${isMade("run.txt")}`)
  // How much of the text comes before the interrupt is a race.
  tell("interrupt", (await turn(fresh(), "[cancel] Write for ever.", true)).replace(/^"I (?:write)?"/, "some text"))
  return thread
}

if (part === undefined) {
  // It cannot end its servers but by ending itself, and a thread has one writer: so it begins in a process of its own.
  const env = { ...process.env, JUDGE: JSON.stringify({ ...setting, part: "begin" }) }
  const lines = execFileSync(process.execPath, [fileURLToPath(import.meta.url)], { env, encoding: "utf8" })
    .trim()
    .split("\n")
  const { thread } = JSON.parse(lines.pop() ?? "{}")
  for (const line of lines) console.log(line)
  tell(
    "resume",
    await turn(createCodexAppServer({ defaultSettings: { ...settings, resume: thread } })("gpt-5.5"), "[resume] Go on.")
  )
} else {
  console.log(JSON.stringify({ thread: await begin() }))
}
process.exit(0)
