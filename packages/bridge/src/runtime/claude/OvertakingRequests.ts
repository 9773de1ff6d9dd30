/**
 * Puts requests about calls back behind the lines that tell of the calls.
 *
 * A CLI that posts each line by itself waits with its lines for the answers, and with its requests for nothing: up to
 * 2.1.62 a `can_use_tool` comes before the message that makes the call, by as many lines as wait
 * (docs/wire/claude-code.md §2a). Over every other transport it comes after.
 */
import { isRecord } from "@agentwire/protocol/wire"

/** How many calls are remembered. */
const maxCalls = 5000

/** A request waits for its call no longer than this while nothing else comes, in milliseconds. */
const quietMs = 1000

interface Held {
  readonly call: string
  readonly request: unknown
  readonly event: unknown
}

/** The order of what a CLI says. */
export class OvertakingRequests {
  readonly #pass: (event: unknown) => void
  readonly #calls = new Set<string>()
  #held: Array<Held> = []
  #timer: NodeJS.Timeout | undefined

  /** Passes on what is in its place. */
  constructor(pass: (event: unknown) => void) {
    this.#pass = pass
  }

  /** What comes next is passed on, or held until its call is told of. */
  passOrHold(event: unknown): void {
    const call = callAskedAbout(event)
    if (call !== undefined && !this.#calls.has(call)) {
      this.#held.push({ call, request: requestId(event), event })
      this.#wait()
      return
    }
    // A withdrawal must not come before what it withdraws, nor an end before what happened.
    if (isRecord(event) && event["type"] === "control_cancel_request")
      this.#release(({ request }) => request === requestId(event))
    if (isRecord(event) && event["type"] === "result") this.release()
    this.#pass(event)
    for (const announced of callsIn(event)) {
      remember(this.#calls, announced)
      this.#release(({ call: held }) => held === announced)
    }
    if (this.#held.length > 0) this.#wait()
  }

  /** Passes on whatever is held: nothing more will come. */
  release(): void {
    this.#release(() => true)
  }

  #release(fits: (held: Held) => boolean): void {
    const ready = this.#held.filter(fits)
    if (ready.length === 0) return
    this.#held = this.#held.filter((held) => !ready.includes(held))
    for (const { event } of ready) this.#pass(event)
    if (this.#held.length === 0) clearTimeout(this.#timer)
  }

  #wait(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.release(), quietMs).unref()
  }
}

const remember = (calls: Set<string>, call: string): void => {
  calls.add(call)
  if (calls.size <= maxCalls) return
  for (const oldest of calls) {
    calls.delete(oldest)
    break
  }
}

const requestId = (event: unknown): unknown => (isRecord(event) ? event["request_id"] : undefined)

/** The call that a request is about. */
const callAskedAbout = (event: unknown): string | undefined => {
  if (!isRecord(event) || event["type"] !== "control_request" || !isRecord(event["request"])) return undefined
  const { tool_use_id } = event["request"]
  return typeof tool_use_id === "string" ? tool_use_id : undefined
}

/** The calls that a message makes. */
const callsIn = (event: unknown): ReadonlyArray<string> => {
  if (!isRecord(event) || event["type"] !== "assistant" || !isRecord(event["message"])) return []
  const { content } = event["message"]
  if (!Array.isArray(content)) return []
  return content.flatMap((block) => (isRecord(block) && typeof block["id"] === "string" ? [block["id"]] : []))
}
