/**
 * Plays the host's side of a tape to a live agent: a state machine without a clock or I/O.
 *
 * A live agent never says quite the same thing twice, so its words are not compared. An answer is given when its
 * question is asked, in whatever order that is. Anything else is said when the agent has come as far as it had on
 * the tape: as many results, the same answers, and as many lines of the last kind. When it falls silent before
 * that, {@link HostReplay.continueAfterSilence} lets the host continue.
 */
import { isRecord } from "../wire/Json.ts"
import { isIdKey } from "./IdKeys.ts"
import { linesOf } from "./lines/index.ts"
import type { RuntimeLines } from "./lines/RuntimeLines.ts"
import { makeRenamer, type Renamer } from "./Rename.ts"
import { type Cue, parseLine, scriptOf } from "./ReplayScript.ts"
import type { Frame } from "./Tape.ts"
import { type TapeLine, tapeLines } from "./TapeCodec.ts"

/** What the host does. */
export type HostMove =
  | { readonly _tag: "Send"; readonly line: string }
  | { readonly _tag: "End" }
  | { readonly _tag: "Signal"; readonly signal: string }

/** How far an agent is. */
interface Progress {
  readonly results: number
  /** Host requests that were answered. */
  readonly answered: ReadonlySet<string>
  /** The last kind of line, and how many of it there were in this turn. */
  readonly last: string
  readonly count: number
}

interface Planned {
  readonly move: HostMove
  /** The agent's request this answers. */
  readonly answers: string | undefined
  readonly after: Progress
}

/** The host's side of a tape. */
export class HostReplay {
  /** The tape's ids and today's. */
  readonly renamer: Renamer = makeRenamer()
  readonly #plan: Array<Planned>
  readonly #asked: Array<{ readonly id: string; readonly kind: string; readonly value: unknown }>
  readonly #byKind = new Map<string, Array<unknown>>()
  readonly #questions = new Set<string>()
  readonly #unknown: Array<string> = []
  readonly #track: Tracker
  readonly #lines: RuntimeLines

  /** The frames of a tape of a runtime, which the header of the tape names. */
  constructor(frames: ReadonlyArray<Frame>, runtime = "claude-code") {
    const lines = linesOf(runtime)
    const { askedBy, kindOf, named } = lines
    this.#lines = lines
    this.#track = new Tracker(lines)
    const said = tapeLines(frames)
    this.#plan = planOf(frames, lines)
    const agent = said.filter(({ from }) => from === "agent").map(({ line }) => named(parseLine(line.text), "agent"))
    this.#asked = agent.flatMap((value) => {
      const id = askedBy(value)
      return id === undefined ? [] : [{ id, kind: kindOf(value), value }]
    })
    for (const value of agent) this.#byKind.set(kindOf(value), [...(this.#byKind.get(kindOf(value)) ?? []), value])
    // The host's own ids are said as recorded.
    for (const id of hostIds(said, lines)) this.renamer.ids.bind(id, id)
  }

  /** Has the host said all it had to say? */
  get isOver(): boolean {
    return this.#plan.length === 0
  }

  /** Questions of the agent that the tape has no answer to. */
  get unknownQuestions(): ReadonlyArray<string> {
    return this.#unknown
  }

  /** What the host does before the agent says anything. */
  begin(): ReadonlyArray<HostMove> {
    return this.#due()
  }

  /** Takes a line of the agent, and returns what the host does. */
  receiveLine(text: string): ReadonlyArray<HostMove> {
    const { askedBy, kindOf, named, refusal } = this.#lines
    const raw = parseLine(text)
    const value = named(raw, "agent")
    const kind = kindOf(value)
    this.#track.take(value)
    const id = askedBy(value)
    if (id === undefined) {
      const [taped, ...later] = this.#byKind.get(kind) ?? []
      if (taped !== undefined) {
        this.#byKind.set(kind, later)
        this.#learn(taped, value)
      }
      return this.#due()
    }
    const index = this.#question(kind, value)
    const [asked] = index === -1 ? [] : this.#asked.splice(index, 1)
    if (asked === undefined) {
      this.#unknown.push(text)
      return [{ _tag: "Send", line: JSON.stringify(refusal(raw)) }, ...this.#due()]
    }
    this.#learn(asked.value, value)
    this.#questions.add(asked.id)
    return this.#due()
  }

  /** The agent has been silent for a long time: the host says the next thing all the same. */
  continueAfterSilence(): ReadonlyArray<HostMove> {
    const index = this.#plan.findIndex(({ answers }) => answers === undefined)
    const [planned] = index === -1 ? [] : this.#plan.splice(index, 1)
    return planned === undefined ? [] : [this.#now(planned.move), ...this.#due()]
  }

  /** Parallel questions come in any order: the one that is equal is meant, else the first of its kind. */
  #question(kind: string, value: unknown): number {
    const same = this.#asked.findIndex(
      (asked) => asked.kind === kind && this.renamer.compareValue(asked.value, value).length === 0
    )
    return same === -1 ? this.#asked.findIndex((asked) => asked.kind === kind) : same
  }

  #learn(taped: unknown, value: unknown): void {
    for (const mode of ["strict", "shape"] as const) {
      if (this.renamer.matchValue(taped, value, mode).length === 0) return
    }
    if (!isRecord(taped) || !isRecord(value)) return
    for (const [key, id] of Object.entries(taped)) {
      const now = value[key]
      if (isIdKey(key) && typeof id === "string" && typeof now === "string") this.renamer.ids.bind(id, now)
    }
  }

  #due(): ReadonlyArray<HostMove> {
    const moves: Array<HostMove> = []
    let held = false
    for (const planned of [...this.#plan]) {
      const { after, answers, move } = planned
      const ready = answers === undefined ? !held && this.#track.reached(after) : this.#questions.has(answers)
      if (ready) {
        this.#plan.splice(this.#plan.indexOf(planned), 1)
        moves.push(this.#now(move))
      } else if (answers === undefined) held = true
    }
    return moves
  }

  #now(move: HostMove): HostMove {
    if (move._tag !== "Send") return move
    const line = this.renamer.rewrite(move.line)
    return { ...move, line: this.#lines.renumbered(line, "host", (name) => this.renamer.ids.get(name)) }
  }
}

/** Follows how far an agent is. */
class Tracker {
  #results = 0
  #last = ""
  readonly #asked = new Set<string>()
  readonly #answered = new Set<string>()
  #counts = new Map<string, number>()
  readonly #lines: RuntimeLines

  constructor(lines: RuntimeLines) {
    this.#lines = lines
  }

  get progress(): Progress {
    return {
      results: this.#results,
      answered: new Set(this.#answered),
      last: this.#last,
      count: this.#counts.get(this.#last) ?? 0
    }
  }

  take(value: unknown): void {
    const { answeredBy, askedBy, endsTurn, kindOf } = this.#lines
    const kind = kindOf(value)
    const asked = askedBy(value)
    if (asked !== undefined) this.#asked.add(asked)
    // With --replay-user-messages the CLI repeats the answers to its own questions, too.
    const answered = answeredBy(value)
    if (answered !== undefined && !this.#asked.has(answered)) this.#answered.add(answered)
    if (endsTurn(value)) {
      this.#results++
      this.#counts = new Map()
    }
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    this.#last = kind
  }

  reached({ answered, count, last, results }: Progress): boolean {
    if (this.#results < results || [...answered].some((id) => !this.#answered.has(id))) return false
    return this.#results > results || last === "" || (this.#counts.get(last) ?? 0) >= count
  }
}

const planOf = (frames: ReadonlyArray<Frame>, lines: RuntimeLines): Array<Planned> => {
  const { answeredBy, askedBy, named } = lines
  const tracker = new Tracker(lines)
  const plan: Array<Planned> = []
  const asked = new Set<string>()
  const add = (move: HostMove, answers?: string) => plan.push({ move, answers, after: tracker.progress })
  for (const cue of scriptOf(frames).cues) {
    if (cue._tag === "Hear") {
      const answers = answeredBy(named(parseLine(cue.line), "host"))
      // An answer that nobody asked for is said in its turn.
      add({ _tag: "Send", line: cue.line }, answers !== undefined && asked.has(answers) ? answers : undefined)
    } else if (cue._tag === "HearEnd") add({ _tag: "End" })
    else if (cue._tag === "HearSignal") add({ _tag: "Signal", signal: cue.signal })
    else
      for (const each of spoken(cue)) {
        const value = named(each, "agent")
        tracker.take(value)
        const id = askedBy(value)
        if (id !== undefined) asked.add(id)
      }
  }
  return plan
}

const spoken = (cue: Cue): ReadonlyArray<unknown> =>
  cue._tag === "Say" && cue.channel !== "stderr" && typeof cue.data === "string"
    ? cue.data
        .split("\n")
        .filter((line) => line !== "")
        .map(parseLine)
    : []

/** The ids of requests and messages that the host invented. */
const hostIds = (lines: ReadonlyArray<TapeLine>, { inventedBy, named }: RuntimeLines): ReadonlyArray<string> =>
  lines.flatMap(({ from, line }) => (from === "agent" ? [] : inventedBy(named(parseLine(line.text), "host"))))
