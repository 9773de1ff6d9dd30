/**
 * The rule of one call, for which Claude Code itself suggests none: for a command whose output goes into a file, for a
 * change of a file (it suggests a permission mode), and for all that a policy has asked about.
 *
 * It is no wider than what people are shown: a change of a file stands for every change of that file, as Claude's own
 * `Edit(…)` rules and Codex's do; anything else for the very same call, in the same folder. Why the CLI asks is part of it: a
 * file of the project that has become a link out of it is another question.
 */
import { createHash } from "node:crypto"
import { resolve } from "node:path"
import type * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"
import { claudeToolInputs } from "./ToolInputs.ts"

/** The tools that change files: they have one rule for a file. */
const changing: ReadonlySet<string> = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"])

/** What a call is told with besides what it does. */
const beside: ReadonlySet<string> = new Set(["description", "timeout"])

/** The rule of a call in a folder; undefined where the CLI lets nothing be remembered. */
export const callRule = (
  { blockedPath, details, input, kind, tool }: Model.PermissionRequest,
  cwd: string
): Model.Rule | undefined => {
  if (kind !== "permission" || details["suppress_always_allow_rule"] === true) return undefined
  const why = [blockedPath, details["decision_reason_type"]]
  const path = changing.has(tool) ? input[claudeToolInputs.paths[tool]?.field ?? ""] : undefined
  if (typeof path === "string") {
    const file = resolve(cwd, path)
    return { id: idOf(["file", file, why]), label: labelOf("Edit", file) }
  }
  const { command } = input
  return {
    id: idOf(["call", tool, cwd, why, whatItDoes(input)]),
    label: typeof command === "string" ? labelOf(tool, command) : tool
  }
}

type Input = Model.PermissionRequest["input"]

const whatItDoes = (input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !beside.has(name)))

const idOf = (parts: ReadonlyArray<unknown>): string =>
  `session:${createHash("sha256")
    .update(JSON.stringify(parts.map(ordered)))
    .digest("hex")}`

/** The order of keys says nothing. */
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isRecord(value)) return value
  return Object.entries(value)
    .map(([name, each]) => [name, ordered(each)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

const maxLabel = 200

const labelOf = (tool: string, what: string): string =>
  `${tool}(${what.length <= maxLabel ? what : `${what.slice(0, maxLabel)}…`})`
