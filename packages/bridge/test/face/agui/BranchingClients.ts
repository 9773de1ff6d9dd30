/** Clients of one session, each with a copy of the conversation that it may change, and agents that remember. */
import { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { answerRun } from "../../../src/face/agui/AguiHttp.ts"
import type { EventAnswer } from "../../../src/face/agui/EventAnswer.ts"
import { answerConnect } from "../../../src/face/copilotkit/CopilotKitHttp.ts"
import type { Session } from "../../../src/session/Session.ts"
import { Sessions } from "../../../src/session/Sessions.ts"
import { nothingListed } from "../../NothingListed.ts"
import { callOf, inWords, type Remembered, type RememberingAgents, rememberingAgents } from "../../RememberingAgents.ts"
import { eventually, withSession } from "../../WithSession.ts"

/** How an agent answers: in words, or with a call before them. */
export type Answer = "text" | "call"

const layerOf = (session: Session): Layer.Layer<Sessions> =>
  Layer.succeed(Sessions, {
    ...nothingListed,
    agentName: "Fake Agent",
    create: () => Effect.succeed(session),
    open: () => Effect.succeed(session),
    find: () => Effect.succeed(session),
    remove: () => Effect.succeed(false)
  })

/** What a person says. */
export const user = (id: string, content: string): Agui.Message => ({ id, role: "user", content })

/** What a client shows, as a model would get it. */
export const shown = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<Remembered> =>
  messages.flatMap((message): ReadonlyArray<Remembered> => {
    if (message.role === "user") return [["user", String(message.content)]]
    if (message.role === "tool") return [["result", String(message.content)]]
    if (message.role !== "assistant") return []
    return [
      ...(message.content === undefined || message.content === "" ? [] : [["assistant", message.content] as const]),
      ...(message.toolCalls ?? []).map(({ id }) => ["call", id] as const)
    ]
  })

let runs = 0

/** How a client runs. */
interface How {
  /** It has only so many events of the answer, all of which were sent. */
  readonly cutAt?: number | undefined
  /** Nothing of the answer could be sent: its connection broke. */
  readonly isLost?: boolean
  readonly runId?: string
  /** What it sends instead of what it shows. */
  readonly sent?: ReadonlyArray<Agui.Message>
}

/** A client of a session, with its own copy of the conversation. */
export class Client {
  history = Agui.emptyHistory
  /** Lists that were the conversation when it had them, to go back to. */
  readonly kept: Array<ReadonlyArray<Agui.Message>> = []

  /** It came without joining. */
  isStranger = false

  /**
   * It has not said what it has had, and a filter hid all that it shows of the conversation: that is the request of a page
   * which has just been opened. So it cannot be told that some of what it shows was left, until it sends that.
   */
  isHiding = false

  /** Its application replaces the shared state, and with it what the client would say that it has had. */
  clearsState = false

  readonly session: Session

  constructor(session: Session) {
    this.session = session
  }

  /** Runs with a list of messages, which is what it shows from then on; `sent`: it sends another one. */
  async run(
    messages: ReadonlyArray<Agui.Message>,
    { cutAt, isLost = false, runId = `run-${++runs}`, sent = messages }: How = {}
  ): Promise<ReadonlyArray<Agui.AguiEvent>> {
    const state = this.clearsState ? {} : this.history.state
    this.history = { ...this.history, messages }
    const input: Agui.RunAgentInput = { threadId: "t", runId, messages: sent, state }
    const answer = await Effect.runPromise(
      Effect.provide(answerRun({ input, dialect: "1.0" }, "copilotkit", "interrupt"), layerOf(this.session))
    )
    return this.read(answer, isLost ? 0 : cutAt, isLost)
  }

  /** Joins again; a client that is loaded again has nothing then. */
  async connect(isReloaded: boolean): Promise<void> {
    if (isReloaded) this.history = Agui.emptyHistory
    this.isStranger = false
    this.isHiding = false
    const { messages } = this.history
    const state = this.clearsState ? {} : this.history.state
    const input: Agui.RunAgentInput = { threadId: "t", runId: `connect-${++runs}`, messages, state }
    const answer = await Effect.runPromise(
      Effect.provide(answerConnect({ input, dialect: "1.0" }, "interrupt"), layerOf(this.session))
    )
    await this.read(answer)
  }

  /** Reads an answer to its end; of one that is cut off the client has the first events only. */
  private async read({ events, onDelivered }: EventAnswer, cutAt = Number.POSITIVE_INFINITY, isLost = false) {
    const outgoing = await Effect.runPromise(Stream.runCollect(events))
    if (!isLost) for (const each of outgoing) await Effect.runPromise(onDelivered(each))
    const all = outgoing.flatMap((each) => each.events)
    this.history = Agui.foldEvents(all.slice(0, cutAt), this.history)
    await Effect.runPromise(eventually(() => this.session.log.situation().turn === undefined))
    return all
  }
}

/** What a test has. */
export interface Setting {
  readonly agents: RememberingAgents
  /** How they answer from now on. */
  readonly answerWith: (kind: Answer) => void
  readonly session: Session
  readonly clients: readonly [Client, Client]
}

/** Clients of a session, whose agents remember what they were told. */
export const inSession = (use: (setting: Setting) => Promise<void>): Promise<void> => {
  let kind: Answer = "text"
  const agents = rememberingAgents((_, nth) => [
    ...(kind === "text" ? [] : [inWords(`Looking ${nth}`), ...callOf(`call-${nth}`, `Found ${nth}`)]),
    inWords(`Answer ${nth}`)
  ])
  const answerWith: Setting["answerWith"] = (next) => {
    kind = next
  }
  return Effect.runPromise(
    withSession(
      () => Effect.void,
      { approvals: "interrupt", launcher: agents.layer },
      ({ session }) =>
        Effect.promise(() => use({ agents, answerWith, session, clients: [new Client(session), new Client(session)] }))
    )
  )
}

/** The conversation as a client has it that has read it all. */
export const conversationOf = async ({ log }: Session): Promise<ReadonlyArray<Agui.Message>> =>
  Agui.messagesOf((await Effect.runPromise(log.moment())).transcript)
