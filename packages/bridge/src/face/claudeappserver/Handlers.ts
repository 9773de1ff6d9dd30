/** What clients of the dialect ask, done: threads and turns are those of the bridge, whoever began them. */
import { randomUUID } from "node:crypto"
import * as App from "@agentwire/protocol/claudeappserver"
import { errorCodes, Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Session } from "../../session/Session.ts"
import { type SessionChoices, Sessions } from "../../session/Sessions.ts"
import type { ClaudeAppServerOptions } from "./Options.ts"

/** A connection, to those who handle its requests. */
export interface Client {
  readonly options: ClaudeAppServerOptions
  /** What threads have that choose nothing: what the client said at first. */
  readonly choices: () => SessionChoices
  readonly choose: (choices: SessionChoices) => void
  readonly notify: (notification: App.Notification) => Effect.Effect<void>
  /** Tells what happens in a thread from now on. */
  readonly follow: (session: Session) => Effect.Effect<void>
  /** The threads that it follows. */
  readonly following: () => ReadonlyArray<string>
  readonly now: Effect.Effect<string>
}

/** Does something when the answer has been written. */
export type Then = (effect: Effect.Effect<void>) => void

const refuse = (message: string): Refusal => new Refusal({ code: errorCodes.invalidRequest, message })

const failed = ({ message }: { readonly message: string }): Refusal => refuse(message)

/** What a client chooses for a thread. A mode in which nothing is asked counts only where that is allowed. */
const choicesOf = (
  { cwd, permission_mode: mode }: App.ParamsOf<"thread/start">,
  { choices, options }: Client
): Effect.Effect<SessionChoices, Refusal> => {
  if (mode === "bypassPermissions" && options.mayWiden !== true)
    return Effect.fail(
      refuse(`The mode ${mode} is not open to clients: the server was started without permissionMode.`)
    )
  const before = choices()
  return Effect.succeed({
    ...before,
    ...(cwd !== undefined && { cwd }),
    ...(mode !== undefined && { agent: { ...before.agent, permissionMode: mode } })
  })
}

const sessionOf = (threadId: string): Effect.Effect<Session, Refusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const session = yield* Effect.mapError(sessions.find(threadId), failed)
    return session ?? (yield* refuse(`There is no thread ${threadId}.`))
  })

/** The name of the turn that is open. */
const openTurn = ({ log }: Session): Effect.Effect<string, Refusal> => {
  const { turn, turns } = log.situation()
  return turn === undefined ? Effect.fail(refuse("No turn is in progress.")) : Effect.succeed(App.turnName(turns))
}

const started = (session: Session, client: Client) =>
  Effect.map(client.now, (created_at) => ({ thread_id: session.threadId, created_at }))

/** Handles a request. */
export const handlers = (
  asked: App.ReadRequest,
  client: Client,
  then: Then
): Effect.Effect<App.ResultOf<App.RequestMethod>, Refusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    switch (asked.method) {
      case "initialize": {
        const { client: _, ...chosen } = asked.params
        client.choose(yield* choicesOf(chosen, client))
        then(client.notify({ method: "initialized", params: { server: "claude-app-server" } }))
        const server = { name: "claude-app-server", version: client.options.version ?? "0.0.0" }
        return { server, capabilities: { permission_modes: Object.keys(App.permissionModes), approvals: true } }
      }
      case "thread/start": {
        const choices = yield* choicesOf(asked.params, client)
        const session = yield* Effect.mapError(sessions.create(randomUUID(), choices), failed)
        yield* client.follow(session)
        return yield* started(session, client)
      }
      case "thread/resume": {
        const session = yield* sessionOf(asked.params.thread_id)
        yield* client.follow(session)
        // The log itself does not end: what was said until now does.
        const past = yield* session.log
          .read(0)
          .pipe(Stream.take(session.log.next()), Stream.runCollect, Effect.mapError(failed))
        const turns = App.turnsOf(session.threadId, past)
        const created_at = new Date(session.createdAt).toISOString()
        return { thread_id: session.threadId, turns, cwd: session.cwd, created_at }
      }
      case "thread/fork": {
        const { at_turn_id: turn, thread_id } = asked.params
        if (turn !== undefined) return yield* refuse("at_turn_id is not supported: a fork has the whole thread.")
        const forked = yield* Effect.mapError(sessions.fork(thread_id, { threadId: randomUUID() }), failed)
        const session = forked ?? (yield* refuse(`There is no thread ${thread_id}.`))
        yield* client.follow(session)
        return { ...(yield* started(session, client)), forked_from: thread_id }
      }
      case "turn/start": {
        const { content, model, thread_id } = asked.params
        const session = yield* sessionOf(thread_id)
        if (model !== undefined)
          return yield* refuse("A model cannot be chosen for a turn: start the server with --model.")
        if (session.log.situation().turn !== undefined)
          return yield* refuse("A turn is in progress: turn/steer says something to it.")
        yield* client.follow(session)
        const id = randomUUID()
        const prompt = { type: "prompt", said: [{ id, content }] } as const
        const { situation } = yield* session
          .submit(() => Result.succeed({ ticket: id, answers: [], results: [], tools: [], prompt }))
          .pipe(Effect.mapError(failed))
        return { turn_id: App.turnName(situation.turns + 1) }
      }
      case "turn/steer": {
        const session = yield* sessionOf(asked.params.thread_id)
        yield* openTurn(session)
        const id = randomUUID()
        const steered = yield* session
          .steer({ ticket: id, said: [{ id, content: asked.params.content }] })
          .pipe(Effect.mapError(failed))
        return { turn_id: App.turnName(steered.turn) }
      }
      case "turn/interrupt": {
        const session = yield* sessionOf(asked.params.thread_id)
        const turn_id = yield* openTurn(session)
        yield* session.stop()
        return { turn_id, status: "interrupted" }
      }
      case "model/list":
        return { models: ["default", "opus", "sonnet", "haiku"].map((id) => ({ id, name: id })) }
      case "skills/list":
        return { skills: App.skills }
      case "app/list":
        return { apps: [] }
      case "approval/respond": {
        const { request_id: id } = asked.params
        for (const threadId of client.following()) {
          const session = yield* sessionOf(threadId)
          const isHere = (yield* session.waiting).some(({ request }) => request.id === id)
          if (!isHere) continue
          yield* Effect.mapError(session.answer(id, App.readApproval(asked.params)), failed)
          return {}
        }
        return yield* refuse(`There is no open request ${id}.`)
      }
    }
  })
