/** `agentwire app-server`: Codex's app-server protocol in front of Claude Code, for every client of Codex. */
import { dialects } from "../appserver/Dialect.ts"
import type { Command } from "../Command.ts"
import { bridgeOptions } from "../serve/OptionTable.ts"
import { tokenVariable } from "../serve/OptionWords.ts"

/** The command. */
export const appServer: Command = {
  name: "app-server",
  summary: "Claude Code for everything that speaks to Codex: its app-server protocol",
  usage: `[--listen URL] [OPTIONS] [-- FLAGS OF claude...]
       agentwire app-server --shim DIR [OPTIONS]`,
  details: `Speaks the JSON-RPC of \`codex app-server\` (0.166.0), with Claude Code behind it: the Codex
TUI (codex --remote ws://127.0.0.1:PORT), codex-acp, the AI SDK's providers and whatever
else drives Codex drive Claude instead, with the policy and the threads of this bridge.
docs/app-server.md has the methods, and what the protocol cannot say.

On standard input and output (the default) one client is served, until it closes its end
or Ctrl-C; standard output carries nothing but the protocol. On ws:// (port 0: any) and on
unix:// any number are. A WebSocket needs the token (Authorization: Bearer), the one of
--token or of ${tokenVariable}, else a new one, which is printed. A unix socket
needs none: nobody but you may open it.

--shim writes an executable \`codex\` into DIR, for clients that start one from the PATH or
from CODEX_PATH: \`codex app-server\` is this command with the same options, \`--version\` is
answered, and all else is handed to the real codex, if there is one.

Threads are those of \`agentwire serve\` with the same --data, which also lets these clients
in by itself, on its own port and with its token. What a tool may not do by itself is asked
of the clients that follow the thread; the first answer counts. A client cannot make an
agent do more without asking than you let it: approvalPolicy never with danger-full-access
counts only with --session-options permissionMode.`,
  options: {
    listen: { type: "string", value: "URL", summary: "where clients are: stdio:// (default), ws://…, unix://PATH" },
    stdio: { type: "boolean", summary: "the same as --listen stdio://" },
    dialect: { type: "string", value: dialects.join("|"), summary: "what clients speak (default: codex)" },
    shim: { type: "string", value: "DIR", summary: "write an executable codex that is this command" },
    "as-codex": { type: "boolean", hidden: true, summary: "what follows -- is a command line of codex" },
    "real-codex": { type: "string", hidden: true, value: "PATH", summary: "the codex that gets all other commands" },
    // Without what there is to say about HTTP alone, or about AG-UI.
    ...bridgeOptions(
      ["agent", "door", "place", "kept", "log"],
      ["port", "host", "page", "base-path", "index", "no-index"]
    )
  },
  run: async (input, console) => (await import("../appserver/Serve.ts")).serveApp(input, console)
}
