/**
 * What a client has after a stream of events: the messages and the shared state.
 *
 * The rules are those of `defaultApplyEvents` of `@ag-ui/client` 1.0.0, whose messages and state after the same
 * events are the same; `test/agui/history.test.ts` holds the two against each other. Chunks, which the client
 * expands in a stage before, are taken too. An event that does not fit (a delta for a message nobody started, a
 * patch that does not apply) changes nothing, as there.
 *
 * A history is a value: no function here changes one.
 */
import * as Result from "effect/Result"
import { isRecord } from "../wire/Json.ts"
import type { Metadata } from "./Base.ts"
import { expandChunk, type OpenChunk, type WholeEvent } from "./Chunks.ts"
import type { AguiEvent, AguiEventOf } from "./Event.ts"
import { HistoryDraft } from "./HistoryDraft.ts"
import type { ActivityMessage, AssistantMessage, Message, ToolCall, ToolMessage } from "./Message.ts"
import { applyPatch } from "./Patch.ts"

/** What a client has: the conversation, and the state it shares with the agent. */
export interface History {
  readonly messages: ReadonlyArray<Message>
  readonly state: unknown
  /** What chunks have begun, so that the next one can continue it. Absent: nothing. */
  readonly open?: ReadonlyArray<OpenChunk>
}

/** A conversation that has not begun. Clients begin with this state, too. */
export const emptyHistory: History = { messages: [], state: {} }

/** The history after one more event; the same value when the event changes nothing. */
export const applyEvent = (history: History, event: AguiEvent): History => fold(history, [event], true)

/** The history after the events, in time that grows with their number. */
export const foldEvents = (events: Iterable<AguiEvent>, history: History = emptyHistory): History =>
  fold(history, events, false)

/**
 * The event that gives a client these messages. A client that has some keeps its own activities and reasoning
 * where this has none.
 */
export const messagesSnapshot = (history: History): AguiEventOf<"MESSAGES_SNAPSHOT"> => ({
  type: "MESSAGES_SNAPSHOT",
  messages: history.messages
})

const none: ReadonlyArray<OpenChunk> = []

const fold = (history: History, events: Iterable<AguiEvent>, single: boolean): History => {
  const draft = new HistoryDraft(history.messages, single)
  let state = history.state
  let open = history.open ?? none
  for (const event of events) {
    const expanded = expandChunk(open, event)
    open = expanded.open
    for (const whole of expanded.events) {
      if (whole.type === "STATE_SNAPSHOT") state = whole.snapshot
      else if (whole.type === "STATE_DELTA") state = Result.getOrElse(applyPatch(state, whole.delta), () => state)
      else applyToMessages(draft, whole)
    }
  }
  const { messages } = draft
  const same = messages === history.messages && Object.is(state, history.state) && open === (history.open ?? none)
  return same ? history : { messages, state, ...(open.length > 0 && { open }) }
}

/** What events do to the messages. The others do nothing to them. */
const rules: { readonly [T in WholeEvent["type"]]?: (draft: HistoryDraft, event: AguiEventOf<T>) => void } = {
  TEXT_MESSAGE_START: (draft, event) =>
    begin(draft, event.metadata, {
      id: event.messageId,
      role: event.role ?? "assistant",
      content: "",
      ...(event.name !== undefined && { name: event.name }),
      ...owner(event)
    }),
  TEXT_MESSAGE_CONTENT: (draft, event) => append(draft, event),
  TEXT_MESSAGE_END: (draft, event) => annotate(draft, draft.find(event.messageId), event.metadata),
  REASONING_MESSAGE_START: (draft, event) =>
    begin(draft, event.metadata, { id: event.messageId, role: "reasoning", content: "", ...owner(event) }),
  REASONING_MESSAGE_CONTENT: (draft, event) => append(draft, event),
  REASONING_MESSAGE_END: (draft, event) => annotate(draft, draft.find(event.messageId), event.metadata),
  REASONING_ENCRYPTED_VALUE: (draft, event) => seal(draft, event),
  TOOL_CALL_START: (draft, event) => startCall(draft, event),
  TOOL_CALL_ARGS: (draft, event) => continueCall(draft, event, event.delta),
  TOOL_CALL_END: (draft, event) => continueCall(draft, event, ""),
  TOOL_CALL_RESULT: (draft, event) => addResult(draft, event),
  ACTIVITY_SNAPSHOT: (draft, event) => showActivity(draft, event),
  ACTIVITY_DELTA: (draft, event) => changeActivity(draft, event),
  MESSAGES_SNAPSHOT: (draft, event) => merge(draft, event),
  RUN_STARTED: (draft, event) => {
    for (const message of event.input?.messages ?? []) if (draft.find(message.id) === -1) draft.push(message)
  }
}

const applyToMessages = (draft: HistoryDraft, event: WholeEvent): void => {
  // The compiler does not see that the rule found under an event's type takes that event.
  const rule = rules[event.type] as ((draft: HistoryDraft, event: WholeEvent) => void) | undefined
  rule?.(draft, event)
}

const begin = (draft: HistoryDraft, metadata: Metadata | undefined, message: Message): void => {
  const position = draft.find(message.id)
  // A message may have begun with a tool call that named it as its parent.
  if (position === -1) draft.push(withMetadata(message, metadata))
  else annotate(draft, position, metadata)
}

const append = (
  draft: HistoryDraft,
  { delta, messageId, metadata }: AguiEventOf<"TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT">
): void => {
  const position = draft.find(messageId)
  const message = draft.messages[position]
  // Text in the place of an activity's content would make it no activity.
  if (message === undefined || message.role === "activity") return
  const content = typeof message.content === "string" ? message.content + delta : delta
  draft.update(position, withMetadata({ ...message, content }, metadata))
}

const annotate = (draft: HistoryDraft, position: number, metadata: Metadata | undefined): void => {
  const message = draft.messages[position]
  if (message === undefined || message.role === "activity" || metadata === undefined) return
  draft.update(position, withMetadata(message, metadata))
}

const startCall = (draft: HistoryDraft, event: AguiEventOf<"TOOL_CALL_START">): void => {
  const { metadata, toolCallId, toolCallName: name } = event
  const place = draft.findCall(toolCallId)
  if (place === undefined) {
    const call: ToolCall = { id: toolCallId, type: "function", function: { name, arguments: "" } }
    addCall(draft, event, withMetadata(call, metadata))
  } else if (place.call.function.name !== name || metadata !== undefined) {
    // Sent again, a start changes the name and leaves the arguments.
    const { call } = place
    draft.updateCall(place, withMetadata({ ...call, function: { ...call.function, name } }, metadata))
  }
}

/** To the assistant message that the event names, or to a new one of that id; of the call's id if that one is taken. */
const addCall = (draft: HistoryDraft, event: AguiEventOf<"TOOL_CALL_START">, call: ToolCall): void => {
  // The client takes an empty id for none.
  const parentId = event.parentMessageId || undefined
  const position = parentId === undefined ? -1 : draft.find(parentId)
  const parent = draft.messages[position]
  if (parent?.role === "assistant") draft.pushCall(position, parent, call)
  else {
    const id = parent === undefined ? (parentId ?? call.id) : call.id
    const created: AssistantMessage = { id, role: "assistant", toolCalls: [call] }
    // With the id of another message it is taken for that one, and gets no owner.
    draft.push(draft.find(id) === -1 ? { ...created, ...owner(event) } : created)
  }
}

const continueCall = (
  draft: HistoryDraft,
  { metadata, toolCallId }: AguiEventOf<"TOOL_CALL_ARGS" | "TOOL_CALL_END">,
  delta: string
): void => {
  const place = draft.findCall(toolCallId)
  if (place === undefined || (delta === "" && metadata === undefined)) return
  const { call } = place
  const longer = { ...call, function: { ...call.function, arguments: call.function.arguments + delta } }
  draft.updateCall(place, withMetadata(longer, metadata))
}

/** After the call and the results that are there already, for that is where models want it. */
const addResult = (draft: HistoryDraft, event: AguiEventOf<"TOOL_CALL_RESULT">): void => {
  const { content, messageId, metadata, toolCallId } = event
  const result: ToolMessage = { id: messageId, toolCallId, role: "tool", content, ...owner(event) }
  const place = draft.findCall(toolCallId)
  let position = place === undefined ? draft.messages.length : place.position + 1
  while (draft.messages[position]?.role === "tool") position++
  draft.insert(position, withMetadata(result, metadata))
}

const seal = (
  draft: HistoryDraft,
  { encryptedValue, entityId, subtype }: AguiEventOf<"REASONING_ENCRYPTED_VALUE">
): void => {
  if (subtype === "tool-call") {
    const place = draft.findCall(entityId)
    if (place !== undefined) draft.updateCall(place, { ...place.call, encryptedValue })
    return
  }
  const position = draft.find(entityId)
  const message = draft.messages[position]
  if (message !== undefined && message.role !== "activity") draft.update(position, { ...message, encryptedValue })
}

const showActivity = (draft: HistoryDraft, event: AguiEventOf<"ACTIVITY_SNAPSHOT">): void => {
  const { activityType, content, messageId, metadata, replace = true } = event
  const position = draft.find(messageId)
  const existing = draft.messages[position]
  const activity: ActivityMessage = { id: messageId, role: "activity", activityType, content, ...owner(event) }
  if (existing === undefined) draft.push(withMetadata(activity, metadata))
  else if (existing.role === "activity") {
    // The content and the owner are new, the metadata continues.
    const { subagentRunId: _, ...rest } = existing
    const shown = replace ? { ...rest, activityType, content, ...owner(event) } : existing
    if (replace || metadata !== undefined) draft.update(position, withMetadata(shown, metadata))
  } else if (replace) draft.replace(position, withMetadata(activity, metadata))
}

const changeActivity = (draft: HistoryDraft, event: AguiEventOf<"ACTIVITY_DELTA">): void => {
  const position = draft.find(event.messageId)
  const existing = draft.messages[position]
  if (existing?.role !== "activity") return
  const annotated = withMetadata(existing, event.metadata)
  const patched = applyPatch(existing.content, event.patch)
  if (Result.isSuccess(patched))
    // A patch of the whole may leave no object: the client does not look.
    draft.update(position, {
      ...annotated,
      content: patched.success as ActivityMessage["content"],
      activityType: event.activityType
    })
  else if (event.metadata !== undefined) draft.update(position, annotated)
}

/**
 * The snapshot's messages in the order of those that are there, new ones at the end. What it lacks is gone, but
 * for activities and reasoning where the snapshot has none at all: few producers keep those.
 */
const merge = (draft: HistoryDraft, event: AguiEventOf<"MESSAGES_SNAPSHOT">): void => {
  const byId = new Map(event.messages.map((message) => [message.id, message]))
  const owned = ownedActivities(event.metadata)
  const has = (role: Message["role"]) => event.messages.some((message) => message.role === role)
  const keeps = { activity: !has("activity"), reasoning: !has("reasoning") }
  const kept = (message: Message): boolean => {
    if (message.role === "reasoning") return keeps.reasoning
    if (message.role !== "activity" || owned === "all") return false
    return owned === undefined ? keeps.activity : !owned.includes(message.activityType)
  }
  const there = draft.messages.flatMap((message) => byId.get(message.id) ?? (kept(message) ? message : []))
  const ids = new Set(there.map((message) => message.id))
  draft.replaceAll([...there, ...event.messages.filter((message) => !ids.has(message.id))])
}

/**
 * Which activities a snapshot speaks for, by a convention of the client's in its metadata: null for all, a list
 * for some types, anything malformed for none.
 */
const ownedActivities = (metadata: Metadata | undefined): ReadonlyArray<string> | "all" | undefined => {
  if (metadata === undefined || !Object.hasOwn(metadata, "@ag-ui/client")) return undefined
  const declared = metadata["@ag-ui/client"]
  if (!isRecord(declared)) return []
  if (!Object.hasOwn(declared, "authoritativeActivityTypes")) return undefined
  const types = declared["authoritativeActivityTypes"]
  if (types === null) return "all"
  return Array.isArray(types) && types.every((type) => typeof type === "string") ? types : []
}

/** Key by key, the last value wins; values are not merged. */
const withMetadata = <A extends { readonly metadata?: Metadata }>(target: A, metadata: Metadata | undefined): A =>
  metadata === undefined ? target : { ...target, metadata: { ...target.metadata, ...metadata } }

const owner = ({ subagentRunId }: { readonly subagentRunId?: string }): { readonly subagentRunId?: string } =>
  subagentRunId === undefined ? {} : { subagentRunId }
