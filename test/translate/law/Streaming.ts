/**
 * Law 3: streamed ≡ whole. Without its stream events a session leaves a client with the same messages: the same ids,
 * the same order within each lane, the same contents.
 *
 * What differs differs on the wire, and only by these rules (docs/wire/claude-code.md):
 * - what no `assistant` line ever has exists in deltas only (§5.10, §5.11, killed in mid-turn);
 * - an answer that was cut and sent again stands under the id of its first attempt (§5.12);
 * - where the stream lost lines, what came of it stands beside the whole (§2);
 * - arguments are compared as JSON, and not at all where the CLI's own whole differs from its own deltas (§7.49);
 * - the order of two lanes is that of their first words, and those are earlier when streamed (§5.22).
 */
import type { Agui } from "@agentwire/protocol"
import { folded, parsedJson, shown, withoutHalf } from "./Shown.ts"
import { type Told, type ToldMessage, told } from "./Told.ts"
import {
  difference,
  isStreamEvent,
  type Law,
  type Session,
  stable,
  translate,
  uuidOf,
  withMessages
} from "./Translator.ts"

/** Law 3. */
export const streamedIsWhole: Law = (translator, session) => {
  const whole = withMessages(
    session,
    session.messages.filter((message) => !isStreamEvent(message))
  )
  const known = told(session)
  const streamed = translate(translator, session).events
  const alone = translate(translator, whole).events
  const completed = known.messages.filter((message) => message.whole)
  return difference(
    "messages without the stream",
    entries(streamed, known, byId(streamed, known.messages, session)),
    entries(alone, known, byId(alone, completed, session))
  )
}

/** Which told message each shown one is: the first of a lane is the first, and so on. */
const byId = (
  events: ReadonlyArray<Agui.AguiEvent>,
  messages: ReadonlyArray<ToldMessage>,
  session: Session
): ReadonlyMap<string, ToldMessage> => {
  const uuids = new Set(session.messages.map(uuidOf))
  const waiting = new Map<string, Array<ToldMessage>>()
  for (const message of messages) {
    const key = `${message.kind} ${message.lane}`
    waiting.set(key, [...(waiting.get(key) ?? []), message])
  }
  const found = new Map<string, ToldMessage>()
  for (const { id, kind, lane } of shown(events).messages.values()) {
    const next = uuids.has(id) ? undefined : waiting.get(`${kind} ${lane}`)?.shift()
    if (next !== undefined) found.set(id, next)
  }
  return found
}

/** Messages by lane, with the calls of each on their own, and without what the rules above leave out. */
const entries = (
  events: ReadonlyArray<Agui.AguiEvent>,
  known: Told,
  ids: ReadonlyMap<string, ToldMessage>
): Record<string, ReadonlyArray<unknown>> => {
  const lanes: Record<string, Array<unknown>> = {}
  for (const message of folded(events)) {
    // An activity shows how far a task is by the end of the last run that could tell, and no part of an answer.
    if (message.role === "activity") continue
    const lane = message.subagentRunId ?? "main"
    const { metadata: _, toolCalls = [], ...bare } = { toolCalls: undefined, ...message } as Agui.AssistantMessage
    const list = lanes[lane] ?? []
    lanes[lane] = list
    const told = ids.get(message.id)
    const id = told?.again !== undefined || told?.beside === true ? "another" : message.id
    const words = typeof message.content === "string" ? withoutHalf(message.content) : message.content
    const empty = message.role !== "tool" && (words ?? "") === "" && !("encryptedValue" in message)
    if (!empty && told?.whole !== false) list.push({ ...bare, id })
    for (const call of toolCalls) {
      const of = known.calls.get(call.id)
      if (of !== undefined && !of.whole) continue
      const again = of !== undefined && of.answer !== of.last
      list.push({ call: call.id, name: call.function.name, args: argumentsOf(call, known), in: again ? "" : id })
    }
  }
  return Object.fromEntries(Object.entries(lanes).filter(([, list]) => list.length > 0))
}

const argumentsOf = ({ function: { arguments: args }, id }: Agui.ToolCall, { calls }: Told): unknown => {
  const call = calls.get(id)
  const streamed = parsedJson(call?.streamed ?? "")
  if (call !== undefined && call.streamed !== "" && stable(streamed?.value) !== stable(call.input)) return "normalised"
  return parsedJson(args)?.value
}
