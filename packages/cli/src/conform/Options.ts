/** The options of `agentwire conform`, as typed and as meant. */
import type { Agui } from "@agentwire/protocol"
import { readJson } from "@agentwire/protocol/wire"
import type { Input, Option } from "../Command.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { textOf } from "../InputFile.ts"
import { limitsOf, maxLineOption, maxSizeOption } from "../Limits.ts"
import { oneOf } from "../OptionValue.ts"
import { findRuntime } from "../record/RuntimeVersion.ts"
import { runtimeKinds } from "../runtime/Runtimes.ts"
import type { ExpectedFailures } from "./ExpectedFailures.ts"
import type { CliSubject } from "./live/index.ts"
import type { LiveTarget } from "./live/Target.ts"
import type { ReporterOptions } from "./report/Reporter.ts"

/** What is judged. */
export type Mode = "files" | "live" | "cli" | "app-server" | "merge" | "list"

const dialects: ReadonlyArray<Agui.Dialect> = ["1.0", "0.0"]
const transports = ["agui", "copilotkit-rest", "copilotkit-single"] as const

/** The options, for the help and the parser. */
export const options: Readonly<Record<string, Option>> = {
  dialect: {
    type: "string",
    value: dialects.join("|"),
    summary: "with files: the dialect of the client (default 1.0)"
  },
  source: { type: "string", value: "TAPE", summary: "with files: the session they were made from, to compare with" },
  input: { type: "string", value: "FILE", summary: "with files: the RunAgentInput that was sent, as JSON" },
  agent: { type: "string", value: "ID", summary: 'with a URL: which agent (default "default")' },
  token: { type: "string", value: "T", summary: "with a URL: bearer token (or set AGENTWIRE_TOKEN)" },
  transport: { type: "string", value: transports.join("|"), summary: "with a URL: how to speak to it (default agui)" },
  timeout: { type: "string", value: "S", summary: "with a server or CLI: seconds a scenario may take (default 30)" },
  prompts: { type: "string", value: "FILE", summary: 'with a URL: other prompts, as JSON: {"LIVE-004": "…"}' },
  cli: { type: "string", value: "PATH", summary: "judge a CLI: Claude Code or Codex" },
  runtime: {
    type: "string",
    value: runtimeKinds.join("|"),
    summary: "with a CLI: what it is (default: what its files or its name say)"
  },
  "app-server": {
    type: "string",
    value: "CMD|URL",
    summary: "judge a server of Codex's app-server protocol"
  },
  merge: { type: "boolean", summary: "put reports that --json wrote side by side" },
  only: { type: "string", multiple: true, value: "IDS", summary: "rules and scenarios to use: AGUI-RUN-*,LIVE-003" },
  skip: { type: "string", multiple: true, value: "IDS", summary: "rules and scenarios to leave out" },
  strict: { type: "boolean", summary: "warnings fail too" },
  "expected-failures": {
    type: "string",
    value: "FILE",
    summary: "what is known to fail; an entry that passes is a failure"
  },
  json: { type: "boolean", summary: "write one JSON object per line" },
  junit: { type: "string", value: "FILE", summary: "write JUnit XML as well" },
  sarif: { type: "string", value: "FILE", summary: "write SARIF 2.1.0 as well" },
  html: { type: "string", value: "FILE", summary: "write one self-contained page as well" },
  list: { type: "boolean", summary: "list the rules and scenarios" },
  "max-line": { ...maxLineOption, summary: `with files: ${maxLineOption.summary}` },
  "max-size": maxSizeOption
}

/** Which options belong to some modes only. The others go with all. */
const modes: Readonly<Record<string, ReadonlyArray<Mode>>> = {
  dialect: ["files", "list"],
  source: ["files"],
  input: ["files"],
  agent: ["live"],
  token: ["live", "app-server"],
  transport: ["live"],
  "max-line": ["files", "merge"],
  timeout: ["live", "cli", "app-server"],
  prompts: ["live"],
  runtime: ["cli"],
  json: ["files", "live", "cli", "app-server", "merge", "list"],
  only: ["files", "live", "cli", "app-server", "list"],
  skip: ["files", "live", "cli", "app-server", "list"],
  "expected-failures": ["files", "live", "cli", "app-server"],
  junit: ["files", "live", "cli", "app-server", "merge"],
  sarif: ["files", "live", "cli", "app-server", "merge"],
  html: ["files", "live", "cli", "app-server", "merge"]
}

const modeNames: Readonly<Record<Mode, string>> = {
  files: "recorded events",
  live: "a URL",
  cli: "--cli",
  "app-server": "--app-server",
  merge: "--merge",
  list: "--list"
}

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text)

/** What the command line asks for. Throws a {@link UsageFailure} for what does not go together. */
export const modeOf = ({ lists, positionals, values }: Input): Mode => {
  const mode = chosen(positionals, values)
  for (const [name, allowed] of Object.entries(modes)) {
    if ((values[name] === undefined && lists[name] === undefined) || allowed.includes(mode)) continue
    throw new UsageFailure(
      `--${name} does not go with ${modeNames[mode]}, but with ${allowed.map((one) => modeNames[one]).join(", ")}.`
    )
  }
  return mode
}

const chosen = (positionals: Input["positionals"], values: Input["values"]): Mode => {
  const flags = (["list", "merge", "cli", "app-server"] as const).filter((name) => values[name] !== undefined)
  if (flags.length > 1) throw new UsageFailure(`--${flags.join(" and --")} do not go together.`)
  const [flag] = flags
  if (flag === "merge") {
    if (positionals.length === 0) throw new UsageFailure("--merge needs at least one report that --json wrote.")
    return flag
  }
  if (flag !== undefined) {
    if (positionals.length > 0) throw new UsageFailure(`--${flag} takes no FILE or URL: what is ${positionals[0]}?`)
    return flag
  }
  if (positionals.length === 0)
    throw new UsageFailure("conform needs a FILE, a URL, - for standard input, --cli PATH or --app-server CMD.")
  if (!positionals.some(isUrl)) return "files"
  if (positionals.length > 1)
    throw new UsageFailure("conform judges one URL at a time. Reports of several are put side by side with --merge.")
  return "live"
}

/** The CLI asked for, and what it is. */
export const cliOf = ({ values }: Input): CliSubject => {
  const path = String(values["cli"])
  return { path, runtime: oneOf("runtime", runtimeKinds, values["runtime"]) ?? findRuntime([path]).runtime.kind }
}

/** The dialect asked for. */
export const dialectOption = ({ values }: Input): Agui.Dialect | undefined =>
  oneOf("dialect", dialects, values["dialect"])

/** The server to judge. */
export const targetOf = ({ positionals, values }: Input): LiveTarget => {
  const transport = oneOf("transport", transports, values["transport"]) ?? "agui"
  const token = tokenOf({ values })
  return {
    url: positionals[0] ?? "",
    agent: String(values["agent"] ?? "default"),
    ...(token !== undefined && { token }),
    transport
  }
}

/** The bearer token, where there is one. */
export const tokenOf = ({ values }: Pick<Input, "values">): string | undefined => {
  const token = values["token"] ?? process.env["AGENTWIRE_TOKEN"]
  return typeof token === "string" && token !== "" ? token : undefined
}

/** How a report calls a server: without what its URL may have of secrets. */
export const targetName = ({ agent, transport, url }: LiveTarget): string => {
  const clean = new URL(url)
  clean.username = ""
  clean.password = ""
  clean.search = ""
  return transport === "agui" ? clean.href : `${clean.href} (${transport}, agent ${agent})`
}

/** How long a scenario may take, in milliseconds. */
export const timeoutOf = ({ values }: Input): number => {
  const seconds = Number(values["timeout"] ?? 30)
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UsageFailure(`--timeout takes a number of seconds over 0, not "${values["timeout"]}".`)
  return Math.ceil(seconds * 1000)
}

/** Which reports to write. */
export const reporterOptions = ({ values }: Input): ReporterOptions => ({
  json: values["json"] === true,
  strict: values["strict"] === true,
  files: {
    ...(typeof values["junit"] === "string" && { junit: values["junit"] }),
    ...(typeof values["sarif"] === "string" && { sarif: values["sarif"] }),
    ...(typeof values["html"] === "string" && { html: values["html"] })
  }
})

/** The expected failures, when a file of them is given. */
export const expectedOf = async (input: Input): Promise<ExpectedFailures | undefined> => {
  const file = input.values["expected-failures"]
  if (typeof file !== "string") return undefined
  const { ExpectedFailures } = await import("./ExpectedFailures.ts")
  return ExpectedFailures.parse(file, await textOf(file, limitsOf(input)))
}

/** The request that the events answer, when it is given. */
export const inputOf = (input: Input): Promise<unknown> =>
  jsonOf(input, "input", "--input takes the RunAgentInput that was sent")

/** What to ask in place of the scenarios' own prompts, when it is given. */
export const promptsOf = async (input: Input): Promise<{ readonly prompts?: Readonly<Record<string, string>> }> => {
  const wanted = "--prompts takes an object of prompts by the id of their scenario"
  const prompts = await jsonOf(input, "prompts", wanted)
  if (prompts === undefined) return {}
  if (
    typeof prompts !== "object" ||
    prompts === null ||
    !Object.values(prompts).every((one) => typeof one === "string")
  )
    throw new Failure(`${input.values["prompts"]}: ${wanted}, each a string.`)
  return { prompts: { ...prompts } }
}

const jsonOf = async (input: Input, name: string, wanted: string): Promise<unknown> => {
  const file = input.values[name]
  if (typeof file !== "string") return undefined
  const read = readJson(await textOf(file, limitsOf(input)))
  if (!read.isRead) throw new Failure(`${file} is not JSON: ${wanted}. ${read.message}.`)
  return read.value
}
