/**
 * ai-sdk-provider-codex-cli with its app-server provider. What became of each case is a line of JSON on stdout. How it is
 * set is in the variable `JUDGE`.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const { codexPath, cwd, packages } = JSON.parse(process.env.JUDGE ?? "{}")
const folder = join(packages, "node_modules", "ai-sdk-provider-codex-cli")
const { createCodexAppServer } = await import(pathToFileURL(join(folder, "dist", "index.js")).href)

const tell = (name, outcome) => process.stdout.write(`${JSON.stringify({ name, outcome })}\n`)
const isMade = (file) => (existsSync(join(cwd, file)) ? `${file} made` : `no ${file}`)

let decision = "accept"
const asked = []
const ask = (what) => async () => {
  asked.push(what)
  return { decision }
}

const start = () =>
  createCodexAppServer({
    defaultSettings: {
      codexPath,
      cwd,
      logger: false,
      threadMode: "persistent",
      approvalPolicy: "untrusted",
      sandboxPolicy: "workspace-write",
      serverRequests: { onCommandExecutionApproval: ask("command"), onFileChangeApproval: ask("patch") }
    }
  })

let provider = start()

/** A turn, as the provider tells it. */
const turn = async (text, { abort, options = {} } = {}) => {
  asked.length = 0
  const seen = { text: "", tools: [], end: "", thread: undefined, usage: false }
  const stopper = new AbortController()
  try {
    const { stream } = await provider("gpt-5.5").doStream({
      prompt: [{ role: "user", content: [{ type: "text", text }] }],
      abortSignal: stopper.signal,
      providerOptions: { "codex-app-server": options }
    })
    for await (const part of stream) {
      if (part.type === "text-delta") {
        seen.text += part.delta
        if (abort) stopper.abort()
      }
      if (part.type === "tool-call") seen.tools.push(part.toolName)
      if (part.type === "error") seen.end = "an error"
      if (part.type === "finish") {
        seen.end = part.finishReason.unified ?? part.finishReason
        seen.thread = part.providerMetadata?.["codex-app-server"]?.threadId
        seen.usage = part.usage.inputTokens.total > 0
      }
    }
  } catch (error) {
    seen.end = error.name === "AbortError" ? "aborted" : `an error: ${error.message}`
  }
  const tools = [...new Set(seen.tools)].join(", ")
  const outcome = [
    `"${seen.text}"`,
    tools && `tools ${tools}`,
    asked.length > 0 && `asked for ${asked.join(", ")}`,
    seen.end
  ]
  return { thread: seen.thread, usage: seen.usage, outcome: outcome.filter(Boolean).join(", ") }
}

/** A turn in a thread of its own. */
const alone = { threadMode: "stateless" }

const first = await turn("[answer] Say hello.")
tell("answer", `${first.outcome}, ${first.usage ? "with usage" : "no usage"}`)
tell("second turn", (await turn("[again] And again.", { options: { threadId: first.thread } })).outcome)
for (const [name, how] of [
  ["approve", "accept"],
  ["decline", "decline"]
]) {
  decision = how
  tell(name, `${(await turn(`[${name}] Make a file.`, { options: alone })).outcome}, ${isMade(`${name}.txt`)}`)
}
decision = "acceptForSession"
// A provider keeps to the thread that it began.
await provider.close()
provider = start()
const once = await turn("[session] Once.")
tell("for the session", (await turn("[session] Once more.", { options: { threadId: once.thread } })).outcome)
decision = "accept"
tell(
  "patch",
  `${(await turn("[patch] Write a note.", { options: { ...alone, sandboxPolicy: "read-only" } })).outcome}, ${isMade("patch.txt")}`
)
tell("interrupt", (await turn("[cancel] Write for ever.", { abort: true, options: alone })).outcome)
const { models } = await provider.listModels()
tell("models", models.length > 0 ? "some" : "none")
await provider.close()
provider = start()
tell("resume", (await turn("[resume] Go on.", { options: { resume: first.thread } })).outcome)
await provider.close()
