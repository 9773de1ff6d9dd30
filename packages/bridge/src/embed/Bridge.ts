/**
 * The bridge for programs that do not use Effect: a class with promises.
 *
 * Its methods are the endpoints of the management API, with the same names for what goes wrong (`BridgeError.code`).
 * Effect users build the same from `layerBridge`. How to embed it is in docs/embedding.md.
 */
import type * as Agui from "@agentwire/protocol/agui"
import type * as Claude from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { nativeFailed, startFailed } from "../face/http/SessionRefusal.ts"
import type { BodyOf, OutputOf, QueryOf } from "../face/management/Api.ts"
import { askAgent } from "../face/management/NativeClaude.ts"
import type { Handler } from "../server/HttpHandler.ts"
import type { McpServer } from "../session/AgentOptions.ts"
import { type Approval, approvalOf } from "./Approval.ts"
import { type BridgeConfig, randomToken } from "./BridgeConfig.ts"
import { BridgeError, bridgeErrorOf, bridgeNotStarted, bridgeStopped } from "./BridgeError.ts"
import { type CommandInput, type CommandName, runCommand } from "./Command.ts"
import { endOnAbort, eventFeed } from "./EventFeed.ts"
import { type BridgeEventName, type Listener, Listeners, type SessionEvent } from "./Listeners.ts"
import { mountedHandler } from "./MountedHandler.ts"
import { makeRun, type Run } from "./Run.ts"
import { closeBridge, listenInScope, openBridge, type RunningBridge, sessionOf } from "./RunningBridge.ts"

/** Where a bridge listens, and what lets callers in. */
export interface Started {
  /** Such as `http://127.0.0.1:3210`. */
  readonly url: string
  readonly port: number
  /** Undefined when the bridge has none. */
  readonly token: string | undefined
}

/** A session to make. */
export interface NewSession extends BodyOf<"sessions.create"> {
  /** Start the agent now, and wait until it is ready. Default: it starts with the first message. */
  readonly start?: boolean
}

/** All about a session: what it does, what its agent said about itself (`init`) and when it was started (`greeting`). */
export type SessionInfo = OutputOf<"sessions.get">

/** A session in a list. */
export type SessionListed = OutputOf<"sessions.list">["sessions"][number]

/** A yes to a question, and what goes with it. */
export type Approve = Omit<Extract<BodyOf<"approvals.answer">, { readonly behavior: "allow" }>, "behavior">

/** A bridge: coding agents as AG-UI servers, and as objects of this program. */
export class Bridge {
  /** What callers must send as `Authorization: Bearer`; undefined when the bridge has no token. */
  readonly token: string | undefined
  readonly #config: BridgeConfig
  readonly #listeners = new Listeners()
  #opening: Promise<RunningBridge> | undefined
  #opened: RunningBridge | undefined
  #starting: Promise<Started> | undefined
  #started: Started | undefined
  #stopping: Promise<void> | undefined

  constructor(config: BridgeConfig = {}) {
    this.#config = config
    const { token = randomToken() } = config
    this.token = token === "none" ? undefined : token
  }

  // --- its life --------------------------------------------------------------------------

  /** Listens. A second call returns the same promise. After a failure it may be tried again. */
  start(): Promise<Started> {
    if (this.#stopping !== undefined) return Promise.reject(new BridgeError(bridgeStopped))
    this.#starting ??= this.#listen().catch((error: unknown) => {
      this.#starting = undefined
      throw error
    })
    return this.#starting
  }

  /** Begins without listening, for programs whose own server serves `handler()`. */
  async open(): Promise<void> {
    await this.#open()
  }

  /** Ends every agent and everything else. Called again, it waits for the same end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#end()
    return this.#stopping
  }

  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  /** Where AG-UI and CopilotKit clients connect to: the `runtimeUrl` of a provider. Throws until `start` is done. */
  get runtimeUrl(): string {
    if (this.#started === undefined)
      throw new BridgeError(this.#stopping === undefined ? bridgeNotStarted : bridgeStopped)
    return `${this.#started.url}${this.#config.basePath ?? ""}`
  }

  /** The headers that let a client in. */
  get headers(): Readonly<Record<string, string>> {
    return this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` }
  }

  /**
   * Serves the bridge in another server: `(request, response) => void`, for `node:http`, Express and the like. The
   * gate holds there, too. `prefix` is taken off the paths, where the framework does not do so itself.
   */
  handler({ prefix = "" }: { readonly prefix?: string } = {}): Handler {
    return mountedHandler(prefix, () =>
      this.#opened !== undefined && this.#stopping === undefined
        ? { _tag: "Serving", handler: this.#opened.handler }
        : { _tag: "Closed", message: (this.#stopping === undefined ? bridgeNotStarted : bridgeStopped).message }
    )
  }

  // --- what it tells ---------------------------------------------------------------------

  /** Listens to what happens in all sessions; the returned function stops that. */
  on<N extends BridgeEventName>(name: N, listener: Listener<N>): () => void {
    return this.#listeners.on(name, listener)
  }

  /**
   * The events of a session: from a number on, or else the conversation so far and then what happens. Ends with the
   * session, with the bridge, or with the signal.
   */
  async *events(
    threadId: string,
    { from, signal }: { readonly from?: number; readonly signal?: AbortSignal } = {}
  ): AsyncGenerator<SessionEvent, void> {
    const { context, run } = await this.#ready()
    const session = await run(sessionOf(threadId))
    yield* Stream.toAsyncIterableWith(eventFeed(session, from).pipe(endOnAbort(signal)), context)
  }

  // --- sessions --------------------------------------------------------------------------

  /** Makes a session. A thread that is known is refused with `THREAD_EXISTS`. */
  async createSession({ start = false, ...body }: NewSession = {}): Promise<SessionInfo> {
    const made = await this.#do("sessions.create", { params: {}, body })
    return start ? this.startSession(made.threadId) : made
  }

  /** All sessions, also those known from before a restart. */
  async listSessions(): Promise<ReadonlyArray<SessionListed>> {
    return (await this.#do("sessions.list", { params: {} })).sessions
  }

  /** All about a session. */
  getSession(threadId: string): Promise<SessionInfo> {
    return this.#do("sessions.get", { params: { threadId } })
  }

  /** Starts the agent of a session, unless it runs, and waits until it is ready. */
  async startSession(threadId: string): Promise<SessionInfo> {
    await this.#do("sessions.start", { params: { threadId } })
    return this.getSession(threadId)
  }

  /** Ends the agent of a session; the thread stays, and the next message starts an agent again. */
  async disconnectSession(threadId: string): Promise<void> {
    await this.#do("sessions.disconnect", { params: { threadId } })
  }

  /** Ends a session for good; the thread is forgotten. */
  async killSession(threadId: string): Promise<void> {
    await this.#do("sessions.remove", { params: { threadId } })
  }

  // --- talking ---------------------------------------------------------------------------

  /** Begins a run with a prompt: text, or content parts of AG-UI. */
  async sendMessage(threadId: string, content: string | ReadonlyArray<Agui.ContentPart>): Promise<Run> {
    const { context, run } = await this.#ready()
    const session = await run(sessionOf(threadId))
    const { from, messageId, runId } = await this.#do("sessions.send", { params: { threadId }, body: { content } })
    const stop = () => this.interrupt(threadId, runId)
    const { approvals = "deny" } = this.#config
    return makeRun({ threadId, runId, messageId, session, from, approvals, context, stop })
  }

  /**
   * Says something to the agent in the middle of its run, which goes on. Refused with `NOTHING_TO_STEER` when none is open, or
   * another one than `runId`. Words that come too late for the run begin the next one.
   */
  steer(
    threadId: string,
    content: string | ReadonlyArray<Agui.ContentPart>,
    { runId }: { readonly runId?: string } = {}
  ): Promise<OutputOf<"sessions.steer">> {
    return this.#do("sessions.steer", { params: { threadId }, body: { content, runId } })
  }

  /** Stops the open run, if it is this one; without an id, whichever is open. True when there was one. */
  async interrupt(threadId: string, runId?: string): Promise<boolean> {
    return (await this.#do("sessions.interrupt", { params: { threadId }, body: { runId } })).stopped
  }

  /** The questions of an agent that wait. */
  async approvals(threadId: string): Promise<ReadonlyArray<Approval>> {
    const { run } = await this.#ready()
    const session = await run(sessionOf(threadId))
    return (await run(session.waiting)).map((waiting) => approvalOf(threadId, waiting))
  }

  /** Says yes to a question. Without `updatedInput` the tool runs with the input it was asked about. */
  async approve(threadId: string, requestId: string, answer: Approve = {}): Promise<void> {
    await this.#do("approvals.answer", { params: { threadId, requestId }, body: { ...answer, behavior: "allow" } })
  }

  /** Says no to a question. The model reads the message; with `interrupt` its turn ends, too. */
  async deny(
    threadId: string,
    requestId: string,
    message?: string,
    { interrupt }: { readonly interrupt?: boolean } = {}
  ): Promise<void> {
    const body = { behavior: "deny" as const, message, interrupt }
    await this.#do("approvals.answer", { params: { threadId, requestId }, body })
  }

  /** The result of a call of one of the application's tools, where no run brings it. */
  async answerTool(threadId: string, toolCallId: string, result: BodyOf<"tools.answer">): Promise<void> {
    await this.#do("tools.answer", { params: { threadId, toolCallId }, body: result })
  }

  // --- what was said ---------------------------------------------------------------------

  /** What was said in a session, the newest messages first: in the conversation, or along another branch. */
  messages(threadId: string, query: QueryOf<"sessions.messages"> = {}): Promise<OutputOf<"sessions.messages">> {
    return this.#do("sessions.messages", { params: { threadId }, query })
  }

  /** The branches of a session, the newest first. */
  branches(threadId: string, query: QueryOf<"sessions.branches"> = {}): Promise<OutputOf<"sessions.branches">> {
    return this.#do("sessions.branches", { params: { threadId }, query })
  }

  /**
   * Goes back to after a message, or to before one, or goes on with another branch, and waits until the agent is there. What
   * had followed stays on its branch.
   */
  revert(threadId: string, to: BodyOf<"sessions.revert">): Promise<OutputOf<"sessions.revert">> {
    return this.#do("sessions.revert", { params: { threadId }, body: to })
  }

  /** Makes a session of another one, with its history up to a message, or with all of it. */
  fork(threadId: string, fork: BodyOf<"sessions.fork"> = {}): Promise<SessionInfo> {
    return this.#do("sessions.fork", { params: { threadId }, body: fork })
  }

  // --- asking the agent ------------------------------------------------------------------

  /** Asks the agent of a session anything of its control protocol. One that starts is waited for. */
  async control<S extends Claude.ControlSubtype>(
    threadId: string,
    subtype: S,
    body: Readonly<Record<string, unknown>> = {}
  ): Promise<Claude.ResponseOf<S>> {
    const { run } = await this.#ready()
    return run(
      Effect.gen(function* () {
        const session = yield* sessionOf(threadId)
        if ((yield* session.status) === "starting") yield* Effect.mapError(session.start, startFailed)
        return yield* Effect.mapError(askAgent(session, subtype, body), nativeFailed)
      })
    )
  }

  /** Another model, permission mode or effort, as far as the agent takes them while it runs: `settingsLater` of its capabilities. */
  async set(threadId: string, settings: BodyOf<"sessions.set">): Promise<void> {
    await this.#do("sessions.set", { params: { threadId }, body: settings })
  }

  /** Another model; null for the default. */
  async setModel(threadId: string, model: string | null): Promise<void> {
    await this.#do("sessions.setModel", { params: { threadId }, body: { model } })
  }

  /** Another permission mode, such as `plan`. */
  async setPermissionMode(threadId: string, mode: string): Promise<void> {
    await this.#do("sessions.setPermissionMode", { params: { threadId }, body: { mode } })
  }

  /** How many tokens the model may think; null for no limit. */
  async setThinkingTokens(threadId: string, maxThinkingTokens: number | null): Promise<void> {
    await this.#do("sessions.setThinkingTokens", { params: { threadId }, body: { maxThinkingTokens } })
  }

  /** Sets environment variables of the agent's process. */
  async updateEnvironment(threadId: string, variables: Readonly<Record<string, string>>): Promise<void> {
    await this.#do("sessions.setEnvironment", { params: { threadId }, body: { variables } })
  }

  /** What fills the context of the model. */
  contextUsage(threadId: string, detail?: "summary" | "full"): Promise<OutputOf<"sessions.contextUsage">> {
    return this.#do("sessions.contextUsage", { params: { threadId }, query: { detail } })
  }

  /** Puts the agent's files back to how they were at a prompt, in a session that was made with `checkpointing`. */
  rewindFiles(
    threadId: string,
    messageId: string,
    { dryRun }: { readonly dryRun?: boolean } = {}
  ): Promise<OutputOf<"sessions.rewindFiles">> {
    return this.#do("sessions.rewindFiles", { params: { threadId }, body: { messageId, dryRun } })
  }

  /** The agent's MCP servers and their status. */
  mcpStatus(threadId: string): Promise<OutputOf<"mcp.status">> {
    return this.#do("mcp.status", { params: { threadId } })
  }

  /** The MCP servers the agent is to have besides its own and that of the application's tools. */
  setMcpServers(threadId: string, servers: Readonly<Record<string, McpServer>>): Promise<OutputOf<"mcp.setServers">> {
    return this.#do("mcp.setServers", { params: { threadId }, body: { servers } })
  }

  /** Turns an MCP server on or off. */
  async toggleMcpServer(threadId: string, serverName: string, enabled: boolean): Promise<void> {
    await this.#do("mcp.toggle", { params: { threadId, serverName }, body: { enabled } })
  }

  /** Connects to an MCP server again. */
  async reconnectMcpServer(threadId: string, serverName: string): Promise<void> {
    await this.#do("mcp.reconnect", { params: { threadId, serverName } })
  }

  /** Sends a message of JSON-RPC to the agent in the name of an MCP server. */
  mcpMessage(threadId: string, serverName: string, message: Claude.JsonRpcMessage): Promise<OutputOf<"mcp.message">> {
    return this.#do("mcp.message", { params: { threadId, serverName }, body: { message } })
  }

  // --- inside ----------------------------------------------------------------------------

  async #do<N extends CommandName>(name: N, input: CommandInput<N>): Promise<OutputOf<N>> {
    const { run } = await this.#ready()
    return run(runCommand(name, input))
  }

  async #ready(): Promise<RunningBridge> {
    if (this.#stopping !== undefined) throw new BridgeError(bridgeStopped)
    if (this.#opening === undefined) throw new BridgeError(bridgeNotStarted)
    return this.#opening
  }

  #open(): Promise<RunningBridge> {
    if (this.#stopping !== undefined) return Promise.reject(new BridgeError(bridgeStopped))
    this.#opening ??= openBridge(this.#config, this.token, this.#listeners).then(
      (opened) => {
        this.#opened = opened
        return opened
      },
      (error: unknown) => {
        this.#opening = undefined
        throw error
      }
    )
    return this.#opening
  }

  async #listen(): Promise<Started> {
    const isFirst = this.#opening === undefined
    const { context, http, scope } = await this.#open()
    const exit = await Effect.runPromiseExitWith(context)(listenInScope(scope, http))
    if (Exit.isSuccess(exit)) {
      const { port, url } = exit.value
      this.#started = { url, port, token: this.token }
      return this.#started
    }
    // Do not leave behind what nobody else opened.
    if (isFirst) {
      this.#opened = undefined
      this.#opening = undefined
      await closeBridge(scope)
    }
    throw bridgeErrorOf(exit.cause)
  }

  async #end(): Promise<void> {
    await Promise.allSettled([this.#starting, this.#opening])
    const opened = this.#opened
    this.#opened = undefined
    this.#started = undefined
    if (opened !== undefined) await closeBridge(opened.scope)
  }
}
