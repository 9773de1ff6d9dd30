/**
 * Titles that clients ask for in extra threads. The TUI (0.166.0, at each prompt) and codex-acp (2.6.0, after the first
 * turn) begin an `ephemeral` thread and one turn in it, with an `outputSchema` of nothing but a `title`: to start another
 * agent for it would cost as much as the answer itself. So the title is the beginning of what the person said, and no
 * agent is asked.
 */
import { isRecord } from "@agentwire/protocol/wire"
import { shortened } from "../../session/ThreadTitle.ts"

/** Whether all that a turn may answer with is a title. */
export const asksForTitle = (outputSchema: unknown): boolean => {
  const properties = isRecord(outputSchema) ? outputSchema["properties"] : undefined
  return isRecord(properties) && Object.keys(properties).join() === "title"
}

/** What stands before the person's own words in the prompts of the clients that were measured. */
const marks = ["\n\nUser prompt:\n", "\n\nUser's first message:\n"]

/** How many words and characters a title has. */
const [maxWords, maxCharacters] = [6, 60]

/** The answer to such a turn: JSON with the first words of the prompt. */
export const titleAnswer = (prompt: string): string => {
  const words = marks.reduce(
    (rest, mark) => rest.slice(rest.indexOf(mark) < 0 ? 0 : rest.indexOf(mark) + mark.length),
    prompt
  )
  const [line] = [shortened(words).split(" ").slice(0, maxWords).join(" ")]
  const title = [...line]
    .slice(0, maxCharacters)
    .join("")
    .replace(/[\s.,;:!?]+$/u, "")
  return JSON.stringify({ title: title === "" ? "New conversation" : title })
}
