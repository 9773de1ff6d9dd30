/**
 * A translator of Codex as the laws see it: anything with these functions. So the same laws judge the real one and those
 * that are broken on purpose.
 */
import { type CodexTapeEntry, codexTapes, loadCodexTape } from "@agentwire/fixtures"
import { type Agui, Tape, Translate } from "@agentwire/protocol"
import { Dialogue, type Heard, type Side } from "@agentwire/protocol/codex"
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import { sweeping } from "../../../packages/fixtures/test/Sweep.ts"
import type { Violation } from "../law/Translator.ts"

/** A state, and the events that led to it. */
export type Stepped<S> = readonly [state: S, events: ReadonlyArray<Agui.AguiEvent>]

/** What a translator is told before the first line. */
export interface Options {
  readonly thread: string
  readonly dialect: Agui.Dialect
}

/** What a law needs of a translator. */
export interface Translator<S> {
  readonly initial: (options: Options) => S
  readonly step: (state: S, heard: Heard) => Stepped<S>
  readonly finish: (state: S, reason?: Translate.FinishReason) => ReadonlyArray<Agui.AguiEvent>
  /** What waits for the next run: it is as if somebody asked for one. */
  readonly waiting: (state: S) => ReadonlyArray<Agui.AguiEvent>
}

/** The translator of this project. Whoever is asked something lets the turn go on at once. */
export const real: Translator<Translate.State<"codex">> = {
  initial: ({ dialect, thread }) =>
    Translate.initialState({
      runtime: "codex",
      threadId: "thread",
      codexThread: thread,
      dialect,
      approvals: "interrupt"
    }),
  step: (state, heard) => {
    const [next, events] = Translate.step(state, heard)
    const [released, more] = Translate.releaseRun(next)
    return [released, more.length === 0 ? events : [...events, ...more]]
  },
  finish: Translate.finish,
  waiting: (state) => Translate.beginRun(state, { runId: "next" })[1]
}

/** A line, and who said it. */
export interface Line {
  readonly from: Side
  readonly text: string
}

/** A recorded session, as one of its threads is told. */
export interface Session {
  readonly name: string
  readonly thread: string
  readonly lines: ReadonlyArray<Line>
  readonly heard: ReadonlyArray<Heard>
}

/** The lines as the translator takes them. */
export const heardIn = (lines: ReadonlyArray<Line>): ReadonlyArray<Heard> => {
  const dialogue = new Dialogue()
  return lines.map(({ from, text }) => dialogue.hear(from, text))
}

/** The same session with other lines. */
export const withLines = (session: Session, lines: ReadonlyArray<Line>): Session => ({
  ...session,
  lines,
  heard: heardIn(lines)
})

const started: ReadonlyArray<string> = ["thread/start", "thread/resume", "thread/fork"]

const threadsIn = (heard: ReadonlyArray<Heard>): ReadonlyArray<string> => [
  ...new Set(
    heard.flatMap(({ answers, result }) => {
      if (answers === undefined || !started.includes(answers) || result?._tag !== "Known") return []
      const { thread } = result.value as { readonly thread: { readonly id: string } }
      return [thread.id]
    })
  )
]

const scenarios = [...new Set(codexTapes.map(({ scenario }) => scenario))].sort()

const sessionsOf = (entries: ReadonlyArray<CodexTapeEntry>): ReadonlyArray<Session> =>
  entries.flatMap((entry) => {
    const lines = Tape.tapeLines(loadCodexTape(entry).frames).flatMap(
      ({ from, line }): ReadonlyArray<Line> =>
        line._tag === "Text" && line.text.trim() !== ""
          ? [{ from: from === "agent" ? "server" : "client", text: line.text }]
          : []
    )
    const heard = heardIn(lines)
    const name = `${entry.scenario} of ${entry.version}, run ${entry.run}`
    return threadsIn(heard).map((thread, index) => ({ name: `${name}, thread ${index + 1}`, thread, lines, heard }))
  })

const ofAppServer = codexTapes.filter(({ wire }) => wire === "app-server")

/** Each scenario of the app-server once, the versions by turns. */
export const someSessions: ReadonlyArray<Session> = sessionsOf(
  scenarios.flatMap((scenario, turn) => {
    const told = ofAppServer.filter((entry) => entry.scenario === scenario)
    const versions = [...new Set(told.map(({ version }) => version))]
    // Most of what is hard is of the newest, so it has every second turn.
    const chosen = turn % 2 === 0 ? versions.at(-1) : versions[((turn - 1) / 2) % versions.length]
    return told.filter(({ version }) => version === chosen)
  })
)

/** The sessions to judge by: some, and all of them in a sweep. */
export const sessions: ReadonlyArray<Session> = sweeping ? sessionsOf(ofAppServer) : someSessions

const recorded: ReadonlySet<Session> = new Set([...someSessions, ...sessions])

/** What came of a session: the events of each line, and of the end. */
export interface Trace {
  readonly steps: ReadonlyArray<ReadonlyArray<Agui.AguiEvent>>
  readonly last: ReadonlyArray<Agui.AguiEvent>
  /** What would be told in the next run. */
  readonly waiting: ReadonlyArray<Agui.AguiEvent>
  readonly events: ReadonlyArray<Agui.AguiEvent>
}

/** A law: any translator, any session. `seed` picks the places a law has to choose. */
export type Law = <S>(translator: Translator<S>, session: Session, seed: number) => Violation | Promise<Violation>

const kept = new WeakMap<object, Map<string, Trace>>()

const keyOf = (dialect: Agui.Dialect, session: Session): string => `${dialect} ${session.name}`

/** Translates a session. What the real tapes come to is kept: all laws look at the same. */
export const translate = <S>(
  translator: Translator<S>,
  session: Session,
  dialect: Agui.Dialect = "1.0",
  reason?: Translate.FinishReason
): Trace => {
  const isTape = recorded.has(session) && reason === undefined
  const known = kept.get(translator) ?? new Map<string, Trace>()
  const found = isTape ? known.get(keyOf(dialect, session)) : undefined
  if (found !== undefined) return found
  let state = translator.initial({ thread: session.thread, dialect })
  const steps = session.heard.map((heard) => {
    const [next, events] = translator.step(state, heard)
    state = next
    return events
  })
  const last = translator.finish(state, reason)
  const trace = { steps, last, waiting: translator.waiting(state), events: [...steps.flat(), ...last] }
  if (isTape) kept.set(translator, known.set(keyOf(dialect, session), trace))
  return trace
}

/** A value that may have any members. */
export type Fields = Readonly<Record<string, unknown>>

/** The members of a value, or none. */
export const fields = (value: unknown): Fields => (isRecord(value) ? value : {})

/** What the server says in a session: the number of the line, the method, the params, and the id of a question. */
export interface Said {
  readonly index: number
  readonly method: string
  readonly params: Fields
  readonly id: unknown
}

const saidIn = new WeakMap<Session, ReadonlyArray<Said>>()

/** All that the server says under methods, read without the code that is judged. */
export const said = (session: Session): ReadonlyArray<Said> => {
  const known = saidIn.get(session)
  if (known !== undefined) return known
  const found = session.lines.flatMap(({ from, text }, index): ReadonlyArray<Said> => {
    const { id, method, params } = fields(from === "server" ? parseJson(text) : undefined)
    return typeof method === "string" ? [{ index, method, params: fields(params), id }] : []
  })
  saidIn.set(session, found)
  return found
}
