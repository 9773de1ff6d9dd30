/** A page: one of the official clients on a thread, which loses its bridge and comes back with what it has. */
import type { Random } from "../../fuzz/policy/Random.ts"
import { type Client, type ClientAgent, clients, type Ran, run } from "../bridge/OnBridge.ts"
import type { Life } from "./Life.ts"
import type { ThreadLedger } from "./ThreadLedger.ts"

/** How a request ended: as its run says, or the bridge was gone before. */
export type Ended = Ran | "cut"

/** The tool of the application that agents may call. */
const note = {
  name: "note",
  description: "Notes a mark.",
  parameters: { type: "object", properties: { mark: { type: "string" } } }
}

/** Whether a run was refused as it began: somebody else's question is open. */
const isRefused = (ended: Ended): boolean => ended !== "cut" && ended.error?.code === "INTERRUPT_OPEN"

/** How a page comes back. */
export type Way = "connect" | "resend" | "resend under another name" | "answer" | "prompt"

const markOf = (messageId: string): string => messageId.replace(/^m-/, "")

const isEmpty = (state: unknown): boolean =>
  typeof state !== "object" || state === null || Object.keys(state).length === 0

/** The number in a shared state. */
export const numberIn = (state: unknown): number =>
  typeof state === "object" && state !== null && "number" in state ? Number(state.number) : 0

/** A page. */
export class Page {
  readonly name: string
  readonly #thread: ThreadLedger
  readonly #client: Client
  /** Whether closing the connection stops the turn. */
  readonly #isPlain: boolean
  #agent: ClientAgent
  #life: Life | undefined
  /** The request that was not answered to its end. */
  #open: { readonly runId: string } | undefined
  #connects = 0
  readonly #said = new Set<string>()

  constructor(thread: ThreadLedger, name: string, random: Random) {
    this.name = name
    this.#thread = thread
    this.#client = random.pick(clients)
    this.#isPlain = random.chance(0.3)
    this.#agent = this.#load([])
  }

  /** What it shows. */
  get messages(): ClientAgent["messages"] {
    return this.#agent.messages
  }

  /** The shared state as it knows it. */
  get state(): unknown {
    return this.#agent.state
  }

  /** Whether it has asked for something that was not answered to its end. */
  get isCut(): boolean {
    return this.#open !== undefined
  }

  /** Whether it has said something that nobody has acknowledged. */
  get isUnheard(): boolean {
    return this.isCut && this.messages.some(({ id }) => this.#thread.isUnheard(id))
  }

  /** Whether that is the last that it shows: what stands before the words of others is taken for older than those. */
  get endsUnheard(): boolean {
    return this.#thread.isUnheard(this.messages.at(-1)?.id ?? "")
  }

  /** Whether it shows nothing but what it has said itself. */
  get knowsNothing(): boolean {
    return this.messages.every((message) => this.isOwn(message))
  }

  /** Whether a message was said here, by the person or a tool of the page. */
  isOwn({ id, role }: ClientAgent["messages"][number]): boolean {
    return role === "tool" || this.#said.has(id)
  }

  /** Whether it shows a question. */
  get isAsked(): boolean {
    return this.#agent.pendingInterrupts.length > 0
  }

  /** There is another bridge. */
  join(life: Life): void {
    this.#life = life
  }

  /** Says something, and waits for the end of the run. What is refused, its person takes back. */
  async say(mark: string, order: string, state?: object): Promise<Ended> {
    // A client lets nothing out while it shows a question.
    if (this.isAsked) this.reload()
    if (state !== undefined) this.#agent.setState(state)
    const id = `m-${mark}`
    this.#said.add(id)
    this.#agent.addMessage({ id, role: "user", content: `[${mark}] ${order}` })
    const ended = await this.#run(`r-${mark}`)
    if (!isRefused(ended)) return ended
    this.#agent.setMessages(this.messages.filter((message) => message.id !== id))
    this.#thread.prompts.delete(mark)
    return ended
  }

  /** Sends the request that was cut once more: all it has, and nothing new. */
  resend(way: "resend" | "resend under another name"): Promise<Ended> {
    const { runId } = this.#open ?? { runId: "none" }
    if (this.isAsked) this.reload()
    return this.#unlessRefused(this.#run(way === "resend" ? runId : `${runId}-again`))
  }

  /** What nobody has heard because it was refused, its person takes back. */
  async #unlessRefused(running: Promise<Ended>): Promise<Ended> {
    const ended = await running
    if (!isRefused(ended)) return ended
    const unheard = this.messages.filter(({ id }) => this.#thread.isUnheard(id))
    this.#agent.setMessages(this.messages.filter((message) => !unheard.includes(message)))
    for (const { id } of unheard) this.#thread.prompts.delete(markOf(id))
    return ended
  }

  /** Is opened anew, asks for the conversation, and its person says again what nobody has heard. */
  async sayAgain(): Promise<Ended> {
    const { messages } = this
    const unheard = messages.filter((each) => this.#thread.isUnheard(each.id))
    const { runId } = this.#open ?? { runId: "none" }
    this.#agent = this.#load(messages.filter((each) => !unheard.includes(each)))
    const connected = await this.connect()
    const shown = new Set(this.messages.map(({ id }) => id))
    for (const message of unheard) if (!shown.has(message.id)) this.#agent.addMessage(message)
    // A client lets nothing out while it shows a question.
    if (this.isAsked) this.reload()
    return connected === "cut" ? "cut" : this.#unlessRefused(this.#run(runId))
  }

  /** Answers the questions that it shows. */
  answer(approved: boolean): Promise<Ended> {
    const resume = this.#agent.pendingInterrupts.map(({ id }) => ({
      interruptId: id,
      status: "resolved" as const,
      payload: { approved }
    }))
    return this.#run(`a-${resume[0]?.interruptId}`, { resume })
  }

  /** Runs the tool of the application that the agent has called, and tells the result. Undefined: none waits. */
  runTool(): Promise<Ended> | undefined {
    const { messages } = this.#agent
    const answered = new Set(messages.flatMap((each) => (each.role === "tool" ? [each.toolCallId] : [])))
    const call = messages
      .flatMap((each) => (each.role === "assistant" ? (each.toolCalls ?? []) : []))
      .findLast((each) => each.function.name === "note" && !answered.has(each.id))
    if (call === undefined) return undefined
    this.#agent.addMessage({ id: `t-${call.id}`, role: "tool", toolCallId: call.id, content: "noted" })
    return this.#run(`t-${call.id}`)
  }

  /** Asks for the conversation, with what it has. */
  connect(): Promise<Ended> {
    if (this.isAsked) this.reload()
    this.#agent.url = `${this.#life?.url}/agent/default/connect`
    return this.#run(`c-${this.name}-${++this.#connects}`, {}, false)
  }

  /** Is loaded again, and has the messages it had. */
  reload(): void {
    this.#agent = this.#load(this.#agent.messages)
  }

  #load(messages: ClientAgent["messages"]): ClientAgent {
    const agent = new this.#client({
      url: "",
      threadId: this.#thread.threadId,
      fetch: (url: string, init: RequestInit) => this.#ask(url, init)
    })
    agent.setMessages(messages)
    return agent
  }

  #ask(url: string, init: RequestInit): Promise<Response> {
    const life = this.#life
    if (life === undefined) throw new Error("there is no bridge yet")
    return life.fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...life.headers } })
  }

  async #run(runId: string, parameters: Parameters<ClientAgent["runAgent"]>[0] = {}, isRun = true): Promise<Ended> {
    const life = this.#life
    if (life === undefined) throw new Error("there is no bridge yet")
    if (isRun) {
      this.#agent.url = this.#isPlain ? life.url : `${life.url}/agent/default/run`
      this.#open = { runId }
    }
    const begun = `${this.name} ${isRun ? "runs" : "connects"} ${runId}`
    this.#thread.trace(begun)
    const stateBegins = isRun && !isEmpty(this.state) ? this.#thread.bring(this.name, numberIn(this.state)) : undefined
    let told: ReadonlyArray<string> = []
    try {
      const ran = await run(this.#agent, { runId, tools: [note], ...parameters }, (event) => {
        this.#thread.heard(this.name, event)
        if (event.type === "RUN_STARTED" && "runId" in event) {
          const isOwn = isRun && event.runId === runId
          // What was not heard before is told with it.
          const marks = isOwn ? [...this.#said].map(markOf) : [String(event.runId).replace(/^r-|-again$/g, "")]
          told = marks.filter((mark) => this.#thread.acknowledge(mark))
          if (isOwn) stateBegins?.()
        }
        life.heard(event)
      })
      if (isRefused(ran)) for (const mark of told) this.#thread.refuse(mark)
      if (isRun) this.#open = undefined
      this.#thread.trace(`${begun}: ${ran.error === undefined ? "finished" : `${ran.error.code} ${ran.error.message}`}`)
      return ran
    } catch (error) {
      if (!life.isOver())
        throw new Error(`${begun}: ${error instanceof Error ? error.message : error}`, { cause: error })
      this.#thread.trace(`${begun}: cut`)
      return "cut"
    }
  }
}
