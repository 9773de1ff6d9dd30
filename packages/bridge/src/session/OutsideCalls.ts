/**
 * Calls of the application's tools by somebody other than the agent.
 *
 * The application sees such a call as it sees the agent's: in a turn of its own, once no other turn is open, as a
 * request that waits. A call that nobody answers in time is reported as failed, so that an application that comes back
 * late does not run it.
 */
import { randomUUID } from "node:crypto"
import type * as Model from "@agentwire/protocol/model"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { jsonInTurns } from "../eventloop/LongJson.ts"
import type { Requests } from "./Requests.ts"
import { ToolCallFailed } from "./Session.ts"

type ToolResult = Extract<Model.Answer, { readonly type: "result" }>

/** What such calls need of their session. */
export interface OutsideCallsHost {
  readonly append: (events: ReadonlyArray<Model.Event>) => void
  readonly requests: Pick<Requests, "open" | "close">
  /** Whether a turn is open. */
  readonly isBusy: () => boolean
  readonly locked: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** Calls by others. Callers hold the session's lock for everything but `call`. */
export interface OutsideCalls {
  readonly call: (
    tools: ReadonlyArray<Model.PageTool>,
    name: string,
    input: Readonly<Record<string, unknown>>
  ) => Effect.Effect<ToolResult, ToolCallFailed>
  /** Announces the calls that waited for a turn to end. */
  readonly tellWaiting: Effect.Effect<void>
  /** Whether a request is one of these. */
  readonly owns: (id: string) => boolean
  /** Gives a call its result. `expired`: nobody gave one. */
  readonly finishCall: (id: string, answer: Model.Answer, expired: boolean) => Effect.Effect<void>
  /** Fails all calls that wait. */
  readonly close: Effect.Effect<void>
}

/** No calls yet. */
export const makeOutsideCalls = ({ append, isBusy, locked, requests }: OutsideCallsHost): OutsideCalls => {
  const open = new Map<string, Deferred.Deferred<ToolResult, ToolCallFailed>>()
  const untold: Array<Effect.Effect<void>> = []

  const tellWaiting: Effect.Effect<void> = Effect.suspend(() =>
    isBusy() ? Effect.void : Effect.forEach(untold.splice(0), (tell) => tell, { discard: true })
  )

  /** Events as a turn of their own. */
  const inTurn = (...events: ReadonlyArray<Model.Event>): void =>
    append([
      { type: "turn_started", cause: "agent" },
      ...events,
      { type: "turn_ended", outcome: { type: "completed" } }
    ])

  const tell = (id: string, tool: string, given: Readonly<Record<string, unknown>>): Effect.Effect<void> =>
    Effect.gen(function* () {
      const input = (yield* jsonInTurns(given)).join("")
      if (!open.has(id)) return
      const item = { lane: null, id }
      inTurn(
        { type: "item_started", ...item, item: { kind: "call", tool, action: "page_tool", parent: `${id}:calls` } },
        { type: "item_grew", ...item, delta: input },
        { type: "item_ended", ...item }
      )
      const message = `The application is to run ${tool}.`
      const request = { id, kind: "page_tool" as const, message, call: id, tool, input: given }
      yield* requests.open({ type: "request_opened", lane: null, request }, undefined)
    })

  return {
    tellWaiting,
    owns: (id) => open.has(id),
    call: (tools, name, input) =>
      Effect.gen(function* () {
        if (!tools.some((tool) => tool.name === name))
          return yield* new ToolCallFailed({
            code: "NO_SUCH_TOOL",
            message: `The application has no tool ${JSON.stringify(name)}.`
          })
        const id = `outside-call-${randomUUID()}`
        const answer = yield* Deferred.make<ToolResult, ToolCallFailed>()
        yield* locked(
          Effect.suspend(() => {
            open.set(id, answer)
            untold.push(tell(id, name, input))
            return tellWaiting
          })
        )
        return yield* Deferred.await(answer).pipe(
          Effect.onInterrupt(() =>
            locked(
              Effect.suspend(() => {
                open.delete(id)
                return requests.close(id, "withdrawn")
              })
            )
          )
        )
      }),
    finishCall: (id, answer, expired) =>
      Effect.gen(function* () {
        const waiting = open.get(id)
        if (waiting === undefined || answer.type !== "result") return
        open.delete(id)
        const { content, failed } = answer
        if (!expired) {
          append([{ type: "call_answered", lane: null, id, content, failed, page: true }])
          return yield* Effect.asVoid(Deferred.succeed(waiting, answer))
        }
        const message = typeof content === "string" ? content : "The application did not answer."
        yield* Deferred.fail(waiting, new ToolCallFailed({ code: "TOOL_TIMEOUT", message }))
        untold.push(Effect.sync(() => inTurn({ type: "call_answered", lane: null, id, content, failed: true })))
        yield* tellWaiting
      }),
    close: Effect.suspend(() => {
      const failed = new ToolCallFailed({ code: "SESSION_CLOSED", message: "The session was closed." })
      const answers = [...open.values()]
      open.clear()
      return Effect.forEach(answers, (answer) => Deferred.fail(answer, failed), { discard: true })
    })
  }
}
