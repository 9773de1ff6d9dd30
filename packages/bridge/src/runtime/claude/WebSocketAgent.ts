/**
 * An agent that connects to us over a WebSocket: `--sdk-url`, which Claude Code accepts on loopback up to 2.1.120. In the
 * hybrid transport it hears over the WebSocket, and posts what it says.
 */
import type { IncomingMessage } from "node:http"
import { kill } from "node:process"
import * as Claude from "@agentwire/protocol/claude"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type AgentProcess, describeExit, type ProcessOptions, startProcess } from "../../process/AgentProcess.ts"
import type { GuardedCommand } from "../../process/OrphanWatchdog.ts"
import { type Agent, type AgentExit, AgentGone, LaunchFailed } from "./Agent.ts"
import { type Inbox, type InboxLimits, makeInbox } from "./Inbox.ts"
import { refusalIn } from "./Origin.ts"
import { PostedLines } from "./PostedLines.ts"
import { SentAnswers } from "./SentAnswers.ts"
import { SocketLine, type SocketLineLimits } from "./SocketLine.ts"
import type { Invitation, SocketServer } from "./SocketServer.ts"

/** How an agent over a WebSocket is treated. */
export interface WebSocketAgentOptions extends ProcessOptions {
  readonly limits?: InboxLimits & SocketLineLimits
  /** How long the CLI may take to connect, in milliseconds. Default 30,000. */
  readonly connectLimitMs?: number
  /** Whether it is to post what it says. Default no. */
  readonly posts?: boolean
}

/** The variable the CLI takes its bearer token from (docs/wire/claude-code.md §2). */
const tokenVariable = "CLAUDE_CODE_SESSION_ACCESS_TOKEN"

/** The variable that makes it post (§2). */
const postVariable = "CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2"

/** The longest line there may be, unless it is said. */
const defaultMaxLineBytes = 64 * 1024 * 1024

/**
 * Starts an agent and waits for its WebSocket. It ends with its scope. `commandOf` makes the command line for the
 * address; the token is added to its environment.
 */
export const startWebSocketAgent = (
  server: SocketServer,
  sessionKey: string,
  commandOf: (url: string) => GuardedCommand,
  version: string,
  options: WebSocketAgentOptions = {}
): Effect.Effect<Agent, LaunchFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox = yield* makeInbox(options.limits)
    const connected = yield* Deferred.make<void>()
    const lost = yield* Deferred.make<void>()
    /** Why the line is over though the process was not. */
    let why: string | undefined
    const onLost = (reason: string): void => {
      why = reason
      Deferred.doneUnsafe(lost, Effect.void)
    }
    const line = new SocketLine({
      inbox,
      limits: options.limits ?? {},
      resends: resends(version),
      connected: () => Deferred.doneUnsafe(connected, Effect.void),
      lost: onLost,
      isSaidAgain: (message) => options.posts === true && "type" in message && message.type === "control_response",
      tap: options.tap
    })
    const { maxLineBytes = defaultMaxLineBytes } = options.limits ?? {}
    const answers = new SentAnswers()
    const posted =
      options.posts === true
        ? new PostedLines({
            inbox,
            // It may hold hundreds of lines.
            maxBodyBytes: 2 * maxLineBytes,
            lost: onLost,
            askedAgain: (id) => {
              const answer = answers.of(id)
              if (answer !== undefined) line.send(answer)
            },
            tap: options.tap
          })
        : undefined
    // Before the process, so that what it says while it ends is still read.
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        posted?.close()
        line.close()
      })
    )
    const invitation = yield* server.invite(
      sessionKey,
      (socket, request) =>
        line.attach({
          socket,
          lastWritten: [request.headers["x-last-request-id"]].flat()[0],
          used: () => options.tap?.open?.(`ws://${request.headers.host ?? ""}${request.url ?? ""}`, ownHeaders(request))
        }),
      posted && ((request, response) => posted.receive(request, response))
    )
    const command = withInvitation(commandOf(invitation.url), invitation, posted !== undefined)
    const process = yield* startProcess(command, "sigterm", options)
    const isRefused = listenBefore(connected, process, inbox)
    const finish = () => (posted === undefined ? line.finish() : posted.whenQuiet(() => line.finish()))
    process.onExit(() => {
      if (Deferred.isDoneUnsafe(connected) || process.stdout.closed) finish()
      else process.stdout.once("close", finish)
    })
    yield* Effect.forkScoped(
      Effect.andThen(
        Deferred.await(lost),
        endProcess(process, () => why)
      )
    )
    yield* firstConnection(Deferred.await(connected), process, isRefused, options.connectLimitMs ?? 30_000)
    return {
      version,
      transport: posted === undefined ? "ws" : "hybrid",
      messages: inbox.messages,
      send: (message) => {
        answers.note(message)
        return send(line, process, message)
      },
      exit: Effect.map(process.exit, (exit) => withReason(exit, why))
    }
  })

/**
 * Ends a process whose line is over: with SIGTERM, so that it can write down what it has of the conversation, and with
 * SIGKILL if that does not help.
 */
const endProcess = ({ giveUp, pid }: AgentProcess, why: () => string | undefined): Effect.Effect<void> =>
  Effect.suspend(() => {
    giveUp(why() ?? "")
    return Effect.ignore(Effect.try(() => kill(pid, "SIGTERM"))) // it may be gone already
  })

/** An exit that says why the process was ended: its own last words do not. */
const withReason = (exit: AgentExit, why: string | undefined): AgentExit =>
  why === undefined || exit.stderr.endsWith(why) ? exit : { ...exit, stderr: `${exit.stderr}\n${why}`.trimStart() }

/** Whether a version sends again what it wrote without a socket (§2). */
const resends = (version: string): boolean | undefined => {
  const { assumed, value } = Claude.lookup("sdkUrlReplay", version)
  return assumed ? undefined : value === "all"
}

/** Headers that are the handshake itself, and the one that must not be on a tape. */
const hidden: ReadonlySet<string> = new Set([
  "authorization",
  "connection",
  "upgrade",
  "sec-websocket-key",
  "sec-websocket-version"
])

const ownHeaders = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !hidden.has(name))
      .map(([name, value]) => [name, [value].flat().join(", ")])
  )

const withInvitation = (command: GuardedCommand, { token }: Invitation, posts: boolean): GuardedCommand => {
  // Whatever a session brings: what is posted to a server that does not take it is lost.
  const { [postVariable]: _, ...env } = command.env
  return {
    ...command,
    env: { ...env, ...withoutProxy(env), [tokenVariable]: token, ...(posts && { [postVariable]: "1" }) }
  }
}

/** A CLI that has a proxy goes to us by way of it, too, and shows it the token, unless it is told not to (§2). */
const withoutProxy = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const excepted = env["no_proxy"] ?? env["NO_PROXY"] ?? ""
  const names = [...excepted.split(",").filter((name) => name.trim() !== ""), "127.0.0.1"].join(",")
  return { no_proxy: names, NO_PROXY: names }
}

/**
 * Listens to what a process says on its standard output before it connects. 2.1.37 does not connect at all when it does not
 * begin where it should: it says why, as over stdio, and ends. Whether it did so is known when its output is closed.
 */
const listenBefore = (connected: Deferred.Deferred<void>, { stdout }: AgentProcess, inbox: Inbox): (() => boolean) => {
  let isRefused = false
  const feed = inbox.feed({ pause: () => stdout.pause(), resume: () => stdout.resume() }, (decoded) => {
    if (refusalIn(decoded) === undefined) return []
    isRefused = true
    return [decoded]
  })
  stdout.on("data", (chunk: Uint8Array) => {
    if (!Deferred.isDoneUnsafe(connected)) feed.push(chunk)
  })
  return () => isRefused
}

const closed = (stdout: AgentProcess["stdout"]): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const done = () => resume(Effect.void)
    if (stdout.closed) return done()
    stdout.once("close", done)
    return Effect.sync(() => stdout.off("close", done))
  })

/** Waits for the WebSocket. An agent that has said why it does not connect is one all the same: it has ended. */
const firstConnection = (
  connected: Effect.Effect<void>,
  process: AgentProcess,
  isRefused: () => boolean,
  limitMs: number
): Effect.Effect<void, LaunchFailed> => {
  const failed = (message: string) => Effect.fail(new LaunchFailed({ code: "SPAWN_FAILED", message }))
  return Effect.raceFirst(
    connected,
    Effect.flatMap(
      Effect.tap(process.exit, () => closed(process.stdout)),
      (exit) => (isRefused() ? Effect.void : failed(`It did not connect. ${describeExit(exit)}`))
    )
  ).pipe(
    Effect.timeoutOrElse({
      duration: Duration.millis(limitMs),
      orElse: () => failed(`The agent did not connect to its WebSocket within ${limitMs} ms.`)
    })
  )
}

const send = (line: SocketLine, process: AgentProcess, message: object): Effect.Effect<void, AgentGone> =>
  Effect.callback((resume) => {
    const attempt = (): boolean => {
      const exit = process.exited()
      if (exit !== undefined) resume(Effect.fail(new AgentGone({ message: describeExit(exit) })))
      else if (line.hasRoom) {
        line.send(message)
        resume(Effect.void)
      } else return false
      return true
    }
    if (attempt()) return
    const forget = line.whenRoom(() => attempt() && forget())
    return Effect.sync(forget)
  })
