/**
 * The translator, broken on purpose: one mutant for each bug that was found in a public translator, and some more that
 * only laws would notice. Each is a small change of what goes into the real one or comes out of it.
 */
import type { Agui, Translate } from "@agentwire/protocol"
import { type Decoded, decodeValue, type Known } from "@agentwire/protocol/claude"
import { type Law, real, type Session, type Stepped, type Translator, type Violation } from "./law/Translator.ts"

type Event = Agui.AguiEvent
type Events = ReadonlyArray<Event>

/** A broken translator. */
export interface Mutant {
  /** A short name, which the test and its hints go by. */
  readonly id: string
  /** What the bug is. */
  readonly what: string
  /** What a law says about it. */
  readonly judge: (law: Law, session: Session, seed: number) => Violation | Promise<Violation>
}

const mutant = <S>(id: string, what: string, translator: Translator<S>): Mutant => ({
  id,
  what,
  judge: (law, session, seed) => law(translator, session, seed)
})

/** The real translator with something remembered beside it. */
interface Beside<M> {
  readonly inner: Translate.State
  readonly memory: M
}

interface Change<M> {
  readonly memory: M
  /** The message as the translator gets it; undefined: not at all. */
  readonly into?: (decoded: Decoded, memory: M) => Decoded | undefined
  /** The events as they go out. `cause` is the message, or `finish`. */
  readonly out?: (events: Events, cause: Decoded | "finish", memory: M) => Events
  readonly remember?: (memory: M, decoded: Decoded, events: Events) => M
}

const changed = <M>({
  into = (it) => it,
  memory: first,
  out = (it) => it,
  remember = (it) => it
}: Change<M>): Translator<Beside<M>> => {
  const pass = ([inner, events]: Stepped<Translate.State>, memory: M): Stepped<Beside<M>> => [
    { inner, memory },
    out(events, "finish", memory)
  ]
  return {
    initial: (options) => ({ inner: real.initial(options), memory: first }),
    step: ({ inner, memory }, decoded) => {
      const given = into(decoded, memory)
      const [next, events] = given === undefined ? ([inner, []] as const) : real.step(inner, given)
      return [{ inner: next, memory: remember(memory, decoded, events) }, out(events, decoded, memory)]
    },
    finish: ({ inner, memory }, reason) => out(real.finish(inner, reason), "finish", memory),
    begin: ({ inner, memory }, request) => pass(real.begin(inner, request), memory),
    suspend: ({ inner, memory }, suspension) => pass(real.suspend(inner, suspension), memory)
  }
}

const eventsOut = (out: (event: Event, cause: Decoded | "finish") => Event | undefined): Translator<Beside<null>> =>
  changed({
    memory: null,
    out: (events, cause) =>
      events.flatMap((event) => {
        const changedEvent = out(event, cause)
        return changedEvent === undefined ? [] : [changedEvent]
      })
  })

const messagesIn = (into: (known: Known) => unknown): Translator<Beside<null>> =>
  changed({
    memory: null,
    into: (decoded) => {
      if (decoded._tag !== "Known") return decoded
      const given = into(decoded)
      if (given === decoded.message) return decoded
      return given === undefined ? undefined : decodeValue(given)
    }
  })

const isKnown = (cause: Decoded | "finish", ...names: ReadonlyArray<string>): boolean =>
  cause !== "finish" && cause._tag === "Known" && names.some((name) => cause.name.startsWith(name))

const finished = (event: Event): Event =>
  event.type === "RUN_ERROR"
    ? { type: "RUN_FINISHED", threadId: "thread", runId: "thread:1", outcome: { type: "success" } }
    : event

/** Which answers were streamed, for those who take only half of the wire for the whole. Law 8 is not about it. */
interface Streamed {
  readonly recent: ReadonlySet<string>
}

const streamedIds = {
  memory: { recent: new Set() } as Streamed,
  remember: (streamed: Streamed, decoded: Decoded): Streamed =>
    decoded._tag === "Known" && decoded.name === "stream_event/message_start"
      ? { recent: new Set([...streamed.recent, decoded.message.event.message.id]) }
      : streamed
}

const wholeOnly = (decoded: Decoded, { recent: ids }: Streamed, ...kinds: ReadonlyArray<string>): boolean =>
  decoded._tag === "Known" &&
  decoded.name === "assistant" &&
  !ids.has(decoded.message.message.id) &&
  decoded.message.message.content.some(({ type }) => kinds.includes(type))

const withMessageId = (event: Event, rename: (id: string) => string): Event =>
  "messageId" in event && typeof event.messageId === "string" && /^(TEXT|REASONING)_/.test(event.type)
    ? ({ ...event, messageId: rename(event.messageId) } as Event)
    : event

let randomIds = 0

/** The broken translators. */
export const mutants: ReadonlyArray<Mutant> = [
  mutant(
    "D1",
    "message ids are run and block index",
    eventsOut((event) => withMessageId(event, (id) => id.replace(/^.*:(\d+)/, "thread-msg-$1")))
  ),
  mutant(
    "D2",
    "whole text is lost once anything was streamed",
    changed({ ...streamedIds, into: (it, ids) => (ids.recent.size > 0 && wholeOnly(it, ids, "text") ? undefined : it) })
  ),
  mutant(
    "D3",
    "user lines are ignored",
    messagesIn(({ message, name }) => (name === "user" ? undefined : message))
  ),
  mutant(
    "D4",
    "thinking is dropped, and ended as text that never began",
    eventsOut((event) => {
      if (event.type === "REASONING_END") return { type: "TEXT_MESSAGE_END", messageId: event.messageId }
      return event.type.startsWith("REASONING_") ? undefined : event
    })
  ),
  mutant(
    "D5",
    "tools of the API get an invented id and no start",
    eventsOut((event) => {
      if (!("toolCallId" in event) || event.toolCallId?.startsWith("srvtoolu") !== true) return event
      return event.type === "TOOL_CALL_START" ? undefined : ({ ...event, toolCallId: "run-tool-1" } as Event)
    })
  ),
  mutant(
    "D6",
    "parent_tool_use_id is never read",
    messagesIn(({ message }) => ("parent_tool_use_id" in message ? { ...message, parent_tool_use_id: null } : message))
  ),
  mutant(
    "D7",
    "every result is a success",
    eventsOut((event, cause) => (isKnown(cause, "result/") ? finished(event) : event))
  ),
  mutant(
    "D8",
    "nothing closes what a turn leaves open",
    eventsOut((event, cause) =>
      isKnown(cause, "result/") && /_(MESSAGE|CALL)_END$/.test(event.type) ? undefined : event
    )
  ),
  mutant(
    "D9",
    "a dead process ends nothing",
    eventsOut((event, cause) => (cause === "finish" ? undefined : event))
  ),
  mutant(
    "D14",
    "all messages are kept",
    changed<ReadonlyArray<Decoded>>({ memory: [], remember: (all, decoded) => [...all, decoded] })
  ),
  mutant(
    "D16",
    "the session overwrites the application's state",
    eventsOut((event) =>
      event.type === "STATE_DELTA" ? { type: "STATE_SNAPSHOT", snapshot: { session: "x" } } : event
    )
  ),
  mutant(
    "D18",
    "what is not streamed is text or nothing",
    changed({
      ...streamedIds,
      out: (events, _, ids) => events.filter(({ type }) => ids.recent.size > 0 || !/^(TOOL_CALL|REASONING)_/.test(type))
    })
  ),
  mutant(
    "T2",
    "one current message for all lanes",
    changed({
      memory: "",
      out: (events, _, current) =>
        events.map((event) =>
          event.type === "TEXT_MESSAGE_CONTENT" && current !== "" ? { ...event, messageId: current } : event
        ),
      remember: (current, _, events) =>
        events.reduce((now, event) => (event.type === "TEXT_MESSAGE_START" ? event.messageId : now), current)
    })
  ),
  mutant(
    "T3",
    "whole text is never shown",
    changed({ ...streamedIds, into: (it, ids) => (wholeOnly(it, ids, "text") ? undefined : it) })
  ),
  mutant(
    "T4",
    "an error loses its reason",
    eventsOut((event) => (event.type === "RUN_ERROR" ? { ...event, message: "Error", code: "error" } : event))
  ),
  mutant(
    "T5",
    "a stream that ends is a success",
    eventsOut((event, cause) => (cause === "finish" ? finished(event) : event))
  ),
  mutant(
    "T6a",
    "only the first block of a result is kept",
    eventsOut((event) => {
      if (event.type !== "TOOL_CALL_RESULT" || typeof event.content === "string") return event
      const [first] = event.content
      return { ...event, content: first?.type === "text" ? first.text : "" }
    })
  ),
  mutant(
    "T6b",
    "results are encoded twice",
    eventsOut((event) =>
      event.type === "TOOL_CALL_RESULT" ? { ...event, content: JSON.stringify(event.content) } : event
    )
  ),
  mutant(
    "T6c",
    "the error flag of a result is dropped",
    eventsOut((event) => {
      if (event.type !== "TOOL_CALL_RESULT") return event
      const { metadata: _, ...rest } = event
      return rest
    })
  ),
  mutant(
    "T7",
    "only the first of the waiting calls is named",
    eventsOut((event) =>
      event.type === "RUN_FINISHED" &&
      event.outcome?.type === "success" &&
      event.outcome.pendingToolCallIds !== undefined
        ? { ...event, outcome: { type: "success", pendingToolCallIds: event.outcome.pendingToolCallIds.slice(0, 1) } }
        : event
    )
  ),
  mutant(
    "T8",
    "text after a tool goes on in the bubble before it",
    eventsOut((event) => withMessageId(event, (id) => id.replace(/:\d+$/, ":0")))
  ),
  mutant(
    "T9",
    "thinking that is not streamed is dropped",
    changed({
      ...streamedIds,
      into: (it, ids) => (wholeOnly(it, ids, "thinking", "redacted_thinking") ? undefined : it)
    })
  ),
  mutant(
    "T10",
    "the signature is bound to the answer",
    eventsOut((event) =>
      event.type === "REASONING_ENCRYPTED_VALUE"
        ? { ...event, entityId: event.entityId.replace(/:thinking$/, "") }
        : event
    )
  ),
  mutant(
    "T11",
    "a whole call hangs on the call of its sub-agent",
    eventsOut((event, cause) =>
      event.type === "TOOL_CALL_START" && event.subagentRunId !== undefined && isKnown(cause, "assistant")
        ? { ...event, parentMessageId: event.subagentRunId }
        : event
    )
  ),
  mutant(
    "T14",
    "thread and run on every event",
    eventsOut((event) =>
      event.type.startsWith("TEXT_MESSAGE") ? ({ ...event, threadId: "thread", runId: "thread:1" } as Event) : event
    )
  ),
  mutant(
    "Python",
    "halves of characters are replaced",
    messagesIn(({ message, name }) => {
      if (name !== "stream_event/content_block_delta" || message.event.delta.type !== "text_delta") return message
      const { delta } = message.event
      return { ...message, event: { ...message.event, delta: { ...delta, text: Buffer.from(delta.text).toString() } } }
    })
  ),
  mutant(
    "acp 0.25",
    "a compaction is announced as an answer",
    changed({
      memory: null,
      out: (events, cause) =>
        isKnown(cause, "system/compact_boundary")
          ? [
              ...events,
              { type: "TEXT_MESSAGE_START", messageId: "compacting", role: "assistant" },
              { type: "TEXT_MESSAGE_CONTENT", messageId: "compacting", delta: "Compacting…" },
              { type: "TEXT_MESSAGE_END", messageId: "compacting" }
            ]
          : events
    })
  ),
  mutant(
    "agentos",
    "results come in bulk at the end of the turn",
    changed<Events>({
      memory: [],
      out: (events, cause, waiting) =>
        isKnown(cause, "result/") || cause === "finish"
          ? [...events.slice(0, -1), ...(events.length > 0 ? waiting : []), ...events.slice(-1)]
          : events.filter(({ type }) => type !== "TOOL_CALL_RESULT"),
      remember: (waiting, decoded, events) =>
        isKnown(decoded, "result/") ? [] : [...waiting, ...events.filter(({ type }) => type === "TOOL_CALL_RESULT")]
    })
  ),
  mutant(
    "t3code narration",
    "what sub-agents say is dropped",
    eventsOut((event) =>
      event.type.startsWith("TEXT_MESSAGE") && "subagentRunId" in event && event.subagentRunId !== undefined
        ? undefined
        : event
    )
  ),
  mutant(
    "t3code interrupt",
    "a turn that is interrupted goes on for ever",
    eventsOut((event) => (event.type === "RUN_FINISHED" && event.outcome?.type === "cancelled" ? undefined : event))
  ),
  mutant(
    "replay",
    "what comes again is shown again",
    messagesIn(({ message }) => {
      if (!("uuid" in message) || "tool_use_result" in message) return message
      const { uuid: _, ...rest } = message
      return { ...rest, uuid: `once-${randomIds++}` }
    })
  ),
  mutant(
    "random ids",
    "messages get ids that are on no wire",
    changed<ReadonlyMap<string, string>>({
      memory: new Map(),
      out: (events, _, ids) =>
        events.map((event) => withMessageId(event, (id) => ids.get(id) ?? `fresh-${randomIds++}`))
    })
  ),
  mutant(
    "cache",
    "the cache is left out of the input",
    eventsOut((event) =>
      event.type === "RUN_FINISHED" && event.usage !== undefined
        ? {
            ...event,
            usage: event.usage.map((usage) => ({
              ...usage,
              inputTokens:
                (usage.inputTokens ?? 0) - (usage.cachedInputTokens ?? 0) - (usage.cacheWriteInputTokens ?? 0)
            }))
          }
        : event
    )
  ),
  mutant(
    "cancelled",
    "an interrupt is a success",
    eventsOut((event) =>
      event.type === "RUN_FINISHED" && event.outcome?.type === "cancelled"
        ? { ...event, outcome: { type: "success" } }
        : event
    )
  ),
  mutant(
    "resent",
    "a cut answer is shown twice",
    messagesIn(({ message, name }) => {
      if (name !== "stream_event/message_stop") return message
      const { abandoned_blocks: _, ...rest } = message
      return rest
    })
  )
]
