/**
 * Items: what `item/started` and `item/completed` say of each type.
 */
import type { Content, Part } from "../../model/Content.ts"
import { withoutEntry } from "../../model/Situation.ts"
import { fieldsIn, listIn, textIn, textsIn } from "../../wire/Fields.ts"
import { backgroundCompleted } from "./Background.ts"
import { callCompleted, callKindOf, callStarted } from "./Call.ts"
import { mediaPart, type WireItem } from "./CallTable.ts"
import { abandonSpeeches, completeSpeech, speak } from "./Speech.ts"
import { type FoldState, laneOf, type Out, remembered } from "./State.ts"
import { adoptReceivers } from "./Subagent.ts"

/** The id of the item that has the raw part of a thought. */
export const rawThoughtId = (id: string): string => `${id}:raw`

/** What has been said of an item is complete: what is said of it again gives nothing. */
const done = (state: FoldState, id: string): FoldState => ({ ...state, complete: remembered(state.complete, id) })

/** An item begins. Texts and thoughts begin with their first word. */
export const itemStarted = (state: FoldState, thread: string, item: WireItem, out: Out): FoldState => {
  const { id, type } = named(item)
  if (state.complete.includes(id) || state.background.has(id)) return state
  const kind = callKindOf(type)
  if (kind !== undefined) return callStarted(state, thread, item, kind, out)
  switch (type) {
    case "agentMessage":
    case "plan":
      return speak(state, thread, "text", id, textIn(item["text"]) ?? "", out)
    case "userMessage":
      return userMessage(state, thread, item, out)
    default:
      return state
  }
}

/** An item is complete. */
export const itemCompleted = (state: FoldState, thread: string, item: WireItem, out: Out): FoldState => {
  const { id, type } = named(item)
  if (state.complete.includes(id)) return state
  if (state.background.has(id)) return backgroundCompleted(state, item, id, out)
  const kind = callKindOf(type)
  if (kind !== undefined) return adoptReceivers(callCompleted(state, thread, item, kind, out), thread, item)
  switch (type) {
    case "agentMessage":
      return agentMessage(state, thread, item, out)
    case "plan":
      return done(completeSpeech(state, thread, "text", id, textIn(item["text"]) ?? "", out), id)
    case "reasoning":
      return reasoning(state, thread, item, out)
    case "userMessage":
      return userMessage(state, thread, item, out)
    case "contextCompaction":
      if (laneOf(state, thread) === null) out.push({ type: "context_reset", how: "compacted" })
      return noticed(state, thread, item, out)
    default:
      return noticed(state, thread, item, out)
  }
}

const named = (item: WireItem): { readonly id: string; readonly type: string } => ({
  id: textIn(item["id"]) ?? "",
  type: textIn(item["type"]) ?? ""
})

/** Names of what items say that are neither said nor done by the agent. */
const noticeNames: Readonly<Record<string, string>> = {
  hookPrompt: "hook_prompt",
  functionCallOutput: "function_call_output",
  subAgentActivity: "subagent_activity",
  enteredReviewMode: "review_entered",
  exitedReviewMode: "review_exited",
  contextCompaction: "context_compaction"
}

const noticed = (state: FoldState, thread: string, item: WireItem, out: Out): FoldState => {
  const { id, type } = named(item)
  out.push({ type: "noticed", lane: laneOf(state, thread), name: noticeNames[type] ?? "item", value: item })
  return done(state, id)
}

/** What a message has besides its words. */
const messageDetails = ["phase", "delivery", "questions", "memoryCitation"]

const agentMessage = (state: FoldState, thread: string, item: WireItem, out: Out): FoldState => {
  const { id } = named(item)
  const said = completeSpeech(state, thread, "text", id, textIn(item["text"]) ?? "", out)
  const details = messageDetails.filter((key) => item[key] !== undefined && item[key] !== null)
  if (details.length > 0)
    out.push({
      type: "noticed",
      lane: laneOf(state, thread),
      name: "message_details",
      value: { id, ...Object.fromEntries(details.map((key) => [key, item[key]])) }
    })
  return done(said, id)
}

/** The sections of a thought, as one text. */
const joined = (sections: unknown): string =>
  textsIn(sections)
    .filter((section) => section !== "")
    .join("\n\n")

const reasoning = (state: FoldState, thread: string, item: WireItem, out: Out): FoldState => {
  const { id } = named(item)
  const summary = completeSpeech(state, thread, "thought", id, joined(item["summary"]), out)
  const raw = rawThoughtId(id)
  return done(done(completeSpeech(summary, thread, "thought", raw, joined(item["content"]), out), id), raw)
}

/**
 * What the person said. Whoever sent it knows it already; what another client sent is news. It cuts off what the model
 * was saying (§3.20).
 */
const userMessage = (state: FoldState, thread: string, item: WireItem, out: Out): FoldState => {
  const { id } = named(item)
  const lane = laneOf(state, thread)
  const content = userContent(item["content"])
  const cut = abandonSpeeches(done(state, id), thread, out)
  const next = { ...cut, parents: withoutEntry(cut.parents, thread) }
  if (lane !== null) {
    out.push({ type: "noticed", lane, name: "subagent_prompt", value: { id, content } })
    return next
  }
  const client = textIn(item["clientId"])
  const steered = client === undefined ? undefined : next.steers.get(client)
  if (client !== undefined && steered !== undefined) {
    for (const { content: words, id: name } of steered)
      out.push({ type: "item_started", lane, id: name, item: { kind: "prompt", content: words } })
    return { ...next, steers: withoutEntry(next.steers, client) }
  }
  const index = client === undefined ? 0 : next.prompts.findIndex((each) => each === undefined || each === client)
  if (index !== -1 && next.prompts.length > 0) return { ...next, prompts: next.prompts.filter((_, at) => at !== index) }
  out.push({ type: "item_started", lane, id: client ?? id, item: { kind: "prompt", content } })
  return next
}

const userContent = (given: unknown): Content => {
  const parts = listIn(given).map(userPart)
  const [first, ...more] = parts
  if (first === undefined) return ""
  return more.length === 0 && first.type === "text" ? first.text : parts
}

const userPart = (input: unknown): Part => {
  const { name, path, text, type, url } = fieldsIn(input)
  if (type === "text" && typeof text === "string") return { type, text }
  if ((type === "image" || type === "audio") && typeof url === "string") return mediaPart(type, url)
  const what = [textIn(type), textIn(name), textIn(path)].filter((each) => each !== undefined).join(" ")
  return { type: "text", text: `[${what}]` }
}
