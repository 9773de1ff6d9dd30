/**
 * A review: a prompt that asks for one, because the agents of a bridge have no review of their own, in a turn that clients
 * are told is one (`enteredReviewMode`, `exitedReviewMode`).
 *
 * The model has no word for it. What says so is the id of the prompt, so it is said live, from the store and to whoever
 * joins alike.
 */
import type { ReviewTarget } from "../codex/generated/Review.ts"
import { textIn } from "../wire/Fields.ts"
import { isRecord } from "../wire/Json.ts"

const mark = "review-"

/** The id of the prompt of a review, made of an id of one's own. */
export const reviewIdOf = (id: string): string => `${mark}${id}`

/** Whether a prompt asks for a review. */
export const isReviewId = (id: string): boolean => id.startsWith(mark)

const ask = "Do not change anything. Say what is wrong, each with its file and line, the worst first."

const uncommitted = "Review the changes in this folder that are not committed, staged, unstaged and new files alike."
const branch = "Review what this branch changes since it left the branch "
const commit = "Review what the commit "

/** What to say to the agent; undefined: nobody knows what is to be reviewed. */
export const reviewPrompt = (target: ReviewTarget): string | undefined => {
  const fields: Readonly<Record<string, unknown>> = isRecord(target) ? target : {}
  const of = (name: string): string => textIn(fields[name]) ?? ""
  switch (target.type) {
    case "uncommittedChanges":
      return `${uncommitted} ${ask}`
    case "baseBranch":
      return `${branch}${of("branch")}. ${ask}`
    case "commit":
      return `${commit}${of("sha")} changes. ${ask}`
    case "custom":
      return of("instructions")
    default:
      return undefined
  }
}

/** What is reviewed, in a few words, as Codex names it: by the prompt that asks for it. */
export const reviewOf = (prompt: string): string => {
  if (prompt.startsWith(uncommitted)) return "current changes"
  const between = (before: string, after: string): string | undefined =>
    prompt.startsWith(before) && prompt.endsWith(after) ? prompt.slice(before.length, -after.length) : undefined
  const base = between(branch, `. ${ask}`)
  if (base !== undefined) return `changes against '${base}'`
  const sha = between(commit, ` changes. ${ask}`)
  return sha === undefined ? prompt : `commit ${sha.slice(0, 7)}`
}
