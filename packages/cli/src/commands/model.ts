/** `agentwire model`: a scripted model API as a server of its own, from a scenario file: for Claude Code, or for Codex. */
import {
  codexConfig,
  type JsonObject,
  type Model,
  type ParsedFile,
  parseResponsesFile,
  parseScenarioFile,
  startModel,
  startResponses
} from "@agentwire/fixtures"
import type { Command } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { textOf } from "../InputFile.ts"
import { oneOf, portNumber } from "../OptionValue.ts"

/** What a server is started with. */
interface Start {
  readonly port?: number
  readonly onRequest: (path: string, body: JsonObject, lane: string) => void
}

/** What is played: the name of it, and how its server is started. */
interface Play {
  readonly name?: string
  readonly start: (options: Start) => Promise<Model>
}

/** One API that can be played. */
interface Api {
  /** What a file says, or what is wrong with it. */
  readonly parse: (text: string) => Promise<{ readonly play: Play | undefined; readonly wrong: ReadonlyArray<string> }>
  /** What is played without a file, where that makes sense. */
  readonly unscripted?: Play
  /** What the agent must be told. */
  readonly setting: (url: string) => string
  /** The key of a request's body that has the conversation. */
  readonly said: string
}

const parsed = async <A extends { readonly name?: string }>(
  file: Promise<ParsedFile<A>>,
  start: (scenario: A, options: Start) => Promise<Model>
): ReturnType<Api["parse"]> => {
  const { scenario, wrong } = await file
  if (scenario === undefined) return { play: undefined, wrong }
  const { name } = scenario
  return { play: { ...(name !== undefined && { name }), start: (options) => start(scenario, options) }, wrong }
}

const apis: Readonly<Record<"messages" | "responses", Api>> = {
  messages: {
    parse: (text) =>
      parsed(parseScenarioFile(text), ({ model: script }, options) => startModel({ script, ...options })),
    setting: (url) => `ANTHROPIC_BASE_URL=${url}`,
    said: "messages"
  },
  responses: {
    parse: (text) =>
      parsed(parseResponsesFile(text), ({ model: { lanes, replies } }, options) =>
        startResponses(replies, { ...(lanes && { lanes }), ...options })
      ),
    unscripted: { name: 'a model that says "Done."', start: (options) => startResponses([], options) },
    setting: (url) => codexConfig(url).join("\n"),
    said: "input"
  }
}

/** The command. */
export const model: Command = {
  name: "model",
  summary: "play a scripted model API on loopback, for the real CLI to talk to",
  usage: "[--api messages|responses] --scenario FILE [--port N] [--json]",
  details: `--api messages (the default) is for Claude Code, --api responses for Codex, which may do
without --scenario: then the model says "Done." to everything.

FILE is JSON: {"model":{"replies":[REPLY...],"lanes":[{"match":TEXT,"replies":[REPLY...]}]}}.
Each request gets the next reply. When they run out, the last one is repeated (messages),
or the model says "Done." (responses). A lane answers the requests whose system prompt or
first or last user message has its text: sub-agents, compaction, titles.

With --api messages, REPLY is one of
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

With --api responses, REPLY is one of
  {"kind":"response","items":[ITEM...]} with, as wanted, "usage", "delayMs", "dripMs", and
      "break":{"how":"cut"|"hang","afterEvents":N}
  {"kind":"text","deltas":[TEXT...],"thought":[TEXT...]}   {"kind":"command","command":TEXT}
  {"kind":"hang","deltas":[TEXT...]}   (short forms of the above)
  {"kind":"failed","code":"context_length_exceeded","message":…}
  {"kind":"error","status":429,"message":…,"type":…,"headers":{…}}
  {"kind":"reset"}
ITEM is one of
  {"kind":"text","deltas":[TEXT...],"phase":"commentary"|"final_answer"}
  {"kind":"reasoning","summary":[[TEXT...]...],"raw":[TEXT...]}
  {"kind":"call","name":"exec_command","namespace":TEXT,"arguments":{"cmd":"ls"}}
  {"kind":"custom","name":"apply_patch","input":TEXT}
  {"kind":"web_search","query":TEXT}
  {"kind":"whole","item":{…}}

Prints the setting for the CLI, then a line for each request on standard error, until
Ctrl-C. For Claude Code that is ANTHROPIC_BASE_URL, and it also needs ANTHROPIC_API_KEY set
to anything; for Codex it is what belongs into config.toml in an empty CODEX_HOME.

With --json, one object instead of the setting: {"url","scenario"}.`,
  options: {
    api: { type: "string", value: "NAME", summary: "messages or responses (default: messages)" },
    scenario: { type: "string", value: "FILE", summary: "what the model says" },
    port: { type: "string", value: "N", summary: "the port on 127.0.0.1 (default: a free one)" },
    json: { type: "boolean", summary: "write the address as a JSON object" }
  },
  run: async ({ positionals, values }, console) => {
    const api = apis[oneOf("api", ["messages", "responses"], values["api"]) ?? "messages"]
    const file = values["scenario"]
    if (positionals.length > 0 || (typeof file !== "string" && api.unscripted === undefined))
      throw new UsageFailure("model needs --scenario FILE.")
    const port = portNumber("port", values["port"])
    const play = typeof file === "string" ? await load(api, file) : api.unscripted
    if (play === undefined) throw new UsageFailure("model needs --scenario FILE.")
    const running = await start(api, play, port, console)
    const stopped = untilStopped()
    const name = play.name ?? String(file)
    await console.out(
      values["json"] === true ? JSON.stringify({ url: running.url, scenario: name }) : api.setting(running.url)
    )
    console.err(`Playing ${name}. Ctrl-C ends it.`)
    await stopped
    await running.close()
    return 0
  }
}

/** What a person writes is shorter by far. */
const maxScenarioBytes = 4 * 1024 * 1024

const load = async (api: Api, file: string): Promise<Play> => {
  const { play, wrong } = await api.parse(await textOf(file, { maxBytes: maxScenarioBytes }))
  if (play !== undefined) return play
  throw new Failure(`${file} is not a scenario file:\n${wrong.map((each) => `  ${each}`).join("\n")}`)
}

const start = async (api: Api, play: Play, port: number | undefined, console: Console): Promise<Model> => {
  try {
    return await play.start({
      ...(port !== undefined && { port }),
      onRequest: (path, body, lane) => console.err(`${path}  ${requestLine(api, body, lane)}`)
    })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "EADDRINUSE")
      throw new Failure(`Port ${port} is taken by another program. Choose another, or leave --port out.`)
    if (code === "EACCES") throw new Failure(`You are not allowed to listen on port ${port}. Choose one above 1023.`)
    throw error
  }
}

const requestLine = (api: Api, body: JsonObject, lane: string): string => {
  const said = body[api.said]
  const messages = Array.isArray(said) ? said.length : 0
  const how = body["stream"] === true ? "streamed" : "whole"
  return `${lane === "main" ? "main" : `lane "${lane}"`}, ${messages} messages, ${how}`
}

const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve())
    process.once("SIGTERM", () => resolve())
  })
