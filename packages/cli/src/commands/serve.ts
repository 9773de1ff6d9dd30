/** `agentwire serve`: a coding agent, or recorded ones, as an AG-UI server. */
import type { Command } from "../Command.ts"
import { maxLineOption, maxSizeOption } from "../Limits.ts"
import { httpLimitOptions } from "../serve/HttpLimitOptions.ts"
import { optionWords, tokenVariable } from "../serve/OptionWords.ts"

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

Before an agent starts, the files of --templates that its folder does not have are put there
(sub-agents in .claude/agents and .codex/agents, skills); what the project has is never changed.

Threads are kept in --data, with all that was said, and continue after a restart, however
the bridge ended. Several bridges may use the same folder; a thread is one bridge's at a
time, and each lists those of its own folders. --record keeps every agent
on a tape in DIR, without secrets. --replay plays tapes to whoever asks: one tape per
thread, in turn. --demo serves agents that need no account and no CLI: they play recorded
turns, chosen by what is typed. With both, --runtime names the agent of threads that name
none; the page lets a person choose for a new thread.

--extensions names a file with extensions: code of yours with methods, web pages and prompts
from elsewhere, each in a thread of its own (docs/extensions.md). \`GET /extensions\` says how
they are.

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
  },
  run: async (input, console) => {
    const { serveOptions } = await import("../serve/ServeOptions.ts")
    const options = serveOptions(input, process.env)
    return (await import("../serve/Serve.ts")).serveUntilStopped(options, console)
  }
}
