/** A session of which the messages are wanted, and not the events. */
import * as Agui from "@agentwire/protocol/agui"
import * as Model from "@agentwire/protocol/model"
import type * as Translate from "@agentwire/protocol/translate"
import type { Fold, Message } from "./Fold.ts"

type Folded<F> = readonly [state: F, events: ReadonlyArray<Model.Event>]

/** The messages of a session whose prompts, where they are told, are items of it like all others. */
export const transcript = <F>(
  initial: F,
  end: (state: F, reason: Translate.FinishReason) => Folded<F>,
  foldOne: (state: F, one: Message) => Folded<F>
): Fold => {
  const builder = new Model.TranscriptBuilder()
  let state = initial
  const heard = ([next, given]: Folded<F>): void => {
    state = next
    for (const event of given) builder.apply(event)
  }
  return {
    addMessages: (said) => {
      for (const one of said) heard(foldOne(state, one))
      return ""
    },
    finish: (reason) => {
      heard(end(state, reason))
      return Agui.messagesOf(builder.snapshot())
        .map((message) => `${JSON.stringify(message)}\n`)
        .join("")
    }
  }
}
