/** What `agentwire model` does: plays the API of a model on loopback, until it is interrupted. */
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
import type { ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { textOf } from "../InputFile.ts"

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

/** What is played, and where. */
export interface ModelJob {
  readonly api: keyof typeof apis
  /** The file of the scenario; undefined: what the API plays without one. */
  readonly scenario: string | undefined
  readonly port: number | undefined
  readonly isJson: boolean
}

/** Plays it until Ctrl-C. */
export const playModel = async (
  { api: kind, isJson, port, scenario }: ModelJob,
  console: Console
): Promise<ExitCode> => {
  const api = apis[kind]
  const play = scenario === undefined ? api.unscripted : await load(api, scenario)
  if (play === undefined) throw new UsageFailure("model needs --scenario FILE.")
  const running = await start(api, play, port, console)
  const stopped = untilStopped()
  const name = play.name ?? String(scenario)
  await console.out(isJson ? JSON.stringify({ url: running.url, scenario: name }) : api.setting(running.url))
  console.err(`Playing ${name}. Ctrl-C ends it.`)
  await stopped
  await running.close()
  return 0
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
