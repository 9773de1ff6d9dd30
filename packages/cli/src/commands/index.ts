/** The commands of `agentwire`. Each loads only when it is asked for: `--help` must be quick. */
import type { CommandTable } from "../Command.ts"

/** All commands by name, in the order the help lists them. */
export const commands: CommandTable = {
  decode: {
    summary: "say what is in a recorded session: messages, unknown types, drift, invalid lines",
    load: async () => (await import("./decode.ts")).decode
  },
  record: {
    summary: "keep a live session on a tape, unnoticed by either side",
    load: async () => (await import("./record.ts")).record
  },
  replay: {
    summary: "play a recorded session again, as the CLI or as the host",
    load: async () => (await import("./replay.ts")).replay
  },
  tape: {
    summary: "look into a tape, check it, compare two, take secrets out",
    load: async () => (await import("./tape.ts")).tape
  },
  history: {
    summary: "list, show and export the sessions that Claude Code kept itself",
    load: async () => (await import("./history.ts")).history
  },
  translate: {
    summary: "turn a recorded session into AG-UI events, or into the messages they make",
    load: async () => (await import("./translate.ts")).translate
  },
  serve: {
    summary: "a coding agent as an AG-UI server, for CopilotKit and every AG-UI client",
    load: async () => (await import("./serve.ts")).serve
  },
  runtime: {
    summary: "the sessions and agents of a bridge, without a door: for `agentwire gateway`",
    load: async () => (await import("./runtime.ts")).runtime
  },
  gateway: {
    summary: "the doors of a bridge: HTTP, WebSockets and the page, for `agentwire runtime`",
    load: async () => (await import("./gateway.ts")).gateway
  },
  status: {
    summary: "how a runtime and its gateways are: sessions, clients, questions, memory",
    load: async () => (await import("./status.ts")).status
  },
  "app-server": {
    summary: "Claude Code for everything that speaks to Codex: its app-server protocol",
    load: async () => (await import("./app-server.ts")).appServer
  },
  policy: {
    summary: "check a policy file, and explain what it says about a tool call",
    load: async () => (await import("./policy.ts")).policy
  },
  model: {
    summary: "play a scripted model API on loopback, for the real CLI to talk to",
    load: async () => (await import("./model.ts")).model
  },
  conform: {
    summary: "judge AG-UI events, a server or a CLI by the rules, and report",
    load: async () => (await import("./conform.ts")).conform
  },
  drift: {
    summary: "record a CLI release and say what it changed",
    load: async () => (await import("./drift.ts")).drift
  },
  doctor: {
    summary: "check what is installed and whether it works together, and say how to fix it",
    load: async () => (await import("./doctor.ts")).doctor
  },
  completions: {
    summary: "write the completions for a shell",
    load: async () => (await import("./completions.ts")).completions(commands)
  },
  help: {
    summary: "explain a command or a topic",
    load: async () => (await import("./help.ts")).help(commands)
  }
}
