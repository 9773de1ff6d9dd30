/** The table of what kinds of agents can do, for the guide: a row for each word of the vocabulary. */
import { claudeCapabilities } from "../packages/bridge/src/runtime/claude/Capabilities.ts"
import { codexCapabilities } from "../packages/bridge/src/runtime/codex/Capabilities.ts"
import { execCapabilities } from "../packages/bridge/src/runtime/codexexec/Capabilities.ts"
import { Capabilities } from "../packages/bridge/src/session/Capabilities.ts"

type Name = keyof Capabilities

const shown = (value: Capabilities[Name]): string => {
  if (typeof value === "boolean") return value ? "yes" : "–"
  if (typeof value === "string") return value
  return value.length === 0 ? "none" : value.map((each) => `\`${each}\``).join(", ")
}

const agents = [claudeCapabilities(true), codexCapabilities(true), execCapabilities]

/** The table. */
export const capabilityTable = (): string =>
  [
    "| capability | what it says | Claude Code | Codex | `codex exec` |",
    "|---|---|---|---|---|",
    ...(Object.keys(Capabilities.fields) as ReadonlyArray<Name>).map(
      (name) => `| ${[`\`${name}\``, descriptionOf(name), ...agents.map((each) => shown(each[name]))].join(" | ")} |`
    )
  ].join("\n")

const descriptionOf = (name: Name): string => String(Capabilities.fields[name].ast.annotations?.["description"] ?? "")

const begin = "<!-- capabilities -->"
const end = "<!-- /capabilities -->"

/** A guide with the table between its marks. */
export const withCapabilityTable = (guide: string): string => {
  const [before, rest = ""] = guide.split(begin)
  return `${before}${begin}\n${capabilityTable()}\n${end}${rest.split(end)[1] ?? ""}`
}
