/** `agentwire gateway`: the doors in front of the sessions of a runtime. */
import type { Command } from "../Command.ts"
import { bridgeOptions } from "../serve/OptionTable.ts"
import { tokenVariable } from "../serve/OptionWords.ts"
import { linkOption } from "../tiers/LinkOption.ts"

/** The command. */
export const gateway: Command = {
  name: "gateway",
  summary: "the doors of a bridge: HTTP, WebSockets and the page, for `agentwire runtime`",
  usage: `[OPTIONS]

Examples:
  agentwire runtime                                     # in one terminal
  agentwire gateway --page                              # in another
  agentwire gateway --port 3300 --extensions ext.json   # a second one, for others
  agentwire gateway --data /srv/agents --link tcp://127.0.0.1:3299`,
  details: `Serves the sessions of an \`agentwire runtime\` on this machine as \`agentwire serve\` serves its
own: AG-UI and CopilotKit, the management API, one WebSocket for everything, clients of
Codex, MCP, extensions and the page. It holds nothing that cannot be read again, so it may be ended
or killed at any time: agents go on, and clients rejoin where they were.

It waits for its runtime, at the start and whenever that is gone. Until it is back, requests are
refused with RUNTIME_UNREACHABLE and \`GET /health\` says degraded.

Who may connect is as with serve: only this machine, only with the token (--token, the variable
${tokenVariable}, or a new one that is printed). Give it one that stays, so that clients
can come back to the next gateway. --approvals says how people are asked (default: interrupt),
where the runtime lets them be asked.

With --json, one line for a program when it listens, as of serve.`,
  options: { ...bridgeOptions(["door", "asking", "place", "log"]), link: linkOption },
  run: async (input, console) => {
    const { gatewayOptions } = await import("../tiers/TierOptions.ts")
    const options = gatewayOptions(input, process.env)
    return (await import("../tiers/Gateway.ts")).runGateway(options, console)
  }
}
