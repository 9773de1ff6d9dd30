/**
 * Calls of the application's tools by somebody else than the agent.
 *
 * The application meets a call in a run, as it does the agent's. So each gets a run of its own in the log, once no
 * other run is open, and the result is what a later run of the application brings. A call that nobody answers in time
 * is told as failed, so that an application that comes back late does not make it.
 */
import { randomUUID } from "node:crypto"
import { Agui, type Translate } from "@agentwire/protocol"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ToolCallFailed } from "./Session.ts"

/** What such calls need of their session. */
export interface OutsideCallsHost {
  readonly threadId: string
  /** How long the application may take. */
  readonly limit: Duration.Input
  /** Does something later, in order with everything else that happens to the session. */
  readonly later: (after: Duration.Input, then: Effect.Effect<void>) => Effect.Effect<Fiber.Fiber<void>>
  readonly append: (events: ReadonlyArray<Agui.AguiEvent>) => Effect.Effect<void>
  /** Whether a run is open. */
  readonly isBusy: () => boolean
}

/** Calls by others. All but `call` happens in order: callers hold the session's lock. */
export interface OutsideCalls {
  readonly call: (
    locked: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>,
    tools: ReadonlyArray<Agui.Tool>,
    name: string,
    input: Readonly<Record<string, unknown>>
  ) => Effect.Effect<Translate.CallToolResult, ToolCallFailed>
  /** Tells what waited for the end of a run. */
  readonly goOn: Effect.Effect<void>
  /** The calls that wait for their results. */
  readonly ids: () => ReadonlyArray<string>
  /** The result of a call. Whether it is one of these. */
  readonly resolve: (toolCallId: string, result: Translate.CallToolResult) => Effect.Effect<boolean>
  /** Fails all that wait. */
  readonly close: Effect.Effect<void>
}

interface Waiting {
  readonly answer: Deferred.Deferred<Translate.CallToolResult, ToolCallFailed>
  readonly timer: Fiber.Fiber<void>
}

/** No calls yet. */
export const makeOutsideCalls = ({ append, isBusy, later, limit, threadId }: OutsideCallsHost): OutsideCalls => {
  const waiting = new Map<string, Waiting>()
  const untold: Array<ReadonlyArray<Agui.AguiEvent>> = []

  const goOn: Effect.Effect<void> = Effect.suspend(() =>
    isBusy() ? Effect.void : Effect.forEach(untold.splice(0), append, { discard: true })
  )

  /** Events as a run of their own. */
  const tell = (...events: ReadonlyArray<Agui.AguiEvent>): Effect.Effect<void> => {
    const runId = `outside-${randomUUID()}`
    untold.push([
      { type: "RUN_STARTED", threadId, runId, protocolVersion: Agui.PROTOCOL_VERSION },
      ...events,
      { type: "RUN_FINISHED", threadId, runId, outcome: { type: "success" } }
    ])
    return goOn
  }

  const expire = (toolCallId: string, answer: Waiting["answer"]): Effect.Effect<void> =>
    Effect.gen(function* () {
      waiting.delete(toolCallId)
      const message = `The application did not answer within ${Duration.format(Duration.fromInputUnsafe(limit))}.`
      yield* Deferred.fail(answer, new ToolCallFailed({ code: "TOOL_TIMEOUT", message }))
      yield* tell({
        type: "TOOL_CALL_RESULT",
        messageId: `${toolCallId}-result`,
        toolCallId,
        role: "tool",
        content: message
      })
    })

  const begin = (
    name: string,
    input: Readonly<Record<string, unknown>>
  ): Effect.Effect<{ readonly toolCallId: string; readonly answer: Waiting["answer"] }> =>
    Effect.gen(function* () {
      const toolCallId = `outside-call-${randomUUID()}`
      const answer = yield* Deferred.make<Translate.CallToolResult, ToolCallFailed>()
      waiting.set(toolCallId, { answer, timer: yield* later(limit, expire(toolCallId, answer)) })
      yield* tell(
        { type: "TOOL_CALL_START", toolCallId, toolCallName: name },
        { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(input) },
        { type: "TOOL_CALL_END", toolCallId }
      )
      return { toolCallId, answer }
    })

  const drop = (toolCallId: string): Effect.Effect<Waiting | undefined> =>
    Effect.gen(function* () {
      const found = waiting.get(toolCallId)
      waiting.delete(toolCallId)
      if (found !== undefined) yield* Fiber.interrupt(found.timer)
      return found
    })

  return {
    goOn,
    ids: () => [...waiting.keys()],
    call: (locked, tools, name, input) =>
      Effect.gen(function* () {
        if (!tools.some((tool) => tool.name === name))
          return yield* new ToolCallFailed({
            code: "NO_SUCH_TOOL",
            message: `The application has no tool ${JSON.stringify(name)}.`
          })
        const { answer, toolCallId } = yield* locked(begin(name, input))
        return yield* Deferred.await(answer).pipe(Effect.onInterrupt(() => locked(drop(toolCallId))))
      }),
    resolve: (toolCallId, result) =>
      Effect.gen(function* () {
        const found = yield* drop(toolCallId)
        if (found === undefined) return false
        yield* Deferred.succeed(found.answer, result)
        return true
      }),
    close: Effect.suspend(() => {
      const failed = new ToolCallFailed({ code: "SESSION_CLOSED", message: "The session was closed." })
      const answers = [...waiting.values()].map(({ answer }) => answer)
      waiting.clear()
      return Effect.forEach(answers, (answer) => Deferred.fail(answer, failed), { discard: true })
    })
  }
}
