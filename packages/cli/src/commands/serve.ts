/** `agentwire serve`: a coding agent, or recorded ones, as an AG-UI server. */
import type { ProtobufEncode } from "@agentwire/bridge/agui"
import { HttpServer } from "@agentwire/bridge/http"
import { layerObservability } from "@agentwire/bridge/observe"
import { makeWorkingFolders } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { Command, ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { codexPrompts, demoPrompts } from "../demo/Turns.ts"
import { Failure } from "../Failure.ts"
import { maxLineOption, maxSizeOption } from "../Limits.ts"
import { exitLike } from "../record/Recorder.ts"
import { adviceOn, type ServeFailed } from "../serve/Advice.ts"
import { agentKinds } from "../serve/AgentKinds.ts"
import { findAgents } from "../serve/Agents.ts"
import { freePort } from "../serve/FreePort.ts"
import { greeting, greetingJson } from "../serve/Greeting.ts"
import { httpLimitOptions } from "../serve/HttpLimitOptions.ts"
import { type Page, type PageSettings, readPage } from "../serve/Page.ts"
import { policyOf, type SessionPolicy } from "../serve/Policy.ts"
import { protobufEncode } from "../serve/Protobuf.ts"
import { appServerOf, askingRuntime, layerDiary, layerSessions, tapesOf, whenAborted } from "../serve/Running.ts"
import { optionWords, type RuntimeName, type ServeOptions, serveOptions, tokenVariable } from "../serve/ServeOptions.ts"
import { stopSignal } from "../serve/StopSignal.ts"
import type { BridgeTapes } from "../serve/Tapes.ts"
import { version } from "../Version.ts"

/** The command. */
export const serve: Command = {
  name: "serve",
  summary: "a coding agent as an AG-UI server, for CopilotKit and every AG-UI client",
  usage: `[OPTIONS] [-- FLAGS OF claude...]
       agentwire serve --replay TAPE|FOLDER [OPTIONS]
       agentwire serve --demo [OPTIONS]`,
  details: `Starts one Claude Code for each thread, with its first prompt, and serves them over HTTP:
the plain AG-UI endpoint (POST /), the routes of a CopilotKit runtime, and one WebSocket
for everything (/ws, docs/gateway.md). Prints where it listens, the token, and the lines
to paste into an application. Runs until Ctrl-C, which ends every agent; a second Ctrl-C
does not wait for them.

With --runtime codex, one codex app-server for each thread instead; with codex-exec, one
\`codex exec\` for each prompt, which asks nobody and neither the policy, so it can write
nothing unless --permission-mode says otherwise (docs/codex.md). Either way a session may
name another one in its option runtime.

Who may connect: only this machine (--host), only with the token, and no web page
unless its origin is allowed (--origin). On another --host, name every name and address
under which it is reached (--allow-host). The token is random and printed once, or the
one of --token or of the variable ${tokenVariable}. --no-auth works on loopback only.

Agents work in --cwd (default: this folder), which must be under a --root (default: the
--cwd itself). What a tool may not do by itself is refused unless --approvals says that
the application asks a person: interrupt ends the run with a question that the next run
answers; event sends a CUSTOM event. A --policy decides about every tool call before that,
including those that the CLI would run without asking (\`agentwire policy\` explains it).

Callers choose options for the sessions they begin: over the management API those that
are harmless, in a run's forwardedProps.sessionOptions none. --session-options names what
they may choose besides; with env, hooks, mcpConfig, mcpCommands or extraArgs they can run
programs past the policy.

Threads are kept in --data, with all that was said, and continue after a restart, however
the bridge ended. Several bridges may use the same folder; a thread is one bridge's at a
time, and each lists those of its own folders. --record keeps every agent
on a tape in DIR, without secrets. --replay plays tapes to whoever asks: one tape per
thread, in turn. --demo serves agents that need no account and no CLI: they play recorded
turns, chosen by what is typed. With both, --runtime names the agent of threads that name
none; the page lets a person choose for a new thread.

What a request may take is bounded (--max-body and what follows it); \`agentwire help limits\`
says what each limit is for.

The log goes to standard error, for people on a terminal, else as JSON: sessions, agents,
runs with their outcome, refusals. It never has prompts, answers or the token.

With --json, one line for a program when it listens: {"url","copilotkit","page","token",
"auth","agent","cwd","origins"}. page is null without --page; token is null unless it was
generated here; auth is whether callers must send one.`,
  options: {
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
      summary: "auto (default); ws is for 2.1.120 and before"
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
  },
  run: async (input, console) => {
    const options = serveOptions(input, process.env)
    // What is left of the agents then is ended by their guards.
    const stop = stopSignal((code) => process.exit(code))
    // A terminal that was closed takes no more lines; the agents are to end in order all the same.
    process.stderr.on("error", ignored)
    const tapes = tapesOf(options, console)
    try {
      return await runServer(options, tapes, stop.signal, console)
    } finally {
      const { stuck } = (await tapes?.end()) ?? { stuck: false }
      if (stuck) await exitLike({ code: 0, signal: null }, stuck)
      stop.forget()
      process.stderr.off("error", ignored)
    }
  }
}

const ignored = (): void => undefined

const runServer = async (
  options: ServeOptions,
  tapes: BridgeTapes | undefined,
  stop: AbortSignal,
  console: Console
): Promise<ExitCode> => {
  const ended = await Effect.runPromise(
    untilStopped(options, tapes, stop, console).pipe(
      Effect.scoped,
      Effect.provide(layerDiary(options, console)),
      Effect.result
    )
  )
  if (Result.isSuccess(ended)) return 0
  throw new Failure(adviceOn(ended.failure, options), { cause: ended.failure })
}

const untilStopped = (
  options: ServeOptions,
  tapes: BridgeTapes | undefined,
  stop: AbortSignal,
  console: Console
): Effect.Effect<void, ServeFailed> =>
  Effect.gen(function* () {
    // Said now, and not to the first client.
    const cwd = yield* Effect.flatMap(makeWorkingFolders(options.roots), ({ resolve }) => resolve(options.cwd))
    const agents = yield* findAgents(options.source, tapes?.tap)
    const protobuf = yield* Effect.promise(() => protobufEncode())
    const page = options.page ? readPage(pageSettings(options, yield* agents.kinds)) : undefined
    const port = options.portIsChosen ? options.port : yield* Effect.promise(() => freePort(options))
    if (port !== options.port) console.err(`Port ${options.port} is taken: this is on ${port}.`)
    const rules = yield* policyOf(options)
    const server = layerServer({ ...options, cwd, port }, rules, agents.what, page, protobuf).pipe(
      Layer.provide(agents.layer)
    )
    yield* Effect.gen(function* () {
      const { url } = yield* HttpServer
      yield* Effect.promise(() =>
        console.out((options.json ? greetingJson : greeting)({ ...options, cwd, url, what: agents.what }))
      )
      yield* Effect.annotateLogs(Effect.log("listening"), { url })
      yield* whenAborted(stop)
      yield* Effect.log("stopping")
    }).pipe(Effect.provide(server))
    yield* Effect.log("stopped")
  })

const demoWords = "demo agent: recorded sessions; use `npm start -- --cli claude` for a live one"

const pageSettings = ({ basePath = "", source }: ServeOptions, kinds: ReadonlyArray<RuntimeName>): PageSettings => ({
  basePath,
  agents: kinds.map((kind) => ({
    kind,
    name: agentKinds[kind].title,
    suggestions: source._tag === "Demo" ? demoSuggestions[agentKinds[kind].program] : []
  }))
})

const demoSuggestions = { claude: demoPrompts, codex: codexPrompts }

const layerServer = (
  options: ServeOptions,
  policy: SessionPolicy,
  what: string,
  page: Page | undefined,
  protobuf: ProtobufEncode | undefined
) => {
  const { basePath, token } = options
  const asking = askingRuntime(options.source)
  return HttpServer.layer({
    approvals: options.approvals,
    limits: options.limits,
    sse: protobuf === undefined ? {} : { protobuf },
    host: options.host,
    port: options.port,
    sessionOptions: options.sessionOptions,
    access: {
      token: token === undefined ? "none" : Redacted.make(token),
      allowedOrigins: options.origins,
      allowedHosts: options.hosts
    },
    agent: { version: version(), description: options.source._tag === "Demo" ? demoWords : what },
    ...(asking !== undefined && { appServer: appServerOf(options, asking) }),
    gateway: {},
    ...(page !== undefined && { page }),
    ...(basePath !== undefined && { basePath })
  }).pipe(Layer.provide(layerObservability), Layer.provide(layerSessions(options, policy)))
}
