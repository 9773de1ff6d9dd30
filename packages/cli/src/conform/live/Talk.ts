/**
 * What a scenario has in hand: ways to talk to the server, a place for what it finds, and an end to its time. Every
 * request is logged, and whatever is still open at the end is closed.
 */
import { randomUUID } from "node:crypto"
import type { Agui } from "@agentwire/protocol"
import type { Head } from "./Exchange.ts"
import { Findings, findingOf } from "./Findings.ts"
import { type LiveRuleId, liveRules } from "./LiveRules.ts"
import { type Item, jsonOf } from "./Reading.ts"
import { type Answer, isSuccess, openStream, type Reading, type Stream } from "./Stream.ts"
import { type Call, httpCall, type LiveTarget, usualDialect } from "./Target.ts"
import type { WireLog } from "./WireLog.ts"

/** The limits of a scenario. */
export interface TalkLimits {
  readonly timeoutMs: number
  /** Of one answer. */
  readonly maxBytes: number
}

/** A run to ask for. */
export interface RunRequest {
  readonly threadId: string
  /** A new one unless it is given. */
  readonly runId?: string
  readonly messages: ReadonlyArray<Item>
  readonly tools?: ReadonlyArray<Item>
  readonly resume?: ReadonlyArray<Item>
  /** Members to add to the request, or to replace. */
  readonly more?: Item
  /** The dialect of the client; that of the transport's usual client unless it is given. */
  readonly dialect?: Agui.Dialect
  /** How the answer is judged, where it is not by the dialect of the client. */
  readonly judge?: Reading["rules"]
  /** Reads nothing for so long, once the answer begins. */
  readonly pauseMs?: number
}

/** A run under way. */
export interface Run extends Stream {
  readonly runId: string
  readonly label: string
}

/** Thrown to end a scenario that cannot show what it is for. */
export class Skipped extends Error {
  override readonly name = "Skipped"
}

/** Thrown to end a scenario whose findings already say what went wrong. */
export class GaveUp extends Error {
  override readonly name = "GaveUp"
}

/** A scenario's conversation with the server. */
export class Talk {
  readonly target: LiveTarget
  readonly limits: TalkLimits
  /** What to ask the model. */
  readonly prompt: string
  readonly signal: AbortSignal
  readonly findings = new Findings()
  readonly #log: WireLog
  readonly #open = new Set<Stream>()
  readonly #started = Date.now()
  #streams = 0

  constructor(
    target: LiveTarget,
    limits: TalkLimits,
    prompt: string,
    /** Aborted when the time is up, with the reason of `AbortSignal.timeout`, or by the user. */
    signal: AbortSignal,
    log: WireLog
  ) {
    this.target = target
    this.limits = limits
    this.prompt = prompt
    this.signal = signal
    this.#log = log
  }

  /** The dialect of the transport's usual client. */
  get dialect(): Agui.Dialect {
    return usualDialect[this.target.transport]
  }

  /** What is left of the time. */
  get remainingMs(): number {
    return Math.max(0, this.limits.timeoutMs - (Date.now() - this.#started))
  }

  /** How long a response may say nothing before that means something. */
  get #lingerMs(): number {
    return Math.min(5000, this.limits.timeoutMs / 4)
  }

  /** Reports a breach of a live rule. */
  report(rule: LiveRuleId, message: string, excerpt: unknown = undefined): void {
    this.findings.add(findingOf(liveRules[rule], message, excerpt))
  }

  /** Takes back what the rules, or one of them, found in an answer: what was asked for may be refused, or be empty. */
  forgive({ label }: { readonly label: string }, only?: string): void {
    this.findings.forget(
      ({ message, rule }) => message.startsWith(`${label}: `) && (only === undefined || rule === only)
    )
  }

  /** Ends the scenario: the server did not do what it is about. */
  skip(reason: string): never {
    throw new Skipped(reason)
  }

  /** Asks for a run, in the client's dialect. */
  run(request: RunRequest): Run {
    const input = this.input(request)
    const rules = request.judge ?? { dialect: request.dialect ?? this.dialect, input }
    const runId = String(input["runId"])
    return { ...this.#ask({ ask: "run", body: JSON.stringify(input) }, { rules }, request.pauseMs), runId }
  }

  /** The body of a run. */
  input(request: RunRequest): Item {
    const dialect = request.dialect ?? this.dialect
    return {
      threadId: request.threadId,
      runId: request.runId ?? randomUUID(),
      ...(dialect === "1.0" && { protocolVersion: "1.0" }),
      state: {},
      messages: request.messages,
      tools: request.tools ?? [],
      context: [],
      forwardedProps: {},
      ...(request.resume !== undefined && { resume: request.resume }),
      ...request.more
    }
  }

  /** Asks for the history of a thread. The rules read it without the input: past runs have ids of their own. */
  connect(threadId: string): Stream & { readonly label: string } {
    const body = JSON.stringify(this.input({ threadId, messages: [] }))
    return this.#ask({ ask: "connect", body }, { rules: { dialect: this.dialect }, isHistory: true })
  }

  /** Asks for something that is not a run, or not one that may start, also of others: nothing is judged. */
  ask(call: Call, target: LiveTarget = this.target): Stream {
    return this.#ask(call, {}, undefined, target)
  }

  /** Waits for the end of a run; gives up on what did not get there. */
  async finish(stream: Stream & { readonly label?: string }): Promise<Answer> {
    const answer = await stream.done
    if (answer.ending._tag !== "Ended" || !isSuccess(answer.head)) throw new GaveUp()
    return answer
  }

  /** Closes what is open, and waits until it is. */
  async end(): Promise<void> {
    const open = [...this.#open]
    for (const stream of open) stream.close()
    await Promise.all(open.map(({ done }) => done))
  }

  #ask(
    call: Call,
    reading: Omit<Reading, "lingerMs">,
    pauseMs?: number,
    target: LiveTarget = this.target
  ): Stream & { readonly label: string } {
    const { token } = target
    const http = httpCall(target, call)
    if (http === undefined) throw new Skipped(`plain AG-UI has no ${call.ask} request`)
    const label = `${call.ask} ${++this.#streams}`
    const headers: Record<string, string> = {
      accept: call.ask === "run" || call.ask === "connect" ? "text/event-stream" : "application/json",
      ...(http.body !== undefined && {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(http.body))
      }),
      ...(token !== undefined && { authorization: `Bearer ${token}` })
    }
    this.#log.add(
      "sent",
      `[${label}] ${http.method} ${shownPath(http.url)}${token === undefined ? "" : " (with token)"}\n${http.body ?? ""}`
    )
    const stream = openStream(
      {
        ...http,
        headers,
        signal: this.signal,
        maxBytes: this.limits.maxBytes,
        ...(pauseMs !== undefined && { pauseMs })
      },
      { ...reading, lingerMs: this.#lingerMs },
      {
        head: (head) => this.#log.add("received", `[${label}] ${shownHead(head)}`),
        event: (event) => this.#log.add("received", `[${label}] ${jsonOf(event)}`),
        finding: (finding) => this.findings.add({ ...finding, message: `${label}: ${finding.message}` })
      }
    )
    this.#open.add(stream)
    const done = stream.done.then((answer) => {
      this.#open.delete(stream)
      this.#logEnd(label, answer)
      if (reading.rules !== undefined) this.#judgeEnd(label, answer, reading.isHistory === true)
      return answer
    })
    return { ...stream, done, label }
  }

  #logEnd(label: string, { body, ending, events }: Answer): void {
    if (events.length === 0 && body !== "") this.#log.add("received", `[${label}] ${body}`)
    const how = ending._tag === "Broken" ? `broken: ${ending.error}` : ending._tag
    if (ending._tag !== "Ended") this.#log.add("received", `[${label}] (${how})`)
  }

  #judgeEnd(label: string, { ending, events, lingered, silentMs }: Answer, isHistory: boolean): void {
    const { maxBytes, timeoutMs } = this.limits
    const open = lingered || ending._tag === "TimedOut"
    if (ending._tag === "Broken") this.report("LIVE-NET-001", `${label}: ${ending.error}.`)
    else if (ending._tag === "TooLong") this.report("LIVE-TIME-002", `${label}: more than ${maxBytes} bytes came.`)
    else if (open && isHistory) this.report("LIVE-CONNECT-006", `${label}: the stream stayed open.`)
    else if (lingered) this.report("LIVE-TIME-003", `${label}: the response stayed open after the run had ended.`)
    else if (open) {
      const rule = events.length > 0 && silentMs < this.#lingerMs ? "LIVE-TIME-004" : "LIVE-TIME-001"
      const silent = `${events.length} events, the last ${silentMs} ms before`
      this.report(rule, `${label}: no end after ${timeoutMs} ms; ${events.length > 0 ? silent : "no event came"}.`)
    }
  }
}

/** The path of a URL; the values of its query may be secret. */
const shownPath = ({ pathname, searchParams }: URL): string => {
  const keys = [...searchParams.keys()].map((key) => `${key}=***`)
  return keys.length > 0 ? `${pathname}?${keys.join("&")}` : pathname
}

const shownHead = ({ headers, status }: Head): string =>
  `HTTP ${status}${headers["content-type"] === undefined ? "" : ` ${headers["content-type"]}`}`
