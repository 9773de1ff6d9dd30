/** `@agentwire/fixtures/scenario`: the words that a scenario is written in. */
import {
  allow,
  appliesTo,
  close,
  connected,
  control,
  controlMaybe,
  deny,
  drop,
  exited,
  fails,
  frame,
  type HostStep,
  initialize,
  oneTurn,
  pause,
  prompt,
  raw,
  refuse,
  relaunch,
  respond,
  type Scenario,
  says,
  saysWith,
  send,
  signal,
  silence,
  text,
  thinking,
  tool,
  turnEnd,
  waitFor,
  waitMaybe,
  write
} from "@agentwire/fixtures/scenario"

// One turn, in which the model calls a tool and the host denies it.
export const toolDenied: Scenario = {
  name: "tool_denied",
  about: "The host denies.",
  versions: { from: "2.1.100" },
  model: { replies: [says(tool("Bash", { command: "touch a" })), says("Done.")] },
  answers: { can_use_tool: { "*": [deny("Not today.")] } },
  host: oneTurn("Go.")
}
console.log(appliesTo(toolDenied, "2.1.325"), appliesTo(toolDenied, "2.1.37")) // true false

// What else the model may answer: an error, thoughts, options of a message.
const replies = [
  fails(529, "overloaded_error", "Overloaded"),
  says(thinking("Let me see."), text("Hello ", "there.")),
  saysWith({ writeBytes: 3 }, "Grüße")
]

// What else the host may answer: yes, with another input; any response; an error; nothing.
const answers = { can_use_tool: { Bash: [allow({ command: "ls" })], "*": [respond({}), refuse("No."), silence] } }

// What the host may do: say something, wait for something, write files, end and start the process …
const host: ReadonlyArray<HostStep> = [
  initialize({ hooks: {} }),
  prompt("Go."),
  waitFor("assistant"),
  waitMaybe(["system", "compact_boundary"], 1000),
  control("set_model", { model: "other" }),
  controlMaybe("get_settings"),
  send({ type: "keep_alive" }),
  raw("no JSON"),
  pause(10),
  write("{{project}}/a.txt", "a"),
  turnEnd,
  relaunch(["--continue"]),
  signal("SIGINT"),
  close,
  exited(5000)
]

// … and, over a WebSocket, break it, wait until the CLI is back, send a frame as it is.
const overWebSocket: ReadonlyArray<HostStep> = [drop(1006), connected(2), frame('{"type":"keep_alive"}')]

export const everything: Scenario = {
  name: "everything",
  about: "All of it.",
  transport: "ws",
  model: { replies },
  answers,
  host: [...host, ...overWebSocket]
}
console.log(everything.host.length) // 18
