/**
 * What was said in a session of the runtime, as it was at one moment: read there, piece by piece, while it is looked at.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { LogFailed } from "../log/BoundedLog.ts"
import type { EntryView } from "../log/EventLog.ts"
import type { PlacedEntry } from "../store/Store.ts"
import type { MethodName, ParamsOf, ResultOf } from "./Methods.ts"

/** How a look is asked: with the session, and failures as a log has them. */
export type AskLog = <M extends MethodName>(
  method: M,
  params: Omit<ParamsOf<M>, "threadId" | "instance">
) => Effect.Effect<ResultOf<M>, LogFailed>

/** How many names are looked up at once, so that no answer is too large. */
const namesAtOnce = 50

/** What is seen of a look. */
export const remoteView = (
  ask: AskLog,
  { look, nextPosition, path, situation }: ResultOf<"look.open">
): EntryView<LogFailed> => {
  const seen = Model.situationFromJson(situation)
  /** `other`: the path, where it is not the conversation. */
  const along = (other: EntryView["path"] | undefined): EntryView<LogFailed> => {
    const asked = { look, path: other }
    const lookUp =
      (method: "look.find" | "look.parts"): EntryView<LogFailed>["find"] =>
      (ids, except) =>
        Effect.gen(function* () {
          const names = [...new Set(ids)]
          const found = new Map<number, PlacedEntry>()
          for (let at = 0; at < names.length; at += namesAtOnce) {
            const part = yield* ask(method, { ...asked, ids: names.slice(at, at + namesAtOnce), except })
            for (const entry of part.entries) found.set(entry.position, entry)
          }
          return [...found.values()].sort((one, other) => one.position - other.position)
        })
    const count = (path: EntryView["path"] | undefined, messages: boolean) =>
      Effect.map(ask("look.count", { look, path, messages }), (answer) => answer.count)
    return {
      situation: seen,
      path: other ?? path,
      nextPosition,
      page: ({ before, maxBytes, maxEntries, path: wanted = other } = {}) =>
        ask("look.page", { look, path: wanted, before, maxBytes, maxEntries }),
      count: (wanted = other) => count(wanted, false),
      countMessages: count(other, true),
      find: lookUp("look.find"),
      messageParts: lookUp("look.parts"),
      along
    }
  }
  return along(undefined)
}
