/** `agentwire runtime`: sessions and agents that outlive the doors in front of them. */
import type { Command } from "../Command.ts"
import { bridgeOptions } from "../serve/OptionTable.ts"
import { linkOption } from "../tiers/LinkOption.ts"

/** The command. */
export const runtime: Command = {
  name: "runtime",
  summary: "the sessions and agents of a bridge, without a door: for `agentwire gateway`",
  usage: `[OPTIONS] [-- FLAGS OF claude...]

Examples:
  agentwire runtime --cwd ~/project --approvals interrupt    # in one terminal
  agentwire gateway --page                                   # in another: restart it at will
  agentwire status                                           # how both are
  agentwire runtime --data /srv/agents --link tcp://127.0.0.1:3299`,
  details: `Has the sessions, their agents, the log and the store, and listens for gateways on a private
socket beside --data. A gateway may be ended, killed or updated while agents work: they go
on, and its clients find everything in the next one. docs/two-tiers.md says what is kept where.

The options are those of \`agentwire serve\` that are about agents and what is kept. --approvals
other than deny lets people at gateways say yes; how they are asked is the gateway's.

Ctrl-C, or SIGTERM, ends it: new work is refused, turns may end for --drain seconds, and what is
still open then is ended, which is said. A second signal ends it at once. No agent is left.

With --json, one line for a program when it listens: {"link","agent","cwd","pid"}.`,
  options: {
    ...bridgeOptions(["agent", "asking", "place", "kept", "log"]),
    link: linkOption,
    drain: { type: "string", value: "SECONDS", summary: "how long turns may take to end (default 30; 0: not at all)" }
  },
  run: async (input, console) => {
    const { runtimeOptions } = await import("../tiers/TierOptions.ts")
    const options = runtimeOptions(input, process.env)
    return (await import("../tiers/Runtime.ts")).runRuntime(options, console)
  }
}
