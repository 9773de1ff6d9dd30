/**
 * Claude Code behind the runtime port: its lines become events of the model, and commands become its lines.
 *
 * What only this CLI has is here and nowhere in a session: `initialize`, hooks, the MCP server of the application's
 * tools, envelopes of control requests, and what differs between its versions.
 */
import { randomUUID } from "node:crypto"
import type { Decoded } from "@agentwire/protocol/claude"
import * as Claude from "@agentwire/protocol/claude"
import type * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { isLong } from "../../eventloop/LongJson.ts"
import { othersFirst } from "../../eventloop/Turns.ts"
import {
  type AgentOptions,
  type Conversation,
  type ConversationHost,
  type ConversationOptions,
  NativeFailed,
  Runtime,
  StartFailed
} from "../../session/Runtime.ts"
import { SettingFailed } from "../../session/Settings.ts"
import { type AgentExit, AgentLauncher } from "./Agent.ts"
import { makeAgentLink } from "./AgentLink.ts"
import { isRequest, makeAgentRequests } from "./AgentRequests.ts"
import { callRule } from "./CallRule.ts"
import { claudeCapabilities } from "./Capabilities.ts"
import { choiceIn, type ServersGiven, serversOf, settingRequests } from "./Choices.ts"
import { taken, toolListChange, withFrontendServer } from "./FrontendServer.ts"
import { makeGoBack, unavailableTurn } from "./GoBack.ts"
import type { HookCallbacks, HookFailed } from "./HookCallbacks.ts"
import { makeHookDesk } from "./HookDesk.ts"
import { ControlFailed, rewindFailure } from "./HostRequests.ts"
import { keptConversations } from "./KeptConversations.ts"
import { deltaSize } from "./LineSize.ts"
import { endOf, isNoSession, type Origin, originAt, refusalIn } from "./Origin.ts"
import { makeRetelling } from "./Retelling.ts"
import { makeSteeredWords } from "./SteeredWords.ts"
import { withoutSecrets } from "./WireSecrets.ts"

/** What may be chosen about the runtime. */
export interface ClaudeRuntimeOptions {
  /** Hooks of this program: the same for all threads, or those of each. They are asked for when a thread is opened. */
  readonly hooks?: HookCallbacks | ((threadId: string) => HookCallbacks | undefined)
  /** Told of every hook that failed. */
  readonly onHookFailed?: HookFailed
}

/** Conversations with Claude Code, whose processes a launcher starts, with hooks of this program. */
export const layerClaudeRuntimeWith = (runtime: ClaudeRuntimeOptions): Layer.Layer<Runtime, never, AgentLauncher> =>
  Layer.effect(
    Runtime,
    Effect.map(AgentLauncher, (launcher) => ({
      kind: "claude",
      name: "Claude Code",
      agents: [
        { kind: "claude", name: "Claude Code", capabilities: claudeCapabilities(launcher.projects !== undefined) }
      ],
      conversations: launcher.projects === undefined ? undefined : keptConversations(launcher.projects),
      open: (options, host) => Effect.provideService(open(runtime, options, host), AgentLauncher, launcher)
    }))
  )

/** Conversations with Claude Code, whose processes a launcher starts. */
export const layerClaudeRuntime: Layer.Layer<Runtime, never, AgentLauncher> = layerClaudeRuntimeWith({})

const open = (
  runtime: ClaudeRuntimeOptions,
  options: ConversationOptions,
  host: ConversationHost
): Effect.Effect<Conversation, never, AgentLauncher | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const { projects } = yield* AgentLauncher
    let fold = Claude.initialFold()
    /** The name of the server of the application's tools; a new list may need a new one (docs/wire/claude-code.md §7). */
    let server = fold.pageToolServer
    let tools: ReadonlyArray<Model.PageTool> = []
    /** The process said that it has nothing of the session that it was to continue. */
    let hasNoSession = false
    let origin: Origin = (options.goesOnAt && originAt(options.goesOnAt.anchor)) ?? endOf(options.resume)
    let init: Claude.SystemInit | undefined
    let greeting: Claude.ResponseOf<"initialize"> | undefined
    /** The shell goes elsewhere with `cd`, and only hooks tell. */
    let cwd = options.cwd
    /** What was chosen while it ran: by themselves these would be forgotten with the process. */
    let chosen: AgentOptions = {}
    const agentNow = (): AgentOptions => ({ ...options.agent, ...chosen })
    /** The MCP servers that somebody gave the agent: a new list leaves out what it does not name. */
    let others = serversOf({ servers: options.servers ?? options.agent.mcpServers })
    /** The turn is to end. An interrupt before it has begun does nothing (§5, `interrupt_idle`). */
    let interrupting = false

    /** Started at once: an interrupt that is sent after the next prompt would end that prompt's turn. */
    const inBackground = (effect: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.asVoid(Effect.forkIn(effect, scope, { startImmediately: true }))

    // --- what the agent says ---------------------------------------------------------------

    const noteLine = (from: "agent" | "host", message: unknown, odd?: string): number =>
      host.wire.note({
        at: host.now(),
        from,
        message: withoutSecrets(message),
        events: host.nextEvent(),
        size: deltaSize(message),
        odd
      })

    /** The message as it came: an odd message is read as a copy without its odd parts. */
    const messageOf = (decoded: Decoded): unknown =>
      decoded._tag === "Known" ? (decoded.raw ?? decoded.message) : decoded.raw

    const step = (decoded: Decoded): ReadonlyArray<Model.Event> => {
      const [state, events] = Claude.foldMessage(fold, decoded)
      fold = state
      return events
    }

    const noteHeard = (decoded: Decoded): number => {
      const odd = decoded._tag === "Known" && decoded.odd !== undefined ? decoded.name : undefined
      return noteLine("agent", messageOf(decoded), odd)
    }

    const heard = (decoded: Decoded): Effect.Effect<void> => {
      const line = noteHeard(decoded)
      if (!isDelta(decoded)) return act(decoded, line)
      // A piece of an answer. Nearly all lines are, and there is nothing to do but to log them.
      host.logEvents(step(decoded), line)
      return Effect.void
    }

    const act = (decoded: Decoded, line: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (goBack.isRefused(decoded)) return
        const refusal = refusalIn(decoded)
        if (origin.at === undefined && isNoSession(refusal)) {
          hasNoSession = true
          return
        }
        const told = step(decoded)
        // A process that has not said where it is was to begin at a point, and does not.
        const events = origin.at === undefined || refusal === undefined ? told : told.map(unavailableTurn(refusal))
        if (decoded._tag !== "Known") {
          yield* requests.answerUnread(decoded)
          return yield* host.handleEvents(events, line)
        }
        if (isRequest(decoded)) return yield* requests.answer(decoded, events, line)
        if (decoded.name === "control_cancel_request")
          return yield* requests.withdrawn(Claude.withdrawnIdIn(messageOf(decoded)), events, line)
        if (decoded.name === "system/init") {
          init = decoded.message
          // An odd one may not say which conversation it is, and then it is the one that was known.
          const sessionId = sessionIdOf(decoded.message)
          if (sessionId !== undefined) origin = endOf(sessionId)
          if (interrupting) yield* interruptAgent
          else yield* steered.sendWaiting
        }
        if (decoded.name === "command_lifecycle") {
          yield* host.handleEvents(events, line)
          return yield* steered.lifecycleChanged(decoded.message)
        }
        if (decoded.name === "system/session_title_changed" && typeof decoded.message.title === "string")
          yield* host.titled(decoded.message.title)
        const isOver = decoded.name.startsWith("result/")
        if (isOver) interrupting = false
        yield* host.handleEvents(events, line)
        if (isOver) yield* steered.turnEnded
      })

    const isPageTool = (name: string): boolean => Claude.pageToolName(fold, name) !== undefined
    const hooks = makeHookDesk({
      threadId: options.threadId,
      hooks: (typeof runtime.hooks === "function" ? runtime.hooks(options.threadId) : runtime.hooks) ?? {},
      failed: runtime.onHookFailed,
      judge: host.judge,
      isPageTool
    })
    const requests = makeAgentRequests({
      handleEvents: host.handleEvents,
      hooks,
      locked: host.locked,
      send: (message) => link.send(message),
      inBackground,
      isPageTool,
      tools: () => ({ server, tools }),
      moved: (folder) => {
        cwd = folder
      },
      cwd: () => cwd
    })

    // --- the process -----------------------------------------------------------------------

    const over = (reason: Claude.FinishReason): Effect.Effect<void> =>
      Effect.suspend(() => {
        const [state, events] = Claude.endFold(fold, reason)
        fold = state
        interrupting = false
        goBack.ended(reason)
        requests.questions.clear()
        return Effect.andThen(host.handleEvents(events, undefined), steered.giveUpAll)
      })

    /** In this order: the end of the turn may begin the next one, and start the next process. */
    const gone = (reason: Claude.FinishReason): Effect.Effect<void> =>
      Effect.andThen(host.agentBecame("gone"), over(reason))

    const exited = (exit: AgentExit): Claude.FinishReason => ({
      type: "exit",
      code: exit.code,
      signal: exit.signal,
      ...(exit.stderr !== "" && { detail: exit.stderr })
    })

    /**
     * A session that was never written down cannot be continued, now or later: the conversation goes on in a new one, and
     * the agent is told again what it was told.
     */
    const beginsElsewhere = ({ stderr }: AgentExit): Effect.Effect<boolean> =>
      Effect.gen(function* () {
        const isLost = hasNoSession || isNoSession(stderr)
        hasNoSession = false
        // Whoever wanted to begin at a point is told that nobody can.
        if (!isLost || goBack.isUnderWay() || origin.resume === undefined || origin.at !== undefined) return false
        yield* Effect.logWarning("The agent has nothing of its conversation: it begins a new one.").pipe(
          Effect.annotateLogs({ thread: options.threadId, session: origin.resume })
        )
        origin = {}
        yield* host.handleEvents([{ type: "context_reset", how: "lost" }], undefined)
        return true
      })

    const link = yield* makeAgentLink(
      host.locked,
      {
        startTimeout: options.startTimeout,
        hooks: hooks.subscriptions,
        // A process has no servers but its own.
        beforePrompts: () => (Object.keys(others).length === 0 ? undefined : withFrontendServer(others, server))
      },
      {
        sent: (message) => Effect.sync(() => void noteLine("host", message)),
        answered: (known) => void noteHeard(known),
        heard,
        ready: (answer) => {
          greeting = answer
          return host.agentBecame("ready")
        },
        ended: (exit) => gone(exited(exit)),
        beginsElsewhere,
        failed: ({ code, message }) => gone({ type: "error", code, message })
      }
    )

    const start: Effect.Effect<void> = Effect.suspend(() =>
      link.version() === undefined
        ? Effect.andThen(
            host.agentBecame("starting"),
            link.ensureStarted(
              Effect.map(options.folder, (cwd) => ({
                sessionKey: options.sessionKey,
                cwd,
                options: agentNow(),
                hookEvents: Object.keys(hooks.subscriptions),
                frontendServer: server,
                ...origin
              }))
            )
          )
        : Effect.void
    )

    /** What it has not taken up would be the prompt of a turn that it begins at once. */
    const interruptAgent: Effect.Effect<void> = Effect.suspend(() =>
      inBackground(Effect.ignore(link.control("interrupt", steered.isEmpty() ? {} : { cancel_queued: true })))
    )

    const disconnect: Effect.Effect<void> = Effect.suspend(() => {
      const running = link.version() !== undefined
      return Effect.andThen(link.disconnect, running ? gone({ type: "cancelled" }) : over({ type: "cancelled" }))
    })

    const goBack = makeGoBack({
      locked: host.locked,
      origin: () => origin,
      beginAt: (next) => {
        origin = next
        retelling.drop()
      },
      disconnect,
      start,
      whenReady: link.whenReady
    })

    // --- what it is told -------------------------------------------------------------------

    const retelling = makeRetelling({ cut: options.cut, projects, sessionId: () => origin.resume })

    const prompt = (command: Model.Prompt): Effect.Effect<void> =>
      Effect.gen(function* () {
        // With a uuid a line that was on its way when a WebSocket broke can be sent again, and gone back to.
        const uuid = randomUUID()
        const [state, events] = Claude.foldPrompt(fold, command.said, uuid)
        fold = state
        interrupting = false
        yield* host.handleEvents(events, undefined)
        // What the agent does with a prompt must not be all that is left of it.
        if (!(yield* host.kept)) return
        // It may have megabytes: to write it is work for another turn of the event loop than to keep it.
        yield* othersFirst
        const told = yield* retelling.before(command)
        yield* start
        const line = Claude.promptLine(told, uuid)
        if (isLong(line)) yield* othersFirst
        yield* link.send(line)
      })

    const steered = makeSteeredWords({
      cancel: (uuid) => link.control("cancel_async_message", { message_uuid: uuid }),
      foldSent: (said, uuid) => {
        fold = Claude.foldSteer(fold, said, uuid)
      },
      foldUnheard: (uuid) => {
        const [state, events] = Claude.foldUnheard(fold, uuid)
        fold = state
        return events
      },
      host,
      inBackground,
      tell: link.tell
    })

    /** Makes the application's tools known to the agent, the way its version understands. */
    const offer = (offered: ReadonlyArray<Model.PageTool>): Effect.Effect<void> => {
      tools = offered
      const version = link.version()
      const change = version === undefined ? undefined : toolListChange(version, server, others)
      server = change?.server ?? server
      fold = Claude.withPageTools(
        fold,
        server,
        tools.map(({ name }) => name)
      )
      return change === undefined ? Effect.void : link.changeTools(change)
    }

    const setServers = (servers: ServersGiven): Effect.Effect<unknown, ControlFailed> =>
      Object.hasOwn(servers, server)
        ? Effect.fail(new ControlFailed({ code: "REFUSED", subtype: "mcp_set_servers", message: taken(server) }))
        : Effect.tap(link.control("mcp_set_servers", withFrontendServer(servers, server)), () =>
            host.locked(
              Effect.suspend(() => {
                others = servers
                return host.serversChanged(servers)
              })
            )
          )

    const request = (
      subtype: Claude.ControlSubtype,
      body: Readonly<Record<string, unknown>>
    ): Effect.Effect<unknown, ControlFailed> => {
      if (subtype === "mcp_set_servers") return setServers(serversOf(body))
      if (subtype === "generate_session_title")
        return Effect.tap(link.control(subtype, body), (answer) => {
          const title = isRecord(answer) ? answer["title"] : undefined
          return typeof title === "string" ? host.locked(host.titled(title)) : Effect.void
        })
      const choice = choiceIn(subtype, body)
      return choice === undefined
        ? Effect.mapError(link.control(subtype, body), rewindFailure)
        : Effect.tap(link.control(subtype, body), () =>
            host.locked(
              Effect.suspend(() => {
                chosen = { ...chosen, ...choice }
                return host.agentChanged(choice)
              })
            )
          )
    }

    return {
      start,
      whenReady: Effect.mapError(link.whenReady, ({ code, message }) => new StartFailed({ code, message })),
      isRunning: () => link.version() !== undefined,
      canSteer: () => {
        const version = link.version()
        return version === undefined || Claude.fact("userMessageUuids", version)
      },
      ruleOf: (request) => callRule(request, cwd),
      cwd: () => cwd,
      send: (command) => {
        switch (command.type) {
          case "prompt":
            return prompt(command)
          case "steer":
            return steered.steer(command)
          case "offer_tools":
            return offer(command.tools)
          case "answer":
            return Effect.suspend(() => {
              const line = requests.questions.answer(command.id, command.answer)
              return line === undefined ? Effect.void : link.send(line)
            })
        }
      },
      interrupt: Effect.suspend(() => {
        if (link.dropPrompts()) return over({ type: "cancelled" })
        interrupting = true
        return interruptAgent
      }),
      disconnect,
      goBack: goBack.to,
      set: (settings) =>
        Effect.forEach(
          settingRequests(settings),
          ([setting, subtype, body]) =>
            Effect.mapError(
              request(subtype, body),
              ({ code, message }) => new SettingFailed({ code, setting, message })
            ),
          { discard: true }
        ),
      native: {
        request: (method, body) =>
          Claude.isControlSubtype(method)
            ? request(method, body).pipe(
                Effect.mapError(({ code, message }) => new NativeFailed({ code, method, message }))
              )
            : Effect.fail(
                new NativeFailed({ code: "UNSUPPORTED", method, message: `There is no control request ${method}.` })
              ),
        send: (message) =>
          host.locked(
            Effect.suspend(() =>
              link.version() === undefined
                ? Effect.fail(new StartFailed({ code: "GONE", message: "The agent is not running." }))
                : link.send(message)
            )
          ),
        facts: Effect.sync(() => ({ init, greeting }))
      }
    }
  })

const sessionIdOf = ({ session_id }: { readonly session_id?: unknown }): string | undefined =>
  typeof session_id === "string" ? session_id : undefined

const isDelta = (decoded: Decoded): boolean =>
  decoded._tag === "Known" && decoded.name === "stream_event/content_block_delta"
