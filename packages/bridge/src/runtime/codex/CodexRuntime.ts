/**
 * Codex behind the runtime port: lines of `codex app-server` become events of the model, and commands become its
 * requests.
 *
 * What only Codex has is here and nowhere in a session: threads that are begun, resumed and forked, turns with ids, the
 * settings under which it asks, and requests of its own protocol.
 */
import { randomUUID } from "node:crypto"
import * as Codex from "@agentwire/protocol/codex"
import type { Peer, RequestFailed } from "@agentwire/protocol/jsonrpc"
import type * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { AgentExit } from "../../process/AgentLife.ts"
import type { AgentOptions, McpServer } from "../../session/AgentOptions.ts"
import {
  type Conversation,
  type ConversationHost,
  type ConversationOptions,
  NativeFailed,
  Runtime,
  StartFailed
} from "../../session/Runtime.ts"
import { SettingFailed, settingsIn } from "../../session/Settings.ts"
import { codexCapabilities } from "./Capabilities.ts"
import { choiceIn, settingsUpdate } from "./Choices.ts"
import { makeCodexLink, type StartFailure } from "./CodexLink.ts"
import { keptConversations } from "./KeptConversations.ts"
import { isNative, nativeParams } from "./Natives.ts"
import { threadParams } from "./Options.ts"
import { anchored, anchorOf, endOf, isNoThread, type Origin, originAt } from "./Origin.ts"
import { makeQuestions } from "./Questions.ts"
import { CodexLauncher } from "./Server.ts"
import { makeSteeredWords } from "./SteeredWords.ts"
import { withoutSecrets } from "./WireSecrets.ts"

/** Conversations with Codex, whose processes a launcher starts. */
export const layerCodexRuntime: Layer.Layer<Runtime, never, CodexLauncher> = Layer.effect(
  Runtime,
  Effect.map(CodexLauncher, (launcher) => ({
    kind: "codex",
    name: "Codex",
    agents: [{ kind: "codex", name: "Codex", capabilities: codexCapabilities(launcher.rollouts !== undefined) }],
    conversations: launcher.rollouts === undefined ? undefined : keptConversations(launcher.rollouts),
    open: (options, host) => Effect.provideService(open(options, host), CodexLauncher, launcher)
  }))
)

/** A prompt on its way to the server. */
type WaitingPrompt = Parameters<typeof Codex.turnStart>[1] & { readonly uuid: string }

const open = (
  options: ConversationOptions,
  host: ConversationHost
): Effect.Effect<Conversation, never, CodexLauncher | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    let fold = Codex.initialFold()
    let tools: ReadonlyArray<Model.PageTool> = []
    let origin: Origin = (options.goesOnAt && originAt(options.goesOnAt.anchor)) ?? endOf(options.resume)
    /** The thread that the process has, once it has one. */
    let threadId: string | undefined
    /** The turn that the server is at. */
    let turnId: string | undefined
    /** Prompts that wait until the server is ready. */
    let waiting: ReadonlyArray<WaitingPrompt> = []
    /** The turn is to end, and was not there yet when somebody said so. */
    let interrupting = false
    let greeting: unknown
    let thread: unknown
    const questions = makeQuestions()
    /** What was chosen, before and while it ran. */
    let agent: AgentOptions = options.agent
    const servers = options.servers as Readonly<Record<string, McpServer>> | undefined

    const inBackground = (effect: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.asVoid(Effect.forkIn(effect, scope, { startImmediately: true }))

    // --- what the server says --------------------------------------------------------------

    const noteLine = (from: "agent" | "host", { decoded }: Codex.Heard): number =>
      host.wire.note({
        at: host.now(),
        from,
        message: withoutSecrets(decoded._tag === "Known" ? (decoded.raw ?? decoded.message) : decoded.raw),
        events: host.nextEvent(),
        size: undefined,
        odd: decoded._tag === "Known" && decoded.odd !== undefined ? decoded.name : undefined
      })

    const step = (heard: Codex.Heard): ReadonlyArray<Model.Event> => {
      const [state, events] = Codex.foldMessage(fold, heard)
      fold = state
      return events
    }

    const heard = (line: Codex.Heard): Effect.Effect<void> => {
      const number = noteLine("agent", line)
      const { decoded } = line
      const events = step(line)
      if (decoded._tag !== "Known") return host.handleEvents(events, number)
      if (deltas.test(decoded.name)) {
        // A piece of an answer. Nearly all lines are, and there is nothing to do but to log them.
        host.logEvents(events, number)
        return Effect.void
      }
      return act(decoded, events, number)
    }

    const act = (known: Codex.Known, events: ReadonlyArray<Model.Event>, line: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (Codex.isQuestion(known)) {
          const asked = events.find((event) => event.type === "request_opened")
          if (asked?.type === "request_opened") {
            const { request } = asked
            questions.add(request.id, known.message, request.kind === "form" ? undefined : request.input)
          }
        }
        switch (known.name) {
          case "turn/started":
            if (known.message.params.threadId !== threadId) break
            turnId = known.message.params.turn.id
            if (interrupting) yield* interruptTurn
            else yield* steered.sendWaiting
            break
          case "turn/completed": {
            const { threadId: of, turn } = known.message.params
            if (of !== threadId) break
            turnId = undefined
            interrupting = false
            yield* host.handleEvents(anchored(events, anchorOf(of, turn.id)), line)
            return yield* steered.turnEnded
          }
          case "thread/name/updated": {
            const { threadId: of, threadName } = known.message.params
            if (of === threadId && typeof threadName === "string") yield* host.titled(threadName)
            break
          }
        }
        steered.forgetHeard((uuid) => !fold.steers.has(uuid))
        yield* host.handleEvents(events, line)
      })

    // --- the process -----------------------------------------------------------------------

    const over = (reason: Model.FinishReason): Effect.Effect<void> =>
      Effect.suspend(() => {
        const [state, events] = Codex.endFold(fold, reason)
        fold = state
        waiting = []
        interrupting = false
        turnId = undefined
        questions.clear()
        return Effect.andThen(host.handleEvents(events, undefined), steered.giveUpAll)
      })

    /** In this order: the end of the turn may begin the next one, and start the next process. */
    const gone = (reason: Model.FinishReason): Effect.Effect<void> =>
      Effect.andThen(host.agentBecame("gone"), over(reason))

    const exited = ({ code, signal, stderr }: AgentExit): Model.FinishReason => ({
      type: "exit",
      code,
      signal,
      ...(stderr !== "" && { detail: stderr })
    })

    const began = (answer: unknown): Effect.Effect<void> =>
      host.locked(
        Effect.sync(() => {
          thread = answer
          threadId = threadIn(answer)
          origin = endOf(threadId)
        })
      )

    /** The fold hears the thread's name from the answer, and takes the first that it hears of. */
    const newThread = host.locked(
      Effect.sync(() => {
        fold = { ...fold, thread: undefined }
      })
    )

    const beginThread = (ask: Peer["request"], folder: string): Effect.Effect<void, StartFailure | RequestFailed> =>
      Effect.gen(function* () {
        const shared = threadParams(agent, folder, servers)
        const startNew = Effect.suspend(() => ask("thread/start", Codex.threadStart(shared, tools)))
        yield* newThread
        const { lastTurnId, threadId: before } = origin
        if (before === undefined) return yield* Effect.flatMap(startNew, began)
        if (lastTurnId !== undefined)
          return yield* ask("thread/fork", { ...shared, threadId: before, lastTurnId, excludeTurns: true }).pipe(
            Effect.mapError((error) => (error.reason === "REFUSED" ? unavailable(error.message) : error)),
            Effect.flatMap(began)
          )
        yield* ask("thread/resume", { ...shared, threadId: before, excludeTurns: true }).pipe(
          Effect.catchIf(
            ({ message, reason }) => reason === "REFUSED" && isNoThread(message),
            () => Effect.andThen(lost(before), startNew)
          ),
          Effect.flatMap(began)
        )
      })

    /** A thread that was never written down cannot be continued: the conversation goes on in a new one. */
    const lost = (before: string): Effect.Effect<void> =>
      Effect.andThen(
        Effect.logWarning("The agent has nothing of its conversation: it begins a new one.").pipe(
          Effect.annotateLogs({ thread: options.threadId, session: before })
        ),
        host.locked(host.handleEvents([{ type: "context_reset", how: "lost" }], undefined))
      )

    let folder = options.cwd
    const link = yield* makeCodexLink(host.locked, options.startTimeout, {
      heard,
      sent: (line) => void noteLine("host", line),
      asked: ({ id, method }) => questions.resultOf(id, method),
      begin: (ask, hello) => {
        greeting = hello
        return beginThread(ask, folder)
      },
      ready: Effect.suspend(() => {
        const prompts = waiting
        waiting = []
        return Effect.andThen(Effect.forEach(prompts, sendPrompt, { discard: true }), host.agentBecame("ready"))
      }),
      ended: (exit) => gone(exited(exit)),
      failed: ({ code, message }) => gone({ type: "error", code, message })
    })

    const start: Effect.Effect<void> = Effect.suspend(() =>
      link.isRunning()
        ? Effect.void
        : Effect.andThen(
            host.agentBecame("starting"),
            link.ensureStarted(
              Effect.map(options.folder, (cwd) => {
                folder = cwd
                return { sessionKey: options.sessionKey, cwd, options: agent }
              })
            )
          )
    )

    const disconnect: Effect.Effect<void> = Effect.suspend(() => {
      const running = link.isRunning()
      return Effect.andThen(link.disconnect, running ? gone({ type: "cancelled" }) : over({ type: "cancelled" }))
    })

    const goBack = (anchor: string | null): Effect.Effect<void, StartFailed> =>
      Effect.gen(function* () {
        const target = originAt(anchor)
        if (target === undefined) return yield* new StartFailed(unavailable("It does not know this point."))
        const before = yield* host.locked(
          Effect.gen(function* () {
            yield* disconnect
            const last = origin
            origin = target
            yield* start
            return last
          })
        )
        yield* Effect.mapError(link.whenReady, ({ code, message }) => {
          origin = before
          return new StartFailed({ code, message })
        })
      })

    // --- what it is told -------------------------------------------------------------------

    /** The answer of a turn that is refused ends it in the fold, by the line that says so. */
    const sendPrompt = ({ uuid, ...prompt }: WaitingPrompt): Effect.Effect<void> =>
      Effect.suspend(() => {
        const { jsonSchema } = agent
        const params = {
          ...Codex.turnStart(threadId ?? "", prompt, uuid),
          ...(jsonSchema !== undefined && { outputSchema: jsonSchema })
        }
        return inBackground(
          link.request("turn/start", params).pipe(
            Effect.asVoid,
            Effect.catchIf(
              ({ reason }) => reason === "REFUSED" || reason === "CLOSED",
              () => Effect.void
            ),
            Effect.catch(({ message }) => host.locked(over({ type: "error", code: "prompt_refused", message })))
          )
        )
      })

    const prompt = ({ aside, said }: Model.Prompt): Effect.Effect<void> =>
      Effect.gen(function* () {
        const uuid = randomUUID()
        const [state, events] = Codex.foldPrompt(fold, said, uuid)
        fold = state
        interrupting = false
        yield* host.handleEvents(events, undefined)
        // What the agent does with a prompt must not be all that is left of it.
        if (!(yield* host.kept)) return
        yield* start
        const next = { uuid, said, ...(aside !== undefined && { aside }) }
        if (link.isReady()) return yield* sendPrompt(next)
        waiting = [...waiting, next]
      })

    const steered = makeSteeredWords({
      foldSteer: (said, uuid) => {
        fold = Codex.foldSteer(fold, said, uuid)
      },
      foldUnheard: (uuid) => {
        fold = Codex.foldUnheard(fold, uuid)
      },
      host,
      inBackground,
      request: link.request,
      turn: () => ({ threadId, turnId })
    })

    /** Stopping a turn does not stop its command (0.166, docs/codex.md): what runs is ended as well. */
    const interruptTurn: Effect.Effect<void> = Effect.suspend(() => {
      const [of, turn] = [threadId, turnId]
      if (of === undefined || turn === undefined) return Effect.void
      return inBackground(
        link
          .request("turn/interrupt", Codex.turnInterrupt(of, turn))
          .pipe(Effect.andThen(link.request("thread/backgroundTerminals/clean", { threadId: of })), Effect.ignore)
      )
    })

    const answer = (id: string, given: Model.Answer): Effect.Effect<void> =>
      Effect.suspend(() => {
        const wireId = questions.answer(id, given)
        if (wireId === undefined) return Effect.void
        const decoded = Codex.decodeValue({ id: wireId, result: {} })
        return host.handleEvents(step({ from: "client", decoded, answers: undefined, result: undefined }), undefined)
      })

    /** Codex takes tools when a thread begins, and keeps them: docs/codex.md. */
    const offer = (offered: ReadonlyArray<Model.PageTool>): Effect.Effect<void> =>
      Effect.suspend(() => {
        const names = offered.map(({ name }) => name)
        const isLate =
          (threadId ?? origin.threadId) !== undefined && names.some((name) => !tools.some((each) => each.name === name))
        tools = offered
        fold = Codex.withPageTools(fold, names)
        return isLate && fold.turn === undefined && threadId !== undefined
          ? Effect.annotateLogs(
              Effect.logWarning("Codex learns of an application's tools when its thread begins: these come too late."),
              { thread: options.threadId }
            )
          : Effect.void
      })

    const chosen = (choice: AgentOptions | undefined): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (choice === undefined) return Effect.void
        agent = { ...agent, ...choice }
        return host.agentChanged(choice)
      })

    const native = (method: string, body: Readonly<Record<string, unknown>>): Effect.Effect<unknown, NativeFailed> =>
      isNative(method)
        ? Effect.suspend(() => link.request(method, nativeParams(method, body, { threadId, turnId }))).pipe(
            Effect.mapError(({ message, reason }) => new NativeFailed({ code: nativeCodes[reason], method, message })),
            Effect.tap(() => host.locked(chosen(choiceIn(method, body, agent))))
          )
        : Effect.fail(
            new NativeFailed({
              code: "UNSUPPORTED",
              method,
              message: `A session has no request ${JSON.stringify(method)}.`
            })
          )

    return {
      start,
      whenReady: Effect.mapError(link.whenReady, ({ code, message }) => new StartFailed({ code, message })),
      isRunning: link.isRunning,
      canSteer: () => true,
      cwd: () => options.cwd,
      send: (command) => {
        switch (command.type) {
          case "prompt":
            return prompt(command)
          case "steer":
            return steered.steer(command)
          case "offer_tools":
            return offer(command.tools)
          case "answer":
            return answer(command.id, command.answer)
        }
      },
      interrupt: Effect.suspend(() => {
        if (waiting.length > 0) return over({ type: "cancelled" })
        interrupting = true
        return interruptTurn
      }),
      disconnect,
      goBack,
      set: (settings) =>
        Effect.suspend(() => {
          const update = settingsUpdate(settings, agent)
          if (Result.isFailure(update)) return Effect.fail(update.failure)
          const setting = settingsIn(settings).join(", ")
          return Effect.mapError(
            native("thread/settings/update", update.success),
            ({ code, message }) => new SettingFailed({ code, setting, message })
          )
        }),
      native: {
        request: native,
        send: (message) => {
          const { method, params } = message as { readonly method?: unknown; readonly params?: unknown }
          return Effect.mapError(
            link.notify(String(method), params),
            ({ message: words }) => new StartFailed({ code: "GONE", message: words })
          )
        },
        facts: Effect.sync(() => ({ greeting, thread, runtime: { name: "codex", version: versionIn(thread) } }))
      }
    }
  })

const deltas = /[dD]elta$/

const nativeCodes: Readonly<Record<RequestFailed["reason"], string>> = {
  REFUSED: "REFUSED",
  TIMEOUT: "TIMEOUT",
  CLOSED: "GONE",
  BUSY: "REFUSED",
  UNSENT: "GONE"
}

const versionIn = (answer: unknown): string | undefined => {
  const thread = isRecord(answer) ? answer["thread"] : undefined
  const version = isRecord(thread) ? thread["cliVersion"] : undefined
  return typeof version === "string" ? version : undefined
}

const threadIn = (answer: unknown): string | undefined => {
  const thread = isRecord(answer) ? answer["thread"] : undefined
  const id = isRecord(thread) ? thread["id"] : undefined
  return typeof id === "string" ? id : undefined
}

const unavailable = (reason: string): StartFailure => ({
  code: "BRANCH_UNAVAILABLE",
  message: `The agent cannot go back to this message: ${reason} It may have been compacted since, or its thread removed.`
})
