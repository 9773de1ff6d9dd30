/**
 * A client of `codex app-server` of the plainest kind, as a program: it starts a command, has one conversation with it
 * and closes its input. The same client talks to the real program, to the recorder around it, and to a replay of it.
 */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"

/** How the client talks. */
export interface ClientOptions {
  readonly command: readonly [string, ...ReadonlyArray<string>]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What it calls its requests; default 1, 2, 3 and so on. */
  readonly idOf?: (count: number) => string | number
  readonly prompt?: string
  /** What it asks before it starts a thread, by method. */
  readonly questions?: ReadonlyArray<readonly [method: string, params: unknown]>
}

/** What came of it. */
export interface Talked {
  /** What the server wrote, line by line, as JSON. */
  readonly heard: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** The methods of its requests, in the order they were answered. */
  readonly answered: ReadonlyArray<string>
  readonly stderr: string
  readonly code: number | null
}

type Message = Readonly<Record<string, unknown>>

/** Says hello, starts a thread and a turn, accepts what is asked, and ends when the turn does. */
export const talk = async ({
  command,
  cwd,
  env,
  idOf = (count) => count,
  prompt = "Go",
  questions = []
}: ClientOptions): Promise<Talked> => {
  const [program, ...args] = command
  const child = spawn(program, args, { cwd, env: { ...env } })
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text
  })
  child.stdin.on("error", () => undefined)
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  const heard: Array<Message> = []
  const answered: Array<string> = []
  const asked = new Map<unknown, { readonly method: string; readonly resolve: (result: unknown) => void }>()
  const send = (message: Message): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
  let count = 0
  const ask = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      const id = idOf(++count)
      asked.set(id, { method, resolve })
      send({ method, id, params })
    })
  let ended = (): void => undefined
  const turnEnded = new Promise<void>((resolve) => {
    ended = resolve
  })
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as Message
    heard.push(message)
    const { id, method, result } = message
    if (typeof method !== "string") {
      const known = asked.get(id)
      if (known === undefined) return
      asked.delete(id)
      answered.push(known.method)
      known.resolve(result)
    } else if (id !== undefined) send({ id, result: { decision: "accept" } })
    else if (method === "turn/completed") ended()
  })
  const conversation = async (): Promise<void> => {
    await ask("initialize", { clientInfo: { name: "plain", title: null, version: "1.0.0" }, capabilities: null })
    send({ method: "initialized" })
    for (const [method, params] of questions) await ask(method, params)
    // In a sandbox without leave to write, whether a command is tried again outside of it is a race of the program's own.
    const settings = { cwd, approvalPolicy: "untrusted", sandbox: "workspace-write" }
    const started = (await ask("thread/start", settings)) as {
      readonly thread: { readonly id: string }
    }
    const { id: threadId } = started.thread
    await ask("turn/start", { threadId, input: [{ type: "text", text: prompt, text_elements: [] }] })
    await turnEnded
    child.stdin.end()
  }
  // One that ends early, or never answers, is told by how it ended.
  const code = await Promise.race([closed, conversation().then(() => closed)])
  return { heard, answered, stderr, code }
}
