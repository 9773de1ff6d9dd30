/**
 * Calls that only the model's side of a rollout has: of a command or a patch that nobody let run there is no item, and
 * rollouts of 0.150.1 have no items at all.
 */
import { fieldsIn, listIn, textIn } from "../../wire/Fields.ts"
import { isRecord } from "../../wire/Json.ts"
import { parseJson } from "../../wire/ReadJson.ts"
import type { KnownRolloutLine } from "./Line.ts"

type Fields = Readonly<Record<string, unknown>>

/** A call as the model made it. */
export interface ModelCall {
  readonly id: string
  readonly tool: string
  readonly input: Fields
}

/** The call that a line makes; undefined when it makes none. */
export const callIn = (said: KnownRolloutLine): ModelCall | undefined => {
  switch (said.name) {
    case "response_item/function_call": {
      const { arguments: given, call_id: id, name: tool } = said.message.payload
      const input = parseJson(given)
      // What cannot be read was never run, and clients are told nothing of it.
      return isRecord(input) ? { id, tool, input } : undefined
    }
    case "response_item/custom_tool_call": {
      const { call_id: id, input, name: tool } = said.message.payload
      return { id, tool, input: { input } }
    }
    default:
      return undefined
  }
}

/** What the model was told that a call gave back. */
export const outputIn = (said: KnownRolloutLine): { readonly id: string; readonly output: string } | undefined => {
  if (said.name !== "response_item/function_call_output" && said.name !== "response_item/custom_tool_call_output")
    return undefined
  const { call_id: id, output } = fieldsIn(said.message.payload)
  const parts = listIn(output).map((part) => textIn(fieldsIn(part)["text"]) ?? "")
  return { id: textIn(id) ?? "", output: textIn(output) ?? parts.join("\n") }
}

const commandTools: ReadonlySet<string> = new Set(["exec_command", "shell", "shell_command", "local_shell"])

/** The paths in a patch, each with what is done there: the text of the patch itself is the model's. */
const patchedFiles = (patch: string): ReadonlyArray<Fields> => {
  const parts = patch.split(/^\*\*\* (?=(?:Add|Delete|Update) File: )/m).slice(1)
  return parts.map((part) => {
    const [head = "", ...lines] = part.replace(/^\*\*\* End Patch[\s\S]*$/m, "").split("\n")
    const [, how = "", path = ""] = /^(Add|Delete|Update) File: (.*)$/.exec(head) ?? []
    const isNew = how === "Add"
    return {
      path,
      kind: { type: how.toLowerCase() },
      diff: lines.map((line) => (isNew ? line.replace(/^\+/, "") : line)).join("\n")
    }
  })
}

/** The item that the app-server would have of a call without one; undefined where it would have none. */
export const itemOfCall = ({ id, input, tool }: ModelCall, cwd: string | undefined): Fields | undefined => {
  if (tool === "apply_patch")
    return { type: "fileChange", id, changes: patchedFiles(textIn(input["input"]) ?? ""), status: "inProgress" }
  if (!commandTools.has(tool)) return undefined
  const command = input["cmd"] ?? input["command"]
  return {
    type: "commandExecution",
    id,
    command: Array.isArray(command) ? command.join(" ") : (textIn(command) ?? ""),
    cwd: textIn(input["workdir"]) ?? cwd ?? "",
    commandActions: [],
    status: "inProgress"
  }
}

/** How a command or a patch went that has no item, from what the model was told of it. */
export interface CallEnd {
  readonly status: "completed" | "declined" | "failed"
  readonly aggregatedOutput?: string
  readonly exitCode?: number
}

/** How a call went, from what the model was told of it. */
export const endOf = (output: string): CallEnd => {
  if (/rejected by user|^aborted by user/m.test(output)) return { status: "declined" }
  // Nothing was run, and the app-server says no more than that.
  if (/^exec_command failed: /.test(output)) return { status: "failed" }
  const { code } = /^(?:Process exited with code|Exit code:?) (?<code>-?\d+)$/m.exec(output)?.groups ?? {}
  const printed = /^Output:\n(?<printed>[\s\S]*)$/m.exec(output)?.groups?.["printed"]
  return {
    status: code === undefined || code === "0" ? "completed" : "failed",
    aggregatedOutput: printed ?? output,
    ...(code !== undefined && { exitCode: Number(code) })
  }
}
