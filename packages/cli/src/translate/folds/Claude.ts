/** Files of Claude Code. */
import type * as Tape from "@agentwire/protocol/tape"
import * as Translate from "@agentwire/protocol/translate"
import { events } from "../Events.ts"
import { checkOpen, type MakeFold, type Message } from "../Fold.ts"

/** Of a tape the agent's side; the host's prompts, too, where the messages are asked for: no event reports them. */
export const fold: MakeFold = (format, options, header) => {
  // What is said of a wire is of its codec.
  const given = (said: ReadonlyArray<Message>) => said as ReadonlyArray<Translate.Said>
  const fold = format === "messages" ? messages(options, header) : events(options, format, (one: Translate.Said) => one)
  return {
    ...fold,
    addMessages: (said) =>
      fold.addMessages(format === "messages" ? given(said) : given(said).filter(({ from }) => from !== "host"))
  }
}

const messages = (options: Translate.TranslateOptions, header: () => Tape.TapeHeader | undefined) => {
  let dialogue: Translate.Dialogue | undefined
  const begin = (): Translate.Dialogue => {
    const known = header()
    const argument = known === undefined ? undefined : Translate.argumentPrompt(known)
    const fresh = Translate.emptyDialogue(options)
    return argument === undefined ? fresh : Translate.withPrompt(fresh, argument)
  }
  return {
    addMessages: (said: ReadonlyArray<Translate.Said>): string => {
      if (said.length === 0) return ""
      dialogue = Translate.withMessages(dialogue ?? begin(), said)
      checkOpen(dialogue.translation, said.at(-1)?.line ?? 0)
      return ""
    },
    finish: (reason: Translate.FinishReason): string =>
      Translate.historyOf(dialogue ?? begin(), reason)
        .messages.map((message) => `${JSON.stringify(message)}\n`)
        .join("")
  }
}
