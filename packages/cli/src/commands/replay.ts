/** `agentwire replay`: plays a recorded session again, from either side. */
import * as Tape from "@agentwire/protocol/tape"
import type { Command } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { maxLineOption, maxSizeOption } from "../Limits.ts"
import { oneOf } from "../OptionValue.ts"

const roles = ["cli", "host"] as const

/** The command. */
export const replay: Command = {
  name: "replay",
  summary: "play a recorded session again, as the CLI or as the host",
  usage: `FILE [OPTIONS] [-- FLAGS...]
       agentwire replay FILE --connect ws://HOST/PATH
       agentwire replay --shim DIR FILE
       agentwire replay FILE --as host [--json] -- claude|codex ARGS...`,
  details: `FILE is a tape, of Claude Code or of Codex, which its header says. As the CLI, it reads a
host's lines from standard input, waits for those that came on the tape, and says what the
CLI said, with the host's own ids, standard error and exit code included. What follows --
are flags of the real CLI: they are accepted, and --version is answered as the recorded
CLI does.

A line of the host that does not match (--match) ends it with exit code 2 and the
difference from the nearest line of the tape. When the host ends and not all of the tape
was asked for, that is said on standard error, and the exit code is 1.

With --connect it is a CLI of 2.1.120 or before that was started with --sdk-url: it
connects to a WebSocket, and connects again as the recorded version does.

With --shim it writes an executable DIR/claude or DIR/codex that replays FILE, for any
program that starts one.

With --as host it starts a real CLI, says what the host said, and compares what comes
back, ids renamed, times and costs ignored: exit code 0 the same, 1 it differs, 2 it
could not be done. The environment is passed on, so start what the CLI needs first, such as
\`agentwire model\`. When the CLI is silent for 10 seconds (--idle-limit), the
host continues. With --json, one object: {"same","differences","unknown","killed"}: what
\`tape diff --json\` says about the two, the requests of the CLI that the tape has no answer
to, and whether it had to be killed.`,
  options: {
    match: {
      type: "string",
      value: Tape.replayMatches.join("|"),
      summary: "strict: equal except for ids; shape (default): same keys; none: any line"
    },
    speed: { type: "string", value: "real|N|instant", summary: "N times as fast (default instant)" },
    "idle-limit": { type: "string", value: "MS", summary: "wait at most this long between two frames" },
    as: { type: "string", value: roles.join("|"), summary: "which side is played (default cli)" },
    connect: { type: "string", value: "URL", summary: "speak over a WebSocket instead of stdin and stdout" },
    shim: { type: "string", value: "DIR", summary: "write an executable that replays FILE" },
    json: { type: "boolean", summary: "with --as host: write what differs as one JSON object" },
    "max-line": maxLineOption,
    "max-size": maxSizeOption
  },
  run: async (input, console) => {
    if (input.positionals.length === 0)
      throw new UsageFailure("replay needs a FILE: a tape, as `agentwire record` writes it.")
    const role = oneOf("as", roles, input.values["as"]) ?? "cli"
    if (role === "cli" && input.values["json"] === true) throw new UsageFailure("--json goes with --as host.")
    return (await import("../replay/Replay.ts")).replayFile(role, input, console)
  }
}
