/**
 * An agent that speaks over its standard input and output: one JSON message a line, both ways.
 */
import { encodeLine } from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { InOrder } from "../../eventloop/InOrder.ts"
import { isLong, writeJson } from "../../eventloop/LongJson.ts"
import { inTurns } from "../../eventloop/Turns.ts"
import { type AgentProcess, describeExit, type ProcessOptions, startProcess } from "../../process/AgentProcess.ts"
import type { AgentTap } from "../../process/AgentTap.ts"
import type { GuardedCommand } from "../../process/OrphanWatchdog.ts"
import { type Agent, AgentGone, type LaunchFailed } from "./Agent.ts"
import { type Inbox, type InboxLimits, makeInbox } from "./Inbox.ts"
import { defaultMaxCharacters, type OutboxLimits } from "./Outbox.ts"

/** How an agent over stdio is treated. */
export interface StdioAgentOptions extends ProcessOptions {
  readonly limits?: InboxLimits & Pick<OutboxLimits, "maxUnconfirmedCharacters">
}

/** Starts an agent over stdio. It ends with its scope. */
export const startStdioAgent = (
  command: GuardedCommand,
  version: string,
  options: StdioAgentOptions = {}
): Effect.Effect<Agent, LaunchFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox = yield* makeInbox(options.limits)
    const process = yield* startProcess(command, "close-stdin", options)
    listen(process, inbox, options.tap)
    const maxUnread = options.limits?.maxUnconfirmedCharacters ?? defaultMaxCharacters
    const lines = new InOrder()
    const send = (message: object): Effect.Effect<void, AgentGone> => {
      if (isLong(message)) return lines.run(writeLong(process, message, options.tap))
      const now = Effect.suspend(() => write(process, encodeLine(message), options.tap))
      return lines.isIdle ? now : lines.run(now)
    }
    return {
      version,
      transport: "stdio",
      messages: inbox.messages,
      send: (message) =>
        Effect.andThen(
          Effect.suspend(() => send(message)),
          whenRead(process, maxUnread)
        ),
      exit: process.exit
    }
  })

const listen = ({ giveUp, stdin, stdout }: AgentProcess, inbox: Inbox, tap: AgentTap | undefined): void => {
  const feed = inbox.feed({ pause: () => stdout.pause(), resume: () => stdout.resume() })
  if (tap !== undefined) stdout.on("data", (chunk: Uint8Array) => tap.data("agent", "stdout", chunk))
  stdout.on("data", feed.push)
  stdout.once("close", () => {
    feed.end()
    inbox.end()
    giveUp("It closed its standard output and did not end, so it was killed.")
  })
  stdin.once("error", () => giveUp("It closed its standard input and did not end, so it was killed."))
}

const gone = (process: AgentProcess): Effect.Effect<never, AgentGone> =>
  Effect.fail(new AgentGone({ message: describeExit(process.exited()) }))

/** Writes a line, or some of one. */
const write = (process: AgentProcess, text: string, tap: AgentTap | undefined): Effect.Effect<void, AgentGone> => {
  if (!process.stdin.writable) return gone(process)
  put(process, text, tap)
  return Effect.void
}

const put = ({ stdin }: AgentProcess, text: string, tap: AgentTap | undefined): void => {
  tap?.data("host", "stdin", Buffer.from(text))
  stdin.write(text)
}

/** Writes a line of megabytes, some of it in each turn. Once it has begun it comes to its end: what follows is another line. */
const writeLong = (process: AgentProcess, message: object, tap: AgentTap | undefined): Effect.Effect<void, AgentGone> =>
  inTurns(function* () {
    yield* writeJson(message, (piece) => {
      if (process.stdin.writable) put(process, piece, tap)
    })
  }).pipe(Effect.andThen(Effect.suspend(() => write(process, "\n", tap))), Effect.uninterruptible)

/**
 * Waits while too much is unread. It does not wait merely because the pipe is full: that happens soon, and whoever sends
 * may be the only one who could end an agent that does not read.
 */
const whenRead = (process: AgentProcess, maxUnread: number): Effect.Effect<void, AgentGone> =>
  Effect.callback<void, AgentGone>((resume) => {
    const { stdin } = process
    if (!stdin.writableNeedDrain || stdin.writableLength <= maxUnread) return resume(Effect.void)
    const drained = () => {
      stdin.off("close", closed)
      resume(Effect.void)
    }
    const closed = () => {
      stdin.off("drain", drained)
      resume(gone(process))
    }
    stdin.once("drain", drained).once("close", closed)
    return Effect.sync(() => stdin.off("drain", drained).off("close", closed))
  })
