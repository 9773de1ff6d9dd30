/**
 * Plays the host's side of a tape to a live agent: a state machine without a clock or I/O.
 *
 * A live agent never says quite the same thing twice, so its words are not compared. An answer is given when its
 * question is asked, in whatever order that is. Anything else is said when the agent has come as far as it had on
 * the tape: as many results, the same answers, and as many lines of the last kind. When it falls silent before
 * that, {@link HostReplay.continueAfterSilence} lets the host continue.
 */
import { controlError } from "../claude/command/ControlResponse.ts"
import { isRecord } from "../wire/Json.ts"
import { isIdKey } from "./IdKeys.ts"
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
  readonly #track = new Tracker()

  constructor(frames: ReadonlyArray<Frame>) {
    const said = tapeLines(frames)
    this.#plan = planOf(frames)
    const agent = said.filter(({ from }) => from === "agent").map(({ line }) => parseLine(line.text))
    this.#asked = agent.flatMap((value) => {
      const id = askedBy(value)
      return id === undefined ? [] : [{ id, kind: kindOf(value), value }]
    })
    for (const value of agent) this.#byKind.set(kindOf(value), [...(this.#byKind.get(kindOf(value)) ?? []), value])
    // The host's own ids are said as recorded.
    for (const id of hostIds(said)) this.renamer.ids.bind(id, id)
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
    const value = parseLine(text)
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
      return [{ _tag: "Send", line: JSON.stringify(refusal(id)) }, ...this.#due()]
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
    return move._tag === "Send" ? { ...move, line: this.renamer.rewrite(move.line) } : move
  }
}

/** Follows how far an agent is. */
class Tracker {
  #results = 0
  #last = ""
  readonly #asked = new Set<string>()
  readonly #answered = new Set<string>()
  #counts = new Map<string, number>()

  get progress(): Progress {
    return {
      results: this.#results,
      answered: new Set(this.#answered),
      last: this.#last,
      count: this.#counts.get(this.#last) ?? 0
    }
  }

  take(value: unknown): void {
    const kind = kindOf(value)
    const asked = askedBy(value)
    if (asked !== undefined) this.#asked.add(asked)
    // With --replay-user-messages the CLI repeats the answers to its own questions, too.
    const answered = answeredBy(value)
    if (answered !== undefined && !this.#asked.has(answered)) this.#answered.add(answered)
    if (kind.startsWith("result")) {
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

const planOf = (frames: ReadonlyArray<Frame>): Array<Planned> => {
  const tracker = new Tracker()
  const plan: Array<Planned> = []
  const asked = new Set<string>()
  const add = (move: HostMove, answers?: string) => plan.push({ move, answers, after: tracker.progress })
  for (const cue of scriptOf(frames).cues) {
    if (cue._tag === "Hear") {
      const answers = answeredBy(parseLine(cue.line))
      // An answer that nobody asked for is said in its turn.
      add({ _tag: "Send", line: cue.line }, answers !== undefined && asked.has(answers) ? answers : undefined)
    } else if (cue._tag === "HearEnd") add({ _tag: "End" })
    else if (cue._tag === "HearSignal") add({ _tag: "Signal", signal: cue.signal })
    else
      for (const value of spoken(cue)) {
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

const member = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)

/** What a line is, as finely as its place in a session needs. */
const kindOf = (value: unknown): string => {
  const request = member(value, "request")
  const event = member(value, "event")
  return [
    member(value, "type"),
    member(value, "subtype"),
    member(request, "subtype"),
    member(request, "tool_name"),
    member(request, "callback_id"),
    member(member(request, "message"), "method"),
    member(event, "type"),
    member(member(event, "delta"), "type")
  ]
    .filter((part) => typeof part === "string")
    .join("/")
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The id of the question a line asks. */
const askedBy = (value: unknown): string | undefined =>
  member(value, "type") === "control_request" ? text(member(value, "request_id")) : undefined

/** The id of the question a line answers. */
const answeredBy = (value: unknown): string | undefined =>
  member(value, "type") === "control_response" ? text(member(member(value, "response"), "request_id")) : undefined

/** A new release may ask something that no tape has: it gets an answer, so that the session continues. */
const refusal = (requestId: string) => controlError(requestId, "The tape has no answer to this.")

/** The ids of requests and messages that the host invented. */
const hostIds = (lines: ReadonlyArray<TapeLine>): ReadonlyArray<string> =>
  lines.flatMap(({ from, line }) => {
    if (from === "agent") return []
    const value = parseLine(line.text)
    const ids = [askedBy(value), text(member(value, "uuid"))]
    return ids.filter((id): id is string => id !== undefined && id !== "")
  })
