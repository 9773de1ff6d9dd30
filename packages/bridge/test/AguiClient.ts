/**
 * A small AG-UI client on a session, without HTTP: it submits what a client sends, reads the events of its run, and
 * has the messages that a real client would have.
 */
import type { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type ApprovalMode, aguiThread } from "../src/face/agui/AguiThread.ts"
import { runEvents } from "../src/face/agui/RunEvents.ts"
import { type RunRefused, submitInput } from "../src/face/agui/Submission.ts"
import type { LogFailed, ReadFailed } from "../src/log/BoundedLog.ts"
import type { Session, ThreadBusy } from "../src/session/Session.ts"

type Events = ReadonlyArray<Agui.AguiEvent>

/** What a run brings beside its id. */
export interface Asked extends Partial<Pick<Agui.RunAgentInput, "tools" | "resume" | "context" | "state">> {
  /** What the person says. */
  readonly prompt?: string
  /** Results of tools of the application, by call. */
  readonly results?: Readonly<Record<string, string>>
}

/** A client of one thread. */
export interface AguiClient {
  /** The messages it has. */
  readonly messages: () => ReadonlyArray<Agui.Message>
  /** Asks for a run. The events of the run, up to its end, are read by the effect that it gives. */
  readonly submit: (
    runId: string,
    asked?: Asked
  ) => Effect.Effect<Effect.Effect<Events, ReadFailed>, ThreadBusy | RunRefused | LogFailed>
  /** Asks for a run and reads it. */
  readonly run: (runId: string, asked?: Asked) => Effect.Effect<Events, ThreadBusy | RunRefused | ReadFailed>
}

/** A client that has some messages; default: nothing yet. */
export const aguiClient = (
  session: Session,
  approvals: ApprovalMode = "deny",
  had: ReadonlyArray<Agui.Message> = []
): AguiClient => {
  let messages = had

  const submit: AguiClient["submit"] = (runId, { prompt, results = {}, ...more } = {}) =>
    Effect.gen(function* () {
      const thread = yield* aguiThread(session, approvals)
      messages = [
        ...messages,
        ...Object.entries(results).map(
          ([toolCallId, content]): Agui.Message => ({ id: `result-${toolCallId}`, role: "tool", toolCallId, content })
        ),
        ...(prompt === undefined ? [] : [{ id: `user-${runId}`, role: "user" as const, content: prompt }])
      ]
      const input: Agui.RunAgentInput = { threadId: session.threadId, runId, messages, ...more }
      const submitted = yield* submitInput(session, thread, input, approvals)
      const { from, keepPlace } = thread.readerFor(input.messages, submitted)
      return runEvents(session.log, thread, { ...submitted, input, from }).pipe(
        Stream.tap(({ events, place }) =>
          Effect.sync(() => {
            messages = events.reduce(withEvent, messages)
            if (place !== undefined) keepPlace(place)
          })
        ),
        Stream.flatMap(({ events }) => Stream.fromIterable(events)),
        Stream.runCollect
      )
    })

  return { messages: () => messages, submit, run: (runId, asked) => Effect.flatten(submit(runId, asked)) }
}

/** The messages of a client after an event: as many, with the ids, as a real one has. */
const withEvent = (messages: ReadonlyArray<Agui.Message>, event: Agui.AguiEvent): ReadonlyArray<Agui.Message> => {
  const add = (message: Agui.Message): ReadonlyArray<Agui.Message> =>
    messages.some(({ id }) => id === message.id) ? messages : [...messages, message]
  switch (event.type) {
    case "TEXT_MESSAGE_START":
      return add({ id: event.messageId, role: event.role === "user" ? "user" : "assistant", content: "" })
    case "TEXT_MESSAGE_CONTENT":
      return messages.map((message) =>
        (message.role === "assistant" || message.role === "user") && message.id === event.messageId
          ? { ...message, content: `${message.content ?? ""}${event.delta}` }
          : message
      )
    case "TOOL_CALL_START": {
      const parent = event.parentMessageId ?? event.toolCallId
      const call = { id: event.toolCallId, type: "function" as const, function: { name: "", arguments: "" } }
      return add({ id: parent, role: "assistant", content: "" }).map((message) =>
        message.role === "assistant" && message.id === parent
          ? { ...message, toolCalls: [...(message.toolCalls ?? []).filter(({ id }) => id !== call.id), call] }
          : message
      )
    }
    case "TOOL_CALL_RESULT":
      return add({ id: event.messageId, role: "tool", toolCallId: event.toolCallId, content: "" })
    case "MESSAGES_SNAPSHOT":
      return event.messages
    default:
      return messages
  }
}

/** The types of events, without those that say what the session is and has. */
export const types = (events: Events): ReadonlyArray<string> =>
  events.map(({ type }) => type).filter((type) => type !== "STATE_DELTA" && type !== "CUSTOM")

/** How the last run of some events ended: its outcome, or the error. */
export const outcome = (events: Events): unknown => {
  const last = events.at(-1)
  return last?.type === "RUN_FINISHED" ? last.outcome : last
}

/** The texts in events. */
export const deltas = (events: Events): ReadonlyArray<string> =>
  events.flatMap((event) => (event.type === "TEXT_MESSAGE_CONTENT" ? [event.delta] : []))

/** What was said, as a client has it. */
export const contents = (client: AguiClient): ReadonlyArray<unknown> => client.messages().map(({ content }) => content)
