/** What the clients of a thread asked, and what they were told: what a bridge that is killed must not lose. */
import type { BaseEvent } from "@ag-ui/client"

/** A prompt that a page has sent. */
export interface SentPrompt {
  readonly mark: string
  readonly order: string
  /** How many words the answer has. */
  readonly words: number
  /** Its page has seen that its run has begun. */
  isStarted: boolean
  /** Somebody was told to stop the thread after it was sent. */
  isStopped: boolean
}

/** What is looked at in an event. */
interface HeardFields {
  readonly runId?: string
  readonly delta?: unknown
}

/** A thread, as its clients remember it. */
export class ThreadLedger {
  readonly threadId: string
  readonly prompts = new Map<string, SentPrompt>()
  /** The newest title that was given, and the newest that was acknowledged. */
  readonly titles = { given: 0, kept: 0 }
  /** The newest state that was given. */
  states = 0
  /** By page, the states that it has brought since a run of its own has begun, that of this run first. */
  readonly #brought = new Map<string, ReadonlyArray<number>>()
  #isBrought = false
  /** The first words were heard. */
  readonly begun: Promise<void>
  #begin: () => void = () => undefined
  /** Somebody has seen that the thread is there. */
  isThere = false
  readonly #print: (line: string) => void
  #marks = 0

  constructor(threadId: string, print: (line: string) => void) {
    this.threadId = threadId
    this.#print = print
    this.begun = new Promise((resolve) => {
      this.#begin = resolve
    })
  }

  /** A line for whoever looks for the cause of a failure. */
  trace(line: string): void {
    this.#print(`${this.threadId}: ${line}`)
  }

  /** The mark of the next prompt. */
  nextMark(): string {
    return `${this.threadId}.${++this.#marks}`
  }

  /** A prompt is sent. */
  send(mark: string, order: string, words: number): SentPrompt {
    const sent = { mark, order, words, isStarted: false, isStopped: false }
    this.prompts.set(mark, sent)
    return sent
  }

  /** Whether a run of any prompt was seen to begin. What was sent before may have been lost on its way. */
  get isBegun(): boolean {
    return [...this.prompts.values()].some(({ isStarted }) => isStarted)
  }

  /** Whether a message is a prompt whose run nobody has seen begin. */
  isUnheard(messageId: string): boolean {
    return this.prompts.get(messageId.replace(/^m-/, ""))?.isStarted === false
  }

  /** The run of a prompt was seen to begin. False: that is no news. */
  acknowledge(mark: string): boolean {
    const sent = this.prompts.get(mark)
    if (sent === undefined || sent.isStarted) return false
    sent.isStarted = true
    this.#begin()
    return true
  }

  /** Its run was refused as it began: nobody has heard the prompt. */
  refuse(mark: string): void {
    const sent = this.prompts.get(mark)
    if (sent !== undefined) sent.isStarted = false
  }

  /** A page brings a state. Gives what is to be called when its run has begun. */
  bring(page: string, number: number): () => void {
    this.#brought.set(page, [...(this.#brought.get(page) ?? []), number])
    return () => {
      this.#brought.set(page, [number])
      this.#isBrought = true
    }
  }

  /** The states that the thread may have: the last that anybody has brought. */
  get possibleStates(): ReadonlySet<number> {
    return new Set([...(this.#isBrought ? [] : [0]), ...[...this.#brought.values()].flat()])
  }

  /** A page was sent an event. */
  heard(page: string, event: BaseEvent & HeardFields): void {
    this.isThere = true
    this.trace(`${page} < ${event.type} ${event.runId ?? (typeof event.delta === "string" ? event.delta : "")}`)
  }
}
