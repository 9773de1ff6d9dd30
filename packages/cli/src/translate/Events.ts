/** Messages as events, each in the text of a format. */
import * as Agui from "@agentwire/protocol/agui"
import * as Translate from "@agentwire/protocol/translate"
import { checkOpen, type Format } from "./Fold.ts"

const encoders: Readonly<Record<Exclude<Format, "messages">, (event: Agui.AguiEvent) => string>> = {
  ndjson: (event) => `${JSON.stringify(event)}\n`,
  sse: Agui.encodeSse
}

/** The events of a session, as they come. */
export const events = <R extends Translate.RuntimeName, M extends { readonly line: number }>(
  options: Translate.TranslateOptions<R>,
  format: Exclude<Format, "messages">,
  hear: (message: M) => Translate.RuntimeMessages[R]
) => {
  const encode = encoders[format]
  let state = Translate.initialState(options)
  const encoded = (given: ReadonlyArray<Agui.AguiEvent>): string =>
    given.reduce((text, event) => text + encode(event), "")
  const take = (message: M): string => {
    const [next, given] = Translate.step(state, hear(message))
    state = next
    checkOpen(state, message.line)
    return encoded(given)
  }
  return {
    addMessages: (said: ReadonlyArray<M>): string => said.reduce((text, one) => text + take(one), ""),
    finish: (reason: Translate.FinishReason): string => encoded(Translate.finish(state, reason))
  }
}
