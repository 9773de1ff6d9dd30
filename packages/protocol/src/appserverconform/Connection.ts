/**
 * What a checker knows of one connection: what is open in it. A client that joins a thread whose turn began before it
 * came knows nothing of that turn's beginning, so nothing is said of that.
 */
import type { Finding } from "../conform/Finding.ts"
import { findingAt } from "../conform/Finding.ts"
import type { RequestId } from "../jsonrpc/Message.ts"
import { type RuleId, rules } from "./Rules.ts"

/** An item of a turn. */
export interface Item {
  readonly type: string
  isOpen: boolean
  /** What its deltas say so far: of each part, by the kind of delta and its number. */
  readonly said: Map<string, string>
}

/** A turn that was heard of. */
export interface Turn {
  /** Whether it was heard to begin. */
  readonly isWhole: boolean
  /** The turn that it is a part of, and ends with: a review's. */
  readonly root?: string | undefined
  isOpen: boolean
  readonly items: Map<string, Item>
}

/** A thread that was heard of. */
export interface Thread {
  readonly turns: Map<string, Turn>
  /** The turn that runs, where its beginning was heard. */
  running: string | undefined
  /** Its last status. */
  status: string | undefined
}

/** A request of the server. */
export interface Question {
  readonly method: string
  readonly thread: string | undefined
  readonly turn: string | undefined
  isResolved: boolean
}

/** A request of the client that waits for its answer. */
export interface Asked {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /** Whether the client had sent initialize before it. */
  readonly isGreeted: boolean
}

/** What is known of a connection. */
export class Connection {
  readonly #findings: Array<Finding> = []
  readonly threads = new Map<string, Thread>()
  readonly questions = new Map<RequestId, Question>()
  /** What the client asked, by id: one that was used twice is answered twice. */
  readonly asked = new Map<RequestId, Array<Asked>>()
  /** Notifications that the client does not want. */
  optedOut: ReadonlySet<string> = new Set()
  isExperimental = false
  /** initialize was sent; it was answered with a result. */
  isGreeted = false
  isWelcome = false
  /** Threads that an answer has named. */
  readonly named = new Set<string>()
  /** Turns that turn/start was answered with. */
  readonly begun = new Set<string>()
  /** The line that is judged, from 0, and what it says. */
  index = -1
  current: unknown

  /** The thread of a name. */
  thread(id: string): Thread {
    const known = this.threads.get(id)
    if (known !== undefined) return known
    const fresh: Thread = { turns: new Map(), running: undefined, status: undefined }
    this.threads.set(id, fresh)
    return fresh
  }

  /** The turn of a name; one that was not heard to begin began before this client came. */
  turn(thread: string, id: string): Turn {
    const { turns } = this.thread(thread)
    const known = turns.get(id)
    if (known !== undefined) return known
    const joined: Turn = { isWhole: false, isOpen: true, items: new Map() }
    turns.set(id, joined)
    return joined
  }

  /** Says that a rule is broken, by the line that is judged. */
  report(rule: RuleId, message: string): void {
    this.#findings.push(findingAt(rules[rule], this.index, message, this.current))
  }

  /** What was reported since the last time. */
  taken(): ReadonlyArray<Finding> {
    return this.#findings.splice(0)
  }
}
