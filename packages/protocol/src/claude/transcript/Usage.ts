/**
 * What a session has spent, each message of the API counted once.
 *
 * Each block of a message is a line that repeats the usage of the whole (docs/wire/claude-code.md §12), and on 2.1.37 all
 * of them have that of the beginning; where they differ, the line that was written last has the final counts. The same
 * message may be in the file more than once, and in the files of forks.
 */
import { addUsage, noUsage, type Usage } from "../../model/Usage.ts"
import { usageOf } from "../fold/Usage.ts"
import { messageIdOf, type TranscriptNode } from "./Node.ts"

/** What a message of the API has spent. */
export interface MessageUsage {
  readonly model: string
  readonly usage: Usage
}

/** What some lines have spent, by the API's message id. */
export const usageByMessage = (nodes: Iterable<TranscriptNode>): ReadonlyMap<string, MessageUsage> => {
  const counted = new Map<string, MessageUsage>()
  for (const node of nodes) {
    const { said } = node
    if (said?.name !== "assistant") continue
    const { model, usage } = said.message.message
    const id = messageIdOf(node)
    if (id === undefined || typeof model !== "string" || model === "<synthetic>") continue
    const now = usageOf(usage)
    const before = counted.get(id)
    if (before === undefined || now.output >= before.usage.output) counted.set(id, { model, usage: now })
  }
  return counted
}

/** The sum of what messages have spent. */
export const totalUsage = (messages: Iterable<MessageUsage>): Usage => {
  let total = noUsage
  for (const { usage } of messages) total = addUsage(total, usage)
  return total
}

/** The same by model. */
export const usageByModel = (messages: Iterable<MessageUsage>): ReadonlyMap<string, Usage> => {
  const models = new Map<string, Usage>()
  for (const { model, usage } of messages) models.set(model, addUsage(models.get(model) ?? noUsage, usage))
  return models
}
