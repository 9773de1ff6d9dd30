/**
 * `codex exec --json` behind the runtime port: the lesser runtime of Codex. Each prompt is a process that answers it and
 * ends; the thread is in Codex's own home, and is continued by its id.
 *
 * What exec does not have is missing here, too: nobody is asked about anything, texts come whole, and there are no tools
 * of a page, no words in the middle of a turn, no points to go back to but the beginning.
 */
import { randomUUID } from "node:crypto"
import * as Codex from "@agentwire/protocol/codex"
import type * as Model from "@agentwire/protocol/model"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { AgentExit } from "../../process/AgentLife.ts"
import {
  type AgentOptions,
  type Conversation,
  type ConversationHost,
  type ConversationOptions,
  NativeFailed,
  Runtime,
  StartFailed
} from "../../session/Runtime.ts"
import { noDefaultModel, SettingFailed } from "../../session/Settings.ts"
import { isNoThread } from "../codex/Origin.ts"
import { execCapabilities } from "./Capabilities.ts"
import { ExecLauncher, type ExecRequest } from "./ExecLauncher.ts"
import { sandboxOf, settingProblem } from "./ExecOptions.ts"
import { type ExecPrompt, execPrompt } from "./ExecPrompt.ts"
import { makeExecTurns, type StartFailure } from "./ExecTurns.ts"

/** Conversations with `codex exec`, whose processes a launcher starts. */
export const layerCodexExecRuntime: Layer.Layer<Runtime, never, ExecLauncher> = Layer.effect(
  Runtime,
  Effect.map(ExecLauncher, (launcher) => ({
    kind: "codex-exec",
    name: "Codex exec",
    agents: [{ kind: "codex-exec", name: "Codex exec", capabilities: execCapabilities }],
    open: (options, host) => Effect.provideService(open(options, host), ExecLauncher, launcher)
  }))
)

const open = (
  options: ConversationOptions,
  host: ConversationHost
): Effect.Effect<Conversation, never, ExecLauncher | Scope.Scope> =>
  Effect.gen(function* () {
    const launcher = yield* ExecLauncher
    const scope = yield* Effect.scope
    let { agent } = options
    const hasPolicy = host.judge !== undefined
    /** The thread that the next turn continues. */
    let thread = options.goesOnAt === undefined ? options.resume : undefined
    let fold = newFold(thread !== undefined)
    /** Turns can be started: between them there is no process. */
    let isRunning = false
    let isReady = false
    let readiness = Deferred.makeUnsafe<void, StartFailure>()
    /** What the turn in progress was asked, while it may have to be asked again. */
    let asked: ExecPrompt | undefined
    let toldOfTools = false

    function newFold(isResumed: boolean): Codex.ExecFoldState {
      const about = { cwd: options.cwd, model: agent.model, approvalPolicy: agent.permissionMode ?? sandboxOf(agent) }
      return Codex.initialExecFold({ items: randomUUID(), isResumed, about })
    }

    const inBackground = (effect: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.asVoid(Effect.forkIn(effect, scope, { startImmediately: true }))

    const warn = (words: string): Effect.Effect<void> =>
      Effect.annotateLogs(Effect.logWarning(words), { thread: options.threadId })

    // --- what exec says --------------------------------------------------------------------

    const heard = (decoded: Codex.ExecDecoded): Effect.Effect<void> =>
      Effect.gen(function* () {
        const isKnown = decoded._tag === "Known"
        const line = host.wire.note({
          at: host.now(),
          from: "agent",
          message: isKnown ? (decoded.raw ?? decoded.message) : decoded.raw,
          events: host.nextEvent(),
          size: undefined,
          odd: isKnown && decoded.odd !== undefined ? decoded.name : undefined
        })
        const [state, events] = Codex.foldExec(fold, decoded)
        fold = state
        if (isKnown && decoded.name === "thread.started") {
          thread = decoded.message.thread_id
          asked = undefined
        }
        if (events.some(({ type }) => type === "turn_ended")) yield* turns.settle
        yield* host.handleEvents(events, line)
      })

    // --- the processes ---------------------------------------------------------------------

    const over = (reason: Model.FinishReason): Effect.Effect<void> =>
      Effect.suspend(() => {
        const [state, events] = Codex.endExecFold(fold, reason)
        fold = state
        asked = undefined
        return host.handleEvents(events, undefined)
      })

    /** In this order: the end of the turn may begin the next one. */
    const gone = (reason: Model.FinishReason): Effect.Effect<void> =>
      Effect.suspend(() => {
        isRunning = false
        isReady = false
        return Effect.andThen(host.agentBecame("gone"), over(reason))
      })

    const failed = (failure: StartFailure): Effect.Effect<void> =>
      Effect.suspend(() => {
        Deferred.doneUnsafe(readiness, Effect.fail(failure))
        return gone({ type: "error", ...failure })
      })

    const ready: Effect.Effect<void> = Effect.suspend(() => {
      isReady = true
      Deferred.doneUnsafe(readiness, Effect.void)
      return host.agentBecame("ready")
    })

    const ended = ({ code, signal, stderr }: AgentExit, wasStopped: boolean): Effect.Effect<void> => {
      if (wasStopped) return over({ type: "cancelled" })
      if (asked !== undefined && thread !== undefined && isNoThread(stderr)) return beginAnew(asked, thread)
      return over({ type: "exit", code, signal, ...(stderr !== "" && { detail: stderr }) })
    }

    /** A thread that was never written down cannot be continued: the conversation goes on in a new one. */
    const beginAnew = (prompt: ExecPrompt, before: string): Effect.Effect<void> =>
      Effect.gen(function* () {
        yield* Effect.annotateLogs(
          Effect.logWarning("The agent has nothing of its conversation: it begins a new one."),
          { thread: options.threadId, session: before }
        )
        thread = undefined
        fold = Codex.withNewExecThread(fold)
        yield* host.handleEvents([{ type: "context_reset", how: "lost" }], undefined)
        yield* beginTurn(prompt)
      })

    const turns = yield* makeExecTurns(host.locked, {
      launched: ({ spent, version }) => {
        fold = Codex.withExecSpending({ ...fold, about: { ...fold.about, cliVersion: version } }, spent)
        return ready
      },
      heard,
      ended,
      failed
    })

    const execRequest: Effect.Effect<ExecRequest, StartFailure> = Effect.map(options.folder, (cwd) => ({
      cwd,
      hasPolicy,
      options: agent
    }))

    const beginTurn = (prompt: ExecPrompt): Effect.Effect<void> =>
      Effect.suspend(() => {
        asked = prompt
        return turns.begin(
          Effect.map(execRequest, (request) => ({ ...request, prompt, thread, asksSpent: fold.total === undefined }))
        )
      })

    const starting: Effect.Effect<void> = Effect.suspend(() => {
      if (isRunning) return Effect.void
      isRunning = true
      readiness = Deferred.makeUnsafe()
      return Effect.andThen(
        host.agentBecame("starting"),
        warn(
          `codex exec asks nobody: what its sandbox (${sandboxOf(agent)}) lets run, runs.${hasPolicy ? " The policy is not asked about it." : ""}`
        )
      )
    })

    /** There is no process between turns: what can be looked at before the first prompt is. */
    const check: Effect.Effect<void> = inBackground(
      Effect.matchEffect(Effect.flatMap(execRequest, launcher.check), {
        onFailure: (failure) => host.locked(failed(failure)),
        onSuccess: () => host.locked(ready)
      })
    )

    const start: Effect.Effect<void> = Effect.suspend(() => (isRunning ? Effect.void : Effect.andThen(starting, check)))

    const interrupt: Effect.Effect<void> = Effect.gen(function* () {
      if (yield* turns.interrupt) return
      yield* over({ type: "cancelled" })
      // Nobody would ever learn whether it can be started at all.
      if (isRunning && !isReady) yield* check
    })

    const disconnect: Effect.Effect<void> = Effect.suspend(() => {
      const wasRunning = isRunning
      Deferred.doneUnsafe(readiness, Effect.fail({ code: "GONE", message: "The agent was ended." }))
      return Effect.andThen(turns.drop, wasRunning ? gone({ type: "cancelled" }) : over({ type: "cancelled" }))
    })

    const whenReady = Effect.suspend(() => Deferred.await(readiness)).pipe(
      Effect.mapError(({ code, message }) => new StartFailed({ code, message }))
    )

    const goBack = (anchor: string | null): Effect.Effect<void, StartFailed> =>
      anchor !== null
        ? Effect.fail(
            new StartFailed({
              code: "BRANCH_UNAVAILABLE",
              message: "codex exec can begin anew, and not go back to a message."
            })
          )
        : Effect.andThen(
            host.locked(
              Effect.suspend(() => {
                thread = undefined
                return Effect.andThen(
                  disconnect,
                  Effect.suspend(() => {
                    fold = newFold(false)
                    return start
                  })
                )
              })
            ),
            whenReady
          )

    // --- what it is told -------------------------------------------------------------------

    const prompt = (given: Model.Prompt): Effect.Effect<void> =>
      Effect.gen(function* () {
        const [state, events] = Codex.foldExecPrompt(fold, given.said)
        fold = state
        yield* host.handleEvents(events, undefined)
        // What the agent does with a prompt must not be all that is left of it.
        if (!(yield* host.kept)) return
        yield* starting
        yield* beginTurn(execPrompt(given))
      })

    const offer = (tools: ReadonlyArray<Model.PageTool>): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (toldOfTools || tools.length === 0) return Effect.void
        toldOfTools = true
        return warn("codex exec has no tools of an application: the model does not know of them.")
      })

    return {
      start,
      whenReady,
      isRunning: () => isRunning,
      canSteer: () => false,
      cwd: () => options.cwd,
      send: (command) => {
        switch (command.type) {
          case "prompt":
            return prompt(command)
          case "steer":
            return host.unheard(command.id)
          case "offer_tools":
            return offer(command.tools)
          case "answer":
            // Nothing was asked.
            return Effect.void
        }
      },
      interrupt,
      disconnect,
      goBack,
      set: ({ model, ...settings }) =>
        host.locked(
          Effect.suspend(() => {
            if (model === null) return Effect.fail(noDefaultModel("codex exec"))
            const choice: AgentOptions = { ...settings, ...(model !== undefined && { model }) }
            const problem = settingProblem({ ...agent, ...choice }, hasPolicy)
            if (problem !== undefined)
              return Effect.fail(
                new SettingFailed({ code: "REFUSED", setting: "permissionMode", message: problem.message })
              )
            agent = { ...agent, ...choice }
            const about = { model: agent.model, approvalPolicy: agent.permissionMode ?? sandboxOf(agent) }
            fold = { ...fold, about: { ...fold.about, ...about } }
            return host.agentChanged(choice)
          })
        ),
      native: {
        request: (method) =>
          Effect.fail(
            new NativeFailed({ code: "UNSUPPORTED", method, message: "codex exec takes no requests but prompts." })
          ),
        send: () =>
          Effect.fail(new StartFailed({ code: "GONE", message: "codex exec takes no messages but prompts." })),
        facts: Effect.sync(() => ({ thread }))
      }
    }
  })
