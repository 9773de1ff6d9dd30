/** Files of `codex exec --json`. */
import * as Codex from "@agentwire/protocol/codex"
import { events } from "../Events.ts"
import type { Fold, MakeFold, Message } from "../Fold.ts"
import { transcript } from "../Transcript.ts"

/** The other side says nothing but a prompt, which is not a line of the wire. */
export const fold: MakeFold = (format, { runtime: _, ...options }, header) => {
  // What is said of a wire is of its codec.
  const given = (one: Message) => one as Codex.ExecDecoded
  const isResumed = header()?.argv.includes("resume") ?? false
  const fold: Fold =
    format === "messages"
      ? transcript(Codex.initialExecFold({ isResumed }), Codex.endExecFold, (state, one) =>
          Codex.foldExec(state, given(one))
        )
      : events({ ...options, runtime: "codex-exec", codexIsResumed: isResumed }, format, given)
  return { ...fold, addMessages: (said) => fold.addMessages(said.filter(({ from }) => from !== "host")) }
}
