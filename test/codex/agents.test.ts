/** `.codex/agents/*.toml` as we write them, loaded and run by the real Codex. */
import { appendFile, mkdir, writeFile } from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import { dirname, join } from "node:path"
import { type AgentDefinition, agentPath, fromCodexAgent, toCodexAgent } from "@agentwire/protocol/agents"
import { schemaVersion } from "@agentwire/protocol/codex"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { makeCodexHome } from "../../packages/fixtures/src/codex/Home.ts"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import { closeServer, listen, readJson } from "../../packages/fixtures/src/Model.ts"
import { CliProcess } from "../../packages/fixtures/src/Process.ts"
import { odd, reviewer } from "../OddAgents.ts"

type Value = Readonly<Record<string, unknown>>

/** Looks for the tools of sub-agents, which are not offered at once, and calls them; then it is done. */
const modelSays = (number: number, agentType: string | undefined): Value => {
  if (number === 0)
    return { type: "tool_search_call", call_id: "s", execution: "client", arguments: { query: "spawn agent" } }
  if (number === 1 && agentType !== undefined)
    return {
      type: "function_call",
      call_id: "c",
      namespace: "multi_agent_v1",
      name: "spawn_agent",
      arguments: JSON.stringify({ message: "[task]", agent_type: agentType })
    }
  return { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done.", annotations: [] }] }
}

const answer = (response: ServerResponse, number: number, item: Value): void => {
  const id = `r_${number}`
  const events: ReadonlyArray<Value> = [
    { type: "response.created", response: { id, status: "in_progress", output: [] } },
    { type: "response.output_item.done", output_index: 0, item: { id: `i_${number}`, status: "completed", ...item } },
    { type: "response.completed", response: { id, status: "completed", output: [] } }
  ]
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.end(events.map((event) => `event: ${event["type"]}\ndata: ${JSON.stringify(event)}\n\n`).join(""))
}

interface Played {
  /** What the model is told about the agents that there are. */
  readonly offered: string
  /** The request of the agent that was called. */
  readonly task: Value | undefined
  readonly warnings: ReadonlyArray<string>
}

/** Starts the program in a project with files, has an agent called, and ends it. */
const play = async (files: Readonly<Record<string, string>>, agentType?: string, isTrusted = true): Promise<Played> => {
  const requests: Array<Value> = []
  let used = 0
  let heard = (): void => undefined
  const server = createServer((request, response) => {
    const respond = async (): Promise<void> => {
      requests.push(await readJson(request))
      answer(response, used, modelSays(used++, agentType))
      heard()
    }
    respond().catch((cause: unknown) => response.destroy(cause instanceof Error ? cause : new Error(String(cause))))
  })
  const home = await makeCodexHome(`http://127.0.0.1:${await listen(server)}`)
  const trust = `\n[projects.${JSON.stringify(home.cwd)}]\ntrust_level = "trusted"\n`
  if (isTrusted) await appendFile(join(home.env["CODEX_HOME"] ?? "", "config.toml"), trust)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home.cwd, path)), { recursive: true })
    await writeFile(join(home.cwd, path), text)
  }
  const { args, program } = await installCodex(schemaVersion)
  let output = ""
  const messages = (): ReadonlyArray<Value> =>
    output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const process = new CliProcess(
    { program, args: [...args, "app-server"], cwd: home.cwd, env: home.env },
    {
      onData: (channel, chunk) => {
        if (channel === "stdout") output += chunk.toString("utf8")
        heard()
      },
      onClose: () => undefined,
      onExit: () => undefined,
      onEnd: () => undefined
    }
  )
  const until = <A>(look: () => A | undefined): Promise<A> =>
    new Promise((resolve) => {
      heard = () => {
        const found = look()
        if (found !== undefined) resolve(found)
      }
      heard()
    })
  const ask = (id: number, method: string, params: Value): Promise<Value> => {
    process.write(`${JSON.stringify({ id, method, params })}\n`)
    return until(() => messages().find((message) => message["id"] === id && !("method" in message)))
  }
  const taskOf = (): Value | undefined =>
    requests.find(({ input }) => {
      const last = (input as ReadonlyArray<Value>).at(-1)
      return last?.["role"] === "user" && JSON.stringify(last).includes("[task]")
    })
  try {
    const capabilities = { experimentalApi: true, requestAttestation: false }
    await ask(0, "initialize", { clientInfo: { name: "agentwire", title: null, version: "0.0.0" }, capabilities })
    const { result } = await ask(1, "thread/start", { cwd: home.cwd, approvalPolicy: "never", sandbox: "read-only" })
    const { thread } = result as { readonly thread: { readonly id: string } }
    await ask(2, "turn/start", { threadId: thread.id, input: [{ type: "text", text: "Go.", text_elements: [] }] })
    await until(() => messages().find(({ method }) => method === "turn/completed"))
    const task = agentType === undefined ? undefined : await until(taskOf)
    const warnings = messages().filter(({ method }) => method === "configWarning")
    return {
      offered: JSON.stringify((requests[1]?.["input"] as ReadonlyArray<Value> | undefined)?.at(-1)),
      task,
      warnings: warnings.map(({ params }) => (params as { readonly summary: string }).summary)
    }
  } finally {
    process.closeInput()
    await process.end(5000)
    await closeServer(server)
    await home.remove()
  }
}

const fileOf = (definition: AgentDefinition) => ({
  [agentPath("codex", definition.name)]: Result.getOrThrow(toCodexAgent(definition))
})

const offer = ({ description, name }: AgentDefinition): string =>
  JSON.stringify(`${name}: {\n${description}\n`).slice(1, -1)

const isAboutRoles = (warning: string): boolean => warning.includes("agent role")

it("loads them, offers them by their descriptions, and runs one with its instructions, model and effort", async () => {
  const { offered, task, warnings } = await play({ ...fileOf(reviewer), ...fileOf(odd) }, reviewer.name)
  expect(warnings.filter(isAboutRoles)).toEqual([])
  expect(offered).toContain(offer(reviewer))
  expect(offered).toContain(offer(odd))
  expect(task).toMatchObject({ model: "gpt-5.4", reasoning: { effort: "high" } })
  expect(JSON.stringify(task?.["input"])).toContain(JSON.stringify(reviewer.instructions).slice(1, -1))
})

it("tells an agent what it is to do, whatever is in it", async () => {
  const { task } = await play(fileOf(odd), odd.name)
  expect(JSON.stringify(task?.["input"])).toContain(JSON.stringify(odd.instructions).slice(1, -1))
})

it("ignores what we refuse to read, and what has a key that it does not know", async () => {
  const refused = {
    syntax: "not toml at all",
    nameless: 'description = "b"\ndeveloper_instructions = "c"\n',
    silent: 'name = "silent"\ndescription = "b"\n',
    blank: 'name = "blank"\ndescription = "b"\ndeveloper_instructions = "  "\n',
    undescribed: 'name = "undescribed"\ndeveloper_instructions = "c"\n'
  }
  const unknown = 'name = "unknown"\ndescription = "b"\ndeveloper_instructions = "c"\ntools = ["Read"]\n'
  for (const text of Object.values(refused)) expect(Result.isFailure(fromCodexAgent(text))).toBe(true)
  expect(Result.getOrThrow(fromCodexAgent(unknown)).beside).toEqual({ tools: ["Read"] })
  const entries = Object.entries({ ...refused, unknown })
  const files = Object.fromEntries(entries.map(([name, text]) => [`.codex/agents/${name}.toml`, text]))
  const { offered, warnings } = await play(files)
  expect(warnings.filter(isAboutRoles).length).toBe(entries.length)
  for (const [name] of entries) expect(offered).not.toContain(`${name}: {`)
})

it("reads none in a project that is not trusted", async () => {
  const { offered, warnings } = await play(fileOf(reviewer), undefined, false)
  // Where no file defines an agent, the model cannot choose among those that are built in, either.
  expect(offered).toContain("spawn_agent")
  expect(offered).not.toContain("agent_type")
  expect(warnings.some((warning) => warning.includes("until the project is trusted"))).toBe(true)
})
