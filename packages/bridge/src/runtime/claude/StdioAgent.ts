/**
 * An agent that speaks over its standard input and output: one JSON message a line, both ways.
 */
import { encodeLine } from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
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
    return {
      version,
      transport: "stdio",
      messages: inbox.messages,
      send: (message) => write(process, encodeLine(message), maxUnread, options.tap),
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

/**
 * Writes a line, and waits while too much is unread. It does not wait merely because the pipe is full: that happens
 * soon, and whoever sends may be the only one who could end an agent that does not read.
 */
const write = (
  process: AgentProcess,
  line: string,
  maxUnread: number,
  tap: AgentTap | undefined
): Effect.Effect<void, AgentGone> =>
  Effect.callback<void, AgentGone>((resume) => {
    const { stdin } = process
    const gone = () => resume(Effect.fail(new AgentGone({ message: describeExit(process.exited()) })))
    if (!stdin.writable) return gone()
    tap?.data("host", "stdin", Buffer.from(line))
    if (stdin.write(line) || stdin.writableLength <= maxUnread) return resume(Effect.void)
    const drained = () => {
      stdin.off("close", closed)
      resume(Effect.void)
    }
    const closed = () => {
      stdin.off("drain", drained)
      gone()
    }
    stdin.once("drain", drained).once("close", closed)
    return Effect.sync(() => stdin.off("drain", drained).off("close", closed))
  })
