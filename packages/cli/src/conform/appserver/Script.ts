/**
 * What the model says in a scenario, whichever model API the server under judgement asks: Codex asks the Responses API,
 * Claude Code the Messages API. The suite plays both, and the server takes the one it needs.
 */
import type { JsonObject, ModelScript, ResponsesReply } from "@agentwire/fixtures"
import { saysWith, text, tool } from "@agentwire/fixtures/scenario"

/** One answer of the model. */
export type Beat =
  /** A text, in these deltas; with pauses between them where there is time needed to do something meanwhile. */
  | { readonly say: ReadonlyArray<string>; readonly slowly?: true }
  /** A text that begins and does not end. */
  | { readonly hang: ReadonlyArray<string> }
  /** A command; `outside`: for which the model asks to leave the sandbox, where there is one. */
  | { readonly run: string; readonly outside?: true }
  /** A new file in the folder of the project. */
  | { readonly write: string; readonly content: string }
  /** A tool that the client has brought, and the group that it is in, where it is in one. */
  | { readonly call: string; readonly group?: string; readonly with: JsonObject }

const slowMs = 150

/** What the Responses API answers. */
export const responsesReply = (beat: Beat): ResponsesReply => {
  if ("hang" in beat) return { kind: "hang", deltas: beat.hang }
  if ("run" in beat && beat.outside) {
    const wish = { cmd: beat.run, sandbox_permissions: "require_escalated", justification: "It writes a file." }
    return { kind: "response", items: [{ kind: "call", name: "exec_command", arguments: wish }] }
  }
  if ("run" in beat) return { kind: "command", command: beat.run }
  if ("call" in beat) {
    const { call: name, group: namespace, with: given } = beat
    const item = { kind: "call", name, arguments: given, ...(namespace !== undefined && { namespace }) } as const
    return { kind: "response", items: [item] }
  }
  if ("write" in beat) {
    const lines = beat.content.replace(/\n$/, "").split("\n")
    const patch = [
      "*** Begin Patch",
      `*** Add File: ${beat.write}`,
      ...lines.map((line) => `+${line}`),
      "*** End Patch",
      ""
    ]
    return { kind: "response", items: [{ kind: "custom", name: "apply_patch", input: patch.join("\n") }] }
  }
  const items = [{ kind: "text", deltas: beat.say }] as const
  return { kind: "response", items, ...(beat.slowly && { dripMs: slowMs }) }
}

type Reply = ModelScript["replies"][number]

/** What the Messages API answers, where the project is in a folder. */
export const messagesReply = (beat: Beat, project: string): Reply => {
  if ("run" in beat) return saysWith({}, tool("Bash", { command: beat.run, description: "A command of the scenario" }))
  if ("call" in beat) {
    // How agentwire tells Claude Code of the tools of its clients.
    const name = beat.group === undefined ? beat.call : `${beat.group}__${beat.call}`
    return saysWith({}, tool(`mcp__frontend__${name}`, beat.with))
  }
  if ("write" in beat)
    return saysWith({}, tool("Write", { file_path: `${project}/${beat.write}`, content: beat.content }))
  // Before the deltas come the beginnings of the message and of the block, and a ping.
  if ("hang" in beat) return saysWith({ break: { how: "hang", afterEvents: 3 + beat.hang.length } }, text(...beat.hang))
  return saysWith(beat.slowly ? { dripMs: slowMs } : {}, text(...beat.say))
}
