/**
 * The state a client shares with its application is the application's: whatever the session says about itself, the
 * application's own keys stay as they are, and a state that can take no key stays the state it is.
 */
import { Agui } from "@agentwire/protocol"
import { difference, firstOf, type Law, optionsFor, translate, type Violation } from "./Translator.ts"

/** The application's state stays what it is. */
export const sharedState: Law = (translator, session) => {
  const after = (state: unknown): unknown =>
    Agui.foldEvents(translate(translator, session, { ...optionsFor(session), state }).events, { messages: [], state })
      .state
  const own = { todos: [{ title: "one" }], theme: "dark" }
  return firstOf(
    (): Violation => {
      const { theme, todos } = after(own) as Partial<typeof own>
      return difference("the application's keys", own, { todos, theme })
    },
    () => difference("a state that is a list", [1, 2], after([1, 2]))
  )
}
