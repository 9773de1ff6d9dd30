/** `agentwire status`: how the runtime is, and who is attached to it. */
import type { Command } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { bridgeOptions } from "../serve/OptionTable.ts"
import { linkOption } from "../tiers/LinkOption.ts"

/** The command. */
export const status: Command = {
  name: "status",
  summary: "how a runtime and its gateways are: sessions, clients, questions, memory",
  usage: `[--data DIR | --link PATH] [--json]

Examples:
  agentwire status
  agentwire status --data /srv/agents --json`,
  details: `Asks the runtime that has the data folder, over its link. Nothing is started for it.

With --json, one object: {"running","link","runtime"?,"gateways"?,"sessions"?}. runtime has
program, link (its version), pid, startedAt, memory, agent, cwd and draining; each of the
gateways program, link, pid, attachedAt and its last report {url,clients,memory,extensions};
sessions has open, byStatus and questions. Memory is in bytes, times are in milliseconds
since 1970.

Exit code 0 when a runtime answers, 1 when there is none.`,
  options: {
    ...bridgeOptions(["place"]),
    link: linkOption,
    json: { type: "boolean", summary: "write one JSON object" }
  },
  run: async (input, console) => {
    const [stray] = input.positionals
    if (stray !== undefined) throw new UsageFailure(`status takes no "${stray}".`)
    const { placeOf } = await import("../tiers/TierOptions.ts")
    const { showStatus } = await import("../tiers/Status.ts")
    return showStatus(placeOf(input, process.env), input.values["json"] === true, console)
  }
}
