/**
 * The options of the commands that run a bridge, or a part of one: one table, of which each command has some themes. A runtime has
 * agents and no door, a gateway a door and no agents, and `serve` all of them.
 */
import type { Option } from "../Command.ts"
import { maxLineOption, maxSizeOption } from "../Limits.ts"
import { httpLimitOptions } from "./HttpLimitOptions.ts"
import { optionWords } from "./OptionWords.ts"

/**
 * What options are about: the agents and what they may do; who comes in, and how; who is asked; the folder of what is kept; how
 * it is kept; what is said about it all.
 */
export type Theme = "agent" | "door" | "asking" | "place" | "kept" | "log"

/** The options, in the order the help lists them. */
const table = {
  port: { type: "string", value: "N", summary: "the port (default: the first free one from 3210; 0: any)" },
  host: { type: "string", value: "H", summary: "the address to listen on (default 127.0.0.1)" },
  runtime: { type: "string", value: optionWords.runtime.join("|"), summary: "the agent (default: claude)" },
  cli: {
    type: "string",
    value: "PATH",
    summary: "its program (default: CLAUDE_PATH or CODEX_PATH, else in the PATH)"
  },
  cwd: { type: "string", value: "DIR", summary: "where the agents work (default: here)" },
  root: { type: "string", multiple: true, value: "DIR", summary: "agents stay below this folder (repeatable)" },
  transport: {
    type: "string",
    value: optionWords.transport.join("|"),
    summary: "auto (default); ws and hybrid are for 2.1.120 and before"
  },
  approvals: { type: "string", value: optionWords.approvals.join("|"), summary: "who may say yes (default: deny)" },
  policy: { type: "string", value: "FILE", summary: "allow, deny or ask about tool calls by the rules of this file" },
  mode: { type: "string", value: "NAME", summary: "the mode of the policy, such as planner" },
  busy: { type: "string", value: optionWords.busy.join("|"), summary: "a run on a busy thread (default: reject)" },
  token: { type: "string", value: "T", summary: "the token, at least 16 characters" },
  "no-auth": { type: "boolean", summary: "no token: everybody on this machine may connect" },
  origin: {
    type: "string",
    multiple: true,
    value: "URL",
    summary: "let web pages of this origin connect (repeatable)"
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "H",
    summary: "a name under which the server is reached (repeatable)"
  },
  extensions: { type: "string", value: "FILE", summary: "run the extensions that this file names" },
  page: { type: "boolean", summary: "serve a page to chat in and to watch the wire, and print its URL" },
  "base-path": { type: "string", value: "PATH", summary: "where CopilotKit's routes are (default: /)" },
  "max-sessions": { type: "string", value: "N", summary: "how many threads at a time (default 100)" },
  ...httpLimitOptions,
  data: { type: "string", value: "DIR", summary: "where threads are kept (default: in ~/.local/share)" },
  "no-data": { type: "boolean", summary: "keep nothing: forget threads at the end" },
  durability: {
    type: "string",
    value: optionWords.durability.join("|"),
    summary: "normal (default) outlives the process, full a loss of power, too"
  },
  import: { type: "string", value: "FILE", summary: "take over the threads of an index of an earlier version" },
  index: { type: "string", hidden: true, value: "FILE", summary: "gone: --data" },
  "no-index": { type: "boolean", hidden: true, summary: "gone: --no-data" },
  templates: { type: "string", value: "DIR", summary: "files that the folders of agents are to have" },
  record: { type: "string", value: "DIR", summary: "keep every agent on a tape" },
  replay: { type: "string", value: "PATH", summary: "serve a tape, or a folder of tapes, instead of a CLI" },
  demo: { type: "boolean", summary: "serve recorded turns, chosen by what is typed, instead of a CLI" },
  speed: {
    type: "string",
    value: "real|N|instant",
    summary: "with --replay (default: instant) and --demo (default: real): N times as fast"
  },
  "max-line": { ...maxLineOption, summary: `with --replay: ${maxLineOption.summary}` },
  "max-size": { ...maxSizeOption, summary: `with --replay: ${maxSizeOption.summary}` },
  model: { type: "string", value: "M", summary: "the model" },
  "permission-mode": { type: "string", value: "M", summary: "such as plan or acceptEdits" },
  "allowed-tools": { type: "string", multiple: true, value: "RULE", summary: "may run without asking (repeatable)" },
  "disallowed-tools": { type: "string", multiple: true, value: "RULE", summary: "may not run (repeatable)" },
  "add-dir": { type: "string", multiple: true, value: "DIR", summary: "another folder to work in (repeatable)" },
  "system-prompt": { type: "string", value: "TEXT", summary: "instead of the CLI's own" },
  "append-system-prompt": { type: "string", value: "TEXT", summary: "after the CLI's own" },
  "mcp-config": { type: "string", value: "FILE", summary: "MCP servers: a file, or JSON" },
  "max-turns": { type: "string", value: "N", summary: "end a run after this many turns" },
  "max-budget": { type: "string", value: "USD", summary: "end an agent that has cost this many dollars" },
  effort: { type: "string", value: optionWords.effort.join("|"), summary: "how hard the model thinks" },
  checkpointing: { type: "boolean", summary: "keep what files were like, so that they can be put back" },
  "session-options": {
    type: "string",
    multiple: true,
    value: "NAME,...",
    summary: "what callers may choose about their sessions"
  },
  json: { type: "boolean", summary: "print where it listens as one JSON object" },
  "json-logs": { type: "boolean", summary: "the log as JSON, even on a terminal" },
  "log-level": {
    type: "string",
    value: optionWords["log-level"].join("|"),
    summary: "the least that is logged (default: info)"
  },
  otlp: { type: "string", value: "URL", summary: "send spans to this OpenTelemetry collector (OTLP over HTTP)" }
} as const satisfies Readonly<Record<string, Option>>

type Name = keyof typeof table

/** What each option is about; all others are about agents. */
const themes: Readonly<Record<Exclude<Theme, "agent">, ReadonlyArray<string>>> = {
  door: [
    ...(["port", "host", "token", "no-auth", "origin", "allow-host", "extensions", "page"] satisfies Array<Name>),
    ...(["base-path", "session-options"] satisfies Array<Name>),
    ...Object.keys(httpLimitOptions)
  ],
  asking: ["approvals"] satisfies Array<Name>,
  place: ["data"] satisfies Array<Name>,
  kept: ["no-data", "durability", "import", "index", "no-index"] satisfies Array<Name>,
  log: ["json", "json-logs", "log-level", "otlp"] satisfies Array<Name>
}

const themeOf = (name: string): Theme =>
  (Object.keys(themes) as ReadonlyArray<keyof typeof themes>).find((theme) => themes[theme].includes(name)) ?? "agent"

/** The options of some themes, but for those that a command has nothing for. */
export const bridgeOptions = (
  of: ReadonlyArray<Theme>,
  except: ReadonlyArray<Name> = []
): Readonly<Record<string, Option>> =>
  Object.fromEntries(
    Object.entries<Option>(table).filter(
      ([name]) => of.includes(themeOf(name)) && !(except as ReadonlyArray<string>).includes(name)
    )
  )
