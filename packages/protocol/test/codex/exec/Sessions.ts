/** The recorded runs of `codex exec --json`, each thread with all of its processes, and what the fold makes of them. */
import { type CodexTapeEntry, codexTapes, loadCodexTape } from "@agentwire/fixtures"
import type { Dialect } from "../../../src/agui/Dialect.ts"
import type { AguiEvent } from "../../../src/agui/Event.ts"
import {
  type ExecDecoded,
  type ExecFoldOptions,
  type ExecFoldState,
  endExecFold,
  execCodec,
  foldExec,
  initialExecFold
} from "../../../src/codex/index.ts"
import type { Event } from "../../../src/model/Event.ts"
import { tapeLines } from "../../../src/tape/index.ts"
import { finish, initialState, step } from "../../../src/translate/Translator.ts"

/** The events of a thread, as lines, by process. */
export interface ExecSession {
  readonly name: string
  readonly processes: ReadonlyArray<ReadonlyArray<string>>
}

const linesOf = (entry: CodexTapeEntry): ReadonlyArray<string> =>
  tapeLines(loadCodexTape(entry).frames).flatMap(({ from, line }) =>
    from === "agent" && line._tag === "Text" && line.text.trim() !== "" ? [line.text] : []
  )

/** All of them. A second run of a scenario resumes the thread of the first. */
export const execSessions: ReadonlyArray<ExecSession> = codexTapes
  .filter(({ run, wire }) => wire === "exec" && run === 1)
  .map((first) => ({
    name: `${first.version} ${first.scenario}`,
    processes: codexTapes
      .filter(
        ({ scenario, version, wire }) => wire === "exec" && scenario === first.scenario && version === first.version
      )
      .map(linesOf)
  }))

/** Lines as the fold takes them. */
export const decodedIn = (lines: ReadonlyArray<string>): ReadonlyArray<ExecDecoded> =>
  lines.map((line) => execCodec.decodeLine(line))

/** What the fold makes of some processes, with the end of each. */
export const foldedExec = (
  processes: ReadonlyArray<ReadonlyArray<ExecDecoded>>,
  options: ExecFoldOptions = {}
): { readonly events: ReadonlyArray<Event>; readonly state: ExecFoldState } => {
  const events: Array<Event> = []
  let state = initialExecFold(options)
  for (const decoded of processes) {
    for (const each of decoded) {
      const [next, given] = foldExec(state, each)
      state = next
      events.push(...given)
    }
    const [next, given] = endExecFold(state, { type: "exit", code: 0 })
    state = next
    events.push(...given)
  }
  return { events, state }
}

/** Processes as AG-UI, one after the other. */
export const translatedExec = (
  processes: ReadonlyArray<ReadonlyArray<ExecDecoded>>,
  dialect: Dialect
): ReadonlyArray<AguiEvent> => {
  const events: Array<AguiEvent> = []
  let state = initialState({ runtime: "codex-exec", threadId: "t", dialect })
  for (const each of processes.flat()) {
    const [next, given] = step(state, each)
    state = next
    events.push(...given)
  }
  return [...events, ...finish(state, { type: "exit", code: 0 })]
}
