/**
 * A review as a prompt: the agents of a bridge have no review of their own, so they are asked for one in words.
 */
import type { ParamsOf } from "@agentwire/protocol/codex"
import { isRecord } from "@agentwire/protocol/wire"

const ask = "Do not change anything. Say what is wrong, each with its file and line, the worst first."

/** What to say to the agent; undefined: nobody knows what is to be reviewed. */
export const reviewPrompt = (target: ParamsOf<"review/start">["target"]): string | undefined => {
  const fields: Readonly<Record<string, unknown>> = isRecord(target) ? target : {}
  const of = (name: string): string => String(fields[name] ?? "")
  switch (target.type) {
    case "uncommittedChanges":
      return `Review the changes in this folder that are not committed, staged, unstaged and new files alike. ${ask}`
    case "baseBranch":
      return `Review what this branch changes since it left the branch ${of("branch")}. ${ask}`
    case "commit":
      return `Review what the commit ${of("sha")} changes. ${ask}`
    case "custom":
      return of("instructions")
    default:
      return undefined
  }
}
