/** `agentwire model`: the scripted Messages API as a server of its own, from a scenario file. */
import { type JsonObject, type Model, parseScenarioFile, type ScenarioFile, startModel } from "@agentwire/fixtures"
import type { Command } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { textOf } from "../InputFile.ts"
import { portNumber } from "../OptionValue.ts"

/** The command. */
export const model: Command = {
  name: "model",
  summary: "play a scripted model API on loopback, for the real CLI to talk to",
  usage: "--scenario FILE [--port N] [--json]",
  details: `FILE is JSON: {"model":{"replies":[REPLY...],"lanes":[{"match":TEXT,"replies":[REPLY...]}]}}.
Each request gets the next reply; the last one repeats. A lane answers the requests whose
system prompt or first or last user message has its text: sub-agents, compaction, titles.

REPLY is one of
  {"kind":"message","blocks":[BLOCK...]} with, as wanted, "stop", "usage", "headers",
      "delayMs", "dripMs", "burst":true (one write), "writeBytes":N and "cutsAt":[N...]
      (writes that may cut characters), and
      "break":{"how":"cut"|"hang"|"error","afterEvents":N,"type":…,"message":…}
  {"kind":"error","status":429,"type":"rate_limit_error","message":…,"headers":{"retry-after":"1"}}
  {"kind":"reset"}
BLOCK is one of
  {"kind":"text","deltas":[TEXT...]}
  {"kind":"thinking","deltas":[TEXT...],"signature":TEXT}
  {"kind":"redacted_thinking","data":TEXT}
  {"kind":"tool","type":"tool_use"|"server_tool_use"|"mcp_tool_use","names":["Bash"],
      "input":{…},"partialJson":[TEXT...]}
  {"kind":"whole","block":{…}}

Prints the setting for the CLI, then a line for each request on standard error, until
Ctrl-C. The CLI also needs ANTHROPIC_API_KEY set to anything.

With --json, one object instead of the setting: {"url","scenario"}.`,
  options: {
    scenario: { type: "string", value: "FILE", summary: "what the model says" },
    port: { type: "string", value: "N", summary: "the port on 127.0.0.1 (default: a free one)" },
    json: { type: "boolean", summary: "write the address as a JSON object" }
  },
  run: async ({ positionals, values }, console) => {
    const file = values["scenario"]
    if (typeof file !== "string" || positionals.length > 0) throw new UsageFailure("model needs --scenario FILE.")
    const port = portNumber("port", values["port"])
    const scenario = await load(file)
    const running = await start(scenario, port, console)
    const stopped = untilStopped()
    const { name = file } = scenario
    await console.out(
      values["json"] === true
        ? JSON.stringify({ url: running.url, scenario: name })
        : `ANTHROPIC_BASE_URL=${running.url}`
    )
    console.err(`Playing ${name}. Ctrl-C ends it.`)
    await stopped
    await running.close()
    return 0
  }
}

/** What a person writes is shorter by far. */
const maxScenarioBytes = 4 * 1024 * 1024

const load = async (file: string): Promise<ScenarioFile> => {
  const { scenario, wrong } = await parseScenarioFile(await textOf(file, { maxBytes: maxScenarioBytes }))
  if (scenario !== undefined) return scenario
  throw new Failure(`${file} is not a scenario file:\n${wrong.map((each) => `  ${each}`).join("\n")}`)
}

const start = async (scenario: ScenarioFile, port: number | undefined, console: Console): Promise<Model> => {
  try {
    return await startModel({
      script: scenario.model,
      ...(port !== undefined && { port }),
      onRequest: (path, body, lane) => console.err(`${path}  ${requestLine(body, lane)}`)
    })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "EADDRINUSE")
      throw new Failure(`Port ${port} is taken by another program. Choose another, or leave --port out.`)
    if (code === "EACCES") throw new Failure(`You are not allowed to listen on port ${port}. Choose one above 1023.`)
    throw error
  }
}

const requestLine = (body: JsonObject, lane: string): string => {
  const messages = Array.isArray(body["messages"]) ? body["messages"].length : 0
  const how = body["stream"] === true ? "streamed" : "whole"
  return `${lane === "main" ? "main" : `lane "${lane}"`}, ${messages} messages, ${how}`
}

const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve())
    process.once("SIGTERM", () => resolve())
  })
