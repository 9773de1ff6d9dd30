/** A client of ours on one connection: it takes the steps of a scenario, and all that goes by is judged. */
import type { Json, JsonObject, Variables } from "@agentwire/fixtures"
import type { Conform } from "@agentwire/protocol"
import { makeAppServerChecker } from "@agentwire/protocol/appserverconform"
import { classify, type ErrorObject, isRequestId, type RequestId } from "@agentwire/protocol/jsonrpc"
import { isRecord, readJson } from "@agentwire/protocol/wire"
import type { WireLog } from "../live/WireLog.ts"
import type { Act, Holds } from "./Step.ts"
import type { Exit, Wire, WireEvents } from "./Wire.ts"

/** A step that did not go as it should: what was expected, and what was there. */
export class Astray extends Error {}

/** What was heard, in the order it came. */
interface Told {
  readonly method: string
  readonly params: unknown
  readonly id: RequestId | undefined
}

type Answer = { readonly result: unknown } | { readonly error: ErrorObject }

/** What a client works with. */
export interface ClientSetting {
  readonly variables: Variables
  readonly log: WireLog
  readonly found: (findings: ReadonlyArray<Conform.Finding>) => void
  /** Ends every wait. */
  readonly until: AbortSignal
}

/** A client of ours. */
export class Client {
  readonly #setting: ClientSetting
  readonly #checker = makeAppServerChecker()
  readonly #told: Array<Told> = []
  readonly #answers: Array<{ readonly id: RequestId; readonly answer: Answer }> = []
  /** Requests whose answers nobody has waited for yet. */
  readonly #left: Array<RequestId> = []
  readonly #watchers = new Set<() => void>()
  #wire: Wire | undefined
  #at = 0
  #question: RequestId | undefined
  #nextId = 1
  #isGone = false

  constructor(setting: ClientSetting) {
    this.#setting = setting
    setting.until.addEventListener("abort", () => this.#wake())
  }

  /** Connects: `open` is told who hears. */
  async connect(open: (events: WireEvents) => Wire | Promise<Wire>): Promise<void> {
    this.#wire = await open({
      heard: (text) => this.#hear(text),
      ended: () => {
        this.#isGone = true
        this.#wake()
      }
    })
  }

  /** Takes a step that is about the connection. */
  async take(act: Exclude<Act, { readonly do: "file" | "leave" }>): Promise<void> {
    switch (act.do) {
      case "ask":
        return this.#ask(act)
      case "tell":
        return this.#send({ method: act.method, ...(act.params && { params: this.#expand(act.params) }) })
      case "write":
        return this.#write(act.text)
      case "wait":
        return this.#next(act.method, act.holds)
      case "answer":
        return this.#send({ id: this.#asked(), result: this.#expand(act.result) })
      case "refuse":
        return this.#send({ id: this.#asked(), error: { code: -32000, message: act.message } })
      case "never": {
        const seen = this.#told.some(
          (told) => told.method === act.method && this.#misses(told.params, act.holds) === undefined
        )
        if (seen) throw new Astray(`There was a ${act.method}${inWords(act.holds)}.`)
      }
    }
  }

  /** Waits for the answers that are still to come. */
  async settle(): Promise<void> {
    for (const id of this.#left.splice(0)) await this.#answerTo(id, `the request ${JSON.stringify(id)}`)
  }

  /** Hangs up. `isWhole`: all that the server owes must have come. */
  async leave(isWhole: boolean): Promise<Exit | undefined> {
    const exit = await this.#wire?.close()
    this.#setting.found(this.#checker.end({ isWhole }))
    return exit
  }

  async #ask({
    awaits,
    beside = {},
    gets,
    holds,
    id = this.#nextId++,
    method,
    params,
    save = {}
  }: Extract<Act, { do: "ask" }>) {
    this.#send({ ...beside, method, id, ...(params !== null && { params: this.#expand(params) }) })
    if (awaits === false) {
      this.#left.push(id)
      return
    }
    const answer = await this.#answerTo(id, method)
    const body: unknown = "error" in answer ? answer.error : answer.result
    if ("error" in answer !== (gets === "error"))
      throw new Astray(
        `${method} is answered with ${"error" in answer ? `the error "${answer.error.message.slice(0, 200)}"` : "a result"}, not with ${gets === "error" ? "an error" : "a result"}.`
      )
    const missed = this.#misses(body, holds)
    if (missed !== undefined) throw new Astray(`The ${gets} of ${method}: ${missed}`)
    for (const [name, path] of Object.entries(save)) {
      const value = at(body, path)
      if (typeof value !== "string") throw new Astray(`The result of ${method} has no ${path}.`)
      this.#setting.variables.set(name, value)
    }
  }

  async #answerTo(id: RequestId, what: string): Promise<Answer> {
    const found = (): number => this.#answers.findIndex((one) => one.id === id)
    await this.#until(() => found() >= 0, `an answer to ${what}`)
    const [one] = this.#answers.splice(found(), 1)
    if (one === undefined) throw new Astray(`There was no answer to ${what}.`)
    return one.answer
  }

  /** Waits for the next message that fits, after the last one that did. */
  async #next(method: string, holds: Holds | undefined): Promise<void> {
    let near: string | undefined
    const fits = (): boolean => {
      for (; this.#at < this.#told.length; this.#at++) {
        const told = this.#told[this.#at]
        if (told?.method !== method) continue
        const missed = this.#misses(told.params, holds)
        if (missed !== undefined) {
          near = missed
          continue
        }
        if (told.id !== undefined) this.#question = told.id
        this.#at++
        return true
      }
      return false
    }
    await this.#until(fits, () => `${method}${inWords(holds)}${near === undefined ? "" : `; of the last one, ${near}`}`)
  }

  async #until(isThere: () => boolean, what: string | (() => string)): Promise<void> {
    while (!isThere()) {
      const words = typeof what === "string" ? what : what()
      if (this.#isGone) throw new Astray(`The server hung up; expected was ${words}.`)
      if (this.#setting.until.aborted) throw new Astray(`Out of time; expected was ${words}.`)
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#watchers.delete(wake)
          resolve()
        }
        this.#watchers.add(wake)
      })
    }
  }

  #wake(): void {
    for (const watch of [...this.#watchers]) watch()
  }

  #asked(): RequestId {
    if (this.#question === undefined) throw new Astray("There is no question to answer.")
    return this.#question
  }

  #hear(text: string): void {
    this.#setting.log.add("received", text)
    this.#setting.found(this.#checker.hear("server", text))
    const read = readJson(text)
    const said = classify(read.isRead ? read.value : undefined)
    if (said._tag === "Notification") this.#told.push({ method: said.method, params: said.params, id: undefined })
    if (said._tag === "Request") this.#told.push({ method: said.method, params: said.params, id: said.id })
    if (said._tag === "Response") this.#answers.push({ id: said.id, answer: { result: said.result } })
    if (said._tag === "Failure" && isRequestId(said.id))
      this.#answers.push({ id: said.id, answer: { error: said.error } })
    this.#wake()
  }

  #send(message: JsonObject): void {
    this.#write(JSON.stringify(message))
  }

  #write(text: string): void {
    this.#setting.log.add("sent", text)
    this.#checker.hear("client", text)
    this.#wire?.send(text)
  }

  #expand(value: JsonObject): JsonObject {
    return this.#setting.variables.expand(value)
  }

  /** What a value does not have of what it must; undefined when it has all. */
  #misses(value: unknown, holds: Holds = {}): string | undefined {
    for (const [path, wanted] of Object.entries(this.#setting.variables.expand(holds))) {
      const there = at(value, path)
      if (there !== wanted) return `${path} is ${JSON.stringify(there)?.slice(0, 100)}, not ${JSON.stringify(wanted)}`
    }
    return undefined
  }
}

/** The value at a path of keys and positions, as `turns.0.id`. */
const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, key) => (Array.isArray(inner) ? inner[Number(key)] : isRecord(inner) ? inner[key] : undefined),
      value
    )

const inWords = (holds: Holds | undefined): string =>
  holds === undefined
    ? ""
    : ` with ${Object.entries(holds)
        .map(([path, value]: [string, Json]) => `${path} ${JSON.stringify(value)}`)
        .join(" and ")}`
