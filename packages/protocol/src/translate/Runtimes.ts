/**
 * The runtimes that can be translated, as a table: how each folds its messages into the model. The translator is the
 * same for all of them.
 */
import type { Decoded } from "../claude/Codec.ts"
import * as ClaudeFold from "../claude/fold/Fold.ts"
import * as ClaudeState from "../claude/fold/State.ts"
import type { Heard } from "../codex/Dialogue.ts"
import * as ExecFold from "../codex/exec/Fold.ts"
import * as CodexFold from "../codex/fold/Fold.ts"
import * as CodexState from "../codex/fold/State.ts"
import type { Said } from "../model/Command.ts"
import type { Event } from "../model/Event.ts"
import type { FinishReason } from "../model/FinishReason.ts"
import { type FoldChoices, foldOptions } from "./Options.ts"

/** What the fold of each runtime remembers. */
export interface FoldStates {
  readonly claude: ClaudeState.FoldState
  readonly codex: CodexState.FoldState
  readonly "codex-exec": ExecFold.ExecFoldState
}

/** What each runtime says: a message of Claude Code, a line of either side of Codex's app-server, an event of exec. */
export interface RuntimeMessages {
  readonly claude: Decoded
  readonly codex: Heard
  readonly "codex-exec": ExecFold.ExecDecoded
}

/** A runtime that can be translated. */
export type RuntimeName = keyof FoldStates

type Folded<F> = readonly [state: F, events: ReadonlyArray<Event>]

/** How a runtime's messages become events of the model. */
export interface RuntimeFold<F, M> {
  readonly initial: (choices: FoldChoices) => F
  readonly message: (state: F, message: M) => Folded<F>
  readonly prompt: (state: F, said: ReadonlyArray<Said>) => Folded<F>
  readonly end: (state: F, reason: FinishReason) => Folded<F>
  /** The application's tools are others from now on. `server`: where the CLI finds them. */
  readonly withPageTools: (state: F, tools: ReadonlyArray<string>, server: string | undefined) => F
}

/** The runtimes by their names. */
export const runtimes: { readonly [R in RuntimeName]: RuntimeFold<FoldStates[R], RuntimeMessages[R]> } = {
  claude: {
    initial: (choices) => ClaudeState.initialFold(foldOptions(choices)),
    message: ClaudeFold.foldMessage,
    prompt: ClaudeFold.foldPrompt,
    end: ClaudeFold.endFold,
    withPageTools: (state, tools, server = state.pageToolServer) => ClaudeState.withPageTools(state, server, tools)
  },
  codex: {
    initial: ({ codexThread, frontendTools }) =>
      CodexState.initialFold({
        ...(codexThread !== undefined && { threadId: codexThread }),
        ...(frontendTools !== undefined && { pageTools: frontendTools })
      }),
    message: CodexFold.foldMessage,
    prompt: CodexFold.foldPrompt,
    end: CodexFold.endFold,
    withPageTools: CodexState.withPageTools
  },
  "codex-exec": {
    initial: ({ codexIsResumed = false }) => ExecFold.initialExecFold({ isResumed: codexIsResumed }),
    message: ExecFold.foldExec,
    prompt: ExecFold.foldExecPrompt,
    end: ExecFold.endExecFold,
    // It has none.
    withPageTools: (state) => state
  }
}
