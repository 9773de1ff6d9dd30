/** `agentwire model`: a scripted model API as a server of its own, from a scenario file: for Claude Code, or for Codex. */
import type { Command } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { oneOf, portNumber } from "../OptionValue.ts"

/** The command. */
export const model: Command = {
  name: "model",
  summary: "play a scripted model API on loopback, for the real CLI to talk to",
  usage: "[--api messages|responses] --scenario FILE [--port N] [--json]",
  details: `--api messages (the default) is for Claude Code, --api responses for Codex, which may do
without --scenario: then the model says "Done." to everything.

FILE is JSON: {"model":{"replies":[REPLY...],"lanes":[{"match":TEXT,"replies":[REPLY...]}]}}.
Each request gets the next reply. When they run out, the last one is repeated (messages),
or the model says "Done." (responses). A lane answers the requests whose system prompt or
first or last user message has its text: sub-agents, compaction, titles.

With --api messages, REPLY is one of
  {"kind":"message","blocks":[BLOCK...]} with, as wanted, "stop", "usage", "headers",
      "delayMs", "dripMs", "burst":true (one write), "writeBytes":N and "cutsAt":[N...]
      (writes that may cut characters), and
      "break":{"how":"cut"|"hang"|"error","afterEvents":N,"type":…,"message":…}
  {"kind":"error","status":429,"type":"rate_limit_error","message":…,"headers":{"retry-after":"1"}}
  {"kind":"reset"}
BLOCK is one of
  {"kind":"text","deltas":[TEXT...]}
  {"kind":"thinking","deltas":[TEXT...],"signature":TEXT}
  {"kind":"redacted_thinking","data":TEXT}
  {"kind":"tool","type":"tool_use"|"server_tool_use"|"mcp_tool_use","names":["Bash"],
      "input":{…},"partialJson":[TEXT...]}
  {"kind":"whole","block":{…}}

With --api responses, REPLY is one of
  {"kind":"response","items":[ITEM...]} with, as wanted, "usage", "delayMs", "dripMs", and
      "break":{"how":"cut"|"hang","afterEvents":N}
  {"kind":"text","deltas":[TEXT...],"thought":[TEXT...]}   {"kind":"command","command":TEXT}
  {"kind":"hang","deltas":[TEXT...]}   (short forms of the above)
  {"kind":"failed","code":"context_length_exceeded","message":…}
  {"kind":"error","status":429,"message":…,"type":…,"headers":{…}}
  {"kind":"reset"}
ITEM is one of
  {"kind":"text","deltas":[TEXT...],"phase":"commentary"|"final_answer"}
  {"kind":"reasoning","summary":[[TEXT...]...],"raw":[TEXT...]}
  {"kind":"call","name":"exec_command","namespace":TEXT,"arguments":{"cmd":"ls"}}
  {"kind":"custom","name":"apply_patch","input":TEXT}
  {"kind":"web_search","query":TEXT}
  {"kind":"whole","item":{…}}

Prints the setting for the CLI, then a line for each request on standard error, until
Ctrl-C. For Claude Code that is ANTHROPIC_BASE_URL, and it also needs ANTHROPIC_API_KEY set
to anything; for Codex it is what belongs into config.toml in an empty CODEX_HOME.

With --json, one object instead of the setting: {"url","scenario"}.`,
  options: {
    api: { type: "string", value: "NAME", summary: "messages or responses (default: messages)" },
    scenario: { type: "string", value: "FILE", summary: "what the model says" },
    port: { type: "string", value: "N", summary: "the port on 127.0.0.1 (default: a free one)" },
    json: { type: "boolean", summary: "write the address as a JSON object" }
  },
  run: async ({ positionals, values }, console) => {
    const api = oneOf("api", ["messages", "responses"], values["api"]) ?? "messages"
    const scenario = values["scenario"]
    // Codex has something to play without a file.
    if (positionals.length > 0 || (typeof scenario !== "string" && api === "messages"))
      throw new UsageFailure("model needs --scenario FILE.")
    const port = portNumber("port", values["port"])
    const { playModel } = await import("../model/PlayModel.ts")
    return playModel(
      { api, scenario: typeof scenario === "string" ? scenario : undefined, port, isJson: values["json"] === true },
      console
    )
  }
}
