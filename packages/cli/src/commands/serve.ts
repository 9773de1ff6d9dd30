/** `agentwire serve`: a coding agent, or recorded ones, as an AG-UI server. */
import type { Command } from "../Command.ts"
import { bridgeOptions } from "../serve/OptionTable.ts"
import { tokenVariable } from "../serve/OptionWords.ts"

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
  options: bridgeOptions(["agent", "door", "kept", "log", "asking", "place"]),
  run: async (input, console) => {
    const { serveOptions } = await import("../serve/ServeOptions.ts")
    const options = serveOptions(input, process.env)
    return (await import("../serve/Serve.ts")).serveUntilStopped(options, console)
  }
}
